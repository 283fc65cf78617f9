package engine_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

func (d *db) countOn(index, condition string, values item) int {
	return len(d.query(condition, values, on(index)).Items)
}

func TestSparseGlobalIndexFollowsEveryWrite(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("by-g", projectAll(), "g", "gs"))
		in := func(g string) int { return d.countOn("by-g", "g = :g", it(":g", g)) }
		set := func(expression string, values item) {
			_, err := d.update(key("o", "1"), expression, values)
			require.NoError(d.t, err)
		}
		d.put(key("o", "1"))
		set("SET g = :g", it(":g", "A"))
		require.Zero(d.t, in("A"), "an item with a part of the key is not in the index")
		set("SET gs = :s, v = :s", it(":s", "1"))
		require.Equal(d.t, 1, in("A"))
		set("SET v = :s", it(":s", "2"))
		require.Equal(d.t, it("PK", "o", "SK", "1", "g", "A", "gs", "1", "v", "2"), d.query("g = :g", it(":g", "A"), on("by-g")).Items[0])
		set("SET g = :g", it(":g", "B"))
		require.Equal(d.t, []int{0, 1}, []int{in("A"), in("B")})
		set("REMOVE gs", nil)
		require.Zero(d.t, in("B"))
		d.put(it("PK", "o", "SK", "1", "g", "C", "gs", "1"))
		require.Equal(d.t, 1, in("C"))
		d.put(key("o", "1"))
		require.Zero(d.t, in("C"))
		d.put(it("PK", "o", "SK", "1", "g", "D", "gs", "1"))
		_, err := d.DeleteItem(d.ctx(), &dynamodb.DeleteItemInput{TableName: aws.String(table), Key: key("o", "1")})
		require.NoError(d.t, err)
		require.Zero(d.t, in("D"))
	})
}

func TestEqualIndexKeysAreDifferentEntries(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("by-g", include("v"), "g", "gs"))
		for i := range 10 {
			d.put(it("PK", fmt.Sprint("p", i%2), "SK", strconv.Itoa(i), "g", "G", "gs", "same", "v", i, "w", i))
		}
		var seen []item
		var start item
		for pages := 0; pages == 0 || start != nil; pages++ {
			out := d.query("g = :g", it(":g", "G"), on("by-g"), limit(3), after(start))
			for _, i := range out.Items {
				seen = append(seen, i)
				require.NotContains(d.t, i, "w")
			}
			start = out.LastEvaluatedKey
		}
		require.Len(d.t, seen, 10)
		require.ElementsMatch(d.t, []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, texts(seen, "SK"))
	})
}

func addIndex(name string, keyNames ...string) *dynamodb.UpdateTableInput {
	create := &dynamodb.CreateTableInput{}
	define(create, append([]string{"PK", "SK"}, keyNames...)...)
	return &dynamodb.UpdateTableInput{
		TableName: aws.String(table), AttributeDefinitions: create.AttributeDefinitions,
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: &name, KeySchema: keys(keyNames...), Projection: &types.Projection{ProjectionType: "ALL"},
		}}},
	}
}

func removeIndex(name string) *dynamodb.UpdateTableInput {
	return &dynamodb.UpdateTableInput{
		TableName:                   aws.String(table),
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: &name}}},
	}
}

func TestAddAndRemoveAnIndex(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		for i := range 60 {
			i2 := it("PK", "P", "SK", fmt.Sprintf("%02d", i), "g", i)
			if i%3 == 0 {
				i2["g"] = attribute("G")
			}
			d.put(i2)
		}
		out, err := d.UpdateTable(d.ctx(), addIndex("by-g", "g", "SK"))
		require.NoError(d.t, err)
		require.EqualValues(d.t, 20, *out.TableDescription.GlobalSecondaryIndexes[0].ItemCount, "items whose attribute has another type have no entry")
		require.Len(d.t, out.TableDescription.AttributeDefinitions, 3)
		require.Equal(d.t, 20, d.countOn("by-g", "g = :g", it(":g", "G")))
		d.put(it("PK", "P", "SK", "99", "g", "G"))
		require.Equal(d.t, 21, d.countOn("by-g", "g = :g", it(":g", "G")))

		_, err = d.UpdateTable(d.ctx(), addIndex("by-g", "g"))
		requireInvalid(d.t, err, "Duplicate index name: by-g")

		out, err = d.UpdateTable(d.ctx(), removeIndex("by-g"))
		require.NoError(d.t, err)
		require.Empty(d.t, out.TableDescription.GlobalSecondaryIndexes)
		require.Len(d.t, out.TableDescription.AttributeDefinitions, 2)
		_, err = d.tryQuery("g = :g", it(":g", "G"), on("by-g"))
		requireInvalid(d.t, err, "The table does not have the specified index")
		_, err = d.UpdateTable(d.ctx(), removeIndex("by-g"))
		requireCode(d.t, err, "ResourceNotFoundException")

		_, err = d.UpdateTable(d.ctx(), addIndex("by-g", "g"))
		require.NoError(d.t, err)
		require.Equal(d.t, 21, d.countOn("by-g", "g = :g", it(":g", "G")))
	})
}

func TestOnlyOneIndexAtATime(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		in := addIndex("by-g", "g")
		in.GlobalSecondaryIndexUpdates = append(in.GlobalSecondaryIndexUpdates, addIndex("by-h", "h").GlobalSecondaryIndexUpdates...)
		_, err := d.UpdateTable(d.ctx(), in)
		requireCode(d.t, err, "LimitExceededException")
	})
}
