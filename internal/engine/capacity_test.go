package engine_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

func pad(n int) string { return strings.Repeat("x", n) }

func units(c *types.ConsumedCapacity) float64 { return *c.CapacityUnits }

func TestReadCapacity(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		for i := range 20 {
			d.put(it("PK", "P", "SK", fmt.Sprintf("%02d", i), "d", pad(290)))
		}
		d.put(it("PK", "big", "SK", "1", "d", pad(5000)))
		get := func(pk, sk string, consistent bool) float64 {
			out, err := d.GetItem(d.ctx(), &dynamodb.GetItemInput{TableName: aws.String(table), Key: key(pk, sk), ConsistentRead: &consistent, ReturnConsumedCapacity: "TOTAL"})
			require.NoError(d.t, err)
			return units(out.ConsumedCapacity)
		}
		require.Equal(d.t, []float64{0.5, 1, 1, 2, 0.5, 1}, []float64{
			get("P", "00", false), get("P", "00", true), get("big", "1", false), get("big", "1", true), get("no", "no", false), get("no", "no", true),
		})
		total := func(in *dynamodb.QueryInput) { in.ReturnConsumedCapacity = "TOTAL" }
		consistent := func(in *dynamodb.QueryInput) { in.ConsistentRead = aws.Bool(true) }
		cost := func(pk string, options ...queryOption) float64 {
			return units(d.query("PK = :p", it(":p", pk), append(options, total)...).ConsumedCapacity)
		}
		require.Equal(d.t, 1.0, cost("P"), "sizes are added up, then rounded: 6 KB")
		require.Equal(d.t, 2.0, cost("P", consistent))
		require.Equal(d.t, 0.5, cost("P", limit(1)))
		require.Equal(d.t, 0.5, cost("none"))

		batch := func(consistent bool, all ...item) float64 {
			out, err := d.BatchGetItem(d.ctx(), &dynamodb.BatchGetItemInput{
				RequestItems: map[string]types.KeysAndAttributes{table: {Keys: all, ConsistentRead: &consistent}}, ReturnConsumedCapacity: "TOTAL",
			})
			require.NoError(d.t, err)
			return units(&out.ConsumedCapacity[0])
		}
		require.Equal(d.t, 2.5, batch(false, key("P", "00"), key("P", "01"), key("big", "1"), key("no", "no")), "each item is rounded, and one that is missing costs")
		require.Equal(d.t, 5.0, batch(true, key("P", "00"), key("P", "01"), key("big", "1"), key("no", "no")))

		tx, err := d.TransactGetItems(d.ctx(), &dynamodb.TransactGetItemsInput{
			ReturnConsumedCapacity: "TOTAL",
			TransactItems:          []types.TransactGetItem{{Get: &types.Get{TableName: aws.String(table), Key: key("P", "00")}}, {Get: &types.Get{TableName: aws.String(table), Key: key("big", "1")}}},
		})
		require.NoError(d.t, err)
		require.Equal(d.t, 6.0, units(&tx.ConsumedCapacity[0]))
		require.Equal(d.t, 6.0, *tx.ConsumedCapacity[0].ReadCapacityUnits)
	})
}

func TestLocalIndexFetchCostsTheWholeItem(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(local("by-due", keysOnly(), "due"))
		for i := range 3 {
			d.put(it("PK", "P", "SK", strconv.Itoa(i), "due", i, "d", pad(5000)))
		}
		indexes := func(in *dynamodb.QueryInput) { in.ReturnConsumedCapacity = "INDEXES" }
		out := d.query("PK = :p", it(":p", "P"), on("by-due"), indexes)
		require.Equal(d.t, 0.5, units(out.ConsumedCapacity))
		out = d.query("PK = :p", it(":p", "P"), on("by-due"), indexes, func(in *dynamodb.QueryInput) { in.ProjectionExpression = aws.String("d") })
		require.Equal(d.t, 3.0, *out.ConsumedCapacity.Table.CapacityUnits)
		require.Equal(d.t, 0.5, *out.ConsumedCapacity.LocalSecondaryIndexes["by-due"].CapacityUnits)
		require.Equal(d.t, 3.5, units(out.ConsumedCapacity))
	})
}

