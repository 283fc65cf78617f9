package crash

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
)

const (
	table = "things"
	index = "by-writer"
	items = 8 // of each writer
)

// accounts have the same sum whatever transfers happen.
const (
	accounts = 6
	deposit  = 1000
)

// writer writes to a partition of its own, one version after the other, so that what must be there follows from the last
// version that was acknowledged. Nobody knows about the one under way when the engine is killed.
type writer struct {
	name         string
	send         func(w *writer, ctx context.Context, c *dynamodb.Client, version int) error
	state        func(version int) map[string]int
	whole        bool // a version is there with all its items or with none
	version      int  // the last that is known to be there
	acknowledged int
	unknown      bool  // whether the next version is there
	failed       error // what the engine refused while it was alive
}

func newWriters() []*writer {
	var all []*writer
	for i := range 2 {
		n := strconv.Itoa(i)
		all = append(all,
			&writer{name: "single " + n, send: (*writer).sendSingle, state: singleState, whole: true},
			&writer{name: "batch " + n, send: (*writer).sendBatch, state: manyState},
			&writer{name: "transaction " + n, send: (*writer).sendTransaction, state: manyState, whole: true},
			&writer{name: "transfer " + n, send: (*writer).sendTransfer, state: func(int) map[string]int { return nil }})
	}
	return all
}

func (w *writer) write(ctx context.Context, c *dynamodb.Client) error {
	err := w.send(w, ctx, c, w.version+1)
	if refused := refusal(err); refused != nil {
		w.failed = refused
	}
	return err
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(n int) types.AttributeValue { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }

func key(partition, sort string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"PK": text(partition), "SK": text(sort)}
}

func (w *writer) item(sort string, version int) map[string]types.AttributeValue {
	item := key(w.name, sort)
	item["v"], item["g"] = number(version), text(w.name+strconv.Itoa(version%3)) // the index entry moves
	return item
}

// sendSingle puts one item, and deletes it every third time.
func (w *writer) sendSingle(ctx context.Context, c *dynamodb.Client, version int) error {
	sort := strconv.Itoa(version % items)
	if version%3 == 0 {
		_, err := c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String(table), Key: key(w.name, sort)})
		return err
	}
	_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(table), Item: w.item(sort, version)})
	return err
}

func singleState(version int) map[string]int {
	state := map[string]int{}
	for v := max(1, version-items+1); v <= version; v++ {
		if v%3 != 0 {
			state[strconv.Itoa(v%items)] = v
		}
	}
	return state
}

func (w *writer) sendBatch(ctx context.Context, c *dynamodb.Client, version int) error {
	var writes []types.WriteRequest
	for sort := range manyState(version) {
		writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: w.item(sort, version)}})
	}
	_, err := c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{table: writes}})
	return err
}

func (w *writer) sendTransaction(ctx context.Context, c *dynamodb.Client, version int) error {
	var actions []types.TransactWriteItem
	for sort := range manyState(version) {
		actions = append(actions, types.TransactWriteItem{Put: &types.Put{TableName: aws.String(table), Item: w.item(sort, version)}})
	}
	_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: actions})
	return err
}

// manyState has every item at the same version.
func manyState(version int) map[string]int {
	state := map[string]int{}
	for i := range items {
		if version > 0 {
			state[strconv.Itoa(i)] = version
		}
	}
	return state
}

// sendTransfer moves an amount between accounts that all writers share.
func (w *writer) sendTransfer(ctx context.Context, c *dynamodb.Client, version int) error {
	move := func(account, amount int) types.TransactWriteItem {
		return types.TransactWriteItem{Update: &types.Update{
			TableName: aws.String(table), Key: key("accounts", strconv.Itoa(account%accounts)), UpdateExpression: aws.String("ADD v :amount"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":amount": number(amount)},
		}}
	}
	_, err := c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: aws.String(fmt.Sprintf("%s-%d", w.name, version)),
		TransactItems:      []types.TransactWriteItem{move(version, -3), move(version+1, 1), move(version+2, 2)},
	})
	return err
}

