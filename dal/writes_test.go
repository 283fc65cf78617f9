package dal_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
)

// at stops the clock that writes are stamped with; it is off the millisecond, as real clocks are.
func at(instant time.Time) func(*dal.Config) {
	return func(c *dal.Config) { c.Clock = func() time.Time { return instant.Add(1234 * time.Nanosecond) } }
}

// one is what a read of a single item finds, nil when there is nothing.
func (s *shop) one(r dal.Read) dal.Entity {
	s.t.Helper()
	res := s.load(dal.LoadOptions{Consistency: dal.StrongButIndexes}, r)[r]
	require.NoError(s.t, res.Err)
	if len(res.Entities) == 0 {
		return nil
	}
	return res.Entities[0]
}

func codes(rejections []*dal.Rejection) (all []string) {
	for _, r := range rejections {
		all = append(all, string(r.Code)+" "+strings.Join(r.Field, "."))
	}
	return all
}

// inParallel runs a function many times at once.
func inParallel(n int, f func(i int)) {
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { f(i) })
	}
	group.Wait()
}

func TestCreateCustomer(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1, at(noon))
	ctx, recorder := inContext(t)
	address := email(t, "Ann@Example.com")
	c, rejections, err := s.table.CreateCustomer(ctx, dal.NewCustomer{Name: "Ann", Email: address})
	require.NoError(t, err)
	require.Empty(t, rejections)
	require.Len(t, string(c.ID), 26, "a ULID")
	require.Equal(t, &dal.Customer{ID: c.ID, Name: "Ann", Email: "Ann@Example.com", CreatedAt: noon, UpdatedAt: noon, Version: 1}, c)
	require.Equal(t, []string{"TransactWriteItems"}, operations(s.wire.take()))
	calls := recorder.Calls()
	require.Len(t, calls, 1)
	require.Equal(t, []dal.Pattern{"create-customer"}, calls[0].Patterns)
	require.LessOrEqual(t, calls[0].WriteUnits, dal.CreateCustomerBound().WriteUnits)
	require.Positive(t, calls[0].WriteUnits)

	require.Equal(t, c, s.one(dal.CustomerByID(c.ID)))
	require.Equal(t, c, s.one(dal.CustomerByEmail(email(t, "ANN@EXAMPLE.COM"))))
	require.Equal(t, &dal.EmailOwner{Folded: address.Folded, CustomerID: c.ID}, s.one(dal.OwnerByEmail(address)))
	require.Len(t, s.dump(), 3, "the settings, the customer and the guard")
}

func TestCreateCustomerRejected(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	_, _, err := s.table.CreateCustomer(t.Context(), dal.NewCustomer{Name: "Ann", Email: email(t, "ann@example.com")})
	require.NoError(t, err)
	before := s.dump()
	for name, c := range map[string]struct {
		in   dal.NewCustomer
		want string
	}{
		"taken":                 {dal.NewCustomer{Name: "Bob", Email: email(t, "ann@example.com")}, "EMAIL_TAKEN email"},
		"taken in another case": {dal.NewCustomer{Name: "Bob", Email: email(t, "ANN@Example.COM")}, "EMAIL_TAKEN email"},
		"no name":               {dal.NewCustomer{Email: email(t, "bob@example.com")}, "INVALID name"},
		"too long a name":       {dal.NewCustomer{Name: strings.Repeat("x", 201), Email: email(t, "bob@example.com")}, "INVALID name"},
	} {
		got, rejections, err := s.table.CreateCustomer(t.Context(), c.in)
		require.NoError(t, err, name)
		require.Nil(t, got, name)
		require.Equal(t, []string{c.want}, codes(rejections), name)
		require.NotEmpty(t, rejections[0].Message)
	}
	require.ElementsMatch(t, before, s.dump(), "nothing was written")
}

