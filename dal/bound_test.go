package dal_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
)

// longAddress is as long as an e-mail address can be.
var longAddress = strings.Repeat("x", 64) + "@" + strings.Repeat(strings.Repeat("y", 60)+".", 3) + "abc.eu"

// fat fills the table with items at their worst: the longest names and ids, everything in ids escaped. One customer has
// n orders, of which the first has 90 lines.
func (s *shop) fat(n int) (dal.CustomerID, dal.OrderID, dal.WarehouseID) {
	s.t.Helper()
	long := func(i int) string { return strings.Repeat("#", 60) + fmt.Sprintf("%04d", i) }
	name := strings.Repeat("\U0001F600", 200)
	customer := aCustomer(s.t, dal.CustomerID(long(0)))
	customer.Customer.Name = name
	customer.Customer.Email = longAddress
	customer.Email = email(s.t, customer.Customer.Email)
	records := []dal.Record{customer}
	for i := range n {
		lines := 0
		if i == 0 {
			lines = dal.MaxLines
		}
		o := anOrder(s.t, customer.Customer.ID, dal.OrderID(long(i)), lines)
		o.Order.PlacedAt = noon.Add(time.Duration(i) * time.Millisecond)
		o.Order.WarehouseID = dal.WarehouseID(long(0))
		o.Order.Total = money(s.t, strings.Repeat("9", 20)+"."+strings.Repeat("9", 10), "EUR").Mul(10_000 * 90)
		for _, line := range o.Lines {
			line.Name, line.SKU, line.UnitPrice = name, dal.SKU(long(0)), money(s.t, strings.Repeat("9", 20)+"."+strings.Repeat("9", 10), "EUR")
		}
		records = append(records, o)
	}
	product, warehouse := aProduct(s.t, dal.SKU(long(0))), aWarehouse(dal.WarehouseID(long(0)))
	product.Product.Name, warehouse.Warehouse.Name = name, name
	s.fill(append(records, product, warehouse)...)
	return customer.Customer.ID, dal.OrderID(long(0)), warehouse.Warehouse.ID
}

// TestBoundsHoldForTheWorst compares what each pattern promises with what an engine reports, on items at their largest
// and where there is nothing.
func TestBoundsHoldForTheWorst(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		s := openShop(t, shards)
		customer, order, warehouse := s.fat(110)
		address := email(t, longAddress)
		var reads []dal.Read
		for _, id := range []dal.CustomerID{customer, "nobody"} {
			reads = append(reads, dal.CustomerByID(id), dal.LatestOrder(id))
			for _, n := range []int{1, 2, 20, 100} {
				page := dal.OrdersByCustomer(id, dal.OrderWindow{Count: n}, dal.OrderCriteria{})
				middle := (&dal.Order{ID: "0", PlacedAt: noon.Add(50 * time.Millisecond)}).Position()
				reads = append(reads, page,
					dal.CustomerWithOrders(id, []dal.Read{page, dal.LatestOrder(id)}),
					dal.OrdersByCustomer(id, dal.OrderWindow{Count: n, Backward: true, After: middle}, dal.OrderCriteria{}),
					dal.OrdersByStatus(id, dal.OrderWindow{Count: n, Before: middle}, dal.OrderCriteria{Status: dal.StatusPending}),
				)
			}
		}
		for _, id := range []dal.OrderID{order, "nothing"} {
			reads = append(reads, dal.OrderByID(id), dal.ItemByID(id, 1))
			for _, n := range []int{1, 5, 20, 90, 100} {
				page := dal.ItemsByOrder(id, dal.LineWindow{Count: n})
				reads = append(reads, page, dal.ItemsByOrder(id, dal.LineWindow{Count: n, Backward: true, Before: 50}),
					dal.OrderWithItems(id, []dal.Read{page}))
			}
		}
		for _, n := range []int{1, 20, 100} {
			reads = append(reads, dal.OpenOrdersByWarehouse(warehouse, dal.OrderWindow{Count: n}),
				dal.OpenOrdersByWarehouse("nowhere", dal.OrderWindow{Count: n}))
		}
		reads = append(reads, dal.WarehouseByID(warehouse), dal.ProductBySKU("none"), dal.CustomerByEmail(address),
			dal.OwnerByEmail(address), dal.CustomerOfOwner(&dal.EmailOwner{CustomerID: customer}))

		for _, consistency := range []dal.Consistency{dal.Eventual, dal.Strong, dal.StrongButIndexes} {
			for _, r := range reads {
				results, calls := s.recorded(dal.LoadOptions{Consistency: consistency}, r)
				if !r.Sent(consistency) {
					require.Empty(t, calls)
					continue
				}
				require.NoError(t, results[r].Err)
				bound := r.Bound(consistency, shards)
				units, keys := 0.0, 0
				for _, c := range calls {
					units += c.ReadUnits
					keys += c.Keys
				}
				require.Len(t, calls, bound.Requests, "%s", r.Pattern())
				require.LessOrEqual(t, keys, bound.Keys, "%s", r.Pattern())
				require.LessOrEqual(t, units, bound.ReadUnits, "%s", r.Pattern())
				require.Positive(t, units)
				require.LessOrEqual(t, len(results[r].Entities), r.Found(), "%s", r.Pattern())
			}
		}
	}
}

