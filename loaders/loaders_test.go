package loaders_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/loaders"
)

// table finds a customer for each read of one, and notes what it was asked for.
type table struct {
	// answer replaces what is answered.
	answer func(dal.Read) (dal.Result, bool)

	mu       sync.Mutex
	batches  [][]dal.Read
	options  []dal.LoadOptions
	contexts []context.Context
}

func (t *table) Load(ctx context.Context, reads []dal.Read, o dal.LoadOptions) map[dal.Read]dal.Result {
	timer := time.NewTimer(10 * time.Millisecond)
	defer timer.Stop()
	<-timer.C
	t.mu.Lock()
	defer t.mu.Unlock()
	t.batches = append(t.batches, slices.Clone(reads))
	t.options = append(t.options, o)
	t.contexts = append(t.contexts, ctx)
	results := map[dal.Read]dal.Result{}
	for _, r := range reads {
		res, ok := found(r), true
		if t.answer != nil {
			res, ok = t.answer(r)
		}
		if ok {
			results[r] = res
		}
	}
	return results
}

func customer(n int) *dal.Customer { return &dal.Customer{ID: dal.CustomerID(fmt.Sprint("c", n))} }

func read(n int) dal.Read { return customer(n).ByID() }

// customers are all that the table has.
var customers = func() map[dal.Read]*dal.Customer {
	all := map[dal.Read]*dal.Customer{}
	for n := range 1500 {
		all[read(n)] = customer(n)
	}
	return all
}()

func found(r dal.Read) dal.Result {
	if c := customers[r]; c != nil {
		return dal.Result{Entities: []dal.Entity{c}}
	}
	return dal.Result{}
}

func id(t *testing.T, e dal.Entity) dal.CustomerID {
	t.Helper()
	c, ok := e.(*dal.Customer)
	require.True(t, ok, "%T", e)
	return c.ID
}

func TestUnprimedReadsBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &table{}
		l := loaders.New(t.Context(), s, dal.StrongButIndexes, nil)
		var group sync.WaitGroup
		for i := range 10 { // a read for each: who waits for another's holds a mutex, which a bubble does not wait for
			group.Go(func() {
				e, err := l.One(t.Context(), read(i))
				if err != nil || e.(*dal.Customer).ID != customer(i).ID {
					t.Error(e, err)
				}
			})
		}
		group.Go(func() {
			reads := []dal.Read{read(10), read(11), read(10)}
			if entities, err := l.Many(t.Context(), reads); err != nil || len(entities) != len(reads) || entities[0] != entities[2] {
				t.Error(entities, err)
			}
		})
		group.Wait()
		require.Len(t, s.batches, 1, "what is asked for in one moment is one batch")
		require.Len(t, s.batches[0], 12, "without duplicates")
		require.Equal(t, dal.LoadOptions{Consistency: dal.StrongButIndexes}, s.options[0], "no plan foresaw it")

		_, err := l.One(t.Context(), read(7))
		require.NoError(t, err)
		require.Len(t, s.batches, 1, "what is known is not asked for again")
		_, err = l.One(t.Context(), read(20))
		require.NoError(t, err)
		require.Len(t, s.batches, 2)
	})
}

func TestManyReadsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &table{}
		l := loaders.New(t.Context(), s, dal.Eventual, nil)
		reads := make([]dal.Read, 1500)
		for i := range reads {
			reads[i] = read(i)
		}
		entities, err := l.Many(t.Context(), reads)
		require.NoError(t, err)
		require.Len(t, entities, len(reads))
		for i, e := range entities {
			require.Equal(t, customer(i).ID, id(t, e), "in the order asked")
		}
		require.Len(t, s.batches, 1)
	})
}

func TestManyOfNothing(t *testing.T) {
	t.Parallel()
	l := loaders.New(t.Context(), &table{}, dal.Eventual, nil)
	entities, err := l.Many(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, entities)
}

func TestMissingIsNoFailure(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := loaders.New(t.Context(), &table{}, dal.Eventual, nil)
		none := dal.CustomerByID("none")
		e, err := l.One(t.Context(), none)
		require.NoError(t, err)
		require.Nil(t, e)
		entities, err := l.Many(t.Context(), []dal.Read{read(1), none, read(1)})
		require.NoError(t, err)
		require.Equal(t, []dal.Entity{customer(1), nil, customer(1)}, entities)
	})
}

func TestFailuresAreEachReadsOwn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		throttled := &dal.Error{Op: "test", Kind: dal.KindThrottled}
		s := &table{answer: func(r dal.Read) (dal.Result, bool) {
			switch r {
			case read(1):
				return dal.Result{Err: throttled}, true
			case read(2):
				return dal.Result{}, false
			}
			return found(r), true
		}}
		l := loaders.New(t.Context(), s, dal.Eventual, nil)
		entities, err := l.Many(t.Context(), []dal.Read{read(0), read(1), read(2), read(3)})
		require.ErrorIs(t, err, throttled)
		require.Equal(t, []dal.Entity{customer(0), nil, nil, customer(3)}, entities, "what was found is there all the same")

		_, err = l.One(t.Context(), read(0))
		require.NoError(t, err)
		_, err = l.One(t.Context(), read(2))
		var unanswered *dal.Error
		require.ErrorAs(t, err, &unanswered, "a read without an answer is not a missing item")
		require.Equal(t, dal.KindInternal, unanswered.Kind)
		require.Len(t, s.batches, 1, "within an operation a failure stays")
	})
}

