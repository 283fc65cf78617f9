package plan_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/plan"
)

var (
	ann       = &dal.Customer{ID: "42", Name: "Ann"}
	bob       = &dal.Customer{ID: "43", Name: "Bob"}
	first     = &dal.Order{ID: "A11", CustomerID: "42", WarehouseID: "north", ItemCount: 2}
	second    = &dal.Order{ID: "A17", CustomerID: "42", WarehouseID: "south", ItemCount: 3}
	north     = &dal.Warehouse{ID: "north"}
	south     = &dal.Warehouse{ID: "south"}
	teapot    = &dal.Product{SKU: "TEAPOT"}
	candle    = &dal.Product{SKU: "CANDLE"}
	lines     = dal.LineWindow{Count: dal.DefaultPage}
	fewLines  = dal.LineWindow{Count: 2}
	plainPage = dal.OrderWindow{Count: dal.DefaultPage}
)

func line(o *dal.Order, n int) *dal.OrderItem {
	sku := dal.SKU("TEAPOT")
	if n%2 == 0 {
		sku = "CANDLE"
	}
	return &dal.OrderItem{OrderID: o.ID, Line: n, SKU: sku}
}

func linesOf(o *dal.Order) (all []dal.Entity) {
	for n := 1; n <= o.ItemCount; n++ {
		all = append(all, line(o, n))
	}
	return all
}

// stocked holds Ann with two orders, Bob without, and what they lead to; every way to read them answers.
func stocked() *table {
	t := (&table{}).has(ann, bob, first, second, north, south, teapot, candle)
	t.lists(dal.LatestOrder("42"), second)
	for _, n := range []int{1, 2, 3, dal.DefaultPage, 100} {
		w := dal.OrderWindow{Count: n}
		page := dal.OrdersByCustomer("42", w, dal.OrderCriteria{})
		latest := dal.LatestOrder("42")
		t.lists(page, second, first)
		t.lists(dal.CustomerWithOrders("42", []dal.Read{page}), ann, second, first)
		t.lists(dal.CustomerWithOrders("42", []dal.Read{page, latest}), ann, second, first)
		t.lists(dal.CustomerWithOrders("43", []dal.Read{page}), bob)
		t.lists(dal.OpenOrdersByWarehouse("north", w), first)
		t.lists(dal.OpenOrdersByWarehouse("south", w), second)
		for _, o := range []*dal.Order{first, second} {
			window := dal.LineWindow{Count: n}
			t.lists(dal.ItemsByOrder(o.ID, window), linesOf(o)[:min(n, o.ItemCount)]...)
			t.lists(dal.OrderWithItems(o.ID, []dal.Read{dal.ItemsByOrder(o.ID, window)}),
				append([]dal.Entity{o}, linesOf(o)[:min(n, o.ItemCount)]...)...)
		}
	}
	t.lists(dal.CustomerWithOrders("42", []dal.Read{dal.LatestOrder("42")}), ann, second)
	t.lists(dal.ItemsByOrder("A17", dal.LineWindow{Count: 2, Backward: true}), line(second, 2), line(second, 3))
	for _, o := range []*dal.Order{first, second} {
		for n, r := range dal.LinesOfOrder(o, lines) {
			t.lists(r, line(o, n+1))
			t.has(line(o, n+1))
		}
	}
	return t
}

func reads(rs ...dal.Read) map[dal.Read]bool {
	set := map[dal.Read]bool{}
	for _, r := range rs {
		set[r] = true
	}
	return set
}

func joined(parts ...[]dal.Read) map[dal.Read]bool {
	set := map[dal.Read]bool{}
	for _, part := range parts {
		for _, r := range part {
			set[r] = true
		}
	}
	return set
}

func page(id dal.CustomerID, n int) dal.Read {
	return dal.OrdersByCustomer(id, dal.OrderWindow{Count: n}, dal.OrderCriteria{})
}

type rounds []map[dal.Read]bool

