package expr

import (
	"cmp"
	"maps"
	"slices"

	"example.com/keyfirst/internal/engine/attr"
)

// Apply is the item after the update; the one given stays as it is. Every operand is read from the item as it was. It
// returns an InvalidError when the update does not suit the item.
func (u *Program) Apply(item attr.Item) (attr.Item, error) {
	next := maps.Clone(item)
	if next == nil {
		next = attr.Item{}
	}
	if err := u.applySets(item, next); err != nil {
		return nil, err
	}
	if err := applyEdits(u.adds, item, next, added); err != nil {
		return nil, err
	}
	if err := applyEdits(u.deletes, item, next, deleted); err != nil {
		return nil, err
	}
	return next, applyRemoves(u.removes, next)
}

// applySets assigns in the order of list indexes, so that elements past the end of a list keep their order.
func (u *Program) applySets(item, next attr.Item) error {
	sets := slices.Clone(u.sets)
	slices.SortStableFunc(sets, func(a, b assignment) int { return cmp.Compare(lastIndex(a.path), lastIndex(b.path)) })
	for _, s := range sets {
		v, err := s.value.compute(item)
		if err != nil {
			return err
		}
		if err := set(next, s.path, v); err != nil {
			return err
		}
	}
	return nil
}

func lastIndex(p Path) int { return p[len(p)-1].index }

func applyEdits(edits []edit, item, next attr.Item, edited func(old, operand attr.Value) (attr.Value, error)) error {
	for _, e := range edits {
		old, ok := e.path.find(item)
		if !ok {
			old = attr.Value{}
		}
		v, err := edited(old, e.value)
		switch {
		case err != nil:
			return err
		case v.Kind != attr.None:
			err = set(next, e.path, v)
		default:
			err = remove(next, e.path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// added is old plus the operand of ADD: a sum of numbers or a union of sets.
func added(old, operand attr.Value) (attr.Value, error) {
	switch {
	case old.Kind == attr.None:
		return operand, nil
	case old.Kind != operand.Kind:
		return attr.Value{}, ErrOperandType
	case old.Kind == attr.N:
		return arithmetic{}.apply(old, operand)
	}
	members := slices.Clone(old.Set)
	for _, m := range operand.Set {
		if !slices.Contains(old.Set, m) {
			members = append(members, m)
		}
	}
	return attr.SetOf(old.Kind, members), nil
}

// deleted is old without the members of the operand of DELETE; no value when none is left.
func deleted(old, operand attr.Value) (attr.Value, error) {
	switch {
	case old.Kind == attr.None:
		return old, nil
	case old.Kind != operand.Kind:
		return attr.Value{}, ErrOperandType
	}
	left := slices.DeleteFunc(slices.Clone(old.Set), func(m string) bool { return slices.Contains(operand.Set, m) })
	if len(left) == 0 {
		return attr.Value{}, nil
	}
	return attr.Value{Kind: old.Kind, Set: left}, nil
}

// applyRemoves removes from the back of lists, as indexes mean the list as it was.
func applyRemoves(paths []Path, next attr.Item) error {
	paths = slices.Clone(paths)
	slices.SortStableFunc(paths, func(a, b Path) int { return cmp.Compare(lastIndex(b), lastIndex(a)) })
	for _, path := range paths {
		if err := remove(next, path); err != nil {
			return err
		}
	}
	return nil
}

// set puts a value at the path of an item whose top level may be changed, copying what lies deeper.
func set(item attr.Item, path Path, v attr.Value) error {
	if path.IsAttribute() {
		item[path.Attribute()] = v
		return nil
	}
	return edited(item, path, func(parent attr.Value, last step) (attr.Value, error) {
		switch {
		case !last.isIndex() && parent.Kind == attr.M:
			parent.Map = maps.Clone(parent.Map)
			parent.Map[last.name] = v
		case last.isIndex() && parent.Kind == attr.L && last.index < len(parent.List):
			parent.List = slices.Clone(parent.List)
			parent.List[last.index] = v
		case last.isIndex() && parent.Kind == attr.L:
			parent.List = append(slices.Clone(parent.List), v)
		default:
			return attr.Value{}, ErrPath
		}
		return parent, nil
	})
}

// remove takes away what is at the path, if anything is.
func remove(item attr.Item, path Path) error {
	if path.IsAttribute() {
		delete(item, path.Attribute())
		return nil
	}
	return edited(item, path, func(parent attr.Value, last step) (attr.Value, error) {
		switch {
		case !last.isIndex() && parent.Kind == attr.M:
			parent.Map = maps.Clone(parent.Map)
			delete(parent.Map, last.name)
		case last.isIndex() && parent.Kind == attr.L && last.index < len(parent.List):
			parent.List = slices.Delete(slices.Clone(parent.List), last.index, last.index+1)
		case last.isIndex() && parent.Kind == attr.L:
		default:
			return attr.Value{}, ErrPath
		}
		return parent, nil
	})
}

// edited replaces what holds the last step of the path by what change makes of it.
func edited(item attr.Item, path Path, change func(parent attr.Value, last step) (attr.Value, error)) error {
	top, err := editValue(attr.Value{Kind: attr.M, Map: item}, path, change)
	if err == nil {
		item[path.Attribute()] = top.Map[path.Attribute()]
	}
	return err
}

func editValue(v attr.Value, path Path, change func(parent attr.Value, last step) (attr.Value, error)) (attr.Value, error) {
	if len(path) == 1 {
		return change(v, path[0])
	}
	inner, ok := child(v, path[0])
	if !ok {
		return attr.Value{}, ErrPath
	}
	inner, err := editValue(inner, path[1:], change)
	if err != nil {
		return attr.Value{}, err
	}
	if path[0].isIndex() {
		v.List = slices.Clone(v.List)
		v.List[path[0].index] = inner
	} else {
		v.Map = maps.Clone(v.Map)
		v.Map[path[0].name] = inner
	}
	return v, nil
}
