package dal_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/internal/engine"
)

// item is an item as the SDK has it.
type item = map[string]types.AttributeValue

// wire is the way to an engine: tests see every request on it, and answer in the engine's place.
type wire struct {
	engine aws.HTTPClient
	// fault answers a request itself when it returns an answer; nil lets the request through.
	fault func(request) *answer

	mu       sync.Mutex
	requests []request
}

// request is one HTTP request to DynamoDB.
type request struct {
	operation string
	body      []byte
	// try counts the requests of this operation, from 1.
	try int
}

// answer is what a fault answers: a status and a body, or the error of a request that got none.
type answer struct {
	status int
	body   string
	err    error
}

func (w *wire) Do(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if a := w.note(operation, body); a != nil {
		if a.err != nil {
			return nil, a.err
		}
		return &http.Response{
			StatusCode: a.status, Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
			Body: io.NopCloser(strings.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: r,
		}, nil
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return w.engine.Do(r)
}

func (w *wire) note(operation string, body []byte) *answer {
	w.mu.Lock()
	defer w.mu.Unlock()
	req := request{operation: operation, body: body, try: 1}
	for _, earlier := range w.requests {
		if earlier.operation == operation {
			req.try++
		}
	}
	w.requests = append(w.requests, req)
	if w.fault == nil {
		return nil
	}
	return w.fault(req)
}

// take gives the requests so far and forgets them.
func (w *wire) take() []request {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.requests
	w.requests = nil
	return taken
}

func operations(requests []request) []string {
	names := make([]string, len(requests))
	for i, r := range requests {
		names[i] = r.operation
	}
	return names
}

// refusal is an error as DynamoDB answers it.
func refusal(code string) *answer {
	return &answer{status: http.StatusBadRequest, body: `{"__type":"com.amazonaws.dynamodb.v20120810#` + code + `","message":"no"}`}
}

// keys are the keys that a BatchGetItem asks for.
func (r request) keys(t *testing.T) []dal.Key {
	t.Helper()
	var in struct {
		RequestItems map[string]struct {
			Keys []map[string]struct{ S string }
		}
	}
	require.NoError(t, json.Unmarshal(r.body, &in))
	var keys []dal.Key
	for _, k := range in.RequestItems[dal.DefaultTable].Keys {
		keys = append(keys, dal.Key{PK: k["PK"].S, SK: k["SK"].S})
	}
	return keys
}

// shop is a table on an engine of its own.
type shop struct {
	t     *testing.T
	wire  *wire
	table *dal.Table
	// raw goes to the engine past the wire.
	raw *dynamodb.Client
}

func newClient(h aws.HTTPClient) *dynamodb.Client {
	return dal.NewClient(aws.Config{
		Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		BaseEndpoint: aws.String("http://engine.invalid"), HTTPClient: h,
	})
}

// openShop makes a table; its wire has noted nothing yet.
func openShop(t *testing.T, shards int, configure ...func(*dal.Config)) *shop {
	t.Helper()
	e, err := engine.Open(engine.Config{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	w := &wire{engine: e}
	var config dal.Config
	for _, set := range configure {
		set(&config)
	}
	s := &shop{t: t, wire: w, raw: newClient(e), table: dal.New(newClient(w), config)}
	require.NoError(t, s.table.Create(t.Context(), shards))
	w.take()
	return s
}

func (s *shop) fill(records ...dal.Record) {
	s.t.Helper()
	require.NoError(s.t, s.table.Fill(s.t.Context(), records))
	s.wire.take()
}

// load answers reads and checks that each has an answer.
func (s *shop) load(o dal.LoadOptions, reads ...dal.Read) map[dal.Read]dal.Result {
	s.t.Helper()
	results := s.table.Load(s.t.Context(), reads, o)
	for _, r := range reads {
		require.Contains(s.t, results, r)
	}
	return results
}

// recorded does the same and gives what was noted of it.
func (s *shop) recorded(o dal.LoadOptions, reads ...dal.Read) (map[dal.Read]dal.Result, []dal.Call) {
	s.t.Helper()
	recorder := dal.NewRecorder()
	results := s.table.Load(dal.WithRecorder(s.t.Context(), recorder), reads, o)
	return results, recorder.Calls()
}

// dump are all items of the table.
func (s *shop) dump() []item {
	s.t.Helper()
	var items []item
	var from item
	for {
		out, err := s.raw.Scan(s.t.Context(), &dynamodb.ScanInput{ //nolint:forbidigo // a test sees everything
			TableName: aws.String(dal.DefaultTable), ConsistentRead: aws.Bool(true), ExclusiveStartKey: from,
		})
		require.NoError(s.t, err)
		items = append(items, out.Items...)
		if from = out.LastEvaluatedKey; from == nil {
			return items
		}
	}
}

// put writes an item as it is.
func (s *shop) put(it item) {
	s.t.Helper()
	_, err := s.raw.PutItem(s.t.Context(), &dynamodb.PutItemInput{TableName: aws.String(dal.DefaultTable), Item: it})
	require.NoError(s.t, err)
}

// get is one item, nil when it is not there.
func (s *shop) get(pk, sk string) item {
	s.t.Helper()
	out, err := s.raw.GetItem(s.t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String(dal.DefaultTable), Key: item{"PK": text(pk), "SK": text(sk)}, ConsistentRead: aws.Bool(true),
	})
	require.NoError(s.t, err)
	return out.Item
}

// remove deletes an item.
func (s *shop) remove(pk, sk string) {
	s.t.Helper()
	_, err := s.raw.DeleteItem(s.t.Context(), &dynamodb.DeleteItemInput{
		TableName: aws.String(dal.DefaultTable), Key: item{"PK": text(pk), "SK": text(sk)},
	})
	require.NoError(s.t, err)
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func number(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

// kindOf is the kind of a failure.
func kindOf(t *testing.T, err error) dal.Kind {
	t.Helper()
	var failure *dal.Error
	require.ErrorAs(t, err, &failure)
	return failure.Kind
}

func money(t *testing.T, amount, currency string) dal.Money {
	t.Helper()
	d, err := dal.ParseDecimal(amount)
	require.NoError(t, err)
	m, err := dal.NewMoney(d, currency)
	require.NoError(t, err)
	return m
}

func email(t *testing.T, address string) dal.Email {
	t.Helper()
	e, err := dal.ParseEmail(address)
	require.NoError(t, err)
	return e
}

var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

// aCustomer is a record of one.
func aCustomer(t *testing.T, id dal.CustomerID) dal.CustomerRecord {
	t.Helper()
	address := "c" + strings.ReplaceAll(string(id), "#", "") + "@example.com"
	return dal.CustomerRecord{
		Customer: &dal.Customer{ID: id, Name: "Name of " + string(id), Email: address, CreatedAt: noon, UpdatedAt: noon, Version: 1},
		Email:    email(t, address),
	}
}

// anOrder is a record of one with so many lines, placed at noon.
func anOrder(t *testing.T, customer dal.CustomerID, id dal.OrderID, lines int) dal.OrderRecord {
	t.Helper()
	r := dal.OrderRecord{Order: &dal.Order{
		ID: id, CustomerID: customer, WarehouseID: "north", PlacedAt: noon, Status: dal.StatusPending,
		Total: money(t, "10", "EUR"), ItemCount: lines, Version: 1, UpdatedAt: noon,
	}}
	for line := 1; line <= lines; line++ {
		r.Lines = append(r.Lines, &dal.OrderItem{
			OrderID: id, Line: line, SKU: "X", Name: "Thing", Quantity: line, UnitPrice: money(t, "1.50", "EUR"),
		})
	}
	return r
}

func aProduct(t *testing.T, sku dal.SKU) dal.ProductRecord {
	t.Helper()
	return dal.ProductRecord{Product: &dal.Product{SKU: sku, Name: "Thing", Price: money(t, "1.50", "EUR"), Version: 1, UpdatedAt: noon}}
}

func aWarehouse(id dal.WarehouseID) dal.WarehouseRecord {
	return dal.WarehouseRecord{Warehouse: &dal.Warehouse{ID: id, Name: "North", Version: 1, UpdatedAt: noon}}
}

// inContext is the test's context with a recorder.
func inContext(t *testing.T) (context.Context, *dal.Recorder) {
	t.Helper()
	recorder := dal.NewRecorder()
	return dal.WithRecorder(t.Context(), recorder), recorder
}