// TestRounds is what operations read, round by round.
func TestRounds(t *testing.T) {
	t.Parallel()
	annWith := func(n int) dal.Read { return dal.CustomerWithOrders("42", []dal.Read{page("42", n)}) }
	for _, c := range []struct {
		name, document string
		variables      map[string]any
		want           rounds
	}{
		{"nothing", `{__typename}`, nil, nil},
		{"a customer", `{customer(id:"cust_42"){name}}`, nil, rounds{reads(dal.CustomerByID("42"))}},
		{"leaves only", `{customer(id:"cust_42"){id __typename}}`, nil, rounds{reads(dal.CustomerByID("42"))}},
		{"a customer with orders", `{customer(id:"cust_42"){orders(first:2){nodes{id}}}}`, nil, rounds{reads(annWith(2))}},
		{"the default page", `{customer(id:"cust_42"){orders{edges{node{id}}}}}`, nil, rounds{reads(annWith(20))}},
		{"nulls are left out", `{customer(id:"cust_42"){orders(first:2,after:null,last:null,before:null,filter:null){nodes{id}}}}`, nil, rounds{reads(annWith(2))}},
		{"an empty filter is none", `{customer(id:"cust_42"){orders(first:2,filter:{}){nodes{id}}}}`, nil, rounds{reads(annWith(2))}},
		{"the largest page counts", `{customer(id:"cust_42"){a:orders(first:2){nodes{id}} b:orders(first:3){nodes{id}}}}`, nil, rounds{reads(annWith(3))}},
		{"the latest comes along", `{customer(id:"cust_42"){latestOrder{id} orders(first:2){nodes{id}}}}`, nil, rounds{reads(annWith(2))}},
		{"the latest alone", `{customer(id:"cust_42"){latestOrder{id}}}`, nil, rounds{reads(dal.CustomerWithOrders("42", []dal.Read{dal.LatestOrder("42")}))}},
		{"another page goes out beside", `{customer(id:"cust_42"){orders(last:2){nodes{id}}}}`, nil, rounds{reads(
			dal.CustomerByID("42"), dal.OrdersByCustomer("42", dal.OrderWindow{Count: 2, Backward: true}, dal.OrderCriteria{}),
		)}},
		{"a filtered page goes out beside", `{customer(id:"cust_42"){orders(filter:{status:PAID}){nodes{id}} latestOrder{id}}}`, nil, rounds{reads(
			dal.CustomerWithOrders("42", []dal.Read{dal.LatestOrder("42")}),
			dal.OrdersByStatus("42", plainPage, dal.OrderCriteria{Status: dal.StatusPaid}),
		)}},
		{"an order", `{order(id:"order_A17"){id}}`, nil, rounds{reads(dal.OrderByID("A17"))}},
		{"an order with items", `{order(id:"order_A17"){items(first:2){nodes{line}}}}`, nil, rounds{
			reads(dal.OrderWithItems("A17", []dal.Read{dal.ItemsByOrder("A17", fewLines)})),
		}},
		{"items from the end go out beside", `{order(id:"order_A17"){items(last:2){nodes{line}}}}`, nil, rounds{
			reads(dal.OrderByID("A17"), dal.ItemsByOrder("A17", dal.LineWindow{Count: 2, Backward: true})),
		}},
		{"a warehouse and its open orders", `{warehouse(id:"wh_north"){name openOrders{nodes{id}}}}`, nil, rounds{
			reads(dal.WarehouseByID("north"), dal.OpenOrdersByWarehouse("north", plainPage)),
		}},
		{"one order's lines are one Query", `{customer(id:"cust_42"){latestOrder{items{nodes{line}}}}}`, nil, rounds{
			reads(dal.CustomerWithOrders("42", []dal.Read{dal.LatestOrder("42")})), reads(dal.ItemsByOrder("A17", lines)),
		}},
		{"many orders' lines are keys", `{customer(id:"cust_42"){orders(first:2){nodes{items(first:2){nodes{line}}}}}}`, nil, rounds{
			reads(annWith(2)), joined(dal.LinesOfOrder(first, fewLines), dal.LinesOfOrder(second, fewLines)),
		}},
		{"three levels", `{customer(id:"cust_42"){orders(first:2){nodes{warehouse{name} items(first:2){nodes{product{name}}}}}}}`, nil, rounds{
			reads(annWith(2)),
			joined(dal.LinesOfOrder(first, fewLines), dal.LinesOfOrder(second, fewLines), []dal.Read{dal.WarehouseByID("north"), dal.WarehouseByID("south")}),
			reads(dal.ProductBySKU("TEAPOT"), dal.ProductBySKU("CANDLE")),
		}},
		{"aliases merge into a round", `{a:customer(id:"cust_42"){name} b:customer(id:"cust_43"){name} c:product(id:"prod_TEAPOT"){name}}`, nil, rounds{
			reads(dal.CustomerByID("42"), dal.CustomerByID("43"), dal.ProductBySKU("TEAPOT")),
		}},
		{"one entity by two aliases is read once", `{a:customer(id:"cust_42"){name} b:customer(id:"cust_42"){email}}`, nil, rounds{reads(dal.CustomerByID("42"))}},
		{"one field twice merges", `{customer(id:"cust_42"){orders(first:2){nodes{id}}} customer(id:"cust_42"){orders(first:2){nodes{customer{name}}}}}`, nil, rounds{reads(annWith(2))}},
		{"fragments merge with fields", `{customer(id:"cust_42"){...A orders(first:2){nodes{id}}}} fragment A on Customer{...B orders(first:2){nodes{warehouse{id}}}} fragment B on Customer{name}`, nil, rounds{
			reads(annWith(2)), reads(dal.WarehouseByID("north"), dal.WarehouseByID("south")),
		}},
		{"a node", `{node(id:"order_A17"){... on Order{warehouse{name}} ... on Customer{latestOrder{id}}}}`, nil, rounds{
			reads(dal.OrderByID("A17")), reads(dal.WarehouseByID("south")),
		}},
		{"a node's page goes out beside", `{node(id:"cust_42"){... on Customer{latestOrder{id}}}}`, nil, rounds{reads(dal.CustomerByID("42"), dal.LatestOrder("42"))}},
		{"nodes of all types", `{nodes(ids:["cust_42","order_A17","item_A17_002","prod_TEAPOT","wh_north","cust_42","cust_none"]){id ... on Customer{name} ... on OrderItem{product{name}} ... on Warehouse{openOrders{nodes{id}}}}}`, nil, rounds{
			reads(dal.CustomerByID("42"), dal.OrderByID("A17"), dal.ItemByID("A17", 2), dal.ProductBySKU("TEAPOT"), dal.WarehouseByID("north"),
				dal.CustomerByID("none"), dal.OpenOrdersByWarehouse("north", plainPage)),
			reads(dal.ProductBySKU("CANDLE")),
		}},
		{"nodes' lines are keys", `{nodes(ids:["order_A17"]){... on Order{items(first:2){nodes{line}}}}}`, nil, rounds{
			reads(dal.OrderByID("A17")), joined(dal.LinesOfOrder(second, fewLines)),
		}},
		{"fragments on interfaces", `{node(id:"cust_42"){...N}} fragment N on Node{id ... on Node{... on Customer{...C}}} fragment C on Customer{latestOrder{id}}`, nil, rounds{
			reads(dal.CustomerByID("42"), dal.LatestOrder("42")),
		}},
		{"a fragment of another type", `{customer(id:"cust_42"){... on Node{... on Order{warehouse{id}}}}}`, nil, rounds{reads(dal.CustomerByID("42"))}},
		{"cycles are read once", `{customer(id:"cust_42"){orders(first:2){nodes{customer{orders(first:2){nodes{customer{orders(first:2){nodes{id}}}}}}}}}}`, nil, rounds{reads(annWith(2))}},
		{"back to the order", `{order(id:"order_A17"){items(first:2){nodes{order{items(first:2){nodes{order{id}}}}}}}}`, nil, rounds{
			reads(dal.OrderWithItems("A17", []dal.Read{dal.ItemsByOrder("A17", fewLines)})),
		}},
		{"what is missing leads nowhere", `{customer(id:"cust_none"){orders{nodes{items{nodes{id}}}} latestOrder{id}}}`, nil, rounds{
			reads(dal.CustomerWithOrders("none", []dal.Read{page("none", 20), dal.LatestOrder("none")})),
		}},
		{"no orders, no more rounds", `{customer(id:"cust_43"){orders(first:2){nodes{items{nodes{product{id}}}}}}}`, nil, rounds{
			reads(dal.CustomerWithOrders("43", []dal.Read{page("43", 2)})),
		}},
		{
			"skip and include", `query($yes:Boolean!,$no:Boolean!){a:customer(id:"cust_42")@include(if:$yes){name} b:customer(id:"cust_43")@include(if:$no){name} c:product(id:"prod_TEAPOT")@skip(if:$yes){name} d:warehouse(id:"wh_north")@skip(if:$no){name}}`,
			map[string]any{"yes": true, "no": false},
			rounds{reads(dal.CustomerByID("42"), dal.WarehouseByID("north"))},
		},
		{"constants", `{a:customer(id:"cust_42")@include(if:true)@skip(if:false){name} b:customer(id:"cust_43")@include(if:false){name} c:customer(id:"cust_44")@skip(if:true){name}}`, nil, rounds{reads(dal.CustomerByID("42"))}},
		{
			"both must hold", `query($yes:Boolean!){a:customer(id:"cust_42")@include(if:$yes)@skip(if:$yes){name} b:customer(id:"cust_43")@include(if:$yes)@skip(if:false){name}}`,
			map[string]any{"yes": true},
			rounds{reads(dal.CustomerByID("43"))},
		},
		{"defaults of variables", `query($yes:Boolean=true,$no:Boolean=false,$n:Int=2){customer(id:"cust_42")@include(if:$yes){orders(first:$n)@skip(if:$no){nodes{id}}}}`, nil, rounds{reads(annWith(2))}},
		{"a default given up", `query($yes:Boolean=true){customer(id:"cust_42")@include(if:$yes){name}}`, map[string]any{"yes": false}, nil},
		{
			"one of two occurrences", `query($a:Boolean!,$b:Boolean!){customer(id:"cust_42"){name ...A@include(if:$a) ...A@include(if:$b)}} fragment A on Customer{orders(first:2){nodes{id}}}`,
			map[string]any{"a": false, "b": true},
			rounds{reads(annWith(2))},
		},
		{
			"neither of two occurrences", `query($a:Boolean!,$b:Boolean!){customer(id:"cust_42"){name ...A@include(if:$a) ...A@include(if:$b)}} fragment A on Customer{orders(first:2){nodes{id}}}`,
			map[string]any{"a": false, "b": false},
			rounds{reads(dal.CustomerByID("42"))},
		},
		{
			"a condition around a condition", `query($a:Boolean!,$b:Boolean!){customer(id:"cust_42"){name ... @include(if:$a){... @skip(if:$b){orders(first:2){nodes{id}}}}}}`,
			map[string]any{"a": true, "b": true},
			rounds{reads(dal.CustomerByID("42"))},
		},
		{
			"a condition on a part of a merged field", `query($a:Boolean!){customer(id:"cust_42"){orders(first:2){nodes{id}}} ...A@include(if:$a)} fragment A on Query{customer(id:"cust_42"){orders(first:2){nodes{warehouse{id}}}}}`,
			map[string]any{"a": false},
			rounds{reads(annWith(2))},
		},
		{
			"a connection left out", `query($a:Boolean!){customer(id:"cust_42"){orders(first:2){nodes@include(if:$a){warehouse{id}} edges{node@include(if:$a){warehouse{id}}}}}}`,
			map[string]any{"a": false},
			rounds{reads(annWith(2))},
		},
		{
			"variables as arguments", `query($id:ID!,$n:Int,$f:OrderFilter){customer(id:$id){orders(first:$n,filter:$f){nodes{id}}}}`,
			map[string]any{"id": "cust_42", "n": 2, "f": map[string]any{"status": "PAID"}},
			rounds{reads(
				dal.CustomerByID("42"), dal.OrdersByStatus("42", dal.OrderWindow{Count: 2}, dal.OrderCriteria{Status: dal.StatusPaid}),
			)},
		},
		{"a variable within a filter", `query($s:OrderStatus){customer(id:"cust_42"){orders(first:2,filter:{status:$s}){nodes{id}}}}`, nil, rounds{reads(annWith(2))}},
		{"one id for many", `{nodes(ids:"cust_42"){id}}`, nil, rounds{reads(dal.CustomerByID("42"))}},
		{"one id for many by a variable", `query($ids:[ID!]!){nodes(ids:$ids){id}}`, map[string]any{"ids": "cust_42"}, rounds{reads(dal.CustomerByID("42"))}},
		{"a bad id", `{customer(id:"order_A17"){name} product(id:"prod_TEAPOT"){name}}`, nil, rounds{reads(dal.ProductBySKU("TEAPOT"))}},
		{"a number for an id", `{customer(id:42){name} node(id:7){id}}`, nil, nil},
		{"a bad page", `{customer(id:"cust_42"){a:orders(first:0){nodes{id}} b:orders(first:1,last:1){nodes{id}} c:orders(after:"x"){nodes{id}} d:orders(first:101){nodes{id}}}}`, nil, rounds{reads(dal.CustomerByID("42"))}},
		{"a bad page of items", `{order(id:"order_A17"){items(first:-1){nodes{product{id}}}}}`, nil, rounds{reads(dal.OrderByID("A17"))}},
		{"a bad time", `{customer(id:"cust_42"){orders(filter:{placedFrom:"yesterday"}){nodes{id}}}}`, nil, rounds{reads(dal.CustomerByID("42"))}},
		{"a bad address", `{customerByEmail(email:"nobody"){name}}`, nil, nil},
		{"one bad id among many", `{nodes(ids:["cust_42","x"]){id}}`, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := stocked()
			s.run(t, bind(t, c.document, c.variables))
			require.Equal(t, c.want, rounds(s.rounds))
			require.Empty(t, s.reread)
		})
	}
}