func TestOneOfManyGetsTheAddress(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	var won, taken sync.Map
	inParallel(20, func(i int) {
		c, rejections, err := s.table.CreateCustomer(t.Context(), dal.NewCustomer{Name: strconv.Itoa(i), Email: email(t, "ann@example.com")})
		if err == nil && c != nil {
			won.Store(c.ID, c)
		}
		if err == nil && slices.Equal(codes(rejections), []string{"EMAIL_TAKEN email"}) {
			taken.Store(i, true)
		}
	})
	require.Equal(t, 19, size(&taken))
	require.Equal(t, 1, size(&won))
	owner := s.one(dal.OwnerByEmail(email(t, "ann@example.com"))).(*dal.EmailOwner)
	winner, ok := won.Load(owner.CustomerID)
	require.True(t, ok)
	require.Equal(t, winner, s.one(dal.CustomerByID(owner.CustomerID)))
	require.Len(t, s.dump(), 3, "losers leave nothing behind")
}

func size(m *sync.Map) (n int) {
	m.Range(func(any, any) bool { n++; return true })
	return n
}

func TestPutProduct(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1, at(noon))
	ctx, recorder := inContext(t)
	in := dal.NewProduct{SKU: "X#1", Name: "Thing", Price: money(t, "1.50", "EUR")}
	p, rejections, err := s.table.PutProduct(ctx, in)
	require.NoError(t, err)
	require.Empty(t, rejections)
	require.Equal(t, &dal.Product{SKU: "X#1", Name: "Thing", Price: in.Price, Version: 1, UpdatedAt: noon}, p)
	require.Equal(t, p, s.one(dal.ProductBySKU("X#1")))

	calls := recorder.Calls()
	bound := dal.PutProductBound()
	require.Len(t, calls, 2)
	require.Equal(t, []int{1, 2}, []int{calls[0].Round, calls[1].Round})
	require.LessOrEqual(t, calls[0].ReadUnits, bound.Read.ReadUnits)
	require.LessOrEqual(t, calls[1].WriteUnits, bound.WriteUnits)

	in.Name, in.Price = "Other", money(t, "0", "USD")
	p, _, err = s.table.PutProduct(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, &dal.Product{SKU: "X#1", Name: "Other", Price: in.Price, Version: 2, UpdatedAt: noon}, p)
	require.Equal(t, p, s.one(dal.ProductBySKU("X#1")))
}

func TestPutProductRejected(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	before := s.dump()
	s.wire.take()
	for want, in := range map[string]dal.NewProduct{
		"INVALID name":         {SKU: "X", Price: money(t, "1", "EUR")},
		"INVALID price.amount": {SKU: "X", Name: "Thing", Price: money(t, "-0.01", "EUR")},
	} {
		p, rejections, err := s.table.PutProduct(t.Context(), in)
		require.NoError(t, err)
		require.Nil(t, p)
		require.Equal(t, []string{want}, codes(rejections))
	}
	_, rejections, err := s.table.PutWarehouse(t.Context(), dal.NewWarehouse{ID: "n", Name: strings.Repeat("x", 201)})
	require.NoError(t, err)
	require.Equal(t, []string{"INVALID name"}, codes(rejections))
	require.Empty(t, s.wire.take(), "bad input costs nothing")
	require.ElementsMatch(t, before, s.dump())
}

// TestAPutKeepsWhatItDoesNotKnow: a later version's attribute survives an earlier version's write.
func TestAPutKeepsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	_, _, err := s.table.PutWarehouse(t.Context(), dal.NewWarehouse{ID: "n", Name: "North"})
	require.NoError(t, err)
	it := s.get("WAREHOUSE#n", "PROFILE")
	it["color"] = text("red")
	s.put(it)
	w, _, err := s.table.PutWarehouse(t.Context(), dal.NewWarehouse{ID: "n", Name: "Norden"})
	require.NoError(t, err)
	require.Equal(t, 2, w.Version)
	require.Equal(t, w, s.one(dal.WarehouseByID("n")))
	require.Equal(t, text("red"), s.get("WAREHOUSE#n", "PROFILE")["color"])
}

// TestConcurrentPutsLoseNothing: every put that says it was done raised the version, by one.
func TestConcurrentPutsLoseNothing(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	var mu sync.Mutex
	versions := map[int]string{}
	inParallel(12, func(i int) {
		w, rejections, err := s.table.PutWarehouse(t.Context(), dal.NewWarehouse{ID: "n", Name: strconv.Itoa(i)})
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			if kindOf(t, err) != dal.KindConflict {
				t.Error(err)
			}
			return
		}
		if len(rejections) > 0 || versions[w.Version] != "" {
			t.Errorf("version %d twice, or %v", w.Version, rejections)
		}
		versions[w.Version] = w.Name
	})
	stored := s.one(dal.WarehouseByID("n")).(*dal.Warehouse)
	require.Len(t, versions, stored.Version)
	require.Equal(t, versions[stored.Version], stored.Name)
}

