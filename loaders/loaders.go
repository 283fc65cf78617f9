package loaders

import (
	"cmp"
	"context"

	"example.com/keyfirst/dal"
)

// Table is what the loaders read from.
type Table interface {
	// Load answers any number of reads side by side.
	Load(context.Context, []dal.Read, dal.LoadOptions) map[dal.Read]dal.Result
}

// Loaders answers the reads of one operation. It is safe for concurrent use.
type Loaders struct {
	batcher     *batcher
	consistency dal.Consistency
	follow      Follow
}

// Follow is called after a write with the response key of the mutation's field and what it wrote.
type Follow func(ctx context.Context, field string, wrote dal.Entity)

// New makes the loaders of one operation. Unprimed reads are sent on the operation's context, with its consistency.
func New(ctx context.Context, table Table, consistency dal.Consistency, follow Follow) *Loaders {
	read := func(ctx context.Context, reads []dal.Read) map[dal.Read]dal.Result {
		return table.Load(ctx, reads, dal.LoadOptions{Consistency: consistency})
	}
	return &Loaders{batcher: newBatcher(ctx, read), consistency: consistency, follow: follow}
}

type contextKey struct{}

// With puts the operation's loaders into its context.
func With(ctx context.Context, l *Loaders) context.Context {
	return context.WithValue(ctx, contextKey{}, l)
}

// From takes the operation's loaders out of its context. There are none only when the server was put together wrongly.
func From(ctx context.Context) *Loaders {
	l, _ := ctx.Value(contextKey{}).(*Loaders)
	return l
}

// Prime makes a result known, so that whoever asks for the read finds it. The first result of a read stays.
func (l *Loaders) Prime(ctx context.Context, r dal.Read, res dal.Result) {
	l.batcher.prime(ctx, r, res)
}

// Primed is the result of a read if it is known already. It is for planning, before anything else asks.
func (l *Loaders) Primed(ctx context.Context, r dal.Read) (dal.Result, bool) {
	return l.batcher.primed(ctx, r)
}

// Consistency is how fresh the operation's reads have to be.
func (l *Loaders) Consistency() dal.Consistency { return l.consistency }

// Wrote ends a write: everything known before it is forgotten, so that what follows sees it; what was written is
// known; and whoever follows the operation's writes goes on from it.
func (l *Loaders) Wrote(ctx context.Context, field string, e dal.Entity, known []dal.Answer) {
	l.batcher.clear()
	l.Prime(ctx, e.ByID(), dal.Result{Entities: []dal.Entity{e}})
	for _, a := range known {
		l.Prime(ctx, a.Read, a.Result)
	}
	if l.follow != nil {
		l.follow(ctx, field, e)
	}
}

// Page answers a read whose result is a list.
func (l *Loaders) Page(ctx context.Context, r dal.Read) (dal.Result, error) {
	res := l.batcher.start(ctx, r)()
	return res, res.Err
}

// One answers the read of a single item; nil is an item that does not exist.
func (l *Loaders) One(ctx context.Context, r dal.Read) (dal.Entity, error) {
	res, err := l.Page(ctx, r)
	if err != nil || len(res.Entities) == 0 {
		return nil, err
	}
	return res.Entities[0], nil
}

// Each answers reads together, in order.
func (l *Loaders) Each(ctx context.Context, reads []dal.Read) []dal.Result {
	pending := make([]func() dal.Result, len(reads))
	for i, r := range reads {
		pending[i] = l.batcher.start(ctx, r)
	}
	results := make([]dal.Result, len(reads))
	for i, wait := range pending {
		results[i] = wait()
	}
	return results
}

// Many answers reads of single items together, in order; nil is an item that does not exist. The first failure counts.
func (l *Loaders) Many(ctx context.Context, reads []dal.Read) ([]dal.Entity, error) {
	entities := make([]dal.Entity, len(reads))
	var failure error
	for i, res := range l.Each(ctx, reads) {
		failure = cmp.Or(failure, res.Err)
		if len(res.Entities) > 0 {
			entities[i] = res.Entities[0]
		}
	}
	return entities, failure
}