func TestTooManyIDs(t *testing.T) {
	t.Parallel()
	ids := make([]any, dal.MaxIDs)
	for i := range ids {
		ids[i] = fmt.Sprint("prod_", i)
	}
	s := stocked()
	s.run(t, bind(t, `query($ids:[ID!]!){nodes(ids:$ids){id}}`, map[string]any{"ids": ids}))
	require.Len(t, s.rounds[0], dal.MaxIDs)
	s = stocked()
	s.run(t, bind(t, `query($ids:[ID!]!){nodes(ids:$ids){id}}`, map[string]any{"ids": slices.Concat(ids, []any{"prod_x"})}))
	require.Empty(t, s.rounds)
}

// TestBindTwice: an operation is kept beside its document and bound again and again.
func TestBindTwice(t *testing.T) {
	t.Parallel()
	op, _ := compile(t, `query($a:Boolean!,$id:ID!){customer(id:$id){latestOrder@include(if:$a){items{nodes{product{id}}}}}}`)
	for range 3 {
		for _, a := range []bool{true, false} {
			s := stocked()
			s.run(t, op.Bind(map[string]any{"a": a, "id": "cust_42"}))
			if a {
				require.Len(t, s.rounds, 3)
			} else {
				require.Equal(t, rounds{reads(dal.CustomerByID("42"))}, rounds(s.rounds))
			}
		}
	}
}

