package httpapi_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
	"example.com/keyfirst/internal/httpapi"
)

// rootResolver has the customer 42, and panics for every other field: its interfaces are nil.
type rootResolver struct{ graph.ResolverRoot }

func (rootResolver) Query() graph.QueryResolver       { return queryResolver{} }
func (rootResolver) Customer() graph.CustomerResolver { return customerResolver{} }

type queryResolver struct{ graph.QueryResolver }

func (queryResolver) Customer(context.Context, string) (*dal.Customer, error) {
	return &dal.Customer{ID: "42", Name: "Ann"}, nil
}

type customerResolver struct{ graph.CustomerResolver }

// The arguments of the generated code are read as coercion.go takes it for granted.
func TestGeneratedSchema(t *testing.T) {
	t.Parallel()
	const orders = `{"query":"query($f:OrderFilter $n:Int){customer(id:\"cust_42\"){name orders(first:$n filter:$f){nodes{id}}}}","variables":`
	tests := map[string]struct{ body, want string }{
		"data":             {`{"query":"{customer(id:\"cust_42\"){id name}}"}`, `"data":{"customer":{"id":"cust_42","name":"Ann"}}`},
		"time":             {orders + `{"f":{"placedFrom":"yesterday"}}}`, `"path":["customer","orders"],"locations":[{"line":1,"column":58}],"extensions":{"code":"BAD_USER_INPUT"}`},
		"number as time":   {orders + `{"f":{"placedFrom":7}}}`, `"code":"BAD_USER_INPUT"`},
		"overflow":         {orders + `{"n":3000000000}}`, `"message":"Variable \"$n\" is not a valid Int."`},
		"number in quotes": {orders + `{"n":"5"}}`, `"message":"Variable \"$n\" is not a valid Int."`},
		"enum":             {orders + `{"f":{"status":"secret"}}}`, `"message":"Variable \"$f.status\" is not a valid OrderStatus."`},
		"enum's case":      {orders + `{"f":{"status":"paid"}}}`, `"message":"Variable \"$f.status\" is not a valid OrderStatus."`},
		"line of an order": {
			`{"query":"mutation($i:PlaceOrderInput!){placeOrder(input:$i){order{id}}}","variables":{"i":` +
				`{"customerId":"cust_42","warehouseId":"wh_north","lines":[{"sku":"A","quantity":1},{"sku":"B","quantity":5e9}]}}}`,
			`"message":"Variable \"$i.lines[1].quantity\" is not a valid Int."`,
		},
		"number as string": {
			`{"query":"query($e:String!){customerByEmail(email:$e){id}}","variables":{"e":5}}`,
			`"message":"Variable \"$e\" is not a valid String."`,
		},
		"number within": {
			`{"query":"mutation($i:CreateCustomerInput!){createCustomer(input:$i){customer{id}}}",` +
				`"variables":{"i":{"name":5,"email":"ann@example.com"}}}`,
			`"message":"Variable \"$i.name\" is not a valid String."`,
		},
		"fraction as id": {
			`{"query":"query($i:ID!){customer(id:$i){id}}","variables":{"i":4.2}}`,
			`"message":"Variable \"$i\" is not a valid ID."`,
		},
		"whole number as id": {
			`{"query":"query($i:ID!){customer(id:$i){id}}","variables":{"i":42}}`, `"data":{"customer":{"id":"cust_42"}}`,
		},
		"panic": {`{"query":"{order(id:\"order_A17\"){id}}"}`, `"code":"INTERNAL_SERVER_ERROR"`},
		"deferred fragment": {
			`{"query":"{customer(id:\"cust_42\"){id ... @defer{name latestOrder{id}}}}"}`,
			`"message":"The directive @defer is not supported.","locations":[{"line":1,"column":33}]`,
		},
		"deferred spread": {`{"query":"{...F @defer} fragment F on Query{customer(id:\"cust_42\"){id}}"}`, `"code":"GRAPHQL_VALIDATION_FAILED"`},
		"introspection":   {`{"query":"{__schema{queryType{name}}}"}`, `"code":"GRAPHQL_VALIDATION_FAILED"`},
	}
	handler, err := httpapi.New(httpapi.Config{
		Schema: graph.NewExecutableSchema(graph.Config{Resolvers: rootResolver{}}),
		Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(test.body))
			r.Header.Set("Content-Type", "application/json")
			handler.ServeHTTP(w, r)
			require.Contains(t, w.Body.String(), test.want)
			for _, leak := range []string{"secret", "yesterday", "json.Number", "dal.", "nil pointer"} {
				require.NotContains(t, w.Body.String(), leak)
			}
		})
	}
}
