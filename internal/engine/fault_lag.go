package engine

import (
	"bytes"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/keyfirst/internal/engine/storage"
)

// history keeps what recent writes replaced in indexes, so that a read can undo them: an index that lags is the present
// one with the last writes undone. It keeps nothing unless an index lags.
type history struct {
	on     atomic.Bool
	mu     sync.Mutex
	writes int                    // how far back lags reach
	age    time.Duration          // likewise
	past   map[string][]pastWrite // by table id, oldest first
	last   uint64
}

// pastWrite is one update of the store, as far as it changed one table.
type pastWrite struct {
	id       uint64
	at       time.Time
	replaced []replaced
}

// replaced is an entry of an index before a write; no value when there was none.
type replaced struct {
	space string
	key   string
	value []byte
}

// reach keeps enough from now on for a lag.
func (h *history) reach(writes int, age time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.writes, h.age = max(h.writes, writes), max(h.age, age)
	if h.past == nil {
		h.past = map[string][]pastWrite{}
	}
	h.on.Store(true)
}

func (h *history) stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.on.Store(false)
	h.writes, h.age, h.past = 0, 0, nil
}

// note notes an update that was decided and is about to be committed, and returns its number, 0 for none. Until it is
// committed, undoing it changes nothing, so that it is never too early for that.
func (h *history) note(r storage.Reader, b *storage.Batch, now time.Time) uint64 {
	if !h.on.Load() {
		return 0
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	changed := map[string][]replaced{}
	for space, key := range b.Changes() {
		kind, rest, _ := strings.Cut(space, "/")
		id, _, _ := strings.Cut(rest, "/")
		switch {
		case kind == "items":
			changed[id] = slices.Grow(changed[id], 0) // a write of the table, even if no index sees it
		case kind == "index" && key == nil:
			h.forgetSpace(id, space)
		case kind == "index":
			changed[id] = append(changed[id], replaced{space, string(key), bytes.Clone(r.Get(space, key))})
		}
	}
	for id, all := range changed {
		h.past[id] = append(h.trimmed(id, now), pastWrite{h.last, now, all})
	}
	return h.last
}

// trimmed drops what no lag reaches.
func (h *history) trimmed(id string, now time.Time) []pastWrite {
	past := h.past[id]
	drop := 0
	for drop < len(past)-h.writes && !past[drop].at.After(now.Add(-h.age)) {
		drop++
	}
	return slices.Delete(past, 0, drop)
}

// forgetSpace drops what an index was that is no more: the next of that name has nothing to do with it.
func (h *history) forgetSpace(id, space string) {
	for i := range h.past[id] {
		w := &h.past[id][i]
		w.replaced = slices.DeleteFunc(slices.Clone(w.replaced), func(one replaced) bool { return one.space == space })
	}
}

// drop takes an update back that was not committed.
func (h *history) drop(number uint64) {
	if number == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, past := range h.past {
		h.past[id] = slices.DeleteFunc(past, func(w pastWrite) bool { return w.id == number })
	}
}

// undone is how the space differs from what it was the lag ago: the entries by key, without a value when there was none.
func (h *history) undone(t *table, space string, lag *Fault, now time.Time) map[string][]byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	past := h.past[t.record.ID]
	first := max(0, len(past)-lag.Writes)
	if lag.Writes == 0 {
		first = len(past)
		for first > 0 && past[first-1].at.After(now.Add(-lag.Delay)) {
			first--
		}
	}
	entries := map[string][]byte{}
	for _, w := range slices.Backward(past[first:]) {
		for _, one := range w.replaced {
			if one.space == space {
				entries[one.key] = one.value
			}
		}
	}
	return entries
}

// lagging is the state that a page reads: that of r, unless the page is of a global index that lags.
func (e *Engine) lagging(r storage.Reader, operation string, p *page) storage.Reader {
	if p.index == nil || p.index.record.Local || !e.faults.some.Load() {
		return r
	}
	one := touch{table: p.table.record.Name, index: p.index.record.Name}
	if p.partition != nil {
		one.hasPartition, one.partition = true, keyText(*p.partition)
	}
	lag := e.faults.strikes(FaultLag, operation, one)
	if lag == nil {
		return r
	}
	// r comes first: whatever it has is noted by now.
	return pastReader{r, e.history.undone(p.table, p.index.space, lag, e.now())}
}

// pastReader reads one space as it was; entries say how it differs from the state of now.
type pastReader struct {
	now     storage.Reader
	entries map[string][]byte
}

// Get implements storage.Reader.
func (p pastReader) Get(space string, key []byte) []byte {
	if value, differs := p.entries[string(key)]; differs {
		return value
	}
	return p.now.Get(space, key)
}

// Range implements storage.Reader: it merges the entries into what is there now.
func (p pastReader) Range(space string, from, to []byte, reverse bool) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		keys := slices.Sorted(maps.Keys(p.entries))
		keys = slices.DeleteFunc(keys, func(key string) bool {
			return key < string(from) || to != nil && key >= string(to)
		})
		if reverse {
			slices.Reverse(keys)
		}
		// old yields the old entries that come before the key, all when it is nil.
		old := func(before []byte) bool {
			for len(keys) > 0 && (before == nil || (keys[0] < string(before)) != reverse && keys[0] != string(before)) {
				if value := p.entries[keys[0]]; value != nil && !yield([]byte(keys[0]), value) {
					return false
				}
				keys = keys[1:]
			}
			return true
		}
		for key, value := range p.now.Range(space, from, to, reverse) {
			if !old(key) {
				return
			}
			if _, differs := p.entries[string(key)]; differs {
				continue // it is next among the old ones
			}
			if !yield(key, value) {
				return
			}
		}
		old(nil)
	}
}