// verify reads what the writer wrote, and takes note of whether its last write took effect.
func (w *writer) verify(t *testing.T, c *dynamodb.Client) {
	t.Helper()
	require.NoError(t, w.failed)
	got := versions(t, c, w.name)
	candidates := []map[string]int{w.state(w.version)}
	if w.unknown {
		candidates = append(candidates, w.state(w.version+1))
	}
	w.unknown = false
	for i, state := range candidates {
		if maps.Equal(got, state) {
			w.version += i
			return
		}
	}
	require.False(t, w.whole, "%s: after version %d was acknowledged there is %v", w.name, w.version, got)
	for sort, version := range got {
		require.Contains(t, []int{w.version, w.version + 1}, version, "%s: item %s", w.name, sort)
	}
	require.True(t, w.version == 0 || len(got) == items, "%s: %v", w.name, got)
	w.version++ // the items that have it may keep it
	for sort := range manyState(w.version) {
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: w.item(sort, w.version)})
		require.NoError(t, err)
	}
}

func versions(t *testing.T, c *dynamodb.Client, partition string) map[string]int {
	t.Helper()
	out, err := c.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String(table), KeyConditionExpression: aws.String("PK = :p"), ConsistentRead: aws.Bool(true),
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": text(partition)},
	})
	require.NoError(t, err)
	found := map[string]int{}
	for _, item := range out.Items {
		n, err := strconv.Atoi(item["v"].(*types.AttributeValueMemberN).Value)
		require.NoError(t, err)
		found[item["SK"].(*types.AttributeValueMemberS).Value] = n
	}
	return found
}

// verifyWhole checks what does not depend on who wrote: sums, the index against the table, and the counts.
func verifyWhole(t *testing.T, c *dynamodb.Client) {
	t.Helper()
	sum := 0
	for _, balance := range versions(t, c, "accounts") {
		sum += balance
	}
	require.Equal(t, accounts*deposit, sum, "a transaction is torn")
	inTable, inIndex := scan(t, c, nil), scan(t, c, aws.String(index))
	require.Equal(t, inTable, inIndex, "the index and the table differ")
	out, err := c.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(table)})
	require.NoError(t, err)
	require.EqualValues(t, len(inTable)+accounts, *out.Table.ItemCount)
	require.EqualValues(t, len(inIndex), *out.Table.GlobalSecondaryIndexes[0].ItemCount)
}

// scan lists the items that have a key of the index.
func scan(t *testing.T, c *dynamodb.Client, indexName *string) []string {
	t.Helper()
	out, err := c.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String(table), IndexName: indexName}) //nolint:forbidigo // a test sees all there is
	require.NoError(t, err)
	require.Empty(t, out.LastEvaluatedKey)
	var all []string
	for _, item := range out.Items {
		if g, ok := item["g"].(*types.AttributeValueMemberS); ok {
			all = append(all, fmt.Sprint(item["PK"].(*types.AttributeValueMemberS).Value, item["SK"].(*types.AttributeValueMemberS).Value, g.Value,
				item["v"].(*types.AttributeValueMemberN).Value))
		}
	}
	slices.Sort(all)
	return all
}

func createTable(t *testing.T, c *dynamodb.Client) {
	t.Helper()
	attribute := func(name string) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeTypeS}
	}
	_, err := c.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String(table), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{attribute("PK"), attribute("SK"), attribute("g")},
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("PK"), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("SK"), KeyType: types.KeyTypeRange},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String(index), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
			KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("g"), KeyType: types.KeyTypeHash}},
		}},
	})
	require.NoError(t, err)
	for i := range accounts {
		item := key("accounts", strconv.Itoa(i))
		item["v"] = number(deposit)
		_, err := c.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: item})
		require.NoError(t, err)
	}
}
