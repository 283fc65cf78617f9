package plan

import (
	"cmp"
	"maps"
	"slices"

	"example.com/keyfirst/dal"
)

// Figures are what an operation costs at most, retries aside.
type Figures struct {
	// Rounds is the number of rounds, one after the other.
	Rounds int `json:"rounds"`
	// Requests is the number of DynamoDB requests; what merges into one counts once.
	Requests int `json:"requests"`
	// ReadUnits and WriteUnits are capacity units.
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
	// Steps are the fields that cost something, by round.
	Steps []Step `json:"steps"`
}

// Step is one field that costs something.
type Step struct {
	// Path is the response path, without the fields of connections.
	Path    string      `json:"path"`
	Pattern dal.Pattern `json:"pattern"`
	// Operation is the DynamoDB operation.
	Operation string `json:"operation"`
	Round     int    `json:"round"`
	// Requests is what the step would need alone.
	Requests int `json:"requests"`
	// Keys is the number of items read or written at most.
	Keys       int     `json:"keys"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits,omitempty"`
}

// Figures bounds the plan on a table with so many shards.
func (p *Plan) Figures(shards int) Figures {
	e := &estimate{consistency: p.consistency, shards: shards, rounds: map[int]*roundLoad{}, steps: []Step{}}
	for _, s := range p.root {
		e.step(s, nil, 1)
	}
	for _, w := range p.writes {
		e.write(w)
	}
	return e.figures()
}

// estimate adds a plan up.
type estimate struct {
	consistency dal.Consistency
	shards      int
	// before is the number of rounds that are over when the steps at hand begin.
	before int
	// last is the highest round so far.
	last   int
	rounds map[int]*roundLoad
	steps  []Step
}

// many is more than any budget pays for: sums and products of counts stop here, long before they overflow.
const many = 1 << 40

func saturated(n int) int { return min(n, many) }

// roundLoad is what one round sends.
type roundLoad struct {
	// keys are single items, which share requests; others are the requests that nothing merges with.
	keys, others int
}

func (e *estimate) round(n int) *roundLoad {
	if e.rounds[n] == nil {
		e.rounds[n] = &roundLoad{}
		e.last = max(e.last, n)
	}
	return e.rounds[n]
}

// step adds a step for so many parents, each at most as large as the prototype.
func (e *estimate) step(s *step, parent dal.Entity, parents int) {
	switch {
	case s.free:
	case s.sends == nil && s.like != nil:
		read, times := s.like(parent)
		e.add(s, []dal.Read{read}, saturated(parents*times))
	default:
		e.add(s, task{step: s, parent: parent}.sends(), parents)
	}
	e.below(s, parent, parents)
}

// below adds what follows from the entities that a step finds.
func (e *estimate) below(s *step, parent dal.Entity, parents int) {
	for object, steps := range s.below {
		found := saturated(parents * e.found(s, object, parent))
		for _, next := range steps {
			switch {
			case slices.Contains(s.brings, next):
				e.below(next, prototype(object), found)
			case s.leadsBack(next):
				e.step(next, prototype(object), parents)
			case next.early != nil && len(s.ids) > 0:
				e.early(next, s.idsOf(object))
			default:
				e.step(next, prototype(object), found)
			}
		}
	}
}

// early adds a step whose reads follow from ids alone; they are alike but for the id.
func (e *estimate) early(s *step, ids []dal.ID) {
	if len(ids) == 0 {
		return
	}
	e.add(s, s.early(ids[0]), len(ids))
	e.below(s, prototype(string(ids[0].Type)), len(ids))
}

// add adds reads that each of so many parents sends, a step for each access pattern among them.
func (e *estimate) add(s *step, reads []dal.Read, parents int) {
	if len(reads) == 1 {
		e.addStep(s, reads, parents)
		return
	}
	byPattern := map[dal.Pattern][]dal.Read{}
	for _, r := range reads {
		byPattern[r.Pattern()] = append(byPattern[r.Pattern()], r)
	}
	for _, pattern := range slices.Sorted(maps.Keys(byPattern)) {
		e.addStep(s, byPattern[pattern], parents)
	}
}

// addStep adds reads of one pattern.
func (e *estimate) addStep(s *step, reads []dal.Read, parents int) {
	step := Step{Path: s.path, Pattern: reads[0].Pattern(), Round: e.before + s.round}
	keys := 0
	for _, r := range reads {
		if !r.Sent(e.consistency) {
			continue
		}
		b := r.Bound(e.consistency, e.shards)
		step.Keys = saturated(step.Keys + parents*b.Keys)
		step.ReadUnits += float64(parents) * b.ReadUnits
		if r.IsPage() {
			step.Requests = saturated(step.Requests + parents*b.Requests)
		} else {
			keys = saturated(keys + parents)
		}
	}
	load := e.round(step.Round)
	load.others = saturated(load.others + step.Requests)
	load.keys = saturated(load.keys + keys)
	step.Requests += dal.BatchRequests(keys)
	if step.Operation = batchOf(keys); keys == 0 {
		step.Operation = "Query"
	}
	if step.Requests > 0 {
		e.steps = append(e.steps, step)
	}
}

// write adds a root field of a mutation: what it reads first, what it writes, and what its payload reads.
func (e *estimate) write(w write) {
	c := w.cost
	if c.Read.Requests > 0 {
		e.before++
		e.round(e.before).keys += c.Read.Keys
		e.steps = append(e.steps, Step{
			Path: w.field, Pattern: c.Pattern, Operation: batchOf(c.Read.Keys), Round: e.before,
			Requests: c.Read.Requests, Keys: c.Read.Keys, ReadUnits: c.Read.ReadUnits,
		})
	}
	e.before++
	e.round(e.before).others++
	e.steps = append(e.steps, Step{
		Path: w.field, Pattern: c.Pattern, Operation: "TransactWriteItems", Round: e.before,
		Requests: 1, Keys: c.Actions, WriteUnits: c.WriteUnits,
	})
	for object, steps := range w.below {
		for _, s := range steps {
			e.step(s, w.prototype(object), 1)
		}
	}
	e.before = e.last
}

func (e *estimate) figures() Figures {
	f := Figures{Steps: e.steps}
	slices.SortStableFunc(f.Steps, func(a, b Step) int {
		return cmp.Or(
			cmp.Compare(a.Round, b.Round), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Pattern, b.Pattern),
			cmp.Compare(a.Keys, b.Keys),
		)
	})
	for _, s := range f.Steps {
		f.ReadUnits += s.ReadUnits
		f.WriteUnits += s.WriteUnits
	}
	for round, load := range e.rounds {
		if requests := load.others + dal.BatchRequests(load.keys); requests > 0 {
			f.Requests = saturated(f.Requests + requests)
			f.Rounds = max(f.Rounds, round)
		}
	}
	return f
}

func batchOf(keys int) string {
	if keys == 1 {
		return "GetItem"
	}
	return "BatchGetItem"
}

// found is the most entities of a type that the step finds for one parent.
func (e *estimate) found(s *step, object string, parent dal.Entity) int {
	switch {
	case len(s.ids) > 0:
		return len(s.idsOf(object))
	case s.like != nil:
		_, times := s.like(parent)
		return times
	}
	found := 0
	for _, r := range s.wants(parent) {
		if r.Sent(e.consistency) {
			found += r.Found()
		}
	}
	return found
}

// idsOf are the ids of one type among those that the field fetches.
func (s *step) idsOf(object string) []dal.ID {
	var ids []dal.ID
	for _, id := range s.ids {
		if string(id.Type) == object {
			ids = append(ids, id)
		}
	}
	return ids
}
