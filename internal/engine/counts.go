package engine

import (
	"encoding/json"
	"fmt"

	"example.com/keyfirst/internal/engine/storage"
)

// count is how many items a table or an index has, and their size in bytes.
type count struct {
	Items int64
	Bytes int64
}

// counts are those of a table, and of its indexes by name. They are kept up to date by every write, so that describing
// a table reads one record.
type counts struct {
	count
	Indexes map[string]count `json:",omitempty"`
}

func (c *count) add(before, after *stored) {
	if before != nil {
		c.Items--
		c.Bytes -= int64(before.size)
	}
	if after != nil {
		c.Items++
		c.Bytes += int64(after.size)
	}
}

func (c *counts) index(name string) count { return c.Indexes[name] }

func (c *counts) setIndex(name string, of count) {
	if c.Indexes == nil {
		c.Indexes = map[string]count{}
	}
	c.Indexes[name] = of
}

func readCounts(r storage.Reader, id string) (*counts, error) {
	c := &counts{}
	if value := r.Get(countsSpace, []byte(id)); value != nil {
		if err := json.Unmarshal(value, c); err != nil {
			return nil, fmt.Errorf("engine: the counts of a table cannot be read: %w", err)
		}
	}
	return c, nil
}

func (c *counts) write(b *storage.Batch, id string) error {
	value, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("engine: write the counts of a table: %w", err)
	}
	b.Put(countsSpace, []byte(id), value)
	return nil
}
