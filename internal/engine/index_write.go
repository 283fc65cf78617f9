package engine

import (
	"bytes"
)

// indexEntry is what an index holds of an item.
type indexEntry struct {
	key []byte
	stored
}

// entry is nil for an item that lacks a key attribute of the index.
func (ix *index) entry(v *version) *indexEntry {
	if v == nil || !ix.keys.complete(v.item) {
		return nil
	}
	e := &indexEntry{key: ix.entryKey(v.item)}
	if ix.projected == nil {
		e.stored = v.stored
	} else {
		e.stored = newStored(ix.project(v.item))
	}
	return e
}

func (e *indexEntry) record() *stored {
	if e == nil {
		return nil
	}
	return &e.stored
}

// applyToIndex brings one index up to date and returns the write units: those of the new entry and of the old one when
// the key changes, of the larger one when only other attributes do, and none when nothing of the entry does
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes).
func (w *writer) applyToIndex(f *effect, ix *index, total *counts) float64 {
	before, after := ix.entry(f.before), ix.entry(f.after)
	if before == nil && after == nil {
		return 0
	}
	if before != nil && after != nil && bytes.Equal(before.key, after.key) {
		if bytes.Equal(before.json, after.json) {
			return 0
		}
		w.putEntry(ix, before, after, total)
		return writeUnits(max(before.size, after.size))
	}
	units := 0.0
	if before != nil {
		w.batch.Delete(ix.space, before.key)
		units += writeUnits(before.size)
	}
	if after != nil {
		units += writeUnits(after.size)
	}
	w.putEntry(ix, before, after, total)
	return units
}

func (w *writer) putEntry(ix *index, before, after *indexEntry, total *counts) {
	c := total.index(ix.record.Name)
	c.add(before.record(), after.record())
	total.setIndex(ix.record.Name, c)
	if after != nil {
		w.batch.Put(ix.space, after.key, after.encode())
	}
}
