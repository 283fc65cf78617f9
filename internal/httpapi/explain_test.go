package httpapi_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
	"example.com/keyfirst/internal/httpapi"
	"example.com/keyfirst/internal/operation"
	"example.com/keyfirst/plan"
	"example.com/keyfirst/resolvers"
)

// unreachable fails the test as soon as a request is sent.
type unreachable struct{ t *testing.T }

func (u unreachable) Do(r *http.Request) (*http.Response, error) {
	u.t.Errorf("a request was sent: %s", r.Header.Get("X-Amz-Target"))
	return nil, http.ErrHandlerTimeout
}

// planning is the API over a table that must not be asked.
func planning(t *testing.T, budget plan.Budget) http.Handler {
	t.Helper()
	client := dal.NewClient(aws.Config{Region: "us-east-1", HTTPClient: unreachable{t}})
	table := dal.New(client, dal.Config{})
	planner := operation.New(table).Within(budget)
	handler, err := httpapi.New(httpapi.Config{
		Schema:     graph.NewExecutableSchema(graph.Config{Resolvers: resolvers.New(table)}),
		Extensions: []graphql.HandlerExtension{planner},
		Planner:    planner,
	})
	require.NoError(t, err)
	return handler
}

func ask(handler http.Handler, method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/graphql-response+json")
	handler.ServeHTTP(w, r)
	return w
}

// bodyOf makes the body of a GraphQL request.
func bodyOf(t *testing.T, query string, variables map[string]any) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	return string(body)
}

const screen = `query($n: Int!) { customer(id: "cust_42") { name orders(first: $n) { nodes { id items(first: 5) { nodes { name } } } } } }`

func TestExplain(t *testing.T) {
	t.Parallel()
	w := ask(planning(t, plan.DefaultBudget()), http.MethodPost, "/explain", bodyOf(t, screen, map[string]any{"n": 20}))
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "application/json", strings.Split(w.Header().Get("Content-Type"), ";")[0])
	require.JSONEq(t, `{"plan": {"rounds": 2, "requests": 2, "readUnits": 56.0, "writeUnits": 0, "steps": [
		{"path": "customer", "pattern": "customer-with-orders", "operation": "Query", "round": 1, "requests": 1, "keys": 22, "readUnits": 6.0},
		{"path": "customer.orders.items", "pattern": "items-by-order", "operation": "BatchGetItem", "round": 2, "requests": 1, "keys": 100, "readUnits": 50}]}}`, w.Body.String())
}

// TestExplainOrder keeps the order of the keys, which people read.
func TestExplainOrder(t *testing.T) {
	t.Parallel()
	w := ask(planning(t, plan.Budget{}), http.MethodPost, "/explain", bodyOf(t, `{ product(id: "prod_A") { name } }`, nil))
	require.Equal(t, `{"plan":{"rounds":1,"requests":1,"readUnits":0.5,"writeUnits":0,"steps":[`+
		`{"path":"product","pattern":"product-by-id","operation":"GetItem","round":1,"requests":1,"keys":1,"readUnits":0.5}]}}`, w.Body.String())
}

