package plan_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/loaders"
)

func failure(kind dal.Kind) error { return &dal.Error{Op: "test", Kind: kind} }

// primed is a result that a loader must know without asking.
func primed(t *testing.T, l *loaders.Loaders, r dal.Read) dal.Result {
	t.Helper()
	res, ok := l.Primed(t.Context(), r)
	require.True(t, ok, "%s is not primed", r.Pattern())
	return res
}

func entities(res dal.Result) (all []dal.Entity) { return res.Entities }

func TestRunPrimesWhatResolversAsk(t *testing.T) {
	t.Parallel()
	s := stocked()
	l := s.run(t, bind(t, `{customer(id:"cust_42"){latestOrder{id} orders(first:2){nodes{items(first:2){nodes{product{id}}} customer{id}}}}}`, nil))
	require.Equal(t, []dal.Entity{ann}, entities(primed(t, l, dal.CustomerByID("42"))))
	require.Equal(t, []dal.Entity{second}, entities(primed(t, l, dal.LatestOrder("42"))))
	require.Equal(t, []dal.Entity{second, first}, entities(primed(t, l, page("42", 2))))
	for n, r := range dal.LinesOfOrder(first, fewLines) {
		require.Equal(t, []dal.Entity{line(first, n+1)}, entities(primed(t, l, r)))
	}
	require.Equal(t, []dal.Entity{teapot}, entities(primed(t, l, dal.ProductBySKU("TEAPOT"))))
	require.Equal(t, []dal.Entity{first}, entities(primed(t, l, dal.OrderByID("A11"))), "what a page found is known by its id")
	_, known := l.Primed(t.Context(), dal.WarehouseByID("north"))
	require.False(t, known, "nothing else is")
}

// TestIndexesAreNoSourceOfIDs: an index lags, so what it gave is known only as what was asked of it.
func TestIndexesAreNoSourceOfIDs(t *testing.T) {
	t.Parallel()
	address, err := dal.ParseEmail("ann@example.com")
	require.NoError(t, err)
	s := stocked().lists(dal.CustomerByEmail(address), ann)
	l := s.run(t, bind(t, `{customerByEmail(email:"ann@example.com"){orders(first:2){nodes{customer{name}}}} warehouse(id:"wh_north"){openOrders(first:2){nodes{id}}}}`, nil))
	require.Equal(t, rounds{
		reads(dal.CustomerByEmail(address), dal.WarehouseByID("north"), dal.OpenOrdersByWarehouse("north", dal.OrderWindow{Count: 2})),
		reads(page("42", 2)),
		reads(dal.CustomerByID("42")),
	}, rounds(s.rounds))
	require.Equal(t, []dal.Entity{ann}, entities(primed(t, l, dal.CustomerByEmail(address))))
}

func TestConsistentByEmailGoesByTheGuard(t *testing.T) {
	t.Parallel()
	address, err := dal.ParseEmail("ann@example.com")
	require.NoError(t, err)
	owner := &dal.EmailOwner{Folded: address.Folded, CustomerID: "42"}
	s := stocked().has(owner)
	s.lists(dal.CustomerOfOwner(owner), ann)
	l := s.run(t, bind(t, `query @consistent{customerByEmail(email:"ANN@example.com"){orders(first:2){nodes{customer{name}}}}}`, nil))
	require.Equal(t, rounds{reads(dal.OwnerByEmail(address)), reads(dal.CustomerOfOwner(owner)), reads(page("42", 2))}, rounds(s.rounds))
	require.Equal(t, []dal.Consistency{dal.Strong, dal.Strong, dal.Strong}, s.consistency)
	require.Equal(t, []dal.Entity{ann}, entities(primed(t, l, dal.CustomerByID("42"))))

	s = (&table{}).has()
	s.run(t, bind(t, `query @consistent{customerByEmail(email:"nobody@example.com"){name}}`, nil))
	require.Len(t, s.rounds, 1, "an address of nobody ends it")
}

