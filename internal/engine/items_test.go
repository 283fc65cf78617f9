package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/engine"
)

func TestPutGetDelete(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		require.Nil(d.t, d.get(key("a", "1")))
		whole := it("PK", "a", "SK", "1", "s", "", "n", number("-1.50"), "b", []byte{0, 255}, "bool", false, "nul", &types.AttributeValueMemberNULL{Value: true},
			"l", []any{"x", 2, []any{}}, "m", it("k", it()), "ss", stringSet("b", "a"), "ünï", "çødé😀")
		d.put(whole)
		whole["n"], whole["ss"] = number("-1.5"), stringSet("a", "b")
		require.Equal(d.t, whole, d.get(key("a", "1")))

		out, err := d.PutItem(d.ctx(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: key("a", "1"), ReturnValues: "ALL_OLD"})
		require.NoError(d.t, err)
		require.Equal(d.t, whole, out.Attributes)

		deleted, err := d.DeleteItem(d.ctx(), &dynamodb.DeleteItemInput{TableName: aws.String(table), Key: key("a", "1"), ReturnValues: "ALL_OLD"})
		require.NoError(d.t, err)
		require.Equal(d.t, key("a", "1"), deleted.Attributes)
		require.Nil(d.t, d.get(key("a", "1")))
	})
}

func TestUpdateReturnsWhatIsAskedFor(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		for _, c := range []struct {
			returns types.ReturnValue
			want    item
		}{
			{"NONE", nil},
			{"ALL_OLD", it("PK", "a", "SK", "1", "x", 1, "m", it("a", 1, "b", 2))},
			{"ALL_NEW", it("PK", "a", "SK", "1", "x", 2, "m", it("a", 5, "b", 2))},
			{"UPDATED_OLD", it("x", 1, "m", it("a", 1))},
			{"UPDATED_NEW", it("x", 2, "m", it("a", 5))},
		} {
			d.put(it("PK", "a", "SK", "1", "x", 1, "m", it("a", 1, "b", 2)))
			out, err := d.UpdateItem(d.ctx(), &dynamodb.UpdateItemInput{
				TableName: aws.String(table), Key: key("a", "1"), UpdateExpression: aws.String("SET x = x + :one, m.a = :five"),
				ExpressionAttributeValues: it(":one", 1, ":five", 5), ReturnValues: c.returns,
			})
			require.NoError(d.t, err)
			require.Equal(d.t, c.want, out.Attributes, c.returns)
		}
	})
}

func TestUpdateMakesTheItem(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		got, err := d.update(key("a", "1"), "SET x = if_not_exists(x, :v)", it(":v", 1))
		require.NoError(d.t, err)
		require.Equal(d.t, it("PK", "a", "SK", "1", "x", 1), got)
		_, err = d.UpdateItem(d.ctx(), &dynamodb.UpdateItemInput{TableName: aws.String(table), Key: key("bare", "1")})
		require.NoError(d.t, err)
		require.Equal(d.t, key("bare", "1"), d.get(key("bare", "1")))
	})
}

func TestConditions(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		insert := &dynamodb.PutItemInput{TableName: aws.String(table), Item: it("PK", "a", "SK", "1", "x", 1), ConditionExpression: aws.String("attribute_not_exists(PK)")}
		_, err := d.PutItem(d.ctx(), insert)
		require.NoError(d.t, err)
		_, err = d.PutItem(d.ctx(), insert)
		var failed *types.ConditionalCheckFailedException
		require.ErrorAs(d.t, err, &failed)
		require.Nil(d.t, failed.Item)

		insert.ReturnValuesOnConditionCheckFailure = "ALL_OLD"
		insert.Item = key("a", "1")
		_, err = d.PutItem(d.ctx(), insert)
		require.ErrorAs(d.t, err, &failed)
		require.Equal(d.t, it("PK", "a", "SK", "1", "x", 1), failed.Item)
		require.Equal(d.t, "The conditional request failed", *failed.Message)
		require.Equal(d.t, it("PK", "a", "SK", "1", "x", 1), d.get(key("a", "1")))

		_, err = d.DeleteItem(d.ctx(), &dynamodb.DeleteItemInput{TableName: aws.String(table), Key: key("a", "1"), ConditionExpression: aws.String("x > :v"), ExpressionAttributeValues: it(":v", 1)})
		requireCode(d.t, err, "ConditionalCheckFailedException")
		_, err = d.DeleteItem(d.ctx(), &dynamodb.DeleteItemInput{TableName: aws.String(table), Key: key("none", "1"), ConditionExpression: aws.String("attribute_exists(PK)")})
		requireCode(d.t, err, "ConditionalCheckFailedException")
	})
}

