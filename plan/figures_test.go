package plan_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFiguresAsJSON is the form in which a plan is explained.
func TestFiguresAsJSON(t *testing.T) {
	t.Parallel()
	p := bind(t, `{customer(id:"cust_42"){name orders(first:20){nodes{id items(first:5){nodes{name quantity}}}}}}`, nil)
	text, err := json.Marshal(map[string]any{"plan": p.Figures(1)})
	require.NoError(t, err)
	require.JSONEq(t, `{"plan": {"rounds": 2, "requests": 2, "readUnits": 56.0, "writeUnits": 0, "steps": [
		{"path": "customer", "pattern": "customer-with-orders", "operation": "Query", "round": 1, "requests": 1, "keys": 22, "readUnits": 6.0},
		{"path": "customer.orders.items", "pattern": "items-by-order", "operation": "BatchGetItem", "round": 2, "requests": 1, "keys": 100, "readUnits": 50}]}}`, string(text))
}

// TestFigures says what operations cost at most: a line a step, then the totals.
func TestFigures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		document string
		shards   int
		want     string
	}{
		"nothing":  {`{__typename}`, 1, `0 rounds, 0 requests, 0 read, 0 write`},
		"a bad id": {`{customer(id:"order_1"){name}}`, 1, `0 rounds, 0 requests, 0 read, 0 write`},
		"siblings share a batch": {
			`{customer(id:"cust_1"){name} order(id:"order_1"){id} node(id:"prod_1"){id}}`, 1, `
			1 customer customer-by-id GetItem 1/1 0.5
			1 node product-by-id GetItem 1/1 0.5
			1 order order-by-id GetItem 1/1 0.5
			1 rounds, 1 requests, 1.5 read, 0 write`,
		},
		"a strong read is twice as dear": {
			`query @consistent {customer(id:"cust_1"){name}}`, 1, `
			1 customer customer-by-id GetItem 1/1 1
			1 rounds, 1 requests, 1 read, 0 write`,
		},
		"ids of all types, each once": {
			`{nodes(ids:["cust_1","cust_1","prod_1","order_1"]){...on Customer{latestOrder{id}} ...on Order{customer{id}} ...on Warehouse{openOrders{nodes{id}}}}}`, 1, `
			1 nodes customer-by-id GetItem 1/1 0.5
			1 nodes order-by-id GetItem 1/1 0.5
			1 nodes product-by-id GetItem 1/1 0.5
			1 nodes.latestOrder orders-by-customer Query 1/1 0.5
			2 nodes.customer customer-by-id GetItem 1/1 0.5
			2 rounds, 3 requests, 2.5 read, 0 write`,
		},
		"aliases of one thing": {
			`{a:customer(id:"cust_1"){orders(first:2){nodes{id}}} b:customer(id:"cust_1"){x:orders(first:2){edges{node{warehouse{id}}}} orders(first:5){nodes{w:warehouse{id}}}}}`, 1, `
			1 a customer-with-orders Query 1/7 2
			2 a.orders.w warehouse-by-id BatchGetItem 1/5 2.5
			2 a.orders.warehouse warehouse-by-id BatchGetItem 1/2 1
			2 rounds, 2 requests, 5.5 read, 0 write`,
		},
		"a field in nodes and in edges": {
			`{customer(id:"cust_1"){orders(first:2){nodes{warehouse{id}} edges{node{again:warehouse{name}}}}}}`, 1, `
			1 customer customer-with-orders Query 1/4 1.5
			2 customer.orders.warehouse warehouse-by-id BatchGetItem 1/2 1
			2 rounds, 2 requests, 2.5 read, 0 write`,
		},
		"a page beside its parent": {
			`{customer(id:"cust_1"){orders(last:3){nodes{id}}} order(id:"order_1"){items(last:90){nodes{product{id}}}}}`, 1, `
			1 customer customer-by-id GetItem 1/1 0.5
			1 customer.orders orders-by-customer Query 1/4 1
			1 order order-by-id GetItem 1/1 0.5
			1 order.items items-by-order Query 1/90 22.5
			2 order.items.product product-by-id BatchGetItem 1/90 45
			2 rounds, 4 requests, 69.5 read, 0 write`,
		},
		"a page that is empty by its bounds": {
			`{customer(id:"cust_1"){orders(filter:{placedFrom:"2025-01-02T00:00:00Z",placedBefore:"2025-01-01T00:00:00Z"}){nodes{customer{id}}}}}`, 1, `
			1 customer customer-by-id GetItem 1/1 0.5
			1 rounds, 1 requests, 0.5 read, 0 write`,
		},
		"every shard is asked": {
			`{warehouse(id:"wh_1"){openOrders(first:3){nodes{id}}}}`, 4, `
			1 warehouse warehouse-by-id GetItem 1/1 0.5
			1 warehouse.openOrders open-orders-by-warehouse Query 4/16 4
			1 rounds, 5 requests, 4.5 read, 0 write`,
		},
		"open orders are never read strongly, so nothing follows": {
			`query @consistent {warehouse(id:"wh_1"){openOrders{nodes{customer{id}}}}}`, 4, `
			1 warehouse warehouse-by-id GetItem 1/1 1
			1 rounds, 1 requests, 1 read, 0 write`,
		},
		"a guard comes first": {
			`query @consistent {customerByEmail(email:"a@example.com"){orders(first:1){nodes{id}}}}`, 1, `
			1 customerByEmail customer-by-email GetItem 1/1 1
			2 customerByEmail customer-by-email GetItem 1/1 1
			3 customerByEmail.orders orders-by-customer Query 1/2 1
			3 rounds, 3 requests, 3 read, 0 write`,
		},
		"more keys than a batch takes": {
			`{customer(id:"cust_1"){orders(first:100){nodes{items(first:2){nodes{product{id}}}}}}}`, 1, `
			1 customer customer-with-orders Query 1/102 26
			2 customer.orders.items items-by-order BatchGetItem 2/200 100
			3 customer.orders.items.product product-by-id BatchGetItem 2/200 100
			3 rounds, 5 requests, 226 read, 0 write`,
		},
		"back to where it was found": {
			`{customer(id:"cust_1"){orders(first:2){nodes{customer{name latestOrder{items(first:1){nodes{order{customer{warehouse:name}}}}}}}}}}`, 1, `
			1 customer customer-with-orders Query 1/4 1.5
			2 customer.orders.customer.latestOrder orders-by-customer Query 1/1 0.5
			3 customer.orders.customer.latestOrder.items items-by-order GetItem 1/1 0.5
			4 customer.orders.customer.latestOrder.items.order.customer customer-by-id GetItem 1/1 0.5
			4 rounds, 4 requests, 3 read, 0 write`,
		},
		"back through an index, which may lag": {
			`{customerByEmail(email:"a@example.com"){orders(first:50){nodes{customer{name}}}} warehouse(id:"wh_1"){openOrders(first:3){nodes{warehouse{name} items(first:2){nodes{order{id}}}}}}}`, 1, `
			1 customerByEmail customer-by-email Query 1/1 0.5
			1 warehouse warehouse-by-id GetItem 1/1 0.5
			1 warehouse.openOrders open-orders-by-warehouse Query 1/4 1
			2 customerByEmail.orders orders-by-customer Query 1/51 13
			2 warehouse.openOrders.items items-by-order BatchGetItem 1/6 3
			3 customerByEmail.orders.customer customer-by-id GetItem 1/1 0.5
			3 warehouse.openOrders.items.order order-by-id BatchGetItem 1/3 1.5
			3 rounds, 6 requests, 20 read, 0 write`,
		},
		"a customer made": {
			`mutation{createCustomer(input:{name:"A",email:"a@example.com"}){customer{name orders(first:1){nodes{customer{id}}}}}}`, 1, `
			1 createCustomer create-customer TransactWriteItems 1/2 0 20
			2 createCustomer.customer.orders orders-by-customer Query 1/2 1
			2 rounds, 2 requests, 1 read, 20 write`,
		},
		"an order placed, whose lines are known": {
			`mutation{placeOrder(input:{customerId:"cust_1",warehouseId:"wh_1",lines:[{sku:"a",quantity:1},{sku:"b",quantity:1}]}){order{items{nodes{order{id} product{id}}}}}}`, 1, `
			1 placeOrder place-order BatchGetItem 1/4 4
			2 placeOrder place-order TransactWriteItems 1/5 0 40
			3 placeOrder.order.items.product product-by-id BatchGetItem 1/2 2
			3 rounds, 3 requests, 6 read, 40 write`,
		},
		"one write after the other": {
			`mutation{a:putWarehouse(input:{id:"wh_1",name:"A"}){warehouse{openOrders{nodes{customer{id}}}}} b:putProduct(input:{sku:"s",name:"A",price:{amount:"1",currency:"EUR"}}){product{id}}}`, 1, `
			1 a put-warehouse GetItem 1/1 1
			2 a put-warehouse TransactWriteItems 1/1 0 8
			3 a.warehouse.openOrders open-orders-by-warehouse Query 1/21 5.5
			4 a.warehouse.openOrders.customer customer-by-id BatchGetItem 1/20 20
			5 b put-product GetItem 1/1 1
			6 b put-product TransactWriteItems 1/1 0 8
			6 rounds, 6 requests, 27.5 read, 16 write`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := bind(t, c.document, nil).Figures(c.shards)
			var got strings.Builder
			for _, s := range f.Steps {
				fmt.Fprintf(&got, "%d %s %s %s %d/%d %g", s.Round, s.Path, s.Pattern, s.Operation, s.Requests, s.Keys, s.ReadUnits)
				if s.WriteUnits > 0 {
					fmt.Fprintf(&got, " %g", s.WriteUnits)
				}
				got.WriteString("\n")
			}
			fmt.Fprintf(&got, "%d rounds, %d requests, %g read, %g write", f.Rounds, f.Requests, f.ReadUnits, f.WriteUnits)
			require.Equal(t, strings.ReplaceAll(strings.TrimSpace(c.want), "\t", ""), got.String())
		})
	}
}

// TestFiguresSaturate: lists within lists within lists, more than any table holds.
func TestFiguresSaturate(t *testing.T) {
	t.Parallel()
	const deep = 20
	document := `{warehouse(id:"wh_1"){` + strings.Repeat("openOrders(first:100){nodes{customer{orders(first:100){nodes{warehouse{", deep) + "name" +
		strings.Repeat("}}}}}}", deep) + "}}"
	f := bind(t, document, nil).Figures(1000)
	requireSane(t, f)
	require.Greater(t, f.Requests, 1<<39)
	require.Greater(t, f.ReadUnits, 1e12)
}