// TestAPutThatIsOvertakenIsDoneAgain, as a retry: it costs no further round.
func TestAPutThatIsOvertakenIsDoneAgain(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	overtake := func(times int) {
		s.wire.take()
		s.wire.fault = func(r request) *answer {
			if r.operation == "TransactWriteItems" && r.try <= times {
				it := item{"PK": text("PRODUCT#X"), "SK": text("PROFILE"), "name": text("Other"), "price": number("1"), "currency": text("EUR"), "version": number(strconv.Itoa(r.try)), "updatedAt": text("2025-03-01")}
				s.put(it)
			}
			return nil
		}
	}
	in := dal.NewProduct{SKU: "X", Name: "Thing", Price: money(t, "1.50", "EUR")}
	overtake(2)
	ctx, recorder := inContext(t)
	p, _, err := s.table.PutProduct(ctx, in)
	require.NoError(t, err)
	require.Equal(t, 3, p.Version)
	require.Equal(t, p, s.one(dal.ProductBySKU("X")))
	calls := recorder.Calls()
	require.Len(t, calls, 6)
	retries := 0
	for _, c := range calls {
		require.LessOrEqual(t, c.Round, 2)
		if c.Retry {
			retries++
		}
	}
	require.Equal(t, 4, retries)

	overtake(100)
	_, _, err = s.table.PutProduct(t.Context(), in)
	require.Equal(t, dal.KindConflict, kindOf(t, err), "not for ever")
	require.Len(t, s.wire.take(), 8)
	s.wire.fault = nil
	require.Equal(t, "Other", s.one(dal.ProductBySKU("X")).(*dal.Product).Name, "the loser wrote nothing")
}

// open fills the table with what orders are made of.
func (s *shop) open() dal.NewOrder {
	s.t.Helper()
	usd := aProduct(s.t, "USD")
	usd.Product.Price = money(s.t, "1", "USD")
	dear := aProduct(s.t, "Y")
	dear.Product.Name, dear.Product.Price = "Dear", money(s.t, "19.99", "EUR")
	s.fill(aCustomer(s.t, "42"), aWarehouse("north"), aProduct(s.t, "X"), dear, usd)
	return dal.NewOrder{Customer: "42", Warehouse: "north", Lines: []dal.NewLine{{SKU: "X", Quantity: 3}, {SKU: "Y", Quantity: 1}, {SKU: "X", Quantity: 1}}}
}

