package tests

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/engine"
)

// hammered are the answers that an engine may give while tables come and go and faults strike; anything else, an
// internal error above all, is a failure.
var hammered = []string{
	"ConditionalCheckFailedException", "TransactionCanceledException", "TransactionConflictException", "ResourceNotFoundException",
	"ResourceInUseException", "ProvisionedThroughputExceededException", "IdempotentParameterMismatchException",
	"The table does not have the specified index", "TimeToLive is", "At least one", "Attempting to create an index which already exists", "Duplicate index name",
	`#InternalServerError","message":"Internal server error"`, // the one that a fault makes
}

// TestEngineHammer has clients send every operation at once, on tables that others make, change and delete while faults
// come and go. The race detector sees to the rest.
func TestEngineHammer(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"memory": engine.InMemory, "file": filepath.Join(t.TempDir(), "tables.db")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := engine.Open(engine.Config{Path: path})
			require.NoError(t, err)
			var wg sync.WaitGroup
			const clients = 8
			sent := make([]map[string]int, clients)
			calls := 400
			if testing.Short() {
				calls = 150
			}
			for c := range clients {
				wg.Go(func() { sent[c] = hammer(t, e, rand.New(rand.NewPCG(uint64(c), 1)), calls) })
			}
			wg.Wait()
			all := map[string]int{}
			for _, some := range sent {
				for operation, n := range some {
					all[operation] += n
				}
			}
			require.Len(t, all, len(hammerBodies), "every operation was sent")
			e.Clear()
			require.NoError(t, e.Close())
		})
	}
}

const hammerTable = `"TableName":"TABLE"`

// hammerBodies are requests, of a TABLE, a SORT key and a NUMBER.
var hammerBodies = map[string]string{
	"CreateTable": `{` + hammerTable + `,"BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],` +
		`"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},{"AttributeName":"g","AttributeType":"S"}],` +
		`"GlobalSecondaryIndexes":[{"IndexName":"by-g","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}],` +
		`"LocalSecondaryIndexes":[{"IndexName":"local","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"g","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}]}`,
	"DeleteTable":   `{` + hammerTable + `}`,
	"DescribeTable": `{` + hammerTable + `}`,
	"ListTables":    `{}`,
	"UpdateTable": `{` + hammerTable + `,"AttributeDefinitions":[{"AttributeName":"h","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[{"Create":` +
		`{"IndexName":"by-h","KeySchema":[{"AttributeName":"h","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}}}]}`,
	"UpdateTimeToLive":   `{` + hammerTable + `,"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}}`,
	"DescribeTimeToLive": `{` + hammerTable + `}`,
	"PutItem":            `{` + hammerTable + `,"Item":{"PK":{"S":"a"},"SK":{"S":"SORT"},"g":{"S":"SORT"},"h":{"S":"SORT"},"n":{"N":"NUMBER"},"ttl":{"N":"1"}}}`,
	"GetItem":            `{` + hammerTable + `,"Key":{"PK":{"S":"a"},"SK":{"S":"SORT"}},"ReturnConsumedCapacity":"INDEXES"}`,
	"UpdateItem":         `{` + hammerTable + `,"Key":{"PK":{"S":"a"},"SK":{"S":"SORT"}},"UpdateExpression":"ADD n :n","ExpressionAttributeValues":{":n":{"N":"1"}},"ReturnValues":"ALL_NEW"}`,
	"DeleteItem":         `{` + hammerTable + `,"Key":{"PK":{"S":"a"},"SK":{"S":"SORT"}},"ConditionExpression":"n < :n","ExpressionAttributeValues":{":n":{"N":"NUMBER"}}}`,
	"Query":              `{` + hammerTable + `,"IndexName":"by-g","KeyConditionExpression":"g = :g","FilterExpression":"n >= :n","ExpressionAttributeValues":{":g":{"S":"SORT"},":n":{"N":"0"}}}`,
	"Scan":               `{` + hammerTable + `,"IndexName":"by-g","Limit":3}`,
	"BatchGetItem":       `{"RequestItems":{"TABLE":{"Keys":[{"PK":{"S":"a"},"SK":{"S":"SORT"}},{"PK":{"S":"b"},"SK":{"S":"SORT"}}]}}}`,
	"BatchWriteItem":     `{"RequestItems":{"TABLE":[{"PutRequest":{"Item":{"PK":{"S":"b"},"SK":{"S":"SORT"},"g":{"S":"SORT"}}}},{"DeleteRequest":{"Key":{"PK":{"S":"a"},"SK":{"S":"SORT"}}}}]}}`,
	"TransactGetItems":   `{"TransactItems":[{"Get":{` + hammerTable + `,"Key":{"PK":{"S":"a"},"SK":{"S":"SORT"}}}},{"Get":{` + hammerTable + `,"Key":{"PK":{"S":"b"},"SK":{"S":"SORT"}}}}]}`,
	"TransactWriteItems": `{"ClientRequestToken":"token-NUMBER","TransactItems":[{"Update":{` + hammerTable + `,"Key":{"PK":{"S":"a"},"SK":{"S":"SORT"}},"UpdateExpression":"ADD n :n","ExpressionAttributeValues":{":n":{"N":"1"}}}},` +
		`{"Put":{` + hammerTable + `,"Item":{"PK":{"S":"b"},"SK":{"S":"SORT"},"g":{"S":"x"}}}},{"ConditionCheck":{` + hammerTable + `,"Key":{"PK":{"S":"c"},"SK":{"S":"SORT"}},"ConditionExpression":"attribute_not_exists(PK)"}}]}`,
}

