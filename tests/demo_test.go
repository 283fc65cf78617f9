package tests

import (
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/internal/demo"
	"example.com/keyfirst/internal/engine"
)

// queryAll gives all items of a partition of the demo's table, in the order of the sort key.
func queryAll(t *testing.T, in *dynamodb.QueryInput) []map[string]types.AttributeValue {
	t.Helper()
	in.TableName = aws.String(demoTable(t))
	var items []map[string]types.AttributeValue
	for {
		out, err := newClient(backend()).Query(t.Context(), in)
		require.NoError(t, err)
		items = append(items, out.Items...)
		if len(out.LastEvaluatedKey) == 0 {
			return items
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
	}
}

func partition(attribute, value string) *dynamodb.QueryInput {
	return &dynamodb.QueryInput{
		KeyConditionExpression:    aws.String("#pk = :pk"),
		ExpressionAttributeNames:  map[string]string{"#pk": attribute},
		ExpressionAttributeValues: map[string]types.AttributeValue{":pk": &types.AttributeValueMemberS{Value: value}},
	}
}

func stringsOf(t *testing.T, items []map[string]types.AttributeValue, attribute string) []string {
	t.Helper()
	values := make([]string, len(items))
	for i, item := range items {
		s, ok := item[attribute].(*types.AttributeValueMemberS)
		require.True(t, ok, "%s of %v", attribute, item)
		values[i] = s.Value
	}
	return values
}

func numberOf(t *testing.T, item map[string]types.AttributeValue, attribute string) string {
	t.Helper()
	n, ok := item[attribute].(*types.AttributeValueMemberN)
	require.True(t, ok, "%s of %v", attribute, item)
	return n.Value
}

// TestDemoKeys holds the demo to the keys and attributes that the design's table of items names.
func TestDemoKeys(t *testing.T) {
	t.Parallel()
	ann := queryAll(t, partition("PK", "CUST#42"))
	require.Equal(t, []string{"ORDER#2025-01-09#A11", "ORDER#2025-03-01#A17", "PROFILE"}, stringsOf(t, ann, "SK"))
	require.Equal(t, "2", numberOf(t, ann[2], "orderCount"))
	require.Equal(t, "1", numberOf(t, ann[2], "openOrderCount"))
	require.Equal(t, []string{"DELIVERED#2025-01-09#A11", "PAID#2025-03-01#A17"}, stringsOf(t, ann[:2], "statusKey"))
	require.NotContains(t, ann[0], "openWarehouse", "a closed order is not in the sparse index")
	require.Equal(t, []string{"2025-03-01#A17"}, stringsOf(t, ann[1:2], "openSince"))

	order := queryAll(t, partition("PK", "ORDER#A17"))
	require.Equal(t, []string{"HEADER", "ITEM#001", "ITEM#002"}, stringsOf(t, order, "SK"))
	require.Equal(t, "35", numberOf(t, order[0], "total"))
	require.NotContains(t, order[0], "openWarehouse", "indexes see one of the two copies")
	require.NotContains(t, order[0], "statusKey")

	require.Equal(t, []string{"OWNER"}, stringsOf(t, queryAll(t, partition("PK", "EMAIL#ann@example.com")), "SK"))
	byEmail := partition("emailKey", "ann@example.com")
	byEmail.IndexName = aws.String("email-index")
	require.Equal(t, []string{"CUST#42"}, stringsOf(t, queryAll(t, byEmail), "PK"))
}

// TestDemoOpenOrders reads the sparse index as the API does.
func TestDemoOpenOrders(t *testing.T) {
	t.Parallel()
	require.Equal(t, 1, demoShards)
	for _, warehouse := range []string{"north", "south", "east"} {
		in := partition("openWarehouse", "WAREHOUSE#"+warehouse+"#0")
		in.IndexName = aws.String("open-orders-index")
		open := queryAll(t, in)
		require.GreaterOrEqual(t, len(open), 50, warehouse)
		require.IsIncreasing(t, stringsOf(t, open, "openSince"), "oldest first")
		for _, status := range stringsOf(t, open, "status") {
			require.Contains(t, []string{"PENDING", "PAID"}, status)
		}
	}
}

// freshDemo is a new embedded engine with the demo in it.
func freshDemo(tb testing.TB, path string) *dynamodb.Client {
	tb.Helper()
	e, err := engine.Open(engine.Config{Path: path})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, e.Close()) })
	client := newClient(e)
	table := dal.New(client, dal.Config{})
	require.NoError(tb, table.Create(tb.Context(), 1))
	require.NoError(tb, demo.Load(tb.Context(), table))
	return client
}

// TestDemoIsWhole counts what a file keeps.
func TestDemoIsWhole(t *testing.T) {
	t.Parallel()
	client := freshDemo(t, filepath.Join(t.TempDir(), "demo.db"))
	out, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("keyfirst")})
	require.NoError(t, err)
	const customers, orders, lines, products, warehouses, settings = 51, 1002, 1000*5 + 4, 200, 3, 1
	require.EqualValues(t, 2*customers+2*orders+lines+products+warehouses+settings, *out.Table.ItemCount)
}

// BenchmarkDemoLoad is how long a first start takes.
func BenchmarkDemoLoad(b *testing.B) {
	b.Run("memory", func(b *testing.B) {
		for b.Loop() {
			freshDemo(b, "")
		}
	})
	b.Run("file", func(b *testing.B) {
		for b.Loop() {
			freshDemo(b, filepath.Join(b.TempDir(), "demo.db"))
		}
	})
}
