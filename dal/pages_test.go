package dal_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
)

// instants are close together, on purpose: equal ones, midnights, and their neighbors.
func instants() []time.Time {
	day := time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC)
	return []time.Time{
		day, day.Add(time.Millisecond), day.Add(9 * time.Hour), day.Add(24*time.Hour - time.Millisecond),
		day.Add(24 * time.Hour), day.Add(24*time.Hour + 9*time.Hour), day.Add(48 * time.Hour), day.Add(-time.Millisecond),
	}
}

var statuses = []dal.OrderStatus{
	dal.StatusPending, dal.StatusPaid, dal.StatusShipped, dal.StatusDelivered, dal.StatusCancelled,
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

// randomOrders are up to so many orders of one customer and one warehouse.
func randomOrders(t *testing.T, random *rand.Rand, customer dal.CustomerID, warehouse dal.WarehouseID, most int) []*dal.Order {
	t.Helper()
	orders := make([]*dal.Order, random.IntN(most+1))
	for i := range orders {
		o := anOrder(t, customer, dal.OrderID(fmt.Sprintf("%c%s-%d", pick(random, []rune("aZ09_~")), customer, i)), 0).Order
		o.WarehouseID, o.PlacedAt, o.Status = warehouse, pick(random, instants()), pick(random, statuses)
		orders[i] = o
	}
	return orders
}

// list is what a client asks of a list of orders.
type list struct {
	args         dal.PageArgs
	after, until *dal.Order
	status       *dal.OrderStatus
	from, before *time.Time
	newestFirst  bool
}

func (l list) String() string {
	position := func(o *dal.Order) string {
		if o == nil {
			return "-"
		}
		return o.Position().Placed + "#" + string(o.ID)
	}
	text := fmt.Sprintf("after %s before %s", position(l.after), position(l.until))
	if l.args.First != nil {
		text += fmt.Sprint(" first ", *l.args.First)
	}
	if l.args.Last != nil {
		text += fmt.Sprint(" last ", *l.args.Last)
	}
	if l.status != nil {
		text += " " + string(*l.status)
	}
	return text + fmt.Sprint(" from ", l.from, " before ", l.before)
}

// compare orders a list: by time, then by id.
func (l list) compare(a, b *dal.Order) int {
	c := cmp.Or(a.PlacedAt.Compare(b.PlacedAt), strings.Compare(string(a.ID), string(b.ID)))
	if l.newestFirst {
		return -c
	}
	return c
}

// model is the page by brute force.
func (l list) model(orders []*dal.Order) (ids []dal.OrderID, more bool) {
	var all []*dal.Order
	for _, o := range orders {
		switch {
		case l.status != nil && o.Status != *l.status:
		case l.from != nil && o.PlacedAt.Before(*l.from):
		case l.before != nil && !o.PlacedAt.Before(*l.before):
		case l.after != nil && l.compare(o, l.after) <= 0:
		case l.until != nil && l.compare(o, l.until) >= 0:
		default:
			all = append(all, o)
		}
	}
	slices.SortFunc(all, l.compare)
	count := dal.DefaultPage
	switch {
	case l.args.First != nil:
		count = *l.args.First
	case l.args.Last != nil:
		count = *l.args.Last
	}
	page := all
	if len(all) > count {
		more = true
		if page = all[:count]; l.args.Last != nil {
			page = all[len(all)-count:]
		}
	}
	for _, o := range page {
		ids = append(ids, o.ID)
	}
	return ids, more
}

// hopeless says that nothing can lie between the bounds, whatever the orders are.
func (l list) hopeless() bool {
	return l.from != nil && l.before != nil && !l.from.Before(*l.before) ||
		l.after != nil && l.until != nil && l.compare(l.after, l.until) >= 0
}

func (l list) window(t *testing.T) dal.OrderWindow {
	t.Helper()
	if l.after != nil {
		cursor := l.after.Position().Cursor()
		l.args.After = &cursor
	}
	if l.until != nil {
		cursor := l.until.Position().Cursor()
		l.args.Before = &cursor
	}
	w, err := dal.NewOrderWindow(l.args)
	require.NoError(t, err)
	return w
}

func (l list) criteria(t *testing.T) dal.OrderCriteria {
	t.Helper()
	c, err := dal.NewOrderCriteria(l.status, l.from, l.before)
	require.NoError(t, err)
	return c
}

func ids(t *testing.T, res dal.Result) (ids []dal.OrderID) {
	t.Helper()
	require.NoError(t, res.Err)
	for _, e := range res.Entities {
		ids = append(ids, e.(*dal.Order).ID)
	}
	return ids
}

// randomList asks for anything: its cursors are orders of the list, of another list, or of nobody.
func randomList(t *testing.T, random *rand.Rand, orders []*dal.Order, newestFirst bool) list {
	t.Helper()
	l := list{newestFirst: newestFirst}
	size := 1 + random.IntN(6)
	switch random.IntN(5) {
	case 0, 1:
		l.args.First = &size
	case 2, 3:
		l.args.Last = &size
	}
	cursor := func() *dal.Order {
		if random.IntN(3) > 0 && len(orders) > 0 {
			return pick(random, orders)
		}
		o := anOrder(t, "nobody", dal.OrderID(pick(random, []string{"0", "A17", "_x", "~", "zz"})), 0).Order
		o.PlacedAt = pick(random, append(instants(), time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 0, 0, 0, time.UTC)))
		return o
	}
	if random.IntN(2) == 0 {
		l.after = cursor()
	}
	if random.IntN(3) == 0 {
		l.until = cursor()
	}
	return l
}