func TestRoundsAreNumberedAfterWhatHappened(t *testing.T) {
	t.Parallel()
	s := stocked()
	s.run(t, bind(t, `{customer(id:"cust_42"){latestOrder{items(first:2){nodes{product{id}}}}}}`, nil))
	require.Equal(t, []int{1, 1, 1}, s.numbers, "without a recorder there is nothing to count from")
	for _, c := range s.consistency {
		require.Equal(t, dal.Eventual, c)
	}
}

// TestPlannedMergesWait: products known early go out with those that come later.
func TestPlannedMergesWait(t *testing.T) {
	t.Parallel()
	s := stocked()
	s.run(t, bind(t, `{
		order(id:"order_A17"){items(first:2){nodes{product{id}}}}
		customer(id:"cust_42"){orders(first:2){nodes{items(first:2){nodes{product{id}}}}}}
	}`, nil))
	require.Equal(t, [][]string{
		{"customer-with-orders", "order-with-items"},
		{"items-by-order", "items-by-order", "product-by-id", "product-by-id"},
	}, s.patterns(), "and what is known already is not read again")
}

// TestFailuresReachTheirFields: what fails is primed with its error, once, and nothing is asked for below it.
func TestFailuresReachTheirFields(t *testing.T) {
	t.Parallel()
	throttled := failure(dal.KindThrottled)
	for _, c := range []struct {
		name, document string
		fails          []dal.Pattern
		rounds         int
		failed         []dal.Read
	}{
		{
			"a combined Query", `{customer(id:"cust_42"){orders(first:2){nodes{id}} latestOrder{id}}}`,
			[]dal.Pattern{"customer-with-orders"},
			1,
			[]dal.Read{dal.CustomerByID("42"), page("42", 2), dal.LatestOrder("42")},
		},
		{"an order with items", `{order(id:"order_A17"){items(first:2){nodes{id}}}}`, []dal.Pattern{"order-with-items"}, 1, []dal.Read{dal.OrderByID("A17")}},
		{
			"the page beside", `{customer(id:"cust_42"){orders(last:2){nodes{id}}}}`,
			[]dal.Pattern{"orders-by-customer"},
			1,
			[]dal.Read{dal.OrdersByCustomer("42", dal.OrderWindow{Count: 2, Backward: true}, dal.OrderCriteria{})},
		},
		{
			"the lines beside", `{order(id:"order_A17"){items(last:2){nodes{product{id}}}}}`,
			[]dal.Pattern{"items-by-order"},
			1,
			dal.LinesOfOrder(second, dal.LineWindow{Count: 2, Backward: true}),
		},
		{"one order's lines", `{customer(id:"cust_42"){latestOrder{items(first:2){nodes{product{id}}}}}}`, []dal.Pattern{"items-by-order"}, 2, dal.LinesOfOrder(second, fewLines)},
		{"many orders' lines", `{customer(id:"cust_42"){orders(first:2){nodes{items(first:2){nodes{product{id}}}}}}}`, []dal.Pattern{"items-by-order"}, 2, dal.LinesOfOrder(first, fewLines)},
		{"a batch", `{nodes(ids:["cust_42","prod_TEAPOT"]){id}}`, []dal.Pattern{"product-by-id"}, 1, []dal.Read{dal.ProductBySKU("TEAPOT")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := stocked()
			for _, p := range c.fails {
				s.fails[p] = throttled
			}
			l := s.run(t, bind(t, c.document, nil))
			require.Len(t, s.rounds, c.rounds)
			require.Empty(t, s.reread, "a failure is no absence")
			for _, r := range c.failed {
				require.Equal(t, throttled, primed(t, l, r).Err)
				require.Empty(t, primed(t, l, r).Entities)
			}
		})
	}
}

