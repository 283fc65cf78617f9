package loaders

import (
	"context"
	"time"

	"github.com/graph-gophers/dataloader/v7"

	"example.com/keyfirst/dal"
)

// window is how long an unprimed read waits for company. What a plan foresees never waits for it.
const window = time.Millisecond

// batcher is a dataloader as this package needs it: keyed by reads, run on the operation's context instead of the
// first caller's, and with a result for every read whatever the fetch gives back.
type batcher struct {
	loader *dataloader.Loader[dal.Read, dal.Result]
	cache  *dataloader.InMemoryCache[dal.Read, dal.Result]
}

// fetch answers reads; a read it leaves out counts as missing an answer, not as missing from the table.
type fetch func(context.Context, []dal.Read) map[dal.Read]dal.Result

func newBatcher(ctx context.Context, f fetch) *batcher {
	cache := dataloader.NewCache[dal.Read, dal.Result]()
	return &batcher{cache: cache, loader: dataloader.NewBatchedLoader(
		func(_ context.Context, reads []dal.Read) []*dataloader.Result[dal.Result] {
			got := f(ctx, reads)
			results := make([]*dataloader.Result[dal.Result], len(reads))
			for i, r := range reads {
				res, ok := got[r]
				if !ok {
					res = unanswered()
				}
				results[i] = &dataloader.Result[dal.Result]{Data: res}
			}
			return results
		},
		dataloader.WithWait[dal.Read, dal.Result](window),
		dataloader.WithCache[dal.Read, dal.Result](cache),
	)}
}

// start begins a read without waiting for it; the result is ready when the returned function answers.
func (b *batcher) start(ctx context.Context, r dal.Read) func() dal.Result {
	thunk := b.loader.Load(ctx, r)
	return func() dal.Result {
		res, err := thunk()
		if err != nil {
			return unanswered()
		}
		return res
	}
}

func (b *batcher) prime(ctx context.Context, r dal.Read, res dal.Result) { b.loader.Prime(ctx, r, res) }

// primed is a result that is already known. One that is under way counts as known, and is waited for.
func (b *batcher) primed(ctx context.Context, r dal.Read) (dal.Result, bool) {
	thunk, ok := b.cache.Get(ctx, r)
	if !ok {
		return dal.Result{}, false
	}
	res, err := thunk()
	return res, err == nil
}

func (b *batcher) clear() { b.loader.ClearAll() }

func unanswered() dal.Result {
	return dal.Result{Err: &dal.Error{Op: "loaders", Kind: dal.KindInternal}}
}