func TestBoundOfCustomerWithOrders(t *testing.T) {
	t.Parallel()
	page := dal.OrdersByCustomer("42", dal.OrderWindow{Count: 20}, dal.OrderCriteria{})
	r := dal.CustomerWithOrders("42", []dal.Read{page, dal.LatestOrder("42")})
	require.Equal(t, dal.Bound{Requests: 1, Keys: 22, ReadUnits: 6}, r.Bound(dal.Eventual, 1))
	require.Equal(t, dal.Bound{Requests: 1, Keys: 22, ReadUnits: 12}, r.Bound(dal.Strong, 1))
}

func TestBoundOfOpenOrdersGrowsWithShards(t *testing.T) {
	t.Parallel()
	r := dal.OpenOrdersByWarehouse("north", dal.OrderWindow{Count: 20})
	one := r.Bound(dal.Eventual, 1)
	require.Equal(t, dal.Bound{Requests: 4, Keys: 4 * one.Keys, ReadUnits: 4 * one.ReadUnits}, r.Bound(dal.Eventual, 4))
	require.Equal(t, one, r.Bound(dal.StrongButIndexes, 1), "a global index is read eventually all the same")
}

// TestLoadKeepsToPlannedShards: a table that learns of more shards does not make a read cost more than was planned.
func TestLoadKeepsToPlannedShards(t *testing.T) {
	t.Parallel()
	s := openShop(t, 4)
	r := dal.OpenOrdersByWarehouse("north", dal.OrderWindow{Count: 20})
	for shards, queries := range map[int]int{0: 4, 1: 1, 3: 3} {
		s.wire.take()
		require.NoError(t, s.table.Load(t.Context(), []dal.Read{r}, dal.LoadOptions{Shards: shards})[r].Err)
		require.Len(t, s.wire.take(), queries)
	}
}

// TestSplitAnswers takes the combined queries apart: each answer is what its own read would have given.
func TestSplitAnswers(t *testing.T) {
	t.Parallel()
	s := openShop(t, 1)
	var records []dal.Record
	for i := range 5 {
		o := anOrder(t, "42", dal.OrderID(fmt.Sprint("A", i)), 4)
		o.Order.PlacedAt = noon.Add(time.Duration(i) * time.Hour)
		records = append(records, o)
	}
	s.fill(append(records, aCustomer(t, "42"), aCustomer(t, "new"), anOrder(t, "gone", "B", 2), anOrder(t, "gone", "C", 2))...)
	for _, id := range []dal.CustomerID{"42", "new", "gone", "nobody"} {
		wanted := []dal.Read{dal.LatestOrder(id)}
		for _, n := range []int{1, 2, 4, 5, 6} {
			wanted = append(wanted, dal.OrdersByCustomer(id, dal.OrderWindow{Count: n}, dal.OrderCriteria{}))
		}
		together := dal.CustomerWithOrders(id, wanted)
		answers := map[dal.Read]dal.Result{}
		for _, a := range dal.Split(together, s.load(dal.LoadOptions{}, together)[together], wanted) {
			answers[a.Read] = a.Result
		}
		alone := s.load(dal.LoadOptions{}, append(wanted, dal.CustomerByID(id))...)
		require.Len(t, answers, len(alone))
		for r, want := range alone {
			require.Contains(t, answers, r)
			require.ElementsMatch(t, want.Entities, answers[r].Entities, "%s of %s", r.Pattern(), id)
			if r != dal.LatestOrder(id) {
				require.Equal(t, want.More, answers[r].More, "%s of %s", r.Pattern(), id)
			}
		}
	}
	for _, n := range []int{1, 3, 4, 5} {
		wanted := []dal.Read{dal.ItemsByOrder("A1", dal.LineWindow{Count: n})}
		together := dal.OrderWithItems("A1", wanted)
		answers := dal.Split(together, s.load(dal.LoadOptions{}, together)[together], wanted)
		require.Equal(t, dal.OrderByID("A1"), answers[0].Read)
		lines := dal.LinesOfOrder(&dal.Order{ID: "A1", ItemCount: 4}, dal.LineWindow{Count: n})
		require.Len(t, answers, 1+len(lines))
		for i, r := range lines {
			require.Equal(t, r, answers[i+1].Read)
			require.Equal(t, s.load(dal.LoadOptions{}, r)[r], answers[i+1].Result)
		}
	}
	nothing := dal.OrderWithItems("none", nil)
	require.Equal(t, []dal.Answer{{Read: dal.OrderByID("none")}}, dal.Split(nothing, s.load(dal.LoadOptions{}, nothing)[nothing], nil))

	broken := dal.Result{Err: &dal.Error{Kind: dal.KindThrottled}}
	wanted := []dal.Read{dal.LatestOrder("42")}
	for _, a := range dal.Split(dal.CustomerWithOrders("42", wanted), broken, wanted) {
		require.Equal(t, broken, a.Result, "a failure is every answer")
	}
	require.Equal(t, []dal.Answer{{Read: dal.OrderByID("A1"), Result: broken}}, dal.Split(dal.OrderWithItems("A1", nil), broken, nil))
}
