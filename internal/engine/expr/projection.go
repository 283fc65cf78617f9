package expr

import (
	"maps"
	"slices"

	"example.com/keyfirst/internal/engine/attr"
)

// Selection picks parts of items.
type Selection struct{ tree *pathTree }

// ParseProjection parses an expression of kind Projection.
func ParseProjection(text string, holders *Placeholders) (*Selection, error) {
	p, err := newParser(Projection, text, holders)
	if err != nil {
		return nil, err
	}
	paths, err := list(p, p.path)
	if err != nil {
		return nil, err
	}
	if err := p.finish(); err != nil {
		return nil, err
	}
	return newSelection(Projection, paths)
}

func newSelection(kind Kind, paths []Path) (*Selection, error) {
	tree := &pathTree{}
	for _, path := range paths {
		if err := tree.add(kind, path); err != nil {
			return nil, err
		}
	}
	return &Selection{tree}, nil
}

// SelectAttributes is a Selection of whole attributes.
func SelectAttributes(names ...string) *Selection {
	tree := &pathTree{members: map[string]*pathTree{}}
	for _, name := range names {
		tree.members[name] = &pathTree{path: Path{member(name)}}
	}
	return &Selection{tree}
}

// Attributes are the top-level attributes that the selection reads, in order.
func (s *Selection) Attributes() []string { return slices.Sorted(maps.Keys(s.tree.members)) }

// Of is the selected part of the item: of a list the selected elements without gaps, and nothing of what is not there.
func (s *Selection) Of(item attr.Item) attr.Item {
	return s.tree.pickMembers(item)
}

func (t *pathTree) pickMembers(from attr.Item) attr.Item {
	picked := attr.Item{}
	for name, node := range t.members {
		if v, ok := from[name]; ok {
			if v, ok = node.pick(v); ok {
				picked[name] = v
			}
		}
	}
	return picked
}

func (t *pathTree) pick(v attr.Value) (attr.Value, bool) {
	switch {
	case t.path != nil:
		return v, true
	case t.members != nil && v.Kind == attr.M:
		m := t.pickMembers(v.Map)
		return attr.Value{Kind: attr.M, Map: m}, len(m) > 0
	case t.elements != nil && v.Kind == attr.L:
		l := t.pickElements(v.List)
		return attr.Value{Kind: attr.L, List: l}, len(l) > 0
	}
	return attr.Value{}, false
}

func (t *pathTree) pickElements(from []attr.Value) []attr.Value {
	var picked []attr.Value
	for _, index := range slices.Sorted(maps.Keys(t.elements)) {
		if index >= len(from) {
			break
		}
		if v, ok := t.elements[index].pick(from[index]); ok {
			picked = append(picked, v)
		}
	}
	return picked
}