func TestPlaceOrder(t *testing.T) {
	t.Parallel()
	s := openShop(t, 4, at(noon))
	in := s.open()
	ctx, recorder := inContext(t)
	placed, rejections, err := s.table.PlaceOrder(ctx, in)
	require.NoError(t, err)
	require.Empty(t, rejections)
	o := placed.Order
	require.Equal(t, &dal.Order{
		ID: o.ID, CustomerID: "42", WarehouseID: "north", PlacedAt: noon, Status: dal.StatusPending,
		Total: money(t, "25.99", "EUR"), ItemCount: 3, Version: 1, UpdatedAt: noon,
	}, o)
	require.Equal(t, []string{"BatchGetItem", "TransactWriteItems"}, operations(s.wire.take()))

	bound := dal.PlaceOrderBound(3)
	calls := recorder.Calls()
	require.Len(t, calls, 2)
	require.Equal(t, []int{1, 2}, []int{calls[0].Round, calls[1].Round})
	require.Equal(t, []dal.Pattern{"place-order"}, calls[0].Patterns, "its reads belong to its pattern")
	require.LessOrEqual(t, calls[0].ReadUnits, bound.Read.ReadUnits)
	require.LessOrEqual(t, calls[0].Keys, bound.Read.Keys)
	require.LessOrEqual(t, calls[1].WriteUnits, bound.WriteUnits)
	require.Equal(t, bound.Actions, calls[1].Keys)

	header := s.get("ORDER#"+string(o.ID), "HEADER")
	copied := s.get("CUST#42", "ORDER#2025-03-01T12:00:00.000Z#"+string(o.ID))
	require.Equal(t, text("PENDING#2025-03-01T12:00:00.000Z#"+string(o.ID)), copied["statusKey"])
	require.Equal(t, text("2025-03-01T12:00:00.000Z#"+string(o.ID)), copied["openSince"])
	for _, name := range []string{"statusKey", "openWarehouse", "openSince"} {
		require.Contains(t, copied, name)
		require.NotContains(t, header, name, "an index sees one of the copies")
		delete(copied, name)
	}
	for _, it := range []item{header, copied} {
		delete(it, "PK")
		delete(it, "SK")
	}
	require.Equal(t, header, copied)

	lines := []*dal.OrderItem{
		{OrderID: o.ID, Line: 1, SKU: "X", Name: "Thing", Quantity: 3, UnitPrice: money(t, "1.50", "EUR")},
		{OrderID: o.ID, Line: 2, SKU: "Y", Name: "Dear", Quantity: 1, UnitPrice: money(t, "19.99", "EUR")},
		{OrderID: o.ID, Line: 3, SKU: "X", Name: "Thing", Quantity: 1, UnitPrice: money(t, "1.50", "EUR")},
	}
	require.Equal(t, lines, placed.Lines)
	answers := placed.Answers()
	require.Len(t, answers, 3)
	for i, r := range dal.LinesOfOrder(o, dal.LineWindow{Count: 20}) {
		require.Equal(t, lines[i], s.one(r))
		require.Equal(t, dal.Answer{Read: r, Result: dal.Result{Entities: []dal.Entity{lines[i]}}}, answers[i])
	}

	require.Equal(t, o, s.one(dal.OrderByID(o.ID)))
	require.Equal(t, o, s.one(dal.LatestOrder("42")))
	require.Equal(t, o, s.one(dal.OrdersByStatus("42", dal.OrderWindow{Count: 1}, dal.OrderCriteria{Status: dal.StatusPending})))
	require.Equal(t, o, s.one(dal.OpenOrdersByWarehouse("north", dal.OrderWindow{Count: 1})))
	customer := s.one(dal.CustomerByID("42")).(*dal.Customer)
	require.Equal(t, 1, customer.OrderCount)
	require.Equal(t, 1, customer.OpenOrderCount)
	require.Equal(t, 1, customer.Version, "counting orders raises no version")
	require.Equal(t, customer, s.one(dal.CustomerByEmail(email(t, "c42@example.com"))), "the index keeps up with the counters")
}

func TestPlaceOrderRejected(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	good := s.open()
	before := s.dump()
	lines := func(n int) []dal.NewLine { return slices.Repeat([]dal.NewLine{{SKU: "X", Quantity: 1}}, n) }
	for name, c := range map[string]struct {
		in   dal.NewOrder
		want []string
	}{
		"no lines":          {dal.NewOrder{Customer: "42", Warehouse: "north"}, []string{"INVALID lines"}},
		"too many lines":    {dal.NewOrder{Customer: "42", Warehouse: "north", Lines: lines(91)}, []string{"INVALID lines"}},
		"no such customer":  {dal.NewOrder{Customer: "43", Warehouse: "north", Lines: lines(1)}, []string{"NOT_FOUND customerId"}},
		"no such warehouse": {dal.NewOrder{Customer: "42", Warehouse: "south", Lines: lines(1)}, []string{"NOT_FOUND warehouseId"}},
		"quantities": {dal.NewOrder{Customer: "42", Warehouse: "north", Lines: []dal.NewLine{
			{SKU: "X", Quantity: 0}, {SKU: "X", Quantity: 1}, {SKU: "X", Quantity: -1}, {SKU: "X", Quantity: 10_000}, {SKU: "X", Quantity: 10_001},
		}}, []string{"INVALID lines.0.quantity", "INVALID lines.2.quantity", "INVALID lines.4.quantity"}},
		"all that is missing": {dal.NewOrder{Customer: "43", Warehouse: "south", Lines: []dal.NewLine{
			{SKU: "none", Quantity: 1}, {SKU: "X", Quantity: 1}, {SKU: "nor", Quantity: 1},
		}}, []string{"NOT_FOUND customerId", "NOT_FOUND warehouseId", "NOT_FOUND lines.0.sku", "NOT_FOUND lines.2.sku"}},
		"two currencies": {dal.NewOrder{Customer: "42", Warehouse: "north", Lines: []dal.NewLine{
			{SKU: "X", Quantity: 1}, {SKU: "Y", Quantity: 1}, {SKU: "USD", Quantity: 1},
		}}, []string{"MIXED_CURRENCIES lines.2.sku"}},
	} {
		placed, rejections, err := s.table.PlaceOrder(t.Context(), c.in)
		require.NoError(t, err, name)
		require.Nil(t, placed, name)
		require.Equal(t, c.want, codes(rejections), name)
	}
	require.ElementsMatch(t, before, s.dump(), "nothing was written")
	_, rejections, err := s.table.PlaceOrder(t.Context(), good)
	require.NoError(t, err)
	require.Empty(t, rejections)
}