// TestConditionsOnUnions compiles against a schema that has one.
func TestConditionsOnUnions(t *testing.T) {
	t.Parallel()
	source := `type Query{order(id:ID!):Order found(id:ID!):Found} union Found=Order|Customer interface Node{id:ID!}
		type Order implements Node{id:ID! customer:Customer} type Customer implements Node{id:ID!}`
	s := gqlparser.MustLoadSchema(&ast.Source{Input: source})
	doc, errs := gqlparser.LoadQueryWithRules(s, `{order(id:"order_A17"){...on Found{...on Order{customer{id}}} ...on Node{id}}}`, nil)
	require.Nil(t, errs)
	op, err := plan.Compile(s, doc.Operations[0])
	require.NoError(t, err)
	table := stocked()
	table.run(t, op.Bind(nil))
	require.Equal(t, rounds{reads(dal.OrderByID("A17")), reads(dal.CustomerByID("42"))}, rounds(table.rounds))
}

// parse reads a document without validating it: validation has its own trouble with bombs, and its own guard.
func parse(t *testing.T, document string) *ast.OperationDefinition {
	t.Helper()
	doc, errs := gqlparser.LoadQueryWithRules(schema(), document, rules.NewRules())
	require.Nil(t, errs, "%v", errs)
	return doc.Operations[0]
}