func TestWriteCapacityWithIndexes(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("all", projectAll(), "g", "gs"), global("keys", keysOnly(), "g", "gs"))
		put := func(i item) *types.ConsumedCapacity {
			out, err := d.PutItem(d.ctx(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: i, ReturnConsumedCapacity: "INDEXES"})
			require.NoError(d.t, err)
			return out.ConsumedCapacity
		}
		update := func(expression string, values item) *types.ConsumedCapacity {
			out, err := d.UpdateItem(d.ctx(), &dynamodb.UpdateItemInput{
				TableName: aws.String(table), Key: key("P", "1"), UpdateExpression: &expression, ExpressionAttributeValues: values, ReturnConsumedCapacity: "INDEXES",
			})
			require.NoError(d.t, err)
			return out.ConsumedCapacity
		}
		remove := func() *types.ConsumedCapacity {
			out, err := d.DeleteItem(d.ctx(), &dynamodb.DeleteItemInput{TableName: aws.String(table), Key: key("P", "1"), ReturnConsumedCapacity: "INDEXES"})
			require.NoError(d.t, err)
			return out.ConsumedCapacity
		}
		for _, step := range []struct {
			what             string
			do               func() *types.ConsumedCapacity
			table, all, keys float64
		}{
			{"put without index keys", func() *types.ConsumedCapacity { return put(it("PK", "P", "SK", "1", "d", "x")) }, 1, 0, 0},
			{"put with index keys", func() *types.ConsumedCapacity { return put(it("PK", "P", "SK", "1", "g", "G", "gs", "1", "d", "x")) }, 1, 1, 1},
			{"attribute of one projection", func() *types.ConsumedCapacity { return update("SET d = :v", it(":v", "y")) }, 1, 1, 0},
			{"key change", func() *types.ConsumedCapacity { return update("SET gs = :v", it(":v", "2")) }, 1, 2, 2},
			{"keys removed", func() *types.ConsumedCapacity { return update("REMOVE g, gs", nil) }, 1, 1, 1},
			{"keys added", func() *types.ConsumedCapacity { return update("SET g = :v, gs = :v", it(":v", "2")) }, 1, 1, 1},
			{"nothing changed", func() *types.ConsumedCapacity { return put(it("PK", "P", "SK", "1", "g", "2", "gs", "2", "d", "y")) }, 1, 0, 0},
			{"grown", func() *types.ConsumedCapacity {
				return put(it("PK", "P", "SK", "1", "g", "2", "gs", "2", "d", pad(1500)))
			}, 2, 2, 0},
			{"shrunk", func() *types.ConsumedCapacity { return put(it("PK", "P", "SK", "1", "g", "2", "gs", "2", "d", "x")) }, 2, 2, 0},
			{"deleted", remove, 1, 1, 1},
			{"nothing to delete", remove, 1, 0, 0},
		} {
			c := step.do()
			of := func(index string) float64 {
				if i, ok := c.GlobalSecondaryIndexes[index]; ok {
					return *i.CapacityUnits
				}
				return 0
			}
			require.Equal(d.t, []float64{step.table, step.all, step.keys, step.table + step.all + step.keys},
				[]float64{*c.Table.CapacityUnits, of("all"), of("keys"), units(c)}, step.what)
		}
	})
}

func TestTransactionsCostTwice(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("all", projectAll(), "g"))
		in := &dynamodb.TransactWriteItemsInput{
			ReturnConsumedCapacity: "INDEXES", ClientRequestToken: aws.String("token"),
			TransactItems: []types.TransactWriteItem{txPut(it("PK", "t", "SK", "1", "g", "G", "d", pad(290))), txPut(it("PK", "t", "SK", "2", "d", pad(1500)))},
		}
		out, err := d.TransactWriteItems(d.ctx(), in)
		require.NoError(d.t, err)
		c := out.ConsumedCapacity[0]
		require.Equal(d.t, []float64{8, 6, 2, 8}, []float64{units(&c), *c.Table.CapacityUnits, *c.GlobalSecondaryIndexes["all"].CapacityUnits, *c.WriteCapacityUnits})
		out, err = d.TransactWriteItems(d.ctx(), in)
		require.NoError(d.t, err)
		require.Equal(d.t, 4.0, *out.ConsumedCapacity[0].ReadCapacityUnits, "the second time the items are only read")
	})
}
