package dal

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// batch says how one BatchGetItem is sent.
type batch struct {
	strong, retry bool
	round         int
}

// fetched is what became of the keys of a request: each is found, missing, or failed, and these are never confused.
type fetched struct {
	found  map[Key]Entity
	failed map[Key]error
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

var errLineAbsent = errors.New("the order's header counts a line that is not there")

// loadItems answers reads of single items with one request. Two patterns may ask for the same key.
func (t *Table) loadItems(ctx context.Context, reads []Read, o LoadOptions, gather *gathering) {
	round := o.Round
	if round == 0 {
		round = RecorderFrom(ctx).Round() + 1
	}
	got := t.getItems(ctx, uniqueKeys(reads), reads, batch{strong: o.strong(), round: round})
	var absent []Read
	for _, r := range reads {
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
	for r, res := range t.Reread(ctx, absent, round) {
		gather.put(r, res)
	}
}

func (t *Table) getItems(ctx context.Context, keys []Key, reads []Read, b batch) fetched {
	got := fetched{found: make(map[Key]Entity, len(keys)), failed: map[Key]error{}}
	operation := opBatchGetItem
	if len(keys) == 1 {
		operation = opGetItem
	}
	s := startSpan(ctx, operation, b.round, patternsOf(reads)...)
	s.call.Keys, s.call.Retry = len(keys), b.retry
	var err error
	if len(keys) == 1 {
		err = t.getOne(ctx, keys[0], b.strong, got, s)
	} else {
		err = t.getMany(ctx, keys, b.strong, got, s)
	}
	s.end(err)
	return got
}

func (t *Table) getOne(ctx context.Context, key Key, strong bool, got fetched, s *span) error {
	out, err := t.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &t.config.Name, Key: key.attributes(), ConsistentRead: &strong,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
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
func (t *Table) getMany(ctx context.Context, keys []Key, strong bool, got fetched, s *span) error {
	backoff := retry.NewExponentialJitterBackoff(maxBackoff)
	pending := make([]item, len(keys))
	for i, k := range keys {
		pending[i] = k.attributes()
	}
	for try := 0; ; try++ {
		out, err := t.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems:           map[string]types.KeysAndAttributes{t.config.Name: {Keys: pending, ConsistentRead: &strong}},
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
		if err := wait(ctx, backoff, try); err != nil {
			return got.fail(pending, wrap(opBatchGetItem, Key{}, err))
		}
	}
}

var errUnprocessed = errors.New("keys still unprocessed after all retries")

// wait sleeps for the backoff of a try, or until the context ends.
func wait(ctx context.Context, backoff retry.BackoffDelayer, try int) error {
	delay, err := backoff.BackoffDelay(try, errUnprocessed)
	if err != nil {
		return err
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// add decodes one item of a reply.
func (f fetched) add(it item) {
	key := keyOf(it)
	e, err := decode(it)
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

func uniqueKeys(reads []Read) []Key {
	keys := make([]Key, 0, len(reads))
	seen := make(map[Key]bool, len(reads))
	for _, r := range reads {
		if !seen[r.key] {
			seen[r.key] = true
			keys = append(keys, r.key)
		}
	}
	return keys
}

func patternsOf(reads []Read) []Pattern {
	patterns := make([]Pattern, 0, len(reads))
	for _, r := range reads {
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
