package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/engine"
)

// db is a client of one engine, with the calls that tests make most.
type db struct {
	*dynamodb.Client
	t *testing.T
}

type item = map[string]types.AttributeValue

// connect makes a client that calls the engine without a socket.
func connect(t *testing.T, e *engine.Engine) *db {
	t.Helper()
	return &db{newClient(e), t}
}

func newClient(e interface {
	Do(r *http.Request) (*http.Response, error)
},
) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:       "local",
		Credentials:  credentials.NewStaticCredentialsProvider("id", "secret", ""),
		BaseEndpoint: aws.String("http://engine.invalid"),
		HTTPClient:   e,
		Retryer:      aws.NopRetryer{},
	})
}

func open(t *testing.T, cfg engine.Config) *engine.Engine {
	t.Helper()
	e, err := engine.Open(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// onBothStores runs a test in memory and on a file.
func onBothStores(t *testing.T, test func(d *db)) {
	t.Helper()
	for name, path := range map[string]string{"memory": engine.InMemory, "file": filepath.Join(t.TempDir(), "tables.db")} {
		t.Run(name, func(t *testing.T) {
			test(connect(t, open(t, engine.Config{Path: path})))
		})
	}
}

func attribute(v any) types.AttributeValue {
	switch v := v.(type) {
	case types.AttributeValue:
		return v
	case string:
		return &types.AttributeValueMemberS{Value: v}
	case int:
		return number(strconv.Itoa(v))
	case bool:
		return &types.AttributeValueMemberBOOL{Value: v}
	case []byte:
		return &types.AttributeValueMemberB{Value: v}
	case []any:
		l := &types.AttributeValueMemberL{Value: []types.AttributeValue{}}
		for _, e := range v {
			l.Value = append(l.Value, attribute(e))
		}
		return l
	case item:
		return &types.AttributeValueMemberM{Value: v}
	}
	panic(fmt.Sprintf("no attribute value for %T", v))
}

func number(text string) types.AttributeValue { return &types.AttributeValueMemberN{Value: text} }

func stringSet(members ...string) types.AttributeValue {
	return &types.AttributeValueMemberSS{Value: members}
}

// it makes an item of names and values in turn.
func it(namesAndValues ...any) item {
	m := item{}
	for i := 0; i < len(namesAndValues); i += 2 {
		m[namesAndValues[i].(string)] = attribute(namesAndValues[i+1])
	}
	return m
}

func key(pk, sk string) item { return it("PK", pk, "SK", sk) }

type option func(*dynamodb.CreateTableInput)

func define(in *dynamodb.CreateTableInput, names ...string) {
	for _, name := range names {
		known := false
		for _, d := range in.AttributeDefinitions {
			known = known || *d.AttributeName == name
		}
		if !known {
			kind := types.ScalarAttributeTypeS
			if name == "n" || name == "due" {
				kind = types.ScalarAttributeTypeN
			}
			in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: &name, AttributeType: kind})
		}
	}
}

func keys(names ...string) []types.KeySchemaElement {
	var schema []types.KeySchemaElement
	for i, name := range names {
		schema = append(schema, types.KeySchemaElement{AttributeName: &name, KeyType: []types.KeyType{"HASH", "RANGE"}[i]})
	}
	return schema
}

func global(name string, projection types.Projection, keyNames ...string) option {
	return func(in *dynamodb.CreateTableInput) {
		define(in, keyNames...)
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{IndexName: &name, KeySchema: keys(keyNames...), Projection: &projection})
	}
}

func local(name string, projection types.Projection, rangeName string) option {
	return func(in *dynamodb.CreateTableInput) {
		define(in, rangeName)
		in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{IndexName: &name, KeySchema: keys("PK", rangeName), Projection: &projection})
	}
}

func projectAll() types.Projection { return types.Projection{ProjectionType: "ALL"} }

func keysOnly() types.Projection { return types.Projection{ProjectionType: "KEYS_ONLY"} }

func include(names ...string) types.Projection {
	return types.Projection{ProjectionType: "INCLUDE", NonKeyAttributes: names}
}

const table = "things"

// create makes the table with the keys PK and SK.
func (d *db) create(options ...option) {
	d.t.Helper()
	in := &dynamodb.CreateTableInput{TableName: aws.String(table), BillingMode: "PAY_PER_REQUEST", KeySchema: keys("PK", "SK")}
	define(in, "PK", "SK")
	for _, o := range options {
		o(in)
	}
	_, err := d.CreateTable(d.ctx(), in)
	require.NoError(d.t, err)
}

func (d *db) ctx() context.Context { return d.t.Context() }

func (d *db) put(items ...item) {
	d.t.Helper()
	for _, i := range items {
		_, err := d.PutItem(d.ctx(), &dynamodb.PutItemInput{TableName: aws.String(table), Item: i})
		require.NoError(d.t, err)
	}
}

func (d *db) get(k item) item {
	d.t.Helper()
	out, err := d.GetItem(d.ctx(), &dynamodb.GetItemInput{TableName: aws.String(table), Key: k, ConsistentRead: aws.Bool(true)})
	require.NoError(d.t, err)
	return out.Item
}

func (d *db) update(k item, expression string, values item) (item, error) {
	out, err := d.UpdateItem(d.ctx(), &dynamodb.UpdateItemInput{
		TableName: aws.String(table), Key: k, UpdateExpression: &expression, ExpressionAttributeValues: values, ReturnValues: "ALL_NEW",
	})
	if err != nil {
		return nil, err
	}
	return out.Attributes, nil
}

type queryOption func(*dynamodb.QueryInput)

func (d *db) tryQuery(condition string, values item, options ...queryOption) (*dynamodb.QueryOutput, error) {
	in := &dynamodb.QueryInput{TableName: aws.String(table), KeyConditionExpression: &condition, ExpressionAttributeValues: values}
	for _, o := range options {
		o(in)
	}
	return d.Query(d.ctx(), in)
}

func (d *db) query(condition string, values item, options ...queryOption) *dynamodb.QueryOutput {
	d.t.Helper()
	out, err := d.tryQuery(condition, values, options...)
	require.NoError(d.t, err)
	return out
}

func on(index string) queryOption { return func(in *dynamodb.QueryInput) { in.IndexName = &index } }

func limit(n int32) queryOption { return func(in *dynamodb.QueryInput) { in.Limit = &n } }

func after(k item) queryOption { return func(in *dynamodb.QueryInput) { in.ExclusiveStartKey = k } }

func descending() queryOption {
	return func(in *dynamodb.QueryInput) { in.ScanIndexForward = aws.Bool(false) }
}

func filter(f string) queryOption {
	return func(in *dynamodb.QueryInput) { in.FilterExpression = &f }
}

// texts are the string values of one attribute.
func texts(items []item, name string) []string {
	all := []string{}
	for _, i := range items {
		s, _ := i[name].(*types.AttributeValueMemberS)
		if s == nil {
			s = &types.AttributeValueMemberS{Value: "?"}
		}
		all = append(all, s.Value)
	}
	return all
}

// requireCode checks the code of an error of the service, and that the message has the words.
func requireCode(t *testing.T, err error, code string, words ...string) {
	t.Helper()
	var service smithy.APIError
	require.ErrorAs(t, err, &service)
	require.Equal(t, code, service.ErrorCode(), service.ErrorMessage())
	for _, w := range words {
		require.Contains(t, service.ErrorMessage(), w)
	}
}

func requireInvalid(t *testing.T, err error, words ...string) {
	t.Helper()
	requireCode(t, err, "ValidationException", words...)
}