func TestKeysAreChecked(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("by-g", projectAll(), "g", "gs"))
		for words, i := range map[string]item{
			"Missing the key SK in the item":                              it("PK", "a"),
			"Type mismatch for key PK expected: S actual: N":              it("PK", 1, "SK", "a"),
			"cannot contain an empty string value. Key: PK":               key("", "a"),
			"cannot contain an empty string value. Key: SK":               key("a", ""),
			"Size of hashkey has exceeded the maximum size limit of2048":  key(strings.Repeat("p", 2049), "1"),
			"range keys has exceeded the size limit of 1024":              key("a", strings.Repeat("s", 1025)),
			"Type mismatch for Index Key g Expected: S Actual: N":         it("PK", "a", "SK", "1", "g", 1),
			"empty string value. IndexName: by-g, IndexKey: gs":           it("PK", "a", "SK", "1", "g", "x", "gs", ""),
			"Size of hashkey has exceeded the maximum size limit of2048 ": it("PK", "a", "SK", "1", "g", strings.Repeat("x", 2049)),
		} {
			_, err := d.PutItem(d.ctx(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: i})
			requireInvalid(d.t, err, words)
		}
		d.put(key(strings.Repeat("p", 2048), strings.Repeat("s", 1024)))
		for _, k := range []item{it("PK", "a"), it("PK", "a", "SK", "b", "x", "c"), it("PK", "a", "SK", 1), it("PK", "a", "other", "x")} {
			_, err := d.GetItem(d.ctx(), &dynamodb.GetItemInput{TableName: aws.String(table), Key: k})
			requireInvalid(d.t, err, "The provided key element does not match the schema")
		}
		_, err := d.update(key("a", "1"), "SET SK = :v", it(":v", "2"))
		requireInvalid(d.t, err, "Cannot update attribute SK. This attribute is part of the key")
		_, err = d.update(key("a", "1"), "SET g = :v", it(":v", 2))
		requireInvalid(d.t, err, "attempted to update the secondary index key to unsupported type")
		_, err = d.update(key("a", "1"), "SET g = :v", it(":v", ""))
		requireInvalid(d.t, err, "cannot contain an empty string value")
		require.Nil(d.t, d.get(key("a", "1")))
	})
}

func TestItemSizeLimit(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		ofSize := func(sk string, size int) item {
			return it("PK", "p", "SK", sk, "d", strings.Repeat("x", size-len("PKpSK")-len(sk)-len("d")))
		}
		d.put(ofSize("1", 400<<10))
		_, err := d.PutItem(d.ctx(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: ofSize("2", 400<<10+1)})
		requireInvalid(d.t, err, "Item size has exceeded the maximum allowed size")
		_, err = d.update(key("p", "1"), "SET e = :v", it(":v", ""))
		requireInvalid(d.t, err, "Item size to update has exceeded the maximum allowed size")
	})
}

func TestPlaceholdersMustBeUsedAndDefined(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		_, err := d.update(key("a", "1"), "SET x = :v", it(":v", 1, ":w", 2))
		requireInvalid(d.t, err, "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}")
		_, err = d.update(key("a", "1"), "SET x = :v", nil)
		requireInvalid(d.t, err, "An expression attribute value used in expression is not defined; attribute value: :v")
		_, err = d.GetItem(d.ctx(), &dynamodb.GetItemInput{TableName: aws.String(table), Key: key("a", "1"), ExpressionAttributeNames: map[string]string{"#x": "y"}})
		requireInvalid(d.t, err, "ExpressionAttributeNames can only be specified when using expressions")
	})
}

func TestLegacyParametersAreRefused(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		_, err := d.GetItem(d.ctx(), &dynamodb.GetItemInput{TableName: aws.String(table), Key: key("a", "1"), AttributesToGet: []string{"x"}})
		requireInvalid(d.t, err, "AttributesToGet is not supported; use ProjectionExpression")
		_, err = d.PutItem(d.ctx(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: key("a", "1"), Expected: map[string]types.ExpectedAttributeValue{"x": {Exists: aws.Bool(false)}}})
		requireInvalid(d.t, err, "Expected is not supported; use ConditionExpression")
		_, err = d.Query(d.ctx(), &dynamodb.QueryInput{TableName: aws.String(table), KeyConditions: map[string]types.Condition{}})
		requireInvalid(d.t, err, "KeyConditionExpression")
	})
}

