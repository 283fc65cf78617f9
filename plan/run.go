package plan

import (
	"context"
	"maps"
	"slices"

	"example.com/keyfirst/dal"
)

// Table is what a plan reads from.
type Table interface {
	// Load answers any number of reads side by side.
	Load(context.Context, []dal.Read, dal.LoadOptions) map[dal.Read]dal.Result
	// Reread answers reads of items that must exist but did not come, strongly.
	Reread(context.Context, []dal.Read, int) map[dal.Read]dal.Result
}

// Loaders is where the answers go, and where the resolvers find them.
type Loaders interface {
	// Prime makes the result of a read known; the first result stays.
	Prime(context.Context, dal.Read, dal.Result)
	// Primed is the result of a read if it is known.
	Primed(context.Context, dal.Read) (dal.Result, bool)
}

// Consistency is how fresh the operation's reads have to be.
func (p *Plan) Consistency() dal.Consistency { return p.consistency }

// Run reads everything that the operation's fields need, round by round, and primes the loaders with it. It never
// fails: a read that did is primed with its error, for the resolver of its field to report.
func (p *Plan) Run(ctx context.Context, table Table, loaders Loaders) {
	tasks := make([]task, 0, len(p.root))
	for _, s := range p.root {
		tasks = append(tasks, task{step: s})
	}
	p.run(ctx, table, loaders, tasks)
}

// RunBelow does the same for what a mutation's root field wrote; field is its response key.
func (p *Plan) RunBelow(ctx context.Context, table Table, loaders Loaders, field string, wrote dal.Entity) {
	for _, w := range p.writes {
		if w.field == field {
			p.run(ctx, table, loaders, tasksBelow(w.below, wrote))
		}
	}
}

// task is one step for one parent.
type task struct {
	step   *step
	parent dal.Entity
}

// identity tells tasks apart: one entity may be met many times, in several copies.
type identity struct {
	step   *step
	parent dal.Read
}

func (t task) identity() identity {
	if t.parent == nil {
		return identity{step: t.step}
	}
	return identity{step: t.step, parent: t.parent.ByID()}
}

func (p *Plan) run(ctx context.Context, table Table, loaders Loaders, tasks []task) {
	r := &run{
		table: table, loaders: loaders, options: dal.LoadOptions{Consistency: p.consistency, Projection: p.projection, Shards: p.shards},
		seen: map[identity]bool{}, sent: map[dal.Read]dal.Result{},
	}
	for blocked := r.advance(ctx, tasks); len(blocked) > 0 && ctx.Err() == nil; {
		r.round(ctx, due(blocked))
		blocked = r.advance(ctx, blocked)
	}
}