func TestPlaceOrderOf90Lines(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	in := s.open()
	in.Lines = nil
	for i := range dal.MaxLines {
		sku := dal.SKU(fmt.Sprint("P", i))
		p := aProduct(t, sku)
		p.Product.Price = money(t, strings.Repeat("9", 20)+"."+strings.Repeat("9", 10), "EUR")
		s.fill(p)
		in.Lines = append(in.Lines, dal.NewLine{SKU: sku, Quantity: 10_000})
	}
	placed, rejections, err := s.table.PlaceOrder(t.Context(), in)
	require.NoError(t, err)
	require.Empty(t, rejections)
	require.Equal(t, "89999999999999999999999999.99991", placed.Order.Total.Amount.String())
	require.Equal(t, []string{"BatchGetItem", "TransactWriteItems"}, operations(s.wire.take()))
	require.Equal(t, placed.Order, s.one(dal.OrderByID(placed.Order.ID)))
	r := dal.ItemsByOrder(placed.Order.ID, dal.LineWindow{Count: 90})
	require.Len(t, s.load(dal.LoadOptions{}, r)[r].Entities, 90)
}

// TestACustomerGoneMeanwhile: the customer is checked again as the order is written.
func TestACustomerGoneMeanwhile(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	in := s.open()
	s.wire.fault = func(r request) *answer {
		if r.operation == "TransactWriteItems" {
			s.remove("CUST#42", "PROFILE")
		}
		return nil
	}
	placed, rejections, err := s.table.PlaceOrder(t.Context(), in)
	require.NoError(t, err)
	require.Nil(t, placed)
	require.Equal(t, []string{"NOT_FOUND customerId"}, codes(rejections))
	require.Nil(t, s.get("CUST#42", "PROFILE"), "an erased customer does not come back")
}

func TestOrdersPlacedAtOnceAreAllCounted(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	in := s.open()
	var placed sync.Map
	inParallel(15, func(int) {
		if p, _, err := s.table.PlaceOrder(t.Context(), in); err == nil && p != nil {
			placed.Store(p.Order.ID, true)
		}
	})
	require.Equal(t, 15, size(&placed))
	require.Equal(t, 15, s.one(dal.CustomerByID("42")).(*dal.Customer).OrderCount)
	r := dal.OrdersByCustomer("42", dal.OrderWindow{Count: 100}, dal.OrderCriteria{})
	require.Len(t, s.load(dal.LoadOptions{}, r)[r].Entities, 15)
}

func TestPlaceOrderFails(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"BatchGetItem", "TransactWriteItems"} {
		s := openShop(t, 1)
		in := s.open()
		before := s.dump()
		s.wire.fault = func(r request) *answer {
			if r.operation == operation {
				return refusal("ValidationException")
			}
			return nil
		}
		placed, rejections, err := s.table.PlaceOrder(t.Context(), in)
		require.Equal(t, dal.KindInternal, kindOf(t, err), operation)
		require.Nil(t, placed)
		require.Empty(t, rejections, "a failure is no answer")
		require.ElementsMatch(t, before, s.dump())
	}
}

