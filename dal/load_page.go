package dal

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"
)

// startPage begins to read one page of an item collection, a Query for each of its partitions. What it returns makes
// the page of their answers, once the group is through.
func (t *Table) startPage(ctx context.Context, r Read, o LoadOptions, group *errgroup.Group) func() Result {
	partitions := r.partitions(cmp.Or(o.Shards, t.Shards()))
	parts, failures := make([][]Entity, len(partitions)), make([]error, len(partitions))
	for i, partition := range partitions {
		group.Go(func() error {
			parts[i], failures[i] = t.query(ctx, r, partition, o)
			return nil
		})
	}
	return func() Result {
		if err := cmp.Or(failures...); err != nil {
			return Result{Err: err}
		}
		return r.assemble(parts)
	}
}

// partitions are the partition keys that the page is spread over.
func (r Read) partitions(shards int) []string {
	if !r.page.sharded {
		return []string{r.key.PK}
	}
	id, _ := r.key.id()
	partitions := make([]string, shards)
	for shard := range partitions {
		partitions[shard] = openWarehouseKey(WarehouseID(id), shard)
	}
	return partitions
}

// query reads up to the page's limit of items from one partition. DynamoDB cuts a reply at 1 MB, which the items' size
// bounds never reach; should a foreign item be larger, the rest is asked for as a retry.
func (t *Table) query(ctx context.Context, r Read, partition string, o LoadOptions) ([]Entity, error) {
	in := t.queryInput(r, partition, o)
	s := startSpan(ctx, opQuery, o.Round, r.pattern)
	var entities []Entity
	for {
		out, err := t.client.Query(ctx, in)
		if err != nil {
			s.call.Retries += retriesOfError(err)
			err = wrap(opQuery, Key{PK: partition}, err)
			s.end(err)
			return nil, err
		}
		s.call.Retries += retriesOf(out.ResultMetadata)
		s.call.ReadUnits += unitsOf(out.ConsumedCapacity)
		s.call.Keys += int(out.ScannedCount)
		for _, it := range out.Items {
			e, err := decode(it, o.Projection)
			if err != nil {
				s.end(err)
				return nil, err
			}
			entities = append(entities, e)
		}
		if out.LastEvaluatedKey == nil || len(entities) >= r.page.limit {
			s.end(nil)
			return entities, nil
		}
		s.call.Retries++
		in.ExclusiveStartKey = out.LastEvaluatedKey
		in.Limit = aws.Int32(int32(r.page.limit - len(entities))) //nolint:gosec // at most a page's limit
	}
}

func (t *Table) queryInput(r Read, partition string, o LoadOptions) *dynamodb.QueryInput {
	projection, names := o.Projection.expression(r.pattern.entityTypes()...)
	if names == nil {
		names = map[string]string{}
	}
	names["#p"] = attrPK
	in := &dynamodb.QueryInput{
		TableName:                 &t.config.Name,
		KeyConditionExpression:    aws.String("#p = :p"),
		ExpressionAttributeNames:  names,
		ExpressionAttributeValues: item{":p": str(partition)},
		ScanIndexForward:          aws.Bool(!r.page.descending),
		Limit:                     aws.Int32(int32(r.page.limit)), //nolint:gosec // at most MaxPage+2
		ConsistentRead:            aws.Bool(o.strong() && !r.Indexed()),
		ProjectionExpression:      projection,
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}
	sort := attrSK
	if r.page.index != "" {
		in.IndexName = aws.String(r.page.index)
		names["#p"], sort = indexKeys(r.page.index)
	}
	if r.page.lower != "" {
		in.KeyConditionExpression = aws.String("#p = :p AND #s BETWEEN :lower AND :upper")
		names["#s"] = sort
		in.ExpressionAttributeValues[":lower"] = str(r.page.lower)
		in.ExpressionAttributeValues[":upper"] = str(r.page.upper)
	}
	return in
}

// indexKeys are the attributes that an index is keyed by.
func indexKeys(index string) (partition, sort string) {
	switch index {
	case indexEmail:
		return attrEmailKey, ""
	case indexOpenOrders:
		return attrOpenWarehouse, attrOpenSince
	case indexStatus:
		return attrPK, attrStatusKey
	}
	return attrPK, attrSK
}

// assemble makes the page of what its partitions gave: merged in the order it was read, without the cursors' own
// items, cut to its count, and turned around when it was read from the end.
func (r Read) assemble(parts [][]Entity) Result {
	entities := parts[0]
	if len(parts) > 1 {
		entities = slices.Concat(parts...)
		slices.SortStableFunc(entities, r.byPosition)
	}
	entities = slices.DeleteFunc(entities, r.page.isCursor)
	res := Result{Entities: entities}
	if len(entities) > r.page.count {
		res.Entities, res.More = entities[:r.page.count:r.page.count], true
	}
	if r.page.reverse {
		slices.Reverse(res.Entities)
	}
	return res
}

// byPosition orders the orders of several shards as one index would.
func (r Read) byPosition(a, b Entity) int {
	x, y := positionIn(a), positionIn(b)
	c := strings.Compare(x.segment(), y.segment())
	if r.page.descending {
		return -c
	}
	return c
}

func positionIn(e Entity) OrderPosition {
	if o, ok := e.(*Order); ok {
		return o.Position()
	}
	return OrderPosition{}
}

// isCursor says that the entity is what one of the page's cursors points at.
func (p page) isCursor(e Entity) bool {
	o, ok := e.(*Order)
	if !ok || p.after == p.before {
		return false
	}
	at := o.Position()
	return at == p.after || at == p.before
}