// TestLinesThatAQueryLeavesOut are read once more by their keys, whichever Query left them out.
func TestLinesThatAQueryLeavesOut(t *testing.T) {
	t.Parallel()
	lagging := linesOf(second)[:1]
	for name, c := range map[string]struct {
		document string
		read     dal.Read
		found    []dal.Entity
	}{
		"order with items": {
			`{order(id:"order_A17"){items(first:2){nodes{product{id}}}}}`,
			dal.OrderWithItems("A17", []dal.Read{dal.ItemsByOrder("A17", fewLines)}), append([]dal.Entity{second}, lagging...),
		},
		"one order's lines": {`{customer(id:"cust_42"){latestOrder{items(first:2){nodes{product{id}}}}}}`, dal.ItemsByOrder("A17", fewLines), lagging},
		"lines beside":      {`{node(id:"order_A17"){... on Order{items(first:2){nodes{product{id}}}}}}`, dal.ItemsByOrder("A17", fewLines), lagging},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stocked().lists(c.read, c.found...)
			l := s.run(t, bind(t, c.document, nil))
			missing := dal.LinesOfOrder(second, fewLines)[1]
			require.Equal(t, []dal.Read{missing}, s.reread)
			require.Equal(t, []dal.Entity{line(second, 2)}, entities(primed(t, l, missing)))
			last := s.patterns()[len(s.patterns())-1]
			require.Equal(t, []string{"product-by-id", "product-by-id"}, last, "and the plan goes on from it")
		})
	}
}

// TestOrdersOfACustomerThatIsGone: the page that its Query brought is that page, whoever asks for it.
func TestOrdersOfACustomerThatIsGone(t *testing.T) {
	t.Parallel()
	address, err := dal.ParseEmail("ann@example.com")
	require.NoError(t, err)
	together := dal.CustomerWithOrders("42", []dal.Read{page("42", 1)})
	s := (&table{}).lists(together, second, first).lists(dal.CustomerByEmail(address), ann)
	l := s.run(t, bind(t, `{customer(id:"cust_42"){orders(first:1){nodes{id}}} customerByEmail(email:"ann@example.com"){orders(first:1){nodes{id}}}}`, nil))
	require.Empty(t, entities(primed(t, l, dal.CustomerByID("42"))))
	require.Equal(t, dal.Result{Entities: []dal.Entity{second}, More: true}, primed(t, l, page("42", 1)))
}

func TestRunEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := stocked()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := bind(t, `{customer(id:"cust_42"){latestOrder{items{nodes{id}}}}}`, nil)
	p.Run(ctx, s, loaders.New(ctx, s, p.Consistency(), nil))
	require.Empty(t, s.rounds)
}

// TestBelowAWrite is what a mutation's payload reads.
func TestBelowAWrite(t *testing.T) {
	t.Parallel()
	document := `mutation{
		a: placeOrder(input:{customerId:"cust_42",warehouseId:"wh_north",lines:[{sku:"TEAPOT",quantity:1},{sku:"CANDLE",quantity:1}]}){
			order{customer{orders(first:2){nodes{id}}} items{nodes{product{id}}}} userErrors{code}
		}
		b: putWarehouse(input:{id:"wh_north",name:"N"}){warehouse{openOrders(first:2){nodes{id}}}}
		c: createCustomer(input:{name:"A",email:"a@example.com"}){userErrors{code}}
	}`
	p := bind(t, document, nil)
	require.Equal(t, dal.StrongButIndexes, p.Consistency())
	s := stocked()
	l := loaders.New(t.Context(), s, p.Consistency(), nil)
	p.Run(t.Context(), s, l)
	require.Empty(t, s.rounds, "nothing is read before the writes")

	placed := &dal.PlacedOrder{Order: first, Lines: []*dal.OrderItem{line(first, 1), line(first, 2)}}
	for _, a := range placed.Answers() {
		l.Prime(t.Context(), a.Read, a.Result)
	}
	p.RunBelow(t.Context(), s, l, "a", first)
	require.Equal(t, rounds{
		reads(dal.CustomerByID("42"), dal.ProductBySKU("TEAPOT"), dal.ProductBySKU("CANDLE")), reads(page("42", 2)),
	}, rounds(s.rounds), "the lines are known")
	require.Equal(t, []dal.Consistency{dal.StrongButIndexes, dal.StrongButIndexes}, s.consistency)

	s.rounds = nil
	p.RunBelow(t.Context(), s, l, "b", north)
	require.Equal(t, rounds{reads(dal.OpenOrdersByWarehouse("north", dal.OrderWindow{Count: 2}))}, rounds(s.rounds))
	s.rounds = nil
	p.RunBelow(t.Context(), s, l, "c", ann)
	p.RunBelow(t.Context(), s, l, "nothing", ann)
	require.Empty(t, s.rounds)
}
