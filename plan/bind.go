package plan

import (
	"slices"

	"example.com/keyfirst/dal"
)

// Plan is an operation with its variables: what will be read, in which rounds, for how much at most.
type Plan struct {
	consistency dal.Consistency
	projection  dal.Projection
	// shards is the number of shards that its reads keep to; 0 for as many as the table has.
	shards int
	// root are the steps that need no parent. A mutation has none: its steps begin at what each root field writes.
	root []*step
	// writes are the root fields of a mutation, in their order.
	writes []write
}

// write is one root field of a mutation.
type write struct {
	wrote

	// field is its response key.
	field string
	// below are the steps on what it wrote, by its type.
	below below
}

// step is one reading field.
type step struct {
	access

	// path is the field's response path, without the fields of connections.
	path string
	// below are the steps on what the field finds, by its type.
	below below
	// round is the round its reads go out in.
	round int
	// free says that what the step finds is known as soon as its parents are: it sends nothing.
	free bool
	// met says that its parents are known by their ids.
	met bool
	// brings are the steps below that its own Query answers too.
	brings []*step
}

// below are steps by the type of their parent.
type below map[string][]*step

// Bind puts the variables into the operation.
func (o *Operation) Bind(variables map[string]any) *Plan {
	b := &binder{variables: variables, consistent: o.Consistent, fields: fields()}
	p := &Plan{projection: o.projection}
	switch {
	case o.Mutation:
		p.consistency = dal.StrongButIndexes
	case o.Consistent:
		p.consistency = dal.Strong
	}
	switch {
	case o.Mutation:
		for _, s := range o.root {
			if s.selectedWith(variables) {
				p.writes = append(p.writes, b.write(s))
			}
		}
	default:
		p.root = b.steps(o.root, "", true)
	}
	p.schedule()
	return p
}

// schedule gives every step its round; below a write, rounds count from the write.
func (p *Plan) schedule() {
	for _, s := range p.root {
		s.schedule(0)
	}
	for _, w := range p.writes {
		for _, steps := range w.below {
			for _, s := range steps {
				s.met = true
				if s.free = w.lines > 0 && s.within == dal.TypeOrder; s.free {
					s.bring(0)
					continue
				}
				s.schedule(0)
			}
		}
	}
}

type binder struct {
	variables  map[string]any
	consistent bool
	fields     map[string]func(arguments, bool) (access, error)
}

// steps binds fields that have the same parents. Those that ask for the same, under whatever response keys, become one.
func (b *binder) steps(fields []*selected, path string, single bool) []*step {
	steps := make([]*step, 0, len(fields))
	for _, same := range b.alike(fields) {
		steps = b.add(steps, same, path, single)
	}
	return steps
}

// alike puts the selected ones of the fields that have the same name and the same arguments together.
func (b *binder) alike(fields []*selected) [][]*selected {
	type call struct {
		name      string
		arguments int
	}
	at := make(map[call]int, len(fields))
	groups := make([][]*selected, 0, len(fields))
	for _, f := range fields {
		if !f.selectedWith(b.variables) {
			continue
		}
		i, known := at[call{f.name, f.call}]
		if !known {
			i = len(groups)
			at[call{f.name, f.call}] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// add appends the step of fields that are alike; those that plan no read add none.
func (b *binder) add(steps []*step, alike []*selected, path string, single bool) []*step {
	s := alike[0]
	bind, reads := b.fields[s.object+"."+s.name]
	if !reads {
		return steps
	}
	a, err := bind(arguments{values: s.arguments(b.variables), consistent: b.consistent}, single)
	if err != nil {
		return steps // the resolver reports it, on the field's path
	}
	if path != "" {
		path += "."
	}
	path += s.key
	bound := &step{access: a, path: path, below: b.below(alike, path, single && !a.list)}
	bound.arrange()
	return append(steps, bound.behindVia())
}

// below binds the steps under fields that are alike: those on entities, wherever connections and payloads hide them.
func (b *binder) below(alike []*selected, path string, single bool) below {
	found := map[string][]*selected{}
	for _, s := range alike {
		b.gather(s, found)
	}
	steps := make(below, len(found))
	for object, fields := range found {
		steps[object] = b.steps(fields, path, single)
	}
	return steps
}

// gather collects the fields on entities below s, by type. The fields of a connection between read nothing themselves.
func (b *binder) gather(s *selected, found map[string][]*selected) {
	for object, fields := range s.below {
		for _, f := range fields {
			switch {
			case isEntity(object):
				found[object] = append(found[object], f)
			case f.selectedWith(b.variables):
				b.gather(f, found)
			}
		}
	}
}

// write binds a root field of a mutation, and the steps on what it writes.
func (b *binder) write(s *selected) write {
	w := write{field: s.key}
	bind, known := writes()[s.object+"."+s.name]
	if known {
		w.wrote = bind(arguments{values: s.arguments(b.variables)})
	}
	path := s.key
	for _, payload := range s.below {
		for _, f := range payload {
			if isEntity(f.result) {
				path = s.key + "." + f.key
			}
		}
	}
	w.below = b.below([]*selected{s}, path, true)
	return w
}

func isEntity(object string) bool {
	switch dal.EntityType(object) {
	case dal.TypeCustomer, dal.TypeOrder, dal.TypeOrderItem, dal.TypeProduct, dal.TypeWarehouse:
		return true
	}
	return false
}

// arrange lets a root field's own Query bring along the pages below that it can: a customer its newest orders, an
// order its first lines.
func (s *step) arrange() {
	if s.together == nil {
		return
	}
	for _, page := range s.below[string(s.ids[0].Type)] {
		if page.plain {
			s.brings = append(s.brings, page)
		}
	}
	if len(s.brings) > 0 {
		s.sends = func(dal.Entity) []dal.Read { return []dal.Read{s.together(s.brought())} }
	}
}

// brought are the reads that the step's own Query answers beside its own.
func (s *step) brought() []dal.Read {
	var reads []dal.Read
	for _, page := range s.brings {
		reads = append(reads, page.early(s.ids[0])...)
	}
	return reads
}

// beside are the reads below that go out in the same round as the step's own, since they follow from its ids alone.
func (s *step) beside() []dal.Read {
	var reads []dal.Read
	for _, id := range s.ids {
		for _, page := range s.below[string(id.Type)] {
			if page.early != nil && !slices.Contains(s.brings, page) {
				reads = append(reads, page.early(id)...)
			}
		}
	}
	return reads
}

// behindVia puts a step behind the one its parents come from.
func (s *step) behindVia() *step {
	if s.via == nil {
		return s
	}
	return &step{access: *s.via, path: s.path, below: below{ownerType: {s}}}
}

// ownerType is the type of the guard of an e-mail address, which the schema does not know.
const ownerType = "EmailOwner"