// filtered adds random criteria; their instants are off the millisecond at times.
func (l list) filtered(random *rand.Rand) list {
	instant := func() *time.Time {
		at := pick(random, instants()).Add(time.Duration(random.IntN(3)-1) * time.Nanosecond)
		return &at
	}
	if random.IntN(2) == 0 {
		l.from = instant()
	}
	if random.IntN(2) == 0 {
		l.before = instant()
	}
	return l
}

// check compares the page that a read gives with the model's.
func (l list) check(s *shop, r dal.Read, orders []*dal.Order, shards int) {
	s.t.Helper()
	s.wire.take()
	res := s.load(dal.LoadOptions{}, r)[r]
	want, more := l.model(orders)
	require.Equal(s.t, want, ids(s.t, res), "%v", l)
	require.Equal(s.t, more, res.More, "%v", l)
	sent := s.wire.take()
	if l.hopeless() {
		require.Empty(s.t, sent, "%v", l)
		require.False(s.t, r.Sent(dal.Eventual))
	}
	require.LessOrEqual(s.t, len(sent), shards, "%v", l)
	require.LessOrEqual(s.t, len(res.Entities), r.Found())
}

func TestOrderPagesAgainstModel(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 4} {
		t.Run(fmt.Sprint(shards, " shards"), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(shards), 5))
			s := openShop(t, shards)
			lists := 25
			if testing.Short() {
				lists = 5
			}
			for n := range lists {
				customer, warehouse := dal.CustomerID(fmt.Sprint("c", n)), dal.WarehouseID(fmt.Sprint("w", n))
				orders := randomOrders(t, random, customer, warehouse, 14)
				var records []dal.Record
				var open []*dal.Order
				for _, o := range orders {
					records = append(records, dal.OrderRecord{Order: o})
					if o.Status.Open() {
						open = append(open, o)
					}
				}
				// Whatever else is in the partition is no order of the list.
				s.fill(append(records, aCustomer(t, customer), aWarehouse(warehouse))...)
				for range 40 {
					l := randomList(t, random, orders, true).filtered(random)
					l.check(s, dal.OrdersByCustomer(customer, l.window(t), l.criteria(t)), orders, 1)
					status := pick(random, statuses)
					l.status = &status
					l.check(s, dal.OrdersByStatus(customer, l.window(t), l.criteria(t)), orders, 1)
					require.Equal(t, dal.OrdersByStatus(customer, l.window(t), l.criteria(t)), dal.CustomerOrders(customer, l.window(t), l.criteria(t)))
					l = randomList(t, random, open, false)
					l.check(s, dal.OpenOrdersByWarehouse(warehouse, l.window(t)), open, shards)
				}
			}
		})
	}
}

// TestPagingVisitsEveryOrderOnce walks each list from both ends.
func TestPagingVisitsEveryOrderOnce(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(6, 7))
	for _, shards := range []int{1, 4} {
		s := openShop(t, shards)
		var orders, open, paid []*dal.Order
		orders = append(randomOrders(t, random, "c", "w", 0), manyOrders(t, random, "c", "w", 37)...)
		for _, o := range orders {
			s.fill(dal.OrderRecord{Order: o})
			if o.Status.Open() {
				open = append(open, o)
			}
			if o.Status == dal.StatusPaid {
				paid = append(paid, o)
			}
		}
		s.fill(aCustomer(t, "c"), aWarehouse("w"))
		status := dal.StatusPaid
		for name, way := range map[string]struct {
			orders []*dal.Order
			list   list
			read   func(list) dal.Read
		}{
			"by customer": {orders, list{newestFirst: true}, func(l list) dal.Read {
				return dal.OrdersByCustomer("c", l.window(t), l.criteria(t))
			}},
			"by status": {paid, list{newestFirst: true, status: &status}, func(l list) dal.Read {
				return dal.OrdersByStatus("c", l.window(t), l.criteria(t))
			}},
			"open": {open, list{}, func(l list) dal.Read { return dal.OpenOrdersByWarehouse("w", l.window(t)) }},
		} {
			for _, size := range []int{1, 2, 5, 36, 37, 38} {
				all, _ := list{newestFirst: way.list.newestFirst, args: dal.PageArgs{First: new(100)}}.model(way.orders)
				require.Equal(t, all, s.walk(way.list, size, false, way.orders, way.read), "%s, first %d", name, size)
				require.Equal(t, all, s.walk(way.list, size, true, way.orders, way.read), "%s, last %d", name, size)
			}
		}
	}
}