var hammerFaults = []engine.Fault{
	{Kind: engine.FaultThrottle, Rate: 0.05},
	{Kind: engine.FaultInternal, Rate: 0.05, Applied: true},
	{Kind: engine.FaultConflict, Rate: 0.2},
	{Kind: engine.FaultUnprocessed, Rate: 0.3},
	{Kind: engine.FaultSlow, Rate: 0.1, Delay: time.Millisecond},
	{Kind: engine.FaultCut, Rate: 0.05},
	{Kind: engine.FaultCut, Rate: 0.05, Applied: true},
	{Kind: engine.FaultLag, Writes: 5},
	{Kind: engine.FaultLag, Delay: time.Millisecond, Index: "by-g"},
}

// hammer sends random requests and returns how many of each operation.
func hammer(t *testing.T, e *engine.Engine, random *rand.Rand, calls int) map[string]int {
	t.Helper()
	var operations []string
	for operation := range hammerBodies {
		operations = append(operations, operation)
		if !strings.Contains(operation, "Table") { // items change more often than tables
			operations = append(operations, operation, operation, operation)
		}
	}
	sent := map[string]int{}
	for range calls {
		switch random.IntN(20) {
		case 0:
			require.NoError(t, e.Inject(hammerFaults[random.IntN(len(hammerFaults))]))
		case 1:
			e.Clear()
		case 2:
			_ = e.Faults()
		}
		operation := operations[random.IntN(len(operations))]
		sent[operation]++
		fill := strings.NewReplacer("TABLE", "table-"+strconv.Itoa(random.IntN(3)), "SORT", strconv.Itoa(random.IntN(5)), "NUMBER", strconv.Itoa(random.IntN(50)))
		sendHammer(t, e, operation, fill.Replace(hammerBodies[operation]))
	}
	return sent
}

func sendHammer(t *testing.T, e *engine.Engine, operation, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://engine.invalid/", strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	response, err := e.Do(r)
	if err != nil {
		require.ErrorContains(t, err, "closed before the reply", "only a fault keeps an engine from answering")
		return
	}
	defer response.Body.Close() //nolint:errcheck // it holds nothing
	var reply map[string]json.RawMessage
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		require.ErrorContains(t, err, "unexpected EOF", "only a fault cuts a reply")
		return
	}
	if response.StatusCode == http.StatusOK {
		return
	}
	text, err := json.Marshal(reply)
	require.NoError(t, err)
	for _, allowed := range hammered {
		if strings.Contains(string(text), allowed) {
			return
		}
	}
	require.Fail(t, "unexpected answer", "%s %s: %s", operation, body, text)
}
