package dal

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// batch says how one BatchGetItem is sent.
type batch struct {
	strong, retry bool
	round         int
	projection    Projection
}

// fetched is what became of the keys of a request: each is found, missing, or failed, and these are never confused.
type fetched struct {
	found  map[Key]Entity
	failed map[Key]error
	// projection is what was asked of each item.
	projection Projection
}

func (f fetched) result(r Read) Result {
	switch e, found := f.found[r.key]; {
	case f.failed[r.key] != nil:
		return Result{Err: f.failed[r.key]}
	case found:
		return Result{Entities: []Entity{e}}
	case r.mustExist():
		return Result{Err: &Error{Op: opBatchGetItem, Kind: KindUnavailable, Key: r.key, Err: errLineAbsent}}
	}
	return Result{}
}

// one is the item of a read; nil when there is none.
func (f fetched) one(r Read) (Entity, error) {
	if err := f.failed[r.key]; err != nil {
		return nil, err
	}
	return f.found[r.key], nil
}

var errLineAbsent = errors.New("the order's header counts a line that is not there")

// loadItems answers reads of single items with one request.
func (t *Table) loadItems(ctx context.Context, items singles, o LoadOptions, gather *gathering) {
	got := t.getItems(ctx, items, batch{strong: o.strong(), round: o.Round, projection: o.Projection})
	var absent []Read
	for r := range items.all() {
		_, found := got.found[r.key]
		if r.mustExist() && !found && got.failed[r.key] == nil {
			absent = append(absent, r)
			continue
		}
		gather.put(r, got.result(r))
	}
	if len(absent) == 0 {
		return
	}
	for r, res := range t.Reread(ctx, absent, o.Round) {
		gather.put(r, res)
	}
}

func (t *Table) getItems(ctx context.Context, items singles, b batch) fetched {
	keys := items.keys
	got := fetched{found: make(map[Key]Entity, len(keys)), failed: map[Key]error{}, projection: b.projection}
	operation := opBatchGetItem
	if len(keys) == 1 {
		operation = opGetItem
	}
	s := startSpan(ctx, operation, b.round, patternsOf(items)...)
	s.call.Keys, s.call.Retry = len(keys), b.retry
	var err error
	if len(keys) == 1 {
		err = t.getOne(ctx, keys[0], b, got, s)
	} else {
		err = t.getMany(ctx, keys, b, got, s)
	}
	s.end(err)
	return got
}

func (t *Table) getOne(ctx context.Context, key Key, b batch, got fetched, s *span) error {
	in := &dynamodb.GetItemInput{
		TableName: &t.config.Name, Key: key.attributes(), ConsistentRead: &b.strong,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	in.ProjectionExpression, in.ExpressionAttributeNames = b.projection.expression(key.entityType())
	out, err := t.client.GetItem(ctx, in)
	if err != nil {
		s.call.Retries += retriesOfError(err)
		err = wrap(opGetItem, key, err)
		got.failed[key] = err
		return err
	}
	s.call.Retries += retriesOf(out.ResultMetadata)
	s.call.ReadUnits += unitsOf(out.ConsumedCapacity)
	if len(out.Item) > 0 {
		got.add(out.Item)
	}
	return nil
}

// getMany asks for all keys, and again for those that DynamoDB left unprocessed, with backoff and jitter.
func (t *Table) getMany(ctx context.Context, keys []Key, b batch, got fetched, s *span) error {
	asked := types.KeysAndAttributes{ConsistentRead: &b.strong}
	asked.ProjectionExpression, asked.ExpressionAttributeNames = b.projection.expression(entityTypesOf(keys)...)
	pending := make([]item, len(keys))
	for i, k := range keys {
		pending[i] = k.attributes()
	}
	for try := 0; ; try++ {
		asked.Keys = pending
		out, err := t.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems:           map[string]types.KeysAndAttributes{t.config.Name: asked},
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		if err != nil {
			s.call.Retries += retriesOfError(err)
			return got.fail(pending, wrap(opBatchGetItem, Key{}, err))
		}
		s.call.Retries += retriesOf(out.ResultMetadata)
		for i := range out.ConsumedCapacity {
			s.call.ReadUnits += unitsOf(&out.ConsumedCapacity[i])
		}
		for _, it := range out.Responses[t.config.Name] {
			got.add(it)
		}
		pending = out.UnprocessedKeys[t.config.Name].Keys
		if len(pending) == 0 {
			return nil
		}
		if try == t.config.Retries {
			return got.fail(pending, &Error{Op: opBatchGetItem, Kind: KindThrottled, Err: errUnprocessed})
		}
		s.call.Retries++
		if err := wait(ctx, try); err != nil {
			return got.fail(pending, wrap(opBatchGetItem, Key{}, err))
		}
	}
}

var errUnprocessed = errors.New("keys still unprocessed after all retries")

// add decodes one item of a reply.
func (f fetched) add(it item) {
	key := keyOf(it)
	e, err := decode(it, f.projection)
	if err != nil {
		f.failed[key] = err
		return
	}
	f.found[key] = e
}

// fail gives every key that is still pending the error.
func (f fetched) fail(pending []item, err error) error {
	for _, k := range pending {
		f.failed[keyOf(k)] = err
	}
	return err
}

func patternsOf(items singles) []Pattern {
	patterns := make([]Pattern, 0, len(items.keys))
	for r := range items.all() {
		patterns = append(patterns, r.pattern)
	}
	return patterns
}

func unitsOf(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}
