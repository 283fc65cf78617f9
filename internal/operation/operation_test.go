package operation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
	"example.com/keyfirst/internal/demo"
	"example.com/keyfirst/internal/engine"
	"example.com/keyfirst/internal/operation"
	"example.com/keyfirst/plan"
	"example.com/keyfirst/resolvers"
)

// probe counts the reads that no plan foresaw.
type probe struct {
	*dal.Table

	unplanned atomic.Int64
}

func (p *probe) Load(ctx context.Context, reads []dal.Read, o dal.LoadOptions) map[dal.Read]dal.Result {
	if o.Round == 0 {
		p.unplanned.Add(int64(len(reads)))
	}
	return p.Table.Load(ctx, reads, o)
}

// server is the schema with its resolvers and plans, over the demo's data.
type server struct {
	table     *probe
	extension *operation.Extension
	exec      *executor.Executor
}

func start(t *testing.T, budget plan.Budget) *server {
	t.Helper()
	e, err := engine.Open(engine.Config{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	client := dal.NewClient(aws.Config{
		Region: "us-east-1", Credentials: credentials.NewStaticCredentialsProvider("local", "local", ""),
		BaseEndpoint: aws.String("http://engine.invalid"), HTTPClient: e,
	})
	s := &server{table: &probe{Table: dal.New(client, dal.Config{})}}
	require.NoError(t, s.table.Create(t.Context(), 2))
	require.NoError(t, demo.Load(t.Context(), s.table.Table))
	s.extension = operation.New(s.table).Within(budget)
	s.exec = executor.New(graph.NewExecutableSchema(graph.Config{Resolvers: resolvers.New(s.table.Table)}))
	s.exec.Use(s.extension)
	return s
}

// prepare parses and plans an operation.
func (s *server) prepare(t *testing.T, query string, headers http.Header) (context.Context, *graphql.OperationContext) {
	t.Helper()
	ctx := graphql.StartOperationTrace(t.Context())
	request, errs := s.exec.CreateOperationContext(ctx, &graphql.RawParams{Query: query, Headers: headers})
	require.Nil(t, errs, "%s: %v", query, errs)
	return ctx, request
}

func (s *server) run(t *testing.T, query string, headers http.Header) *graphql.Response {
	t.Helper()
	ctx, request := s.prepare(t, query, headers)
	next, ctx := s.exec.DispatchOperation(ctx, request)
	return next(ctx)
}

// operations are what clients ask, by what they do.
func operations() []string {
	queries := []string{
		`{customer(id:"cust_42"){id name email createdAt updatedAt version orderCount}}`,
		`{customer(id:"cust_42"){latestOrder{id status total{amount currency}}}}`,
		`{customer(id:"cust_1"){orders{nodes{id}}}}`,
		`{customer(id:"cust_1"){orders(first:1){edges{cursor node{id}} pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}}`,
		`{customer(id:"cust_1"){orders(last:3){nodes{id}}}}`,
		`{customer(id:"cust_1"){orders(first:2){nodes{id}} latestOrder{id items(first:2){nodes{line}}}}}`,
		`{customer(id:"cust_1"){a:orders(first:2){nodes{id}} b:orders(first:9){nodes{id customer{name}}}}}`,
		`{customer(id:"cust_1"){orders(filter:{status:DELIVERED}){nodes{id}}}}`,
		`{customer(id:"cust_1"){orders(filter:{status:DELIVERED},last:2){nodes{id warehouse{name}}}}}`,
		`{customer(id:"cust_1"){orders(filter:{placedFrom:"2020-01-01T00:00:00Z",placedBefore:"2030-01-01T00:00:00Z"}){nodes{id}}}}`,
		`{customer(id:"cust_1"){orders(filter:{placedFrom:"2030-01-01T00:00:00Z",placedBefore:"2020-01-01T00:00:00Z"}){nodes{id items{nodes{id}}}}}}`,
		`{customer(id:"cust_1"){orders(first:100){nodes{items(first:100){nodes{id name lineTotal{amount}}}}}}}`,
		`{customer(id:"cust_1"){orders(first:20){nodes{items(first:5){nodes{product{name price{amount}}}}}}}}`,
		`{customer(id:"cust_1"){orders(first:3){nodes{items(last:1){nodes{product{id}}}}}}}`,
		`{customer(id:"cust_1"){orders(first:3){nodes{items(first:1){nodes{order{customer{name}}}}}}}}`,
		`{customer(id:"cust_1"){orders(first:3){nodes{customer{orders(first:3){nodes{customer{latestOrder{id}}}}}}}}}`,
		`{customer(id:"cust_1"){orders(first:3){nodes{warehouse{openOrders(first:3){nodes{customer{name}}}}}}}}`,
		`{customer(id:"cust_none"){name latestOrder{id} orders{nodes{items{nodes{id}}}}}}`,
		`{a:customer(id:"cust_1"){name} b:customer(id:"cust_2"){name} c:customer(id:"cust_1"){email}}`,
		`{a:customer(id:"cust_1"){orders(first:2){nodes{id}}} b:customer(id:"cust_1"){orders(first:3){nodes{warehouse{name}}}}}`,
		`{customerByEmail(email:"ANN@example.com"){id latestOrder{id}}}`,
		`{customerByEmail(email:"ann@example.com"){orders(first:2){nodes{customer{id} items{nodes{product{name}}}}}}}`,
		`{customerByEmail(email:"nobody@example.com"){id orders{nodes{id}}}}`,
		`query @consistent{customerByEmail(email:"ann@example.com"){id orders(first:2){nodes{customer{id} items{nodes{line}}}}}}`,
		`query @consistent{customer(id:"cust_42"){name orders(first:2){nodes{items(first:2){nodes{product{name}}}}}}}`,
		`query @consistent{warehouse(id:"wh_north"){name openOrders{nodes{id}}}}`,
		`query @consistent{nodes(ids:["cust_42","order_A17","item_A17_001"]){id}}`,
		`{order(id:"order_A17"){id placedAt itemCount version updatedAt}}`,
		`{order(id:"order_A17"){items{nodes{line sku quantity unitPrice{amount}}}}}`,
		`{order(id:"order_A17"){items(first:1){edges{cursor node{product{name}}} pageInfo{hasNextPage endCursor}}}}`,
		`{order(id:"order_A17"){items(last:1){nodes{line order{id}}}}}`,
		`{order(id:"order_A17"){items(first:100){nodes{order{items(first:100){nodes{order{id}}}}}}}}`,
		`{order(id:"order_A17"){customer{name latestOrder{id}} warehouse{name}}}`,
		`{order(id:"order_A17"){customer{orders(last:1){nodes{items(first:1){nodes{line}}}}}}}`,
		`{order(id:"order_none"){items{nodes{id}} customer{id}}}`,
		`{a:order(id:"order_A17"){items(first:1){nodes{id}}} b:order(id:"order_A11"){items(first:2){nodes{id}}}}`,
		`{product(id:"prod_TEAPOT-SAND"){id sku name version updatedAt price{amount currency}}}`,
		`{product(id:"prod_none"){id}}`,
		`{warehouse(id:"wh_north"){id name version updatedAt}}`,
		`{warehouse(id:"wh_north"){openOrders{nodes{id}}}}`,
		`{warehouse(id:"wh_north"){openOrders(first:2){edges{cursor node{id}} pageInfo{hasNextPage hasPreviousPage}}}}`,
		`{warehouse(id:"wh_north"){openOrders(last:2){nodes{customer{name email} items(first:2){nodes{product{name}}}}}}}`,
		`{warehouse(id:"wh_north"){openOrders(first:5){nodes{warehouse{openOrders(first:5){nodes{id}}}}}}}`,
		`{warehouse(id:"wh_none"){openOrders{nodes{id}}}}`,
		`{node(id:"cust_42"){id ... on Customer{name latestOrder{id}}}}`,
		`{node(id:"order_A17"){... on Order{items{nodes{line}} customer{id}}}}`,
		`{node(id:"item_A17_001"){... on OrderItem{product{name} order{id}}}}`,
		`{node(id:"wh_north"){... on Warehouse{openOrders(first:3){nodes{id}}}}}`,
		`{node(id:"prod_none"){id}}`,
		`{nodes(ids:["cust_42","order_A17","item_A17_001","prod_TEAPOT-SAND","wh_north","cust_none","cust_42"]){__typename id}}`,
		`{nodes(ids:["cust_42","cust_1","order_A17"]){... on Customer{orders(first:2){nodes{items(first:2){nodes{id}}}}} ... on Order{items(first:3){nodes{product{id}}}}}}`,
		`{nodes(ids:[]){id}}`,
		`query{...A ...B} fragment A on Query{customer(id:"cust_1"){...C}} fragment B on Query{customer(id:"cust_1"){orders(first:2){nodes{warehouse{id}}}}} fragment C on Customer{name orders(first:2){nodes{customer{id}}}}`,
		`{customer(id:"cust_1"){... on Node{id ... on Customer{latestOrder{id}}}}}`,
		`{customer(id:"cust_1")@skip(if:true){name} product(id:"prod_none")@include(if:true){id}}`,
		`{__typename __schema{queryType{name}} customer(id:"cust_1"){__typename}}`,
		`{customer(id:"order_A17"){id}}`,
		`{customer(id:"cust_1"){name orders(first:0){nodes{id}}}}`,
		`{node(id:"x"){id} product(id:"prod_TEAPOT-SAND"){name}}`,
		`mutation{createCustomer(input:{name:"Bob",email:"bob@example.com"}){customer{id latestOrder{id} orders{nodes{id}}} userErrors{code}}}`,
		`mutation{createCustomer(input:{name:"Bob",email:"bob@example.com"}){customer{id} userErrors{code message field}}}`,
		`mutation{putProduct(input:{sku:"X",name:"Thing",price:{amount:"1.50",currency:"EUR"}}){product{id version}}}`,
		`mutation{a:putWarehouse(input:{id:"wh_x",name:"X"}){warehouse{openOrders{nodes{id}}}} b:putWarehouse(input:{id:"wh_x",name:"Y"}){warehouse{version openOrders{nodes{id}}}}}`,
		`mutation{placeOrder(input:{customerId:"cust_42",warehouseId:"wh_north",lines:[{sku:"TEAPOT-SAND",quantity:1},{sku:"CANDLE-SAGE",quantity:2}]}){order{id total{amount} customer{orderCount orders(first:2){nodes{id items{nodes{line}}}}} items{nodes{line product{name} order{id}}} warehouse{openOrders(first:2){nodes{id}}}} userErrors{code}}}`,
		`mutation{placeOrder(input:{customerId:"cust_none",warehouseId:"wh_north",lines:[{sku:"none",quantity:0}]}){order{id} userErrors{code field}}}`,
	}
	return queries
}

// TestResolversFindWhatThePlanRead: after a plan has run, no resolver sends anything.
func TestResolversFindWhatThePlanRead(t *testing.T) {
	t.Parallel()
	s := start(t, plan.Budget{})
	for _, query := range operations() {
		response := s.run(t, query, http.Header{"X-Explain": {"1"}})
		require.Zero(t, s.table.unplanned.Swap(0), "%s", query)
		e, ok := response.Extensions["explain"].(operation.Explain)
		require.True(t, ok)
		require.LessOrEqual(t, e.Actual.Rounds, e.Plan.Rounds, "%s", query)
		require.LessOrEqual(t, e.Actual.Requests, e.Plan.Requests, "%s", query)
		require.LessOrEqual(t, e.Actual.ReadUnits, e.Plan.ReadUnits, "%s", query)
		require.LessOrEqual(t, e.Actual.WriteUnits, e.Plan.WriteUnits, "%s", query)
		require.Zero(t, e.Actual.Retries, "%s", query)
		declared := map[dal.Pattern]bool{}
		for _, step := range e.Plan.Steps {
			declared[step.Pattern] = true
		}
		for _, call := range e.Actual.Calls {
			for name := range strings.SplitSeq(call.Pattern, ",") {
				require.True(t, declared[dal.Pattern(name)], "%s sent %s", query, name)
			}
		}
	}
}

// connection is a page as a client sees it.
type connection struct {
	Edges    []struct{ Cursor string }
	PageInfo struct {
		HasNextPage, HasPreviousPage bool
		StartCursor, EndCursor       *string
	}
}

func TestPageInfo(t *testing.T) {
	t.Parallel()
	s := start(t, plan.Budget{})
	page := func(parent, list, arguments string) connection {
		query := fmt.Sprintf(`{%s{page:%s%s{edges{cursor} pageInfo{hasNextPage hasPreviousPage startCursor endCursor}}}}`, parent, list, arguments)
		response := s.run(t, query, nil)
		require.Empty(t, response.Errors, query)
		var data map[string]struct{ Page connection }
		require.NoError(t, json.Unmarshal(response.Data, &data))
		for _, parent := range data {
			return parent.Page
		}
		return connection{}
	}
	for parent, list := range map[string]string{
		`customer(id:"cust_1")`: "orders", `warehouse(id:"wh_north")`: "openOrders", `order(id:"order_A17")`: "items",
	} {
		all := page(parent, list, "(first:100)").Edges
		n := len(all)
		require.GreaterOrEqual(t, n, 2, parent)
		for _, c := range []struct {
			arguments      string
			first, last    int
			next, previous bool
		}{
			{"(first:100)", 0, n, false, false},
			{fmt.Sprintf("(first:%d)", n), 0, n, false, false},
			{fmt.Sprintf("(first:%d)", n-1), 0, n - 1, true, false},
			{fmt.Sprintf("(last:%d)", n), 0, n, false, false},
			{fmt.Sprintf("(last:%d)", n-1), 1, n, false, true},
			{fmt.Sprintf("(first:1,after:%q)", all[0].Cursor), 1, 2, n > 2, true},
			{fmt.Sprintf("(first:1,after:%q)", all[n-2].Cursor), n - 1, n, false, true},
			{fmt.Sprintf("(first:1,after:%q)", all[n-1].Cursor), n, n, false, true},
			{fmt.Sprintf("(last:1,before:%q)", all[n-1].Cursor), n - 2, n - 1, true, n > 2},
			{fmt.Sprintf("(last:1,before:%q)", all[1].Cursor), 0, 1, true, false},
			{fmt.Sprintf("(last:1,before:%q)", all[0].Cursor), 0, 0, true, false},
		} {
			got := page(parent, list, c.arguments)
			require.Equal(t, all[c.first:c.last], got.Edges, "%s %s", list, c.arguments)
			require.Equal(t, c.next, got.PageInfo.HasNextPage, "%s %s", list, c.arguments)
			require.Equal(t, c.previous, got.PageInfo.HasPreviousPage, "%s %s", list, c.arguments)
			if c.first == c.last {
				require.Nil(t, got.PageInfo.StartCursor)
				require.Nil(t, got.PageInfo.EndCursor)
				continue
			}
			require.Equal(t, all[c.first].Cursor, *got.PageInfo.StartCursor)
			require.Equal(t, all[c.last-1].Cursor, *got.PageInfo.EndCursor)
		}
	}
}

func TestExplainIsForThoseWhoAsk(t *testing.T) {
	t.Parallel()
	s := start(t, plan.Budget{})
	query := operations()[0]
	require.NotContains(t, s.run(t, query, nil).Extensions, "explain")
	require.NotContains(t, s.run(t, query, http.Header{"X-Explain": {"0"}}).Extensions, "explain")
	require.Contains(t, s.run(t, query, http.Header{"X-Explain": {"1"}}).Extensions, "explain")
}

func TestExplainRunsNothing(t *testing.T) {
	t.Parallel()
	s := start(t, plan.Budget{Requests: 1})
	_, request := s.prepare(t, operations()[0], nil)
	figures, refusal := s.extension.Explain(request)
	require.NoError(t, refusal)
	require.Equal(t, 1, figures.(plan.Figures).Requests)

	_, request = s.prepare(t, `{customer(id:"cust_1"){orders(last:1){nodes{id}}}}`, nil)
	figures, refusal = s.extension.Explain(request)
	var over *plan.BudgetError
	require.ErrorAs(t, refusal, &over)
	require.Equal(t, "requests", over.Limit)
	require.Equal(t, "BUDGET_EXCEEDED", over.Code())
	require.Equal(t, 2, figures.(plan.Figures).Requests)
	require.Contains(t, over.Error(), "customer")
}

// TestReportOfAMutation counts a round for what is read first, one for the write, and those of its payload.
func TestReportOfAMutation(t *testing.T) {
	t.Parallel()
	s := start(t, plan.Budget{})
	response := s.run(t, `mutation{putWarehouse(input:{id:"wh_x",name:"X"}){warehouse{openOrders{nodes{id}}}}}`, http.Header{"X-Explain": {"1"}})
	require.Empty(t, response.Errors)
	actual := response.Extensions["explain"].(operation.Explain).Actual
	var calls []string
	for _, c := range actual.Calls {
		calls = append(calls, fmt.Sprint(c.Round, " ", c.Operation, " ", c.Pattern))
		require.GreaterOrEqual(t, c.DurationMs, 0.0)
		require.GreaterOrEqual(t, c.StartMs, 0.0)
	}
	require.Equal(t, []string{
		"1 GetItem put-warehouse", "2 TransactWriteItems put-warehouse",
		"3 Query open-orders-by-warehouse", "3 Query open-orders-by-warehouse",
	}, calls)
	require.Equal(t, 3, actual.Rounds)
	require.Equal(t, 4, actual.Requests)
}
