package storage

import (
	"bytes"
	"iter"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/tidwall/btree"
)

// Memory is a Store that keeps nothing when closed. An update copies the nodes that it changes; readers keep the old ones.
type Memory struct {
	writing sync.Mutex
	current atomic.Pointer[memoryState] // nil once closed
}

type memoryState struct{ spaces map[string]*tree }

type tree = btree.BTreeG[entry]

// entry is a key and its value, next to each other in one piece of memory: a Range that meets one has the other in the
// processor's cache, and the garbage collector half as much to look at.
type entry struct {
	data   []byte
	keyEnd int
}

func newEntry(key, value []byte) entry {
	data := make([]byte, 0, len(key)+len(value))
	return entry{append(append(data, key...), value...), len(key)}
}

// lookup is an entry to compare others with.
func lookup(key []byte) entry { return entry{key, len(key)} }

func (e entry) key() []byte { return e.data[:e.keyEnd:e.keyEnd] }

func (e entry) value() []byte { return e.data[e.keyEnd:] }

// NewMemory makes an empty store.
func NewMemory() *Memory {
	m := &Memory{}
	m.current.Store(&memoryState{spaces: map[string]*tree{}})
	return m
}

// View implements Store.
func (m *Memory) View(read func(Reader) error) error {
	state := m.current.Load()
	if state == nil {
		return ErrClosed
	}
	return read(state)
}

// Update implements Store.
func (m *Memory) Update(decide func(Reader, *Batch) error) error {
	m.writing.Lock()
	defer m.writing.Unlock()
	state := m.current.Load()
	if state == nil {
		return ErrClosed
	}
	var batch Batch
	if err := decide(state, &batch); err != nil {
		return err
	}
	if len(batch.changes) > 0 {
		m.current.Store(state.with(batch.changes))
	}
	return nil
}

// Close implements Store.
func (m *Memory) Close() error {
	m.writing.Lock()
	defer m.writing.Unlock()
	m.current.Store(nil)
	return nil
}

// with is the state after the changes; s stays as it is for its readers.
func (s *memoryState) with(changes []change) *memoryState {
	spaces := maps.Clone(s.spaces)
	copied := map[string]bool{}
	for _, c := range changes {
		if c.key == nil {
			delete(spaces, c.space)
			continue
		}
		if !copied[c.space] || spaces[c.space] == nil {
			spaces[c.space] = copyTree(spaces[c.space])
			copied[c.space] = true
		}
		if c.value == nil {
			spaces[c.space].Delete(lookup(c.key))
		} else {
			spaces[c.space].Set(newEntry(c.key, c.value))
		}
	}
	return &memoryState{spaces: spaces}
}

func copyTree(t *tree) *tree {
	if t != nil {
		return t.IsoCopy()
	}
	less := func(a, b entry) bool { return bytes.Compare(a.key(), b.key()) < 0 }
	return btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})
}

// Get implements Reader.
func (s *memoryState) Get(space string, key []byte) []byte {
	t := s.spaces[space]
	if t == nil {
		return nil
	}
	e, found := t.Get(lookup(key))
	if !found {
		return nil
	}
	return e.value()
}

// Range implements Reader.
func (s *memoryState) Range(space string, from, to []byte, reverse bool) iter.Seq2[[]byte, []byte] {
	t := s.spaces[space]
	return func(yield func(key, value []byte) bool) {
		switch {
		case t == nil:
		case reverse:
			descend(t, from, to, yield)
		default:
			t.Ascend(lookup(from), func(e entry) bool {
				return (to == nil || bytes.Compare(e.key(), to) < 0) && yield(e.key(), e.value())
			})
		}
	}
}

func descend(t *tree, from, to []byte, yield func(key, value []byte) bool) {
	visit := func(e entry) bool {
		if to != nil && bytes.Equal(e.key(), to) {
			return true
		}
		return bytes.Compare(e.key(), from) >= 0 && yield(e.key(), e.value())
	}
	if to == nil {
		t.Reverse(visit)
		return
	}
	t.Descend(lookup(to), visit)
}