// bombs are documents whose merged selections are far larger than their text.
func bombs() map[string]string {
	const deep = 40
	chain := func(on, body string) string {
		var text strings.Builder
		for i := range deep {
			next := fmt.Sprintf("F%d", i+1)
			if i == deep-1 {
				next = "E"
			}
			fmt.Fprintf(&text, "fragment F%d on %s{%s} ", i, on, strings.ReplaceAll(body, "NEXT", next))
		}
		return text.String() + "fragment E on " + on + "{id}"
	}
	variables := make([]string, deep)
	for i := range variables {
		variables[i] = fmt.Sprintf("$v%d:Boolean!", i)
	}
	conditional := func(on, body string) string {
		var text strings.Builder
		for i := range deep {
			next := fmt.Sprintf("F%d", i+1)
			if i == deep-1 {
				next = "E"
			}
			b := strings.ReplaceAll(strings.ReplaceAll(body, "NEXT", next), "VAR", fmt.Sprintf("$v%d", i))
			fmt.Fprintf(&text, "fragment F%d on %s{%s} ", i, on, b)
		}
		return text.String() + "fragment E on " + on + "{latestOrder{id}}"
	}
	nested := func(n int, condition func(i int) string) string {
		var text strings.Builder
		for i := range n {
			text.WriteString("...@include(if:" + condition(i) + "){")
		}
		return text.String() + "latestOrder{id}" + strings.Repeat("}", n)
	}
	var many []string
	for i := range 300 {
		many = append(many, fmt.Sprintf("$w%d:Boolean!", i))
	}
	wide := strings.Repeat("latestOrder{id} ", 300)
	var spreads strings.Builder
	for i := range 300 {
		fmt.Fprintf(&spreads, "a%d:customer(id:\"cust_42\"){...W} ", i)
	}
	return map[string]string{
		"fields that double":     `{customer(id:"cust_42"){...F0}} ` + chain("Customer", "a:latestOrder{customer{...NEXT}} b:latestOrder{customer{...NEXT}}"),
		"types that multiply":    `{node(id:"cust_42"){...F0}} ` + strings.ReplaceAll(chain("Customer", "latestOrder{customer{...NEXT}} orders{nodes{customer{...NEXT}} edges{node{customer{...NEXT}}}}"), "zz", ""),
		"conditions that double": `query(` + strings.Join(variables, ",") + `){customer(id:"cust_42"){...F0}} ` + conditional("Customer", "...NEXT@include(if:VAR) ...NEXT@skip(if:VAR)"),
		"conditions on fields":   `query(` + strings.Join(variables, ",") + `){customer(id:"cust_42"){...F0}} ` + conditional("Customer", "latestOrder{customer{...NEXT@include(if:VAR)}} latestOrder{customer{...NEXT@skip(if:VAR)}}"),
		"a wide fragment":        `{` + spreads.String() + `} fragment W on Customer{` + wide + `}`,
		"a tower of conditions":  `query(` + strings.Join(slices.Concat(variables, many), ",") + `){customer(id:"cust_42"){` + nested(300, func(i int) string { return fmt.Sprintf("$w%d", i) }) + ` ...F0}} ` + conditional("Customer", nested(1, func(int) string { return "VAR" })+" ...NEXT@include(if:VAR) ...NEXT@skip(if:VAR)"),
	}
}