// due are the tasks whose round comes next. One that could go out earlier waits for those it was planned to merge with.
func due(blocked []task) []task {
	next := slices.MinFunc(blocked, func(a, b task) int { return a.step.round - b.step.round }).step.round
	var tasks []task
	for _, t := range blocked {
		if t.step.round == next {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// run is the state of one run.
type run struct {
	table   Table
	loaders Loaders
	options dal.LoadOptions
	seen    map[identity]bool
	// sent are the reads that went out, with what came.
	sent map[dal.Read]dal.Result
}

// advance goes as far as what is known allows, and gives back the tasks that wait for reads.
func (r *run) advance(ctx context.Context, tasks []task) (blocked []task) {
	for len(tasks) > 0 {
		t := tasks[0]
		tasks = tasks[1:]
		found, known := r.known(ctx, t)
		if !known {
			blocked = append(blocked, t)
			continue
		}
		for _, e := range found {
			for _, next := range tasksBelow(t.step.below, e) {
				if id := next.identity(); !r.seen[id] {
					r.seen[id] = true
					tasks = append(tasks, next)
				}
			}
		}
	}
	return blocked
}

// known gives what a task's field finds, once every read it wants is primed.
func (r *run) known(ctx context.Context, t task) (found []dal.Entity, known bool) {
	for _, want := range t.step.wants(t.parent) {
		res, primed := r.loaders.Primed(ctx, want)
		if !primed {
			return nil, false
		}
		found = append(found, res.Entities...)
	}
	return found, true
}

func tasksBelow(steps below, e dal.Entity) []task {
	below := steps[typeOf(e)]
	tasks := make([]task, len(below))
	for i, s := range below {
		tasks[i] = task{step: s, parent: e}
	}
	return tasks
}

// round sends one merged set of reads for the tasks that are due, and primes what they want with the answers.
func (r *run) round(ctx context.Context, tasks []task) {
	o := r.options
	o.Round = dal.RecorderFrom(ctx).Round() + 1
	batch := r.outgoing(ctx, tasks)
	if len(batch) == 0 {
		o.Round-- // what is read again below is a retry of the round before
	}
	maps.Copy(r.sent, r.table.Load(ctx, batch, o))
	for _, t := range tasks {
		for _, read := range t.sends() {
			brought := t.step.brought()
			r.prime(ctx, dal.Split(read, r.sent[read], brought))
			for _, page := range brought {
				r.sent[page] = dal.Result{Err: r.sent[read].Err} // what came of it is primed
			}
		}
		for _, read := range t.beside() {
			r.prime(ctx, dal.Split(read, r.sent[read], nil))
		}
	}
	r.settle(ctx, tasks, o.Round)
}

// outgoing are the reads of the tasks that neither went out nor are answered yet.
func (r *run) outgoing(ctx context.Context, tasks []task) []dal.Read {
	var batch []dal.Read
	queued := map[dal.Read]bool{}
	add := func(reads []dal.Read) {
		for _, read := range reads {
			_, sent := r.sent[read]
			_, primed := r.loaders.Primed(ctx, read)
			if !sent && !primed && !queued[read] {
				queued[read] = true
				batch = append(batch, read)
			}
		}
	}
	for _, t := range tasks {
		add(t.sends())
		add(t.beside())
	}
	return batch
}

// sends are the reads that go out for the task.
func (t task) sends() []dal.Read {
	if t.step.sends != nil {
		return t.step.sends(t.parent)
	}
	return t.step.wants(t.parent)
}

func (t task) beside() []dal.Read {
	if t.parent != nil {
		return nil
	}
	return t.step.beside()
}

// prime makes answers known, each also under the id of what it found: whoever asks for the same entity by its id need
// not read it again. An index may lag, so what it gave is known only as what was asked of it.
func (r *run) prime(ctx context.Context, answers []dal.Answer) {
	for _, a := range answers {
		r.loaders.Prime(ctx, a.Read, a.Result)
		if a.Read.Indexed() {
			continue
		}
		for _, e := range a.Result.Entities {
			r.loaders.Prime(ctx, e.ByID(), dal.Result{Entities: []dal.Entity{e}})
		}
	}
}

// settle ends the round: a task whose reads went out gets an answer to each read it wants. What a Query left out
// although its order counts it is read once more; what failed with a Query fails with its error.
func (r *run) settle(ctx context.Context, tasks []task, round int) {
	var absent []dal.Read
	for _, t := range tasks {
		failure := r.failure(t)
		for _, want := range t.step.wants(t.parent) {
			switch _, primed := r.loaders.Primed(ctx, want); {
			case primed:
			case failure != nil:
				r.loaders.Prime(ctx, want, dal.Result{Err: failure})
			default:
				absent = append(absent, want)
			}
		}
	}
	if len(absent) == 0 {
		return
	}
	for read, res := range r.table.Reread(ctx, absent, round) {
		r.prime(ctx, []dal.Answer{{Read: read, Result: res}})
	}
}

// failure is the error of the first read that went out for the task and failed.
func (r *run) failure(t task) error {
	for _, read := range t.sends() {
		if err := r.sent[read].Err; err != nil {
			return err
		}
	}
	return nil
}

func typeOf(e dal.Entity) string {
	switch e.(type) {
	case *dal.Customer:
		return string(dal.TypeCustomer)
	case *dal.Order:
		return string(dal.TypeOrder)
	case *dal.OrderItem:
		return string(dal.TypeOrderItem)
	case *dal.Product:
		return string(dal.TypeProduct)
	case *dal.Warehouse:
		return string(dal.TypeWarehouse)
	case *dal.EmailOwner:
		return ownerType
	}
	return ""
}