func TestTheFirstResultStays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &table{}
		l := loaders.New(t.Context(), s, dal.Eventual, nil)
		_, known := l.Primed(t.Context(), read(1))
		require.False(t, known)
		first, second := dal.Result{Entities: []dal.Entity{customer(1)}, More: true}, dal.Result{Entities: []dal.Entity{customer(2)}}
		l.Prime(t.Context(), read(1), first)
		l.Prime(t.Context(), read(1), second)
		res, known := l.Primed(t.Context(), read(1))
		require.True(t, known)
		require.Equal(t, first, res)
		res, err := l.Page(t.Context(), read(1))
		require.NoError(t, err)
		require.Equal(t, first, res)
		require.Empty(t, s.batches, "nothing primed is asked for")

		_, err = l.One(t.Context(), read(3))
		require.NoError(t, err)
		l.Prime(t.Context(), read(3), second)
		e, err := l.One(t.Context(), read(3))
		require.NoError(t, err)
		require.Equal(t, customer(3).ID, id(t, e))

		failed := dal.Result{Err: &dal.Error{Op: "test", Kind: dal.KindCorrupt}}
		l.Prime(t.Context(), read(4), failed)
		_, err = l.One(t.Context(), read(4))
		require.Equal(t, failed.Err, err)
		res, known = l.Primed(t.Context(), read(4))
		require.True(t, known, "a failure is known too")
		require.Equal(t, failed, res)
	})
}

func TestAWriteForgetsWhatWasKnown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &table{}
		var l *loaders.Loaders
		var followed []string
		l = loaders.New(t.Context(), s, dal.StrongButIndexes, func(ctx context.Context, field string, wrote dal.Entity) {
			followed = append(followed, field+" "+string(id(t, wrote)))
			res, known := l.Primed(ctx, wrote.ByID())
			require.True(t, known, "who follows finds what was written")
			require.Equal(t, wrote, res.Entities[0])
			_, known = l.Primed(ctx, read(1))
			require.False(t, known, "and nothing from before")
		})
		stale := &dal.Customer{ID: "c2", Name: "old"}
		l.Prime(t.Context(), read(1), dal.Result{Entities: []dal.Entity{stale}})
		l.Prime(t.Context(), read(2), dal.Result{Entities: []dal.Entity{stale}})
		written := &dal.Customer{ID: "c2", Name: "new"}
		l.Wrote(t.Context(), "create", written, []dal.Answer{{Read: read(9), Result: dal.Result{More: true}}})
		require.Equal(t, []string{"create c2"}, followed)

		e, err := l.One(t.Context(), read(2))
		require.NoError(t, err)
		require.Same(t, written, e)
		res, err := l.Page(t.Context(), read(9))
		require.NoError(t, err)
		require.True(t, res.More, "what the write knew beside it")
		require.Empty(t, s.batches)
		e, err = l.One(t.Context(), read(1))
		require.NoError(t, err)
		require.Equal(t, customer(1).ID, id(t, e))
		require.Len(t, s.batches, 1)
	})
}

func TestAWriteThatNobodyFollows(t *testing.T) {
	t.Parallel()
	l := loaders.New(t.Context(), &table{}, dal.Eventual, nil)
	l.Wrote(t.Context(), "create", customer(1), nil)
	e, err := l.One(t.Context(), read(1))
	require.NoError(t, err)
	require.Equal(t, customer(1).ID, id(t, e))
}

type key struct{}

// TestBatchesRunOnTheOperationsContext, not on that of whoever asked first.
func TestBatchesRunOnTheOperationsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &table{}
		operation := context.WithValue(t.Context(), key{}, "operation")
		l := loaders.New(operation, s, dal.Eventual, nil)
		caller, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "caller"))
		var group sync.WaitGroup
		group.Go(func() {
			if _, err := l.One(caller, read(1)); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		cancel()
		group.Go(func() {
			if _, err := l.One(t.Context(), read(2)); err != nil {
				t.Error(err)
			}
		})
		group.Wait()
		require.Len(t, s.batches, 1)
		require.Equal(t, "operation", s.contexts[0].Value(key{}))
		require.NoError(t, s.contexts[0].Err(), "one caller that goes away does not fail the others")
	})
}

func TestLoadersInAContext(t *testing.T) {
	t.Parallel()
	require.Nil(t, loaders.From(t.Context()))
	l := loaders.New(t.Context(), &table{}, dal.Strong, nil)
	require.Same(t, l, loaders.From(loaders.With(t.Context(), l)))
	require.Equal(t, dal.Strong, l.Consistency())
}

// TestManyWaitForOneRead, outside of a bubble.
func TestManyWaitForOneRead(t *testing.T) {
	t.Parallel()
	s := &table{}
	l := loaders.New(t.Context(), s, dal.Eventual, nil)
	entities := make([]dal.Entity, 40)
	var group sync.WaitGroup
	for i := range entities {
		group.Go(func() {
			var err error
			if entities[i], err = l.One(t.Context(), read(1)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, e := range entities {
		require.Same(t, customers[read(1)], e)
	}
	require.Len(t, s.batches, 1)
}

// TestOperationsShareNothing: two operations that ask for the same at once are two batches.
func TestOperationsShareNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &table{}
		var group sync.WaitGroup
		for range 2 {
			l := loaders.New(t.Context(), s, dal.Eventual, nil)
			group.Go(func() {
				if _, err := l.One(t.Context(), read(1)); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		require.Len(t, s.batches, 2)
	})
}