func TestBatchGet(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		var all []item
		for i := range 101 {
			all = append(all, key("P", fmt.Sprintf("%03d", i)))
			if i%2 == 0 {
				d.put(it("PK", "P", "SK", fmt.Sprintf("%03d", i), "name", "n", "v", i))
			}
		}
		get := func(of types.KeysAndAttributes) (*dynamodb.BatchGetItemOutput, error) {
			return d.BatchGetItem(d.ctx(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{table: of}})
		}
		out, err := get(types.KeysAndAttributes{Keys: all[:100]})
		require.NoError(d.t, err)
		require.Len(d.t, out.Responses[table], 50)
		require.Empty(d.t, out.UnprocessedKeys)

		out, err = get(types.KeysAndAttributes{Keys: all[:1], ProjectionExpression: aws.String("#n, v"), ExpressionAttributeNames: map[string]string{"#n": "name"}})
		require.NoError(d.t, err)
		require.Equal(d.t, []item{it("name", "n", "v", 0)}, out.Responses[table])

		out, err = get(types.KeysAndAttributes{Keys: []item{key("no", "no")}})
		require.NoError(d.t, err)
		require.Contains(d.t, out.Responses, table)

		_, err = get(types.KeysAndAttributes{Keys: all})
		requireInvalid(d.t, err, "Too many items requested for the BatchGetItem call")
		_, err = get(types.KeysAndAttributes{Keys: []item{all[0], all[1], all[0]}})
		requireInvalid(d.t, err, "Provided list of item keys contains duplicates")
		_, err = get(types.KeysAndAttributes{Keys: []item{it("PK", "P")}})
		requireInvalid(d.t, err, "does not match the schema")
		_, err = d.BatchGetItem(d.ctx(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{}})
		requireInvalid(d.t, err, "length greater than or equal to 1")
	})
}

func TestBatchGetLeavesWhatIsOver16MBUnprocessed(t *testing.T) {
	d := connect(t, open(t, engine.Config{}))
	d.create()
	var all []item
	for i := range 50 {
		k := key("P", fmt.Sprintf("%03d", i))
		all = append(all, k)
		d.put(it("PK", k["PK"], "SK", k["SK"], "name", strings.Repeat("x", 390<<10)))
	}
	request := map[string]types.KeysAndAttributes{table: {
		Keys: all, ConsistentRead: aws.Bool(true), ProjectionExpression: aws.String("SK, #n"), ExpressionAttributeNames: map[string]string{"#n": "name"},
	}}
	found := 0
	rounds := 0
	for len(request) > 0 {
		out, err := d.BatchGetItem(d.ctx(), &dynamodb.BatchGetItemInput{RequestItems: request})
		require.NoError(t, err)
		found += len(out.Responses[table])
		request = out.UnprocessedKeys
		if len(request) > 0 {
			require.True(t, *request[table].ConsistentRead)
			require.Equal(t, "SK, #n", *request[table].ProjectionExpression)
			require.Equal(t, map[string]string{"#n": "name"}, request[table].ExpressionAttributeNames)
		}
		rounds++
	}
	require.Equal(t, 50, found)
	require.Equal(t, 2, rounds)
}

func TestBatchWrite(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		put := func(sk string) types.WriteRequest {
			return types.WriteRequest{PutRequest: &types.PutRequest{Item: key("P", sk)}}
		}
		remove := func(sk string) types.WriteRequest {
			return types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: key("P", sk)}}
		}
		write := func(requests ...types.WriteRequest) error {
			out, err := d.BatchWriteItem(d.ctx(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: requests}})
			if err == nil {
				require.Empty(d.t, out.UnprocessedItems)
			}
			return err
		}
		var many []types.WriteRequest
		for i := range 26 {
			many = append(many, put(fmt.Sprintf("%02d", i)))
		}
		require.NoError(d.t, write(many[:25]...))
		require.NoError(d.t, write(remove("00"), put("new"), remove("not there")))
		require.Nil(d.t, d.get(key("P", "00")))
		require.NotNil(d.t, d.get(key("P", "new")))

		requireInvalid(d.t, write(many...), "Too many items")
		requireInvalid(d.t, write(put("x"), remove("x")), "Provided list of item keys contains duplicates")
		requireInvalid(d.t, write(put("good"), types.WriteRequest{PutRequest: &types.PutRequest{Item: it("PK", "P")}}), "Missing the key SK")
		require.Nil(d.t, d.get(key("P", "good")), "a refused batch writes nothing")
		requireInvalid(d.t, write(types.WriteRequest{PutRequest: put("x").PutRequest, DeleteRequest: remove("y").DeleteRequest}))
		requireInvalid(d.t, write())
	})
}
