package engine

import (
	"maps"
	"slices"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/expr"
	"example.com/keyfirst/internal/engine/storage"
)

// Limits of the batch operations
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-api).
const (
	maxBatchGet      = 100
	maxBatchGetBytes = 16 << 20
	maxBatchWrite    = 25
)

type batchGetItemRequest struct {
	RequestItems           map[string]*batchGetTable
	ReturnConsumedCapacity string
}

// batchGetTable is what is asked of one table.
type batchGetTable struct {
	placeholderMaps
	legacyParameters
	Keys                 []attr.Item
	ConsistentRead       bool
	ProjectionExpression *string

	name       string
	projection *expr.Selection
}

// batchGetItem implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html.
func (e *Engine) batchGetItem(request *batchGetItemRequest) ([]byte, error) {
	if err := checkCapacityMode(request.ReturnConsumedCapacity); err != nil {
		return nil, err
	}
	if err := request.parse(); err != nil {
		return nil, err
	}
	b := &batchGet{engine: e, response: newReply(firstBuffer), unprocessed: newReply(0)}
	b.response.field("Responses").open('{')
	err := e.store.View(func(r storage.Reader) error {
		for _, given := range slices.Sorted(maps.Keys(request.RequestItems)) {
			if err := b.readTable(r, given, request.RequestItems[given]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	b.response.close('}')
	b.response.field("UnprocessedKeys").raw(b.unprocessed.done())
	b.response.capacities(request.ReturnConsumedCapacity, b.costs)
	return b.response.done(), nil
}

func (request *batchGetItemRequest) parse() error {
	if len(request.RequestItems) == 0 {
		return constraint("'{}'", "requestItems", "Member must have length greater than or equal to 1")
	}
	total := 0
	for given, of := range request.RequestItems {
		if of == nil || len(of.Keys) == 0 {
			return constraint("'[]'", "requestItems."+given+".member.keys", "Member must have length greater than or equal to 1")
		}
		total += len(of.Keys)
		if err := of.parse(given); err != nil {
			return err
		}
	}
	if total > maxBatchGet {
		return validation("Too many items requested for the BatchGetItem call")
	}
	return nil
}

func (of *batchGetTable) parse(given string) (err error) {
	if err := of.refuse(); err != nil {
		return err
	}
	if of.name, err = tableName(given); err != nil {
		return err
	}
	holders, err := of.begin(of.ProjectionExpression)
	if err != nil {
		return err
	}
	if of.projection, err = optionalProjection(of.ProjectionExpression, holders); err != nil {
		return err
	}
	return holders.CheckUsed()
}

// batchGet collects the parts of the response.
type batchGet struct {
	engine      *Engine
	response    *reply // open in the object of the tables
	unprocessed *reply
	costs       []*consumption
	size        int
}

func (b *batchGet) readTable(r storage.Reader, given string, of *batchGetTable) error {
	t, err := b.engine.catalog.table(r, of.name)
	if err != nil {
		return err
	}
	keys, err := t.distinctKeys(of.Keys)
	if err != nil {
		return err
	}
	cost := &consumption{table: of.name}
	b.costs = append(b.costs, cost)
	b.response.field(given).open('[')
	var postponed []attr.Item
	for i, key := range keys {
		if b.size > maxBatchGetBytes || b.engine.faults.withholds("BatchGetItem", t, of.Keys[i]) {
			postponed = append(postponed, of.Keys[i])
			continue
		}
		f, err := (&get{projection: of.projection}).read(r, t, key)
		if err != nil {
			return err
		}
		b.size += f.size
		cost.own += readUnits(f.size, of.ConsistentRead)
		if f.json != nil {
			b.response.element(f.json)
		}
	}
	b.response.close(']')
	if len(postponed) > 0 {
		b.postpone(given, of, postponed)
	}
	return nil
}

// distinctKeys checks and encodes keys, none of which may come twice.
func (t *table) distinctKeys(keys []attr.Item) ([][]byte, error) {
	seen := make(map[string]bool, len(keys))
	encoded := make([][]byte, len(keys))
	for i, key := range keys {
		if err := t.keys.checkKey(key); err != nil {
			return nil, err
		}
		encoded[i] = t.key(key)
		if seen[string(encoded[i])] {
			return nil, validation("Provided list of item keys contains duplicates")
		}
		seen[string(encoded[i])] = true
	}
	return encoded, nil
}

// postpone gives keys back, in a shape that can be sent again.
func (b *batchGet) postpone(given string, of *batchGetTable, keys []attr.Item) {
	part := b.unprocessed
	part.field(given).open('{')
	part.field("Keys").open('[')
	for _, key := range keys {
		part.separate('[')
		part.item(key)
	}
	part.close(']')
	if of.ConsistentRead {
		part.field("ConsistentRead").raw([]byte("true"))
	}
	if of.ProjectionExpression != nil {
		part.field("ProjectionExpression").text(*of.ProjectionExpression)
	}
	if len(of.ExpressionAttributeNames) > 0 {
		part.field("ExpressionAttributeNames").names(of.ExpressionAttributeNames)
	}
	part.close('}')
}
