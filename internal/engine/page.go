package engine

import (
	"bytes"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/expr"
	"example.com/keyfirst/internal/engine/order"
	"example.com/keyfirst/internal/engine/storage"
)

// maxPage is how much one Query or Scan reads, in bytes: it stops at the item with which it gets there
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html).
const maxPage = 1 << 20

// firstBuffer is the size of a buffer for items before it grows, in bytes.
const firstBuffer = 4096

// page is one reading of a range of a table or an index.
type page struct {
	table      *table
	index      *index      // nil for the table itself
	partition  *attr.Value // nil for a Scan
	from, to   []byte
	backwards  bool
	limit      int // items to look at, 0 for no limit
	consistent bool
	filter     *expr.Predicate
	projection *expr.Selection
	countOnly  bool
	wholeItems bool // fetch from the table what a local index lacks
}

// pageResult is what was read.
type pageResult struct {
	response *reply // with the items, unless they are only counted
	count    int    // after the filter
	scanned  int    // before it
	last     attr.Item
	cost     *consumption
}

func (p *page) space() string {
	if p.index != nil {
		return p.index.space
	}
	return p.table.space
}

func (p *page) keys() schema {
	if p.index != nil {
		return p.index.entryKeys
	}
	return p.table.keys
}

// startAfter narrows the range to what follows an ExclusiveStartKey, which need not be there any more.
func (p *page) startAfter(start attr.Item) error {
	if start == nil {
		return nil
	}
	keys := p.keys()
	if len(start) != len(keys) {
		return validation("The provided starting key is invalid")
	}
	for _, k := range keys {
		v, ok := start[k.name]
		if !ok || v.Kind != k.kind || v.Kind != attr.N && v.Text == "" {
			return validation("The provided starting key is invalid")
		}
	}
	key := keys.appendKey(nil, start)
	if bytes.Compare(key, p.from) < 0 || p.to != nil && bytes.Compare(key, p.to) >= 0 {
		return validation("The provided starting key is outside query boundaries based on provided conditions")
	}
	if p.backwards {
		p.to = key
	} else {
		p.from = order.After(key)
	}
	return nil
}

// read reads until the range, the limit or the page is at an end.
func (p *page) read(r storage.Reader) (*pageResult, error) {
	result := &pageResult{response: newReply(firstBuffer), cost: &consumption{table: p.table.record.Name}}
	if !p.countOnly {
		result.response.field("Items").open('[')
	}
	size := 0
	for _, value := range r.Range(p.space(), p.from, p.to, p.backwards) {
		s, err := decodeStored(value)
		if err != nil {
			return nil, err
		}
		size += s.size
		result.scanned++
		if err := p.take(r, s, result); err != nil {
			return nil, err
		}
		if result.scanned == p.limit || size >= maxPage {
			if result.last, err = p.lastKey(s); err != nil {
				return nil, err
			}
			break
		}
	}
	p.charge(result, size)
	return result, nil
}

func (p *page) charge(result *pageResult, size int) {
	units := readUnits(size, p.consistent)
	if p.index == nil {
		result.cost.own = units
		return
	}
	result.cost.addIndex(p.index, units)
}

func (p *page) lastKey(s stored) (attr.Item, error) {
	item, err := s.item()
	if err != nil {
		return nil, err
	}
	return expr.SelectAttributes(p.keys().names()...).Of(item), nil
}

// take adds one item to the result, if the filter lets it.
func (p *page) take(r storage.Reader, s stored, result *pageResult) (err error) {
	if p.wholeItems {
		if s, err = p.fetch(r, s, result); err != nil {
			return err
		}
	}
	if p.filter == nil && p.projection == nil {
		result.add(s.json, p.countOnly)
		return nil
	}
	item, err := s.item()
	if err != nil {
		return err
	}
	if p.filter != nil && !p.filter.Holds(item) {
		return nil
	}
	json := s.json
	if p.projection != nil {
		json = p.projection.Of(item).AppendJSON(nil)
	}
	result.add(json, p.countOnly)
	return nil
}

// fetch reads the whole item of a local index entry, which costs a read of its own
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html#LSI.ThroughputConsiderations.Reads).
func (p *page) fetch(r storage.Reader, entry stored, result *pageResult) (stored, error) {
	item, err := entry.item()
	if err != nil {
		return stored{}, err
	}
	value := r.Get(p.table.space, p.table.key(item))
	if value == nil {
		return entry, nil
	}
	s, err := decodeStored(value)
	result.cost.own += readUnits(s.size, p.consistent)
	return s, err
}

func (result *pageResult) add(json []byte, countOnly bool) {
	result.count++
	if !countOnly {
		result.response.element(json)
	}
}

// finish completes the JSON of a Query or a Scan.
func (result *pageResult) finish(countOnly bool, capacityMode string) []byte {
	response := result.response
	if !countOnly {
		response.close(']')
	}
	response.field("Count").integer(result.count)
	response.field("ScannedCount").integer(result.scanned)
	if result.last != nil {
		response.field("LastEvaluatedKey").item(result.last)
	}
	response.capacity(capacityMode, result.cost)
	return response.done()
}
