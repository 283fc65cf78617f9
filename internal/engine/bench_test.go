package engine_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/engine"
)

// call sends one request of the wire protocol, which leaves the SDK out of the measurement.
func call(tb testing.TB, e *engine.Engine, operation, body string) {
	tb.Helper()
	r, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, "http://engine.invalid/", strings.NewReader(body))
	require.NoError(tb, err)
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	response, err := e.Do(r)
	require.NoError(tb, err)
	require.NoError(tb, response.Body.Close())
	require.Equal(tb, http.StatusOK, response.StatusCode)
}

func benchmarkEngine(b *testing.B) *engine.Engine {
	b.Helper()
	e, err := engine.Open(engine.Config{})
	require.NoError(b, err)
	call(b, e, "CreateTable", `{"TableName":"bench","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},`+
		`{"AttributeName":"SK","KeyType":"RANGE"}],"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],`+
		`"GlobalSecondaryIndexes":[{"IndexName":"by-g","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}]}`)
	for i := range 100 {
		for j := range 20 {
			call(b, e, "PutItem", fmt.Sprintf(`{"TableName":"bench","Item":%s}`, benchmarkItem(i, j)))
		}
	}
	b.ReportAllocs()
	b.ResetTimer()
	return e
}

func benchmarkItem(i, j int) string {
	return fmt.Sprintf(`{"PK":{"S":"CUST#%d"},"SK":{"S":"ORDER#%03d"},"total":{"N":"19.99"},"status":{"S":"OPEN"},"lines":{"L":[{"M":{"sku":{"S":"A"},"n":{"N":"2"}}}]},"note":{"S":"%s"}}`,
		i, j, strings.Repeat("x", 150))
}

func BenchmarkGetItem(b *testing.B) {
	e := benchmarkEngine(b)
	for i := range b.N {
		call(b, e, "GetItem", fmt.Sprintf(`{"TableName":"bench","Key":{"PK":{"S":"CUST#%d"},"SK":{"S":"ORDER#001"}}}`, i%100))
	}
}

func BenchmarkQuery20(b *testing.B) {
	e := benchmarkEngine(b)
	for i := range b.N {
		call(b, e, "Query", fmt.Sprintf(`{"TableName":"bench","KeyConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":"CUST#%d"}},"ReturnConsumedCapacity":"TOTAL"}`, i%100))
	}
}

func BenchmarkBatchGet100(b *testing.B) {
	e := benchmarkEngine(b)
	var all []string
	for i := range 100 {
		all = append(all, fmt.Sprintf(`{"PK":{"S":"CUST#%d"},"SK":{"S":"ORDER#007"}}`, i))
	}
	body := `{"RequestItems":{"bench":{"Keys":[` + strings.Join(all, ",") + `]}}}`
	for range b.N {
		call(b, e, "BatchGetItem", body)
	}
}

func BenchmarkPutItem(b *testing.B) {
	e := benchmarkEngine(b)
	for i := range b.N {
		call(b, e, "PutItem", `{"TableName":"bench","Item":`+benchmarkItem(i%1000, i%20)+`}`)
	}
}

func BenchmarkTransactWrite12(b *testing.B) {
	e := benchmarkEngine(b)
	for i := range b.N {
		var actions []string
		for j := range 12 {
			actions = append(actions, `{"Put":{"TableName":"bench","Item":`+benchmarkItem(i%1000, j)+`}}`)
		}
		call(b, e, "TransactWriteItems", fmt.Sprintf(`{"ClientRequestToken":"%d","TransactItems":[%s]}`, i, strings.Join(actions, ",")))
	}
}
