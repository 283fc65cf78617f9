package plan

import (
	"slices"
	"strings"

	"example.com/keyfirst/dal"
)

// Plan is an operation with its variables: what will be read, in which rounds, for how much at most.
type Plan struct {
	consistency dal.Consistency
	// root are the steps that need no parent. A mutation has none: its steps begin at what each root field writes.
	root []*step
	// writes are the root fields of a mutation, in their order.
	writes []write
}

// write is one root field of a mutation.
type write struct {
	// field is its response key.
	field string
	cost  dal.WriteBound
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
	// brings are the steps below that its own Query answers too.
	brings []*step
}

// below are steps by the type of their parent.
type below map[string][]*step

// Bind puts the variables into the operation.
func (o *Operation) Bind(variables map[string]any) *Plan {
	b := &binder{variables: variables, consistent: o.Consistent, fields: fields()}
	p := &Plan{}
	switch {
	case o.Mutation:
		p.consistency = dal.StrongButIndexes
	case o.Consistent:
		p.consistency = dal.Strong
	}
	for _, s := range o.root {
		switch {
		case !s.selectedWith(variables):
		case o.Mutation:
			p.writes = append(p.writes, b.write(s))
		default:
			p.root = b.add(p.root, s, nil, true)
		}
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

// add appends the field's step; a field that plans no read adds none.
func (b *binder) add(steps []*step, s *selected, path []string, single bool) []*step {
	bind, reads := b.fields[s.object+"."+s.name]
	if !reads || !s.selectedWith(b.variables) {
		return steps
	}
	a, err := bind(arguments{values: s.arguments(b.variables), consistent: b.consistent}, single)
	if err != nil {
		return steps // the resolver reports it, on the field's path
	}
	path = append(slices.Clip(path), s.key)
	bound := &step{access: a, path: strings.Join(path, "."), below: b.below(s, path, single && !a.list)}
	bound.arrange()
	return append(steps, bound.behindVia())
}

// below binds the steps under a field: those on entities, wherever connections and payloads hide them.
func (b *binder) below(s *selected, path []string, single bool) below {
	steps := below{}
	for object, fields := range s.below {
		for _, f := range fields {
			if !isEntity(object) {
				steps.merge(b.through(f, path, single))
				continue
			}
			steps[object] = b.add(steps[object], f, path, single)
		}
	}
	return steps
}

// through passes a field of a connection, which reads nothing itself: `nodes`, `edges`, `node`.
func (b *binder) through(f *selected, path []string, single bool) below {
	if !f.selectedWith(b.variables) {
		return nil
	}
	return b.below(f, path, single)
}

// write binds a root field of a mutation, and the steps on what it writes.
func (b *binder) write(s *selected) write {
	w := write{field: s.key, below: below{}}
	if cost, known := writes()[s.object+"."+s.name]; known {
		w.cost = cost(arguments{values: s.arguments(b.variables)})
	}
	for _, fields := range s.below {
		for _, f := range fields {
			w.below.merge(b.through(f, []string{s.key, f.key}, true))
		}
	}
	return w
}

func (b below) merge(other below) {
	for object, steps := range other {
		b[object] = append(b[object], steps...)
	}
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
