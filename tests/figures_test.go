package tests

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
)

// figure is an operation whose cost the documentation gives.
type figure struct {
	name, query string
	variables   map[string]any
	// calls are the wanted requests, as round, operation, patterns and keys.
	calls []string
	// data is a part of the response that must be there.
	data string
}

func figures() []figure {
	var customers strings.Builder
	for i := range 51 {
		if i+1 != 42 {
			fmt.Fprintf(&customers, "c%d: customer(id: \"cust_%d\") { name }\n", i+1, i+1)
		}
	}
	behindA17 := dal.OrderPosition{Placed: "2025-03-01", Order: "A17"}.Cursor()
	return []figure{
		{
			name:  "customer and orders",
			query: `{ customer(id: "cust_42") { name orders { nodes { id total { amount } } } } }`,
			calls: []string{"1 Query customer-with-orders 3"},
			data:  `{"customer":{"name":"Ann","orders":{"nodes":[{"id":"order_A17","total":{"amount":"35"}},{"id":"order_A11","total":{"amount":"20"}}]}}}`,
		},
		{
			name:  "latest order",
			query: `{ customer(id: "cust_42") { latestOrder { total { amount } } } }`,
			calls: []string{"1 Query customer-with-orders 2"},
			data:  `{"customer":{"latestOrder":{"total":{"amount":"35"}}}}`,
		},
		{
			name: "orders, items, products",
			query: `{ customer(id: "cust_1") { orders(first: 20) { nodes { id items(first: 5) { nodes {
				line product { name } } } } } } }`,
			calls: []string{
				"1 Query customer-with-orders 21", "2 BatchGetItem items-by-order 100", "3 BatchGetItem product-by-id 75",
			},
		},
		{
			name:      "customer and a page of orders",
			query:     `query ($after: String!) { customer(id: "cust_42") { name orders(after: $after) { nodes { id } } } }`,
			variables: map[string]any{"after": behindA17},
			calls:     []string{"1 GetItem customer-by-id 1", "1 Query orders-by-customer 2"},
			data:      `{"customer":{"name":"Ann","orders":{"nodes":[{"id":"order_A11"}]}}}`,
		},
		{
			name:  "order and its last items",
			query: `{ order(id: "order_A17") { items(last: 5) { nodes { line } } } }`,
			calls: []string{"1 GetItem order-by-id 1", "1 Query items-by-order 2"},
			data:  `{"order":{"items":{"nodes":[{"line":1},{"line":2}]}}}`,
		},
		{
			name:  "order and its items",
			query: `{ order(id: "order_A17") { id status items { nodes { name quantity } } } }`,
			calls: []string{"1 Query order-with-items 3"},
		},
		{
			name:  "50 customers",
			query: "{" + customers.String() + "}",
			calls: []string{"1 BatchGetItem customer-by-id 50"},
		},
		{
			name:      "250 ids",
			query:     `query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`,
			variables: map[string]any{"ids": mixedIDs(250)},
			calls: []string{
				"1 BatchGetItem customer-by-id,item-by-id,order-by-id,product-by-id,warehouse-by-id 100",
				"1 BatchGetItem customer-by-id,item-by-id,order-by-id,product-by-id 100",
				"1 BatchGetItem item-by-id,order-by-id,product-by-id 50",
			},
		},
		{
			name:  "warehouse, open orders, customers",
			query: `{ warehouse(id: "wh_north") { name openOrders(first: 50) { nodes { id customer { name } } } } }`,
			calls: []string{
				"1 GetItem warehouse-by-id 1", "1 Query open-orders-by-warehouse 51", "2 BatchGetItem customer-by-id 34",
			},
		},
	}
}

// mixedIDs are ids of the demo, of all types in turn.
func mixedIDs(n int) []string {
	ids := []string{"wh_north", "wh_south", "wh_east"}
	for i := 0; len(ids) < n; i++ {
		color := []string{"WHITE", "BLACK", "SAND", "SAGE", "FOREST", "SKY", "NAVY", "CLAY", "MUSTARD", "PLUM"}[i%10]
		kind := []string{"MUG", "BOWL", "PLATE", "TEAPOT", "CARAFE", "VASE", "CANDLE", "NAPKIN", "TOWEL", "APRON"}[i/10%10]
		ids = append(ids, fmt.Sprintf("order_%d", 1001+i), fmt.Sprintf("item_%d_001", 1001+i), "prod_"+kind+"-"+color)
		if i < 41 {
			ids = append(ids, fmt.Sprintf("cust_%d", 1+i))
		}
	}
	return ids[:n]
}

// repeats is how often in a row each figure must come out the same. What could differ from run to run is on our side
// of the wire: over an engine that takes its time, and where tests shall be short, there are fewer runs.
func repeats() int {
	if externalEndpoint() != "" || testing.Short() {
		return 40
	}
	return 200
}

// TestFigures measures them in real time, on a machine that has more to do than it can: no timer, no load and no delay
// of the table may change what merges.
func TestFigures(t *testing.T) {
	keepBusy(t)
	for _, latency := range []time.Duration{0, 4 * time.Millisecond} {
		t.Run(fmt.Sprintf("latency=%s", latency), func(t *testing.T) {
			for _, f := range figures() {
				t.Run(f.name, func(t *testing.T) {
					t.Parallel()
					s := newServer(t, setup{latency: latency})
					for range repeats() {
						s.requireFigure(t, f)
					}
				})
			}
		})
	}
}

// TestFiguresInABubble measures them where time stands still while anything runs: there the rounds of the report must
// be exactly the longest chain of requests that wait for each other.
func TestFiguresInABubble(t *testing.T) {
	embeddedOnly(t, "a bubble of synctest must not wait for a socket")
	t.Parallel()
	table := demoTable(t)
	for _, f := range figures() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t, setup{table: table, latency: 4 * time.Millisecond})
				for range repeats() {
					start := time.Now()
					report, sent := s.requireFigure(t, f)
					require.Equal(t, longestChain(sent), report.Rounds, "rounds against the clock")
					require.Equal(t, time.Duration(report.Rounds)*4*time.Millisecond, time.Since(start),
						"an operation takes its rounds, and nothing on top")
				}
			})
		})
	}
}

// requireFigure runs the operation once.
func (s *server) requireFigure(t *testing.T, f figure) (actual, []request) {
	t.Helper()
	got := s.ask(t.Context(), t, f.query, f.variables)
	require.Empty(t, got.Errors)
	sent := s.requireReported(t, got)
	if f.data != "" {
		require.JSONEq(t, f.data, string(got.Data))
	}
	report := got.actual(t)
	calls := make([]string, len(report.Calls))
	for i, c := range report.Calls {
		calls[i] = fmt.Sprintf("%d %s %s %d", c.Round, c.Operation, c.Pattern, c.Keys)
	}
	require.ElementsMatch(t, f.calls, calls)
	require.Zero(t, report.Retries)
	last := slices.Max(f.calls)
	require.Equal(t, last[:1], strconv.Itoa(report.Rounds))
	return report, sent
}

// keepBusy keeps all processors busy with twice as many goroutines as there are, until the test and its subtests end.
// They give way now and then, as other requests would.
func keepBusy(t *testing.T) {
	t.Helper()
	var (
		stopped atomic.Bool
		busy    sync.WaitGroup
	)
	for range 2 * runtime.GOMAXPROCS(0) {
		busy.Go(func() {
			for n := 0; !stopped.Load(); n++ {
				if n%10_000 == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	t.Cleanup(func() {
		stopped.Store(true)
		busy.Wait()
	})
}
