package dal

import (
	"context"
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
	gather := newGathering(len(reads))
	var group errgroup.Group
	group.SetLimit(t.config.Parallel)
	singles := gather.sort(reads, o)
	for chunk := range slices.Chunk(singles, maxBatchKeys) {
		group.Go(func() error { t.loadItems(ctx, chunk, o, gather); return nil })
	}
	for _, r := range gather.pages {
		group.Go(func() error { gather.put(r, t.loadPage(ctx, r, o)); return nil })
	}
	_ = group.Wait() // failures are in the results
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
	gather := newGathering(len(reads))
	for chunk := range slices.Chunk(uniqueKeys(reads), maxBatchKeys) {
		got := t.getItems(ctx, chunk, reads, batch{strong: true, round: round, retry: true})
		for _, r := range reads {
			if slices.Contains(chunk, r.key) {
				gather.put(r, got.result(r))
			}
		}
	}
	return gather.results
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
func (g *gathering) sort(reads []Read, o LoadOptions) (singles []Read) {
	seen := make(map[Read]bool, len(reads))
	for _, r := range reads {
		switch {
		case seen[r]:
		case r.page.empty:
			g.results[r] = Result{}
		case o.Consistency == Strong && r.Indexed():
			g.results[r] = Result{Err: notStrong(r)}
		case r.IsPage():
			g.pages = append(g.pages, r)
		default:
			singles = append(singles, r)
		}
		seen[r] = true
	}
	return singles
}

func notStrong(r Read) error {
	return invalid("Load", "%s reads a global index, which cannot be read strongly consistent: leave @consistent out", r.pattern)
}
