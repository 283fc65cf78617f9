package dal

import (
	"context"
	"iter"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Consistency is how fresh reads have to be.
type Consistency uint8

const (
	// Eventual reads may miss the writes of the last moments.
	Eventual Consistency = iota
	// Strong reads see every write that was answered before, for twice the read units. What lives on a global index
	// cannot be read so and fails.
	Strong
	// StrongButIndexes reads strongly whatever can be, and global indexes eventually.
	StrongButIndexes
)

// LoadOptions says how reads are sent.
type LoadOptions struct {
	// Consistency is how fresh the reads have to be.
	Consistency Consistency
	// Round is the planned round of the requests; 0 for reads that no plan foresaw.
	Round int
	// Projection says which attributes are needed; nil for all.
	Projection Projection
	// Shards is the number of shards that a list of open orders is read from; 0 for as many as the table has.
	Shards int
}

func (o LoadOptions) strong() bool { return o.Consistency != Eventual }

// maxBatchKeys is the most keys of one BatchGetItem
// (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html).
const maxBatchKeys = 100

// Load answers any number of reads at once: everything is sent side by side and nothing waits for anything else.
// Every read gets its own [Result]; one that fails leaves the others alone.
//
// Access pattern: any; all single items, of all types, share BatchGetItem requests without duplicates, a single one
// alone is a GetItem, and each page is a Query, or one for each shard.
//
// Cost: ceil(single items / 100) requests plus one for each page; see [Read.Bound] and [BatchRequests].
//
// Consistency: as o says; a global index asked for strongly is KindInvalid.
//
// Errors: in each Result, never a false "missing": KindThrottled for keys still unprocessed after all retries,
// KindTimeout, KindCanceled, KindUnavailable, KindNoTable, KindCorrupt.
func (t *Table) Load(ctx context.Context, reads []Read, o LoadOptions) map[Read]Result {
	if o.Round == 0 {
		o.Round = RecorderFrom(ctx).Round() + 1
	}
	gather := newGathering(len(reads))
	items := gather.sort(reads, o)
	var group errgroup.Group
	group.SetLimit(t.config.Parallel)
	for chunk := range items.chunks() {
		group.Go(func() error { t.loadItems(ctx, chunk, o, gather); return nil })
	}
	finish := make([]func() Result, len(gather.pages))
	for i, r := range gather.pages {
		finish[i] = t.startPage(ctx, r, o, &group)
	}
	_ = group.Wait() // failures are in the results
	for i, r := range gather.pages {
		gather.put(r, finish[i]())
	}
	return gather.results
}

// Reread answers reads of items that must exist but did not come: once more, strongly consistent, as a retry of the
// round they belong to.
//
// Access pattern: items-by-order, GetItem or BatchGetItem of the lines.
//
// Cost: 1 read unit for each line; counted as a retry.
//
// Consistency: strong.
//
// Errors: a line still absent is KindUnavailable; else as [Table.Load].
func (t *Table) Reread(ctx context.Context, reads []Read, round int) map[Read]Result {
	results := make(map[Read]Result, len(reads))
	for chunk := range singlesOf(reads).chunks() {
		got := t.getItems(ctx, chunk, batch{strong: true, round: round, retry: true})
		for r := range chunk.all() {
			results[r] = got.result(r)
		}
	}
	return results
}

// singles are reads of single items by their key: several patterns may ask for one item.
type singles struct {
	// keys are the items, without duplicates, in the order they were first asked for.
	keys  []Key
	reads map[Key][]Read
}

func singlesOf(reads []Read) singles {
	s := singles{reads: make(map[Key][]Read, len(reads))}
	for _, r := range reads {
		if len(s.reads[r.key]) == 0 {
			s.keys = append(s.keys, r.key)
		}
		s.reads[r.key] = append(s.reads[r.key], r)
	}
	return s
}

// chunks are parts that one BatchGetItem each takes.
func (s singles) chunks() iter.Seq[singles] {
	return func(yield func(singles) bool) {
		for keys := range slices.Chunk(s.keys, maxBatchKeys) {
			if !yield(singles{keys: keys, reads: s.reads}) {
				return
			}
		}
	}
}

// all are the reads of all items.
func (s singles) all() iter.Seq[Read] {
	return func(yield func(Read) bool) {
		for _, k := range s.keys {
			for _, r := range s.reads[k] {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// gathering collects the results of requests that run side by side.
type gathering struct {
	mu      sync.Mutex
	results map[Read]Result
	pages   []Read
}

func newGathering(n int) *gathering { return &gathering{results: make(map[Read]Result, n)} }

func (g *gathering) put(r Read, res Result) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.results[r] = res
}

// sort keeps the pages, answers what needs no request, and gives back the single items.
func (g *gathering) sort(reads []Read, o LoadOptions) singles {
	var items []Read
	seen := make(map[Read]bool, len(reads))
	for _, r := range reads {
		switch {
		case seen[r]:
		case o.Consistency == Strong && r.Indexed():
			g.results[r] = Result{Err: notStrong(r)}
		case r.page.empty:
			g.results[r] = Result{}
		case r.IsPage():
			g.pages = append(g.pages, r)
		default:
			items = append(items, r)
		}
		seen[r] = true
	}
	return singlesOf(items)
}

func notStrong(r Read) error {
	return invalid("Load", "%s reads a global index, which cannot be read strongly consistent: leave @consistent out", r.pattern)
}