// TestOverBudget: /explain gives the plan and the refusal; /graphql gives the refusal, and neither sends anything.
func TestOverBudget(t *testing.T) {
	t.Parallel()
	const order = `mutation { placeOrder(input: {customerId: "cust_1", warehouseId: "wh_1", lines: [{sku: "a", quantity: 1}]}) { order { id } } }`
	for name, c := range map[string]struct {
		budget plan.Budget
		query  string
		want   string
	}{
		"rounds": {plan.Budget{Rounds: 1}, screen, `{"limit": "rounds", "allowed": 1, "planned": 2, "field": "customer.orders.items", "adds": 2,
			"rounds": 2, "requests": 2, "readUnits": 56, "writeUnits": 0}`},
		"requests": {plan.Budget{Requests: 1}, screen, `{"limit": "requests", "allowed": 1, "planned": 2, "field": "customer", "adds": 1,
			"rounds": 2, "requests": 2, "readUnits": 56, "writeUnits": 0}`},
		"read units": {plan.Budget{ReadUnits: 55.5}, screen, `{"limit": "readUnits", "allowed": 55.5, "planned": 56, "field": "customer.orders.items", "adds": 50,
			"rounds": 2, "requests": 2, "readUnits": 56, "writeUnits": 0}`},
		"write units": {plan.Budget{WriteUnits: 30}, order, `{"limit": "writeUnits", "allowed": 30, "planned": 36, "field": "placeOrder", "adds": 36,
			"rounds": 2, "requests": 2, "readUnits": 3, "writeUnits": 36}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler := planning(t, c.budget)
			variables := map[string]any{"n": 20}
			if c.query == order {
				variables = nil
			}
			body := bodyOf(t, c.query, variables)
			type refusal struct {
				Plan   json.RawMessage
				Data   json.RawMessage
				Errors []struct {
					Message    string
					Extensions struct {
						Code   string
						Budget json.RawMessage
					}
				}
			}
			for path, status := range map[string]int{"/explain": http.StatusOK, "/graphql": http.StatusBadRequest} {
				w := ask(handler, http.MethodPost, path, body)
				require.Equal(t, status, w.Code, "%s", w.Body)
				var got refusal
				require.NoError(t, json.Unmarshal(w.Body.Bytes(), &got))
				require.Equal(t, path == "/explain", bytes.HasPrefix(got.Plan, []byte(`{"rounds":2,`)), "%s", w.Body)
				require.Empty(t, got.Data)
				require.Len(t, got.Errors, 1)
				require.Equal(t, "BUDGET_EXCEEDED", got.Errors[0].Extensions.Code)
				require.NotEmpty(t, got.Errors[0].Message)
				require.JSONEq(t, c.want, string(got.Errors[0].Extensions.Budget))
			}
		})
	}
}

// TestExplainRefuses what is no operation, as /graphql does.
func TestExplainRefuses(t *testing.T) {
	t.Parallel()
	handler := planning(t, plan.DefaultBudget())
	w := ask(handler, http.MethodGet, "/explain?query=%7B__typename%7D", "")
	require.Equal(t, http.StatusMethodNotAllowed, w.Code)
	require.Equal(t, "POST", w.Header().Get("Allow"))
	for name, c := range map[string]struct {
		body   string
		status int
		code   string
	}{
		"no JSON":           {`{`, http.StatusBadRequest, "BAD_USER_INPUT"},
		"no document":       {bodyOf(t, `{ customer(`, nil), http.StatusBadRequest, "GRAPHQL_PARSE_FAILED"},
		"an unknown field":  {bodyOf(t, `{ password }`, nil), http.StatusBadRequest, "GRAPHQL_VALIDATION_FAILED"},
		"a missing value":   {bodyOf(t, screen, nil), http.StatusBadRequest, "BAD_USER_INPUT"},
		"too many fields":   {bodyOf(t, bomb(), nil), http.StatusBadRequest, "BUDGET_EXCEEDED"},
		"a second document": {bodyOf(t, `{ __typename }`, nil) + `{}`, http.StatusBadRequest, "BAD_USER_INPUT"},
	} {
		w := ask(handler, http.MethodPost, "/explain", c.body)
		require.Equal(t, c.status, w.Code, "%s: %s", name, w.Body)
		require.Contains(t, w.Body.String(), `"code":"`+c.code+`"`, name)
		require.NotContains(t, w.Body.String(), `"plan"`, name)
	}
}

// bomb is a small document that selects very much.
func bomb() string {
	var text strings.Builder
	text.WriteString(`{ customer(id: "cust_1") { ...A } } `)
	for c := 'A'; c < 'Z'; c++ {
		text.WriteString("fragment " + string(c) + " on Customer { a: latestOrder { customer { ..." + string(c+1) +
			" } } b: latestOrder { customer { ..." + string(c+1) + " } } } ")
	}
	return text.String() + "fragment Z on Customer { name }"
}
