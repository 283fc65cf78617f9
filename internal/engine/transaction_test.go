package engine_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/engine"
)

func txPut(i item) types.TransactWriteItem {
	return types.TransactWriteItem{Put: &types.Put{TableName: aws.String(table), Item: i}}
}

func txUpdate(k item, expression, condition string, values item) types.TransactWriteItem {
	u := &types.Update{TableName: aws.String(table), Key: k, UpdateExpression: &expression, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: "ALL_OLD"}
	if condition != "" {
		u.ConditionExpression = &condition
	}
	return types.TransactWriteItem{Update: u}
}

func (d *db) transact(token string, actions ...types.TransactWriteItem) error {
	in := &dynamodb.TransactWriteItemsInput{TransactItems: actions}
	if token != "" {
		in.ClientRequestToken = &token
	}
	_, err := d.TransactWriteItems(d.ctx(), in)
	return err
}

func TestTransactionOfAllKinds(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		d.put(it("PK", "a", "SK", "1", "stock", 5), key("a", "gone"), it("PK", "a", "SK", "check", "ok", true))
		require.NoError(d.t, d.transact("",
			txPut(it("PK", "a", "SK", "new", "v", 1)),
			txUpdate(key("a", "1"), "SET stock = stock - :n", "stock >= :n", it(":n", 2)),
			types.TransactWriteItem{Delete: &types.Delete{TableName: aws.String(table), Key: key("a", "gone"), ConditionExpression: aws.String("attribute_exists(PK)")}},
			types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: aws.String(table), Key: key("a", "check"), ConditionExpression: aws.String("ok = :t"), ExpressionAttributeValues: it(":t", true)}},
			txUpdate(key("a", "made"), "ADD n :n", "", it(":n", 2)),
		))
		require.Equal(d.t, it("PK", "a", "SK", "1", "stock", 3), d.get(key("a", "1")))
		require.Equal(d.t, it("PK", "a", "SK", "made", "n", 2), d.get(key("a", "made")))
		require.NotNil(d.t, d.get(key("a", "new")))
		require.Nil(d.t, d.get(key("a", "gone")))
		require.Equal(d.t, it("PK", "a", "SK", "check", "ok", true), d.get(key("a", "check")))
	})
}

func TestCancelledTransactionChangesNothing(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("by-g", projectAll(), "g"))
		old := it("PK", "a", "SK", "1", "stock", 1)
		d.put(old)
		missing := txPut(key("a", "2"))
		missing.Put.ConditionExpression = aws.String("attribute_exists(PK)")
		missing.Put.ReturnValuesOnConditionCheckFailure = "ALL_OLD"
		err := d.transact("",
			txPut(it("PK", "a", "SK", "new", "g", "G")),
			txUpdate(key("a", "1"), "SET stock = stock - :n", "stock >= :n", it(":n", 2)),
			missing,
			txUpdate(key("a", "3"), "SET x = nope", "", nil),
		)
		var cancelled *types.TransactionCanceledException
		require.ErrorAs(d.t, err, &cancelled)
		require.Equal(d.t, "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, ConditionalCheckFailed, ValidationError]", *cancelled.Message)
		require.Equal(d.t, []types.CancellationReason{
			{Code: aws.String("None")},
			{Code: aws.String("ConditionalCheckFailed"), Message: aws.String("The conditional request failed"), Item: old},
			{Code: aws.String("ConditionalCheckFailed"), Message: aws.String("The conditional request failed")},
			{Code: aws.String("ValidationError"), Message: aws.String("The provided expression refers to an attribute that does not exist in the item")},
		}, cancelled.CancellationReasons)
		require.Nil(d.t, d.get(key("a", "new")))
		require.Zero(d.t, d.countOn("by-g", "g = :g", it(":g", "G")))
		require.Equal(d.t, old, d.get(key("a", "1")))
	})
}

func TestKeyOfAnotherSchemaCancelsATransaction(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create(global("by-g", projectAll(), "g"))
		for _, wrong := range []types.TransactWriteItem{
			txPut(it("PK", "a", "SK", 1)),
			txPut(it("PK", "a", "SK", "1", "g", 1)),
			txUpdate(it("PK", "a"), "ADD n :n", "", it(":n", 1)),
			{Delete: &types.Delete{TableName: aws.String(table), Key: it("PK", 1, "SK", "1")}},
		} {
			err := d.transact("", txPut(key("b", "1")), wrong)
			require.Equal(d.t, []string{"None", "ValidationError"}, reasonCodes(err))
		}
		_, err := d.TransactGetItems(d.ctx(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
			{Get: &types.Get{TableName: aws.String(table), Key: it("PK", "a")}},
		}})
		require.Equal(d.t, []string{"ValidationError"}, reasonCodes(err))

		// An empty key is found before the transaction begins.
		for _, empty := range []types.TransactWriteItem{txPut(key("a", "")), txPut(it("PK", "a", "SK", "1", "g", ""))} {
			requireCode(d.t, d.transact("", empty), "ValidationException")
		}
	})
}

