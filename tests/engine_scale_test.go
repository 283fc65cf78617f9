package tests

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/engine"
)

var engineItems = flag.Int("engine-items", 100_000, "how many items the large table of TestQueryCost has")

const (
	perPartition = 20
	// maxGrowth is how much more a Query may take of the large table than of the one of a thousand items.
	maxGrowth = 1.5
	// alone is the size of a table that a run by itself measures with (make bench). In the gate other tests share the
	// processor's caches, of which a large table needs more: there maxGrowthBeside only tells a Query from a walk over the
	// table, which would take a hundred times as much.
	alone           = 1_000_000
	maxGrowthBeside = 6.0
)

// ask sends one request of the protocol to an engine in the process, which leaves the SDK out of the measurement.
func ask(t *testing.T, e *engine.Engine, operation, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://engine.invalid/", strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	response, err := e.Do(r)
	require.NoError(t, err)
	reply, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode, string(reply))
	return string(reply)
}

// tableOf is an engine with a table of n items.
func tableOf(t *testing.T, path string, n int) *engine.Engine {
	t.Helper()
	e, err := engine.Open(engine.Config{Path: path})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	ask(t, e, "CreateTable", `{"TableName":"things","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},`+
		`{"AttributeName":"SK","KeyType":"RANGE"}],"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"}]}`)
	const batch, writers = 25, 64
	var wg sync.WaitGroup
	for w := range writers { // they share commits
		wg.Go(func() {
			for b := w * batch; b < n; b += writers * batch {
				var all []string
				for i := b; i < min(b+batch, n); i++ {
					all = append(all, fmt.Sprintf(`{"PutRequest":{"Item":{"PK":{"S":"P#%d"},"SK":{"S":"%03d"},"v":{"N":"%d"},"note":{"S":"%s"}}}}`,
						i/perPartition, i%perPartition, i, strings.Repeat("x", 200)))
				}
				ask(t, e, "BatchWriteItem", `{"RequestItems":{"things":[`+strings.Join(all, ",")+`]}}`)
			}
		})
	}
	wg.Wait()
	return e
}

// threadTime is the processor time of this thread alone: what other threads do meanwhile, be it the garbage collector
// or another test, does not count.
func threadTime(t *testing.T) time.Duration {
	t.Helper()
	const thisThread = 1 // RUSAGE_THREAD
	var usage syscall.Rusage
	require.NoError(t, syscall.Getrusage(thisThread, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func queryTime(t *testing.T, e *engine.Engine, items, seed int) time.Duration {
	t.Helper()
	const queries = 400
	partitions := items / perPartition
	start := threadTime(t)
	for i := range queries {
		p := (seed*queries + i) * 7919 % partitions
		reply := ask(t, e, "Query", fmt.Sprintf(`{"TableName":"things","KeyConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":"P#%d"}}}`, p))
		require.Equal(t, perPartition, strings.Count(reply, `"v"`))
	}
	return (threadTime(t) - start) / queries
}

// TestQueryCostDoesNotGrowWithTheTable compares the processor time of a Query of one partition of a small and a large table,
// by turns.
func TestQueryCostDoesNotGrowWithTheTable(t *testing.T) {
	large := *engineItems
	if testing.Short() {
		large = 20_000
	}
	for name, path := range map[string]func(name string) string{
		"memory": func(string) string { return engine.InMemory },
		"file":   func(name string) string { return filepath.Join(t.TempDir(), name) },
	} {
		t.Run(name, func(t *testing.T) {
			const small = 1000
			one, many := tableOf(t, path("small.db"), small), tableOf(t, path("large.db"), large)
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var ofOne, ofMany []time.Duration
			for round := range 9 {
				ofOne = append(ofOne, queryTime(t, one, small, round))
				ofMany = append(ofMany, queryTime(t, many, large, round))
			}
			a, b := slices.Min(ofOne), slices.Min(ofMany) // what else the machine does only ever adds
			ratio := float64(b) / float64(a)
			t.Logf("a Query of %d items takes %s of %d items and %s of %d: %.2f times", perPartition, a, small, b, large, ratio)
			if large < alone {
				require.Less(t, ratio, maxGrowthBeside)
				return
			}
			require.LessOrEqual(t, ratio, maxGrowth)
		})
	}
}

// TestSlowClientsHoldNoWriterUp has clients ask for large pages and not read them, while others write.
func TestSlowClientsHoldNoWriterUp(t *testing.T) {
	t.Parallel()
	e := tableOf(t, filepath.Join(t.TempDir(), "tables.db"), 10_000)
	url := serveEngine(t, e)
	for range 8 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{"TableName":"things"}`))
		require.NoError(t, err)
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810.Scan")
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, response.Body.Close()) }) // unread until the end
	}
	const writes = 100
	start := time.Now()
	slowest := time.Duration(0)
	for i := range writes {
		began := time.Now()
		ask(t, e, "PutItem", fmt.Sprintf(`{"TableName":"things","Item":{"PK":{"S":"new"},"SK":{"S":"%d"}}}`, i))
		slowest = max(slowest, time.Since(began))
	}
	t.Logf("%d writes took %s, the slowest %s", writes, time.Since(start), slowest)
	require.Less(t, slowest, 5*time.Second)
}

// serveEngine serves an engine over HTTP until the end of the test.
func serveEngine(t *testing.T, e *engine.Engine) string {
	t.Helper()
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	return server.URL
}
