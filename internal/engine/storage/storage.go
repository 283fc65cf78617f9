package storage

import (
	"errors"
	"iter"
)

// Reasons for which a store cannot be used.
var (
	ErrClosed  = errors.New("storage: the store is closed")
	ErrLocked  = errors.New("storage: the file is in use by another process")
	ErrDamaged = errors.New("storage: the file is damaged, or is not a database of this engine")
)

// Store is an ordered transactional store. All methods may be called at the same time.
type Store interface {
	// View calls read with a snapshot: what was committed before, nothing of what is committed meanwhile.
	View(read func(Reader) error) error
	// Update calls decide with what the updates before it left, then applies the batch that it filled, all or nothing.
	// When Update returns nil the change is durable. An error of decide drops the batch and is returned as it is.
	// decide sees none of its own changes, may be called once only, and must not call the store.
	Update(decide func(Reader, *Batch) error) error
	// Close waits for calls under way. Calls after it return ErrClosed.
	Close() error
}

// Reader reads one state of the store. Keys and values that it gives must not be changed, and are valid only until
// the View or Update returns.
type Reader interface {
	// Get is the value of a key, nil when there is none.
	Get(space string, key []byte) []byte
	// Range goes over the keys from <= key < to in order, or in reverse order; a nil bound is no bound.
	Range(space string, from, to []byte, reverse bool) iter.Seq2[[]byte, []byte]
}

// Batch collects changes. Slices given to it must not be changed afterwards.
type Batch struct {
	changes []change
}

type change struct {
	space      string
	key, value []byte // no key: drop the space; no value: delete the key
}

// Put sets the value of a key.
func (b *Batch) Put(space string, key, value []byte) {
	b.changes = append(b.changes, change{space, key, value})
}

// Delete removes a key, if there.
func (b *Batch) Delete(space string, key []byte) {
	b.changes = append(b.changes, change{space, key, nil})
}

// Changes goes over the spaces and keys of all changes in order; there is no key where a whole space is dropped.
func (b *Batch) Changes() iter.Seq2[string, []byte] {
	return func(yield func(space string, key []byte) bool) {
		for _, c := range b.changes {
			if !yield(c.space, c.key) {
				return
			}
		}
	}
}

// Drop removes a whole space, if there, at a cost that does not depend on its keys in memory, and on its pages in a file.
func (b *Batch) Drop(space string) {
	b.changes = append(b.changes, change{space, nil, nil})
}