// reasonCodes are the codes of the reasons why a transaction was cancelled, nil when it was not.
func reasonCodes(err error) []string {
	cancelled, ok := errors.AsType[*types.TransactionCanceledException](err)
	if !ok {
		return nil
	}
	var codes []string
	for _, r := range cancelled.CancellationReasons {
		codes = append(codes, *r.Code)
	}
	return codes
}

func TestTransactionLimits(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		var many []types.TransactWriteItem
		for i := range 101 {
			many = append(many, txPut(key("P", strconv.Itoa(i))))
		}
		require.NoError(d.t, d.transact("", many[:100]...))
		requireInvalid(d.t, d.transact("", many...), "Member must have length less than or equal to 100")
		requireInvalid(d.t, d.transact("", txPut(key("a", "1")), txUpdate(key("a", "1"), "REMOVE x", "", nil)), "Transaction request cannot include multiple operations on one item")
		requireInvalid(d.t, d.transact("", types.TransactWriteItem{}), "one of Check, Put, Update or Delete")
		two := txPut(key("a", "1"))
		two.Delete = &types.Delete{TableName: aws.String(table), Key: key("a", "2")}
		requireInvalid(d.t, d.transact("", two), "one of Check, Put, Update or Delete")
		var large []types.TransactWriteItem
		for i := range 12 {
			large = append(large, txPut(it("PK", "L", "SK", strconv.Itoa(i), "d", strings.Repeat("x", 390_000))))
		}
		requireInvalid(d.t, d.transact("", large...), "cannot exceed 4MB")
		require.NoError(d.t, d.transact("", large[:10]...))
	})
}

func TestTransactionInAnotherTableThatIsMissing(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		err := d.transact("", txPut(key("a", "1")), types.TransactWriteItem{Put: &types.Put{TableName: aws.String("nowhere"), Item: key("a", "1")}})
		requireCode(d.t, err, "ResourceNotFoundException")
		require.Nil(d.t, d.get(key("a", "1")))
	})
}

func TestTransactGet(t *testing.T) {
	onBothStores(t, func(d *db) {
		d.create()
		d.put(it("PK", "a", "SK", "1", "v", 1, "w", 2))
		get := func(sk string) types.TransactGetItem {
			return types.TransactGetItem{Get: &types.Get{TableName: aws.String(table), Key: key("a", sk), ProjectionExpression: aws.String("v")}}
		}
		out, err := d.TransactGetItems(d.ctx(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{get("1"), get("none")}})
		require.NoError(d.t, err)
		require.Equal(d.t, []types.ItemResponse{{Item: it("v", 1)}, {}}, out.Responses)
		_, err = d.TransactGetItems(d.ctx(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{get("1"), get("1")}})
		requireInvalid(d.t, err, "multiple operations on one item")
		_, err = d.TransactGetItems(d.ctx(), &dynamodb.TransactGetItemsInput{TransactItems: slices.Repeat([]types.TransactGetItem{get("1")}, 101)})
		requireInvalid(d.t, err, "less than or equal to 100")
	})
}

func TestTokens(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	d := connect(t, open(t, engine.Config{Clock: func() time.Time { return now }}))
	d.create()
	add := func(n int) types.TransactWriteItem { return txUpdate(key("a", "1"), "ADD n :n", "", it(":n", n)) }
	for range 3 {
		require.NoError(t, d.transact("token", add(1)))
	}
	require.Equal(t, number("1"), d.get(key("a", "1"))["n"])
	requireCode(t, d.transact("token", add(2)), "IdempotentParameterMismatchException")
	require.NoError(t, d.transact("another", add(1)))
	require.Equal(t, number("2"), d.get(key("a", "1"))["n"])

	now = now.Add(9*time.Minute + 59*time.Second)
	require.NoError(t, d.transact("token", add(1)))
	require.Equal(t, number("2"), d.get(key("a", "1"))["n"])
	now = now.Add(2 * time.Second)
	require.NoError(t, d.transact("token", add(1)))
	require.Equal(t, number("3"), d.get(key("a", "1"))["n"], "ten minutes later it is a new token")

	failing := txUpdate(key("a", "late"), "ADD n :n", "attribute_exists(PK)", it(":n", 1))
	requireCode(t, d.transact("failed", failing), "TransactionCanceledException")
	d.put(key("a", "late"))
	require.NoError(t, d.transact("failed", failing), "a failure is not remembered")
	require.Equal(t, number("1"), d.get(key("a", "late"))["n"])
}
