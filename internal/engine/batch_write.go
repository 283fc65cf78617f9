package engine

import (
	"maps"
	"slices"

	"example.com/keyfirst/internal/engine/attr"
)

type batchWriteItemRequest struct {
	RequestItems           map[string][]writeRequest
	ReturnConsumedCapacity string
}

type writeRequest struct {
	PutRequest    *putRequest
	DeleteRequest *deleteRequest
}

type putRequest struct{ Item attr.Item }

type deleteRequest struct{ Key attr.Item }

// batchWriteItem implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html. It
// leaves no items unprocessed but by a fault.
func (e *Engine) batchWriteItem(request *batchWriteItemRequest) ([]byte, error) {
	if err := checkCapacityMode(request.ReturnConsumedCapacity); err != nil {
		return nil, err
	}
	mutations, err := request.parse()
	if err != nil {
		return nil, err
	}
	var costs *costs
	unprocessed := newReply(0)
	err = e.update(func(w *writer) error {
		effects, err := w.locateAll(mutations, "Provided list of item keys contains duplicates")
		if err != nil {
			return err
		}
		mutations, effects := e.withhold(mutations, effects, unprocessed)
		for i, m := range mutations {
			if err := w.decide(m, effects[i]); err != nil {
				return err
			}
		}
		costs, err = w.applyAll(effects, 1)
		return err
	})
	if err != nil {
		return nil, err
	}
	response := newReply(0)
	response.field("UnprocessedItems").raw(unprocessed.done())
	response.capacities(request.ReturnConsumedCapacity, costs.all)
	return response.done(), nil
}

// withhold gives back, in a shape that can be sent again, the writes that faults keep from being processed, and returns
// the others.
func (e *Engine) withhold(mutations []*mutation, effects []*effect, unprocessed *reply) ([]*mutation, []*effect) {
	if !e.faults.some.Load() {
		return mutations, effects
	}
	var left []*mutation
	var leftEffects []*effect
	table := ""
	for i, m := range mutations {
		if !e.faults.withholds("BatchWriteItem", effects[i].table, m.target()) {
			left, leftEffects = append(left, m), append(leftEffects, effects[i])
			continue
		}
		if m.table != table {
			if table != "" {
				unprocessed.close(']')
			}
			table = m.table
			unprocessed.field(table).open('[')
		}
		unprocessed.separate('[')
		unprocessed.writeRequest(m)
	}
	if table != "" {
		unprocessed.close(']')
	}
	return left, leftEffects
}

func (r *reply) writeRequest(m *mutation) {
	name, member := "DeleteRequest", "Key"
	if m.kind == putMutation {
		name, member = "PutRequest", "Item"
	}
	r.open('{')
	r.field(name).open('{')
	r.field(member).item(m.target())
	r.close('}')
	r.close('}')
}

func (request *batchWriteItemRequest) parse() ([]*mutation, error) {
	if len(request.RequestItems) == 0 {
		return nil, constraint("'{}'", "requestItems", "Member must have length greater than or equal to 1")
	}
	var mutations []*mutation
	for _, given := range slices.Sorted(maps.Keys(request.RequestItems)) {
		name, err := tableName(given)
		if err != nil {
			return nil, err
		}
		if len(request.RequestItems[given]) == 0 {
			return nil, constraint("'[]'", "requestItems."+given+".member", "Member must have length greater than or equal to 1")
		}
		for _, one := range request.RequestItems[given] {
			m, err := one.mutation(name)
			if err != nil {
				return nil, err
			}
			mutations = append(mutations, m)
		}
	}
	if len(mutations) > maxBatchWrite {
		return nil, validation("Too many items requested for the BatchWriteItem call")
	}
	return mutations, nil
}

func (one *writeRequest) mutation(table string) (*mutation, error) {
	switch {
	case one.PutRequest != nil && one.DeleteRequest != nil, one.PutRequest == nil && one.DeleteRequest == nil:
		return nil, validation("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
	case one.PutRequest != nil && one.PutRequest.Item == nil:
		return nil, missingParameter("requestItems.member.putRequest.item")
	case one.PutRequest != nil:
		return &mutation{kind: putMutation, table: table, item: one.PutRequest.Item}, nil
	case one.DeleteRequest.Key == nil:
		return nil, missingParameter("requestItems.member.deleteRequest.key")
	}
	return &mutation{kind: deleteMutation, table: table, key: one.DeleteRequest.Key}, nil
}

// costs is what several writes took, by table in the order of their first one.
type costs struct{ all []*consumption }

func (c *costs) of(table string) *consumption {
	for _, one := range c.all {
		if one.table == table {
			return one
		}
	}
	one := &consumption{table: table}
	c.all = append(c.all, one)
	return one
}

func (w *writer) applyAll(effects []*effect, factor float64) (*costs, error) {
	sum := &costs{}
	for _, f := range effects {
		cost, err := w.apply(f)
		if err != nil {
			return nil, err
		}
		cost.times(factor)
		sum.of(cost.table).add(cost)
	}
	return sum, nil
}