func TestCreateTable(t *testing.T) {
	t.Parallel()
	s := openShop(t, 3)
	require.Equal(t, 3, s.table.Shards())
	before := s.dump()
	require.NoError(t, s.table.Create(t.Context(), 7), "a table that is there stays as it is")
	require.ElementsMatch(t, before, s.dump())
	require.Equal(t, 3, s.table.Shards())

	out, err := s.raw.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(dal.DefaultTable)})
	require.NoError(t, err)
	require.Len(t, out.Table.GlobalSecondaryIndexes, 2)
	require.Len(t, out.Table.LocalSecondaryIndexes, 1)
	live, err := s.raw.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: aws.String(dal.DefaultTable)})
	require.NoError(t, err)
	require.Equal(t, "ttl", aws.ToString(live.TimeToLiveDescription.AttributeName))

	s.remove("TABLE", "SETTINGS")
	require.NoError(t, s.table.Create(t.Context(), 5), "what is missing is added")
	require.Equal(t, 5, s.table.Shards())
}

// TestManyCreateOneTable, as replicas do that start together.
func TestManyCreateOneTable(t *testing.T) {
	t.Parallel()
	e := openShop(t, 1).wire
	inParallel(8, func(int) {
		table := dal.New(newClient(e), dal.Config{Name: "another"})
		if err := table.Create(t.Context(), 2); err != nil {
			t.Error(err)
		}
		if table.Shards() != 2 {
			t.Errorf("%d shards", table.Shards())
		}
	})
}

func TestRefreshSettings(t *testing.T) {
	t.Parallel()
	s := openShop(t, 2)
	settings, err := s.table.RefreshSettings(t.Context())
	require.NoError(t, err)
	require.Equal(t, dal.Settings{Format: 1, Shards: 2}, settings)

	set := func(format, shards types.AttributeValue) error {
		s.put(item{"PK": text("TABLE"), "SK": text("SETTINGS"), "formatVersion": format, "openOrderShards": shards})
		_, err := s.table.RefreshSettings(t.Context())
		return err
	}
	require.NoError(t, set(number("1"), number("5")))
	require.Equal(t, 5, s.table.Shards())
	require.NoError(t, set(number("1"), number("4")))
	require.Equal(t, 5, s.table.Shards(), "shards are never taken away: orders beyond them would vanish")
	for _, bad := range [][2]types.AttributeValue{
		{number("2"), number("5")}, {number("1"), number("0")}, {number("1"), number("-1")}, {text("1"), number("5")}, {number("1"), text("5")},
	} {
		require.Equal(t, dal.KindCorrupt, kindOf(t, set(bad[0], bad[1])))
		require.Equal(t, 5, s.table.Shards())
	}
	s.remove("TABLE", "SETTINGS")
	_, err = s.table.RefreshSettings(t.Context())
	require.Equal(t, dal.KindCorrupt, kindOf(t, err))
	_, err = dal.New(s.raw, dal.Config{Name: "other"}).RefreshSettings(t.Context())
	require.Equal(t, dal.KindNoTable, kindOf(t, err))
}

// TestGrownShards: orders placed before the shards grew are still found, beside those placed after.
func TestGrownShards(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	in := s.open()
	place := func(n int) {
		for range n {
			_, rejections, err := s.table.PlaceOrder(t.Context(), in)
			require.NoError(t, err)
			require.Empty(t, rejections)
		}
	}
	place(5)
	s.put(item{"PK": text("TABLE"), "SK": text("SETTINGS"), "formatVersion": number("1"), "openOrderShards": number("4")})
	_, err := s.table.RefreshSettings(t.Context())
	require.NoError(t, err)
	place(5)
	r := dal.OpenOrdersByWarehouse("north", dal.OrderWindow{Count: 20})
	require.Len(t, s.load(dal.LoadOptions{}, r)[r].Entities, 10)
}

// TestFill retries what stays unprocessed, and says so when that does not help.
func TestFill(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1, func(c *dal.Config) { c.Retries = 1 })
	s.wire.fault = func(request) *answer {
		return &answer{status: 200, body: `{"UnprocessedItems":{"keyfirst":[{"PutRequest":{"Item":{"PK":{"S":"a"},"SK":{"S":"b"}}}}]}}`}
	}
	err := s.table.Fill(t.Context(), []dal.Record{aWarehouse("n")})
	require.Equal(t, dal.KindThrottled, kindOf(t, err))
	require.Len(t, s.wire.take(), 2)
	s.wire.fault = nil
	require.NoError(t, s.table.Fill(t.Context(), nil))
	require.Empty(t, s.wire.take())
}
