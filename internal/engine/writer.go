package engine

import (
	"bytes"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/storage"
)

// writer carries out mutations in one update of the store: first all are decided, then all are applied.
type writer struct {
	catalog *catalog
	reader  storage.Reader
	batch   *storage.Batch
	counts  map[string]*counts // by table id
}

func (e *Engine) update(decide func(w *writer) error) error {
	var noted uint64
	err := e.store.Update(func(r storage.Reader, b *storage.Batch) error {
		w := &writer{&e.catalog, r, b, map[string]*counts{}}
		if err := decide(w); err != nil {
			return err
		}
		for id, c := range w.counts {
			if err := c.write(b, id); err != nil {
				return err
			}
		}
		noted = e.history.note(r, b, e.now())
		return nil
	})
	if err != nil {
		e.history.drop(noted)
	}
	return err
}

// effect is a mutation that was decided: what it does to the item, which was not there when before is nil, and is not
// there afterwards when after is nil.
type effect struct {
	table         *table
	key           []byte
	before, after *version
}

// version is an item and how it is stored. An item that is about to be replaced and that nobody looks at is not parsed.
type version struct {
	item attr.Item
	stored
}

func newVersion(item attr.Item) *version { return &version{item, newStored(item)} }

// attributes is the item, nil when there is no version.
func (v *version) attributes() attr.Item {
	if v == nil {
		return nil
	}
	return v.item
}

func (v *version) bytes() int {
	if v == nil {
		return 0
	}
	return v.size
}

func (v *version) record() *stored {
	if v == nil {
		return nil
	}
	return &v.stored
}

// locate finds the table of a mutation and the key of its item. It returns ResourceNotFoundException or ValidationException.
func (w *writer) locate(m *mutation) (*effect, error) {
	t, err := w.catalog.table(w.reader, m.table)
	if err != nil {
		return nil, err
	}
	if err := m.checkTarget(t); err != nil {
		return nil, err
	}
	return &effect{table: t, key: t.key(m.target())}, nil
}

// locateAll locates mutations that must be of different items; otherwise it returns a ValidationException that says so.
func (w *writer) locateAll(mutations []*mutation, twice string) ([]*effect, error) {
	effects := make([]*effect, len(mutations))
	seen := make(map[string]bool, len(mutations))
	for i, m := range mutations {
		f, err := w.locate(m)
		if err != nil {
			return nil, err
		}
		id := f.table.record.ID + string(f.key)
		if seen[id] {
			return nil, validation(twice)
		}
		seen[id] = true
		effects[i] = f
	}
	return effects, nil
}

// decide reads the located item and works out what the mutation does to it. It returns ConditionalCheckFailedException,
// which has the item when the mutation asks for it, or ValidationException.
func (w *writer) decide(m *mutation, f *effect) (err error) {
	if err = m.checkContent(f.table); err != nil {
		return err
	}
	if f.before, err = w.read(f.table, f.key, m.looksAtOld(f.table)); err != nil {
		return err
	}
	old := f.before.attributes()
	if m.condition != nil && !m.condition.Holds(old) {
		failed := &serviceError{code: "ConditionalCheckFailedException", message: "The conditional request failed"}
		if m.oldOnFailure {
			failed.item = old
		}
		return failed
	}
	after, err := m.result(f.table, old)
	switch {
	case err != nil:
		return err
	case m.kind == checkMutation:
		f.after = f.before
	case after != nil:
		f.after = newVersion(after)
	}
	return nil
}

// read reads an item; what is in it only if somebody looks at it.
func (w *writer) read(t *table, key []byte, whole bool) (*version, error) {
	value := w.reader.Get(t.space, key)
	if value == nil {
		return nil, nil //nolint:nilnil // no item is not an error
	}
	s, err := decodeStored(bytes.Clone(value))
	if err != nil {
		return nil, err
	}
	if !whole {
		return &version{nil, s}, nil
	}
	item, err := s.item()
	if err != nil {
		return nil, err
	}
	return &version{item, s}, nil
}

// apply adds the effect to the batch, with what follows for indexes, and returns what it costs.
func (w *writer) apply(f *effect) (*consumption, error) {
	cost := &consumption{table: f.table.record.Name, own: writeUnits(max(f.before.bytes(), f.after.bytes()))}
	if f.before == f.after {
		return cost, nil
	}
	total, err := w.tableCounts(f.table)
	if err != nil {
		return nil, err
	}
	total.add(f.before.record(), f.after.record())
	if f.after == nil {
		w.batch.Delete(f.table.space, f.key)
	} else {
		w.batch.Put(f.table.space, f.key, f.after.encode())
	}
	for _, ix := range f.table.indexes {
		cost.addIndex(ix, w.applyToIndex(f, ix, total))
	}
	w.applyToExpiry(f)
	return cost, nil
}

func (w *writer) tableCounts(t *table) (*counts, error) {
	if c := w.counts[t.record.ID]; c != nil {
		return c, nil
	}
	c, err := readCounts(w.reader, t.record.ID)
	if err != nil {
		return nil, err
	}
	w.counts[t.record.ID] = c
	return c, nil
}