func manyOrders(t *testing.T, random *rand.Rand, customer dal.CustomerID, warehouse dal.WarehouseID, n int) []*dal.Order {
	t.Helper()
	for {
		if orders := randomOrders(t, random, customer, warehouse, n); len(orders) == n {
			return orders
		}
	}
}

// walk reads a list page by page and gives all ids in the list's order.
func (s *shop) walk(l list, size int, backward bool, orders []*dal.Order, read func(list) dal.Read) (all []dal.OrderID) {
	s.t.Helper()
	byID := map[dal.OrderID]*dal.Order{}
	for _, o := range orders {
		byID[o.ID] = o
	}
	l.args = dal.PageArgs{First: &size}
	if backward {
		l.args = dal.PageArgs{Last: &size}
	}
	for range len(orders) + 2 {
		r := read(l)
		res := s.load(dal.LoadOptions{}, r)[r]
		page := ids(s.t, res)
		if backward {
			all = append(slices.Clone(page), all...)
		} else {
			all = append(all, page...)
		}
		if !res.More {
			return all
		}
		require.Len(s.t, page, size)
		if backward {
			l.until = byID[page[0]]
		} else {
			l.after = byID[page[len(page)-1]]
		}
	}
	require.Fail(s.t, "the list does not end")
	return nil
}

// TestPagesThatAreEmptyByTheirBounds are answered without a request.
func TestPagesThatAreEmptyByTheirBounds(t *testing.T) {
	t.Parallel()
	s := openShop(t, 4)
	earlier, later := anOrder(t, "c", "A", 0), anOrder(t, "c", "B", 0)
	later.Order.PlacedAt = noon.Add(time.Hour)
	s.fill(earlier, later)
	at, after := noon, noon.Add(time.Hour)
	for name, l := range map[string]list{
		"from is before":         {newestFirst: true, from: &at, before: &at},
		"from is after before":   {newestFirst: true, from: &after, before: &at},
		"one cursor twice":       {newestFirst: true, after: earlier.Order, until: earlier.Order},
		"crossing cursors":       {newestFirst: true, after: earlier.Order, until: later.Order},
		"behind the filter":      {newestFirst: true, after: earlier.Order, from: &after},
		"in front of the filter": {newestFirst: true, until: later.Order, before: &at},
	} {
		for _, r := range []dal.Read{
			dal.OrdersByCustomer("c", l.window(t), l.criteria(t)),
			dal.OrdersByStatus("c", l.window(t), dal.OrderCriteria{Status: dal.StatusPending, From: l.criteria(t).From, Before: l.criteria(t).Before}),
		} {
			res := s.load(dal.LoadOptions{}, r)[r]
			require.NoError(t, res.Err, name)
			require.Empty(t, res.Entities, name)
			require.False(t, res.More, name)
			require.False(t, r.Sent(dal.Eventual), name)
			require.Zero(t, r.Bound(dal.Eventual, 4), name)
			require.Zero(t, r.Found(), name)
		}
	}
	crossing := list{after: later.Order, until: earlier.Order}
	r := dal.OpenOrdersByWarehouse("north", crossing.window(t))
	require.Empty(t, s.load(dal.LoadOptions{}, r)[r].Entities)
	require.Empty(t, s.wire.take())
}

func TestLatestOrder(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	older, newer, other := anOrder(t, "c", "Z", 0), anOrder(t, "c", "A", 0), anOrder(t, "d", "B", 0)
	newer.Order.PlacedAt, other.Order.PlacedAt = noon.Add(time.Millisecond), noon.Add(time.Hour)
	s.fill(aCustomer(t, "c"), aCustomer(t, "none"), older, newer, other)
	r, none := dal.LatestOrder("c"), dal.LatestOrder("none")
	results := s.load(dal.LoadOptions{}, r, none)
	require.Equal(t, []dal.OrderID{"A"}, ids(t, results[r]))
	require.Empty(t, ids(t, results[none]))
}