func TestBombs(t *testing.T) { //nolint:paralleltest // it measures
	for name, document := range bombs() {
		t.Run(name, func(t *testing.T) {
			operation := parse(t, document)
			s := schema()
			took := time.Hour // the best of several, on a machine that has other things to do
			var memory uint64
			for range 5 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				start := time.Now()
				op, err := plan.Compile(s, operation)
				took = min(took, time.Since(start))
				runtime.ReadMemStats(&after)
				require.ErrorIs(t, err, plan.TooLargeError{})
				require.Nil(t, op)
				memory = after.TotalAlloc - before.TotalAlloc
			}
			t.Log(took, memory>>20, "MB")
			require.Less(t, took, 100*time.Millisecond*slowdown)
			require.Less(t, memory, uint64(64<<20))
		})
	}
}

// TestNoBombs are documents that only look like it: what merges is small.
func TestNoBombs(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "fragment F%d on Customer{...F%d ...F%d} ", i, i+1, i+1)
	}
	for name, document := range map[string]string{
		"spreads that double":      `{customer(id:"cust_42"){...F0}} ` + text.String() + `fragment F200 on Customer{latestOrder{id}}`,
		"one field many times":     `{customer(id:"cust_42"){` + strings.Repeat("latestOrder{id} ", 1000) + `}}`,
		"one condition many times": `query($a:Boolean!){customer(id:"cust_42"){` + strings.Repeat("...@include(if:$a){", 300) + "latestOrder{id}" + strings.Repeat("}", 300) + `}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			definition, known := parse(t, document), schema()
			start := time.Now()
			op, err := plan.Compile(known, definition)
			require.NoError(t, err)
			require.Less(t, time.Since(start), time.Second*slowdown) // it merges in a few milliseconds, or never ends
			s := stocked()
			s.run(t, op.Bind(map[string]any{"a": true}))
			require.Equal(t, rounds{reads(dal.CustomerWithOrders("42", []dal.Read{dal.LatestOrder("42")}))}, rounds(s.rounds))
		})
	}
}
