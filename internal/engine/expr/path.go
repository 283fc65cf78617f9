package expr

import (
	"strconv"
	"strings"

	"example.com/keyfirst/internal/engine/attr"
)

// Path is a document path: an attribute, then members of maps and elements of lists. It has one step at least, and the
// first is a name.
type Path []step

// step is a name, or an index into a list when name is empty and index is not negative.
type step struct {
	name  string
	index int
}

func member(name string) step { return step{name: name, index: -1} }

func (s step) isIndex() bool { return s.index >= 0 }

func (s step) String() string {
	if s.isIndex() {
		return "[" + strconv.Itoa(s.index) + "]"
	}
	return s.name
}

// Attribute is the top-level attribute that the path leads into.
func (p Path) Attribute() string { return p[0].name }

// IsAttribute tells whether the path is a top-level attribute itself.
func (p Path) IsAttribute() bool { return len(p) == 1 }

// String is the path as messages show it, as in [a, b, [0]].
func (p Path) String() string {
	steps := make([]string, len(p))
	for i, s := range p {
		steps[i] = s.String()
	}
	return "[" + strings.Join(steps, ", ") + "]"
}

// find is the value at the path, if there is one.
func (p Path) find(item attr.Item) (attr.Value, bool) {
	v, ok := item[p[0].name]
	for _, s := range p[1:] {
		if !ok {
			break
		}
		v, ok = child(v, s)
	}
	return v, ok
}

func child(v attr.Value, s step) (attr.Value, bool) {
	switch {
	case !s.isIndex():
		c, ok := v.Map[s.name]
		return c, ok
	case s.index < len(v.List):
		return v.List[s.index], true
	}
	return attr.Value{}, false
}

// pathTree holds paths that may not overlap or conflict.
type pathTree struct {
	members  map[string]*pathTree
	elements map[int]*pathTree
	path     Path // the path that ends here, nil when none does
	through  Path // one path that leads here or further
}

// add puts a path into the tree, or says how it gets into the way of one that is there.
func (t *pathTree) add(kind Kind, p Path) error {
	node := t
	for _, s := range p {
		if node.path != nil {
			return overlap(kind, node.path, p)
		}
		if s.isIndex() && len(node.members) > 0 || !s.isIndex() && len(node.elements) > 0 {
			return kind.invalid("Two document paths conflict with each other; must remove or rewrite one of these paths; path one: " +
				node.through.String() + ", path two: " + p.String())
		}
		node.through = p
		node = node.descend(s)
	}
	if node.through != nil {
		return overlap(kind, node.through, p)
	}
	node.path, node.through = p, p
	return nil
}

func overlap(kind Kind, one, two Path) error {
	return kind.invalid("Two document paths overlap with each other; must remove or rewrite one of these paths; path one: " +
		one.String() + ", path two: " + two.String())
}

func (t *pathTree) descend(s step) *pathTree {
	if s.isIndex() {
		if t.elements == nil {
			t.elements = map[int]*pathTree{}
		}
		if t.elements[s.index] == nil {
			t.elements[s.index] = &pathTree{}
		}
		return t.elements[s.index]
	}
	if t.members == nil {
		t.members = map[string]*pathTree{}
	}
	if t.members[s.name] == nil {
		t.members[s.name] = &pathTree{}
	}
	return t.members[s.name]
}
