package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"sync"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/expr"
	"example.com/keyfirst/internal/engine/storage"
)

// The spaces of the store. Those of one table carry its id, which no later table of the name has.
const (
	tablesSpace     = "tables"      // name -> tableRecord
	countsSpace     = "counts"      // table id -> counts
	tokensSpace     = "tokens"      // client request token -> tokenRecord
	tokenTimesSpace = "token-times" // expiry and token -> nothing
)

func itemsSpace(id string) string        { return "items/" + id }
func indexSpace(id, index string) string { return "index/" + id + "/" + index }
func expirySpace(id string) string       { return "expiry/" + id }

// table is a tableRecord made ready for work. It is never changed.
type table struct {
	record  *tableRecord
	stored  []byte // the JSON of record
	keys    schema
	space   string
	indexes []*index
}

// index is a secondary index of a table, local or global.
type index struct {
	record    *indexRecord
	keys      schema
	space     string
	entryKeys schema          // of an entry: index keys, then the table keys that are not among them
	projected *expr.Selection // nil when all attributes are
}

// catalog keeps the tables that requests have used. What counts is the record in the store: an entry is good only for
// the record that it was made of.
type catalog struct {
	mu     sync.RWMutex
	tables map[string]*table
}

// table finds a table as r sees it. It returns ResourceNotFoundException when there is none.
func (c *catalog) table(r storage.Reader, name string) (*table, error) {
	stored := r.Get(tablesSpace, []byte(name))
	if stored == nil {
		return nil, tableNotFound()
	}
	c.mu.RLock()
	known := c.tables[name]
	c.mu.RUnlock()
	if known != nil && bytes.Equal(known.stored, stored) {
		return known, nil
	}
	t, err := loadTable(bytes.Clone(stored))
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tables == nil {
		c.tables = map[string]*table{}
	}
	c.tables[name] = t
	return t, nil
}

// forget drops what is kept of a table that is no more.
func (c *catalog) forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.tables, name)
}

func loadTable(stored []byte) (*table, error) {
	var record tableRecord
	if err := json.Unmarshal(stored, &record); err != nil {
		return nil, fmt.Errorf("engine: the stored definition of a table cannot be read: %w", err)
	}
	return newTable(&record, stored), nil
}

func newTable(record *tableRecord, stored []byte) *table {
	t := &table{
		record: record,
		stored: stored,
		keys:   newSchema(record.KeySchema, record.AttributeDefinitions),
		space:  itemsSpace(record.ID),
	}
	for i := range record.Indexes {
		t.indexes = append(t.indexes, t.newIndex(&record.Indexes[i]))
	}
	return t
}

func (t *table) newIndex(record *indexRecord) *index {
	ix := &index{
		record: record,
		keys:   newSchema(record.KeySchema, t.record.AttributeDefinitions),
		space:  indexSpace(t.record.ID, record.Name),
	}
	ix.entryKeys = append(ix.entryKeys, ix.keys...)
	for _, k := range t.keys {
		if !ix.keys.has(k.name) {
			ix.entryKeys = append(ix.entryKeys, k)
		}
	}
	if record.Projection.ProjectionType != projectAll {
		ix.projected = expr.SelectAttributes(append(ix.entryKeys.names(), record.Projection.NonKeyAttributes...)...)
	}
	return ix
}

func newSchema(elements []keySchemaElement, definitions []attributeDefinition) schema {
	kinds := make(map[string]attr.Kind, len(definitions))
	for _, d := range definitions {
		kinds[d.AttributeName] = attr.KindOf(d.AttributeType)
	}
	s := make(schema, len(elements))
	for i, e := range elements {
		s[i] = keyAttribute{e.AttributeName, kinds[e.AttributeName]}
	}
	return s
}

// index finds an index by name, nil when the table has none of it.
func (t *table) index(name string) *index {
	for _, ix := range t.indexes {
		if ix.record.Name == name {
			return ix
		}
	}
	return nil
}

// key encodes the primary key of an item.
func (t *table) key(item attr.Item) []byte {
	return t.keys.appendKey(make([]byte, 0, 64), item)
}

// entryKey encodes the key of the item's entry in the index.
func (ix *index) entryKey(item attr.Item) []byte {
	return ix.entryKeys.appendKey(make([]byte, 0, 96), item)
}

// project is the item as the index holds it.
func (ix *index) project(item attr.Item) attr.Item {
	if ix.projected == nil {
		return item
	}
	return ix.projected.Of(item)
}

// all goes over every table.
func (c *catalog) all(r storage.Reader) iter.Seq2[*table, error] {
	return func(yield func(*table, error) bool) {
		for name := range r.Range(tablesSpace, nil, nil, false) {
			if !yield(c.table(r, string(name))) {
				return
			}
		}
	}
}
