package demo_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/internal/demo"
)

// dataset is the demo by type and id.
type dataset struct {
	customers  map[dal.CustomerID]dal.CustomerRecord
	orders     map[dal.OrderID]dal.OrderRecord
	products   map[dal.SKU]*dal.Product
	warehouses map[dal.WarehouseID]*dal.Warehouse
}

// load fails when two records share an id.
func load(t *testing.T) dataset {
	t.Helper()
	records, err := demo.Records()
	require.NoError(t, err)
	d := dataset{
		customers: map[dal.CustomerID]dal.CustomerRecord{}, orders: map[dal.OrderID]dal.OrderRecord{},
		products: map[dal.SKU]*dal.Product{}, warehouses: map[dal.WarehouseID]*dal.Warehouse{},
	}
	for _, r := range records {
		switch r := r.(type) {
		case dal.CustomerRecord:
			d.customers[r.Customer.ID] = r
		case dal.OrderRecord:
			d.orders[r.Order.ID] = r
		case dal.ProductRecord:
			d.products[r.Product.SKU] = r.Product
		case dal.WarehouseRecord:
			d.warehouses[r.Warehouse.ID] = r.Warehouse
		default:
			require.Failf(t, "unknown record", "%T", r)
		}
	}
	require.Len(t, records, len(d.customers)+len(d.orders)+len(d.products)+len(d.warehouses), "two records have one id")
	return d
}

func TestDemoIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	first, err := demo.Records()
	require.NoError(t, err)
	second, err := demo.Records()
	require.NoError(t, err)
	require.Equal(t, first, second)
}

func TestDemoHasTheSizeOfAShop(t *testing.T) {
	t.Parallel()
	d := load(t)
	require.Len(t, d.customers, 51, "50 customers and Ann")
	require.Len(t, d.orders, 50*20+2)
	require.Len(t, d.products, 200)
	require.Len(t, d.warehouses, 3)

	open := map[dal.WarehouseID]int{}
	statuses := map[dal.OrderStatus]int{}
	for _, r := range d.orders {
		statuses[r.Order.Status]++
		if r.Order.Status.Open() {
			open[r.Order.WarehouseID]++
		}
		if r.Order.CustomerID != "42" {
			require.Len(t, r.Lines, 5)
		}
	}
	for _, id := range []dal.WarehouseID{"north", "south", "east"} {
		require.GreaterOrEqual(t, open[id], 50, id)
		require.Contains(t, d.warehouses, id)
	}
	for _, s := range []dal.OrderStatus{
		dal.StatusPending, dal.StatusPaid, dal.StatusShipped, dal.StatusDelivered, dal.StatusCancelled,
	} {
		require.GreaterOrEqual(t, statuses[s], 20, s)
	}
}

func TestAnn(t *testing.T) {
	t.Parallel()
	d := load(t)
	ann := d.customers["42"].Customer
	require.Equal(t, "cust_42", ann.NodeID())
	require.Equal(t, "Ann", ann.Name)
	require.Equal(t, "ann@example.com", ann.Email)
	require.Equal(t, 2, ann.OrderCount)

	for _, want := range []struct {
		id    dal.OrderID
		at    time.Time
		total string
	}{
		{"A11", time.Date(2025, time.January, 9, 0, 0, 0, 0, time.UTC), "20"},
		{"A17", time.Date(2025, time.March, 1, 0, 0, 0, 0, time.UTC), "35"},
	} {
		r := d.orders[want.id]
		require.Equal(t, ann.ID, r.Order.CustomerID)
		require.Equal(t, want.at, r.Order.PlacedAt)
		require.Equal(t, want.total, r.Order.Total.Amount.String())
		require.Equal(t, "EUR", r.Order.Total.Currency)
		require.GreaterOrEqual(t, len(r.Lines), 2)
	}
}

func TestDemoCounters(t *testing.T) {
	t.Parallel()
	d := load(t)
	type counters struct{ all, open int }
	want := map[dal.CustomerID]counters{}
	for _, r := range d.orders {
		c := want[r.Order.CustomerID]
		c.all++
		if r.Order.Status.Open() {
			c.open++
		}
		want[r.Order.CustomerID] = c
	}
	for id, r := range d.customers {
		require.Equal(t, want[id], counters{r.Customer.OrderCount, r.Customer.OpenOrderCount}, id)
		if id != "42" {
			require.Equal(t, 20, r.Customer.OrderCount, id)
		}
	}
	require.Len(t, want, len(d.customers))
}

func TestDemoOrdersAddUp(t *testing.T) {
	t.Parallel()
	d := load(t)
	dearer := 0
	for id, r := range d.orders {
		require.Contains(t, d.customers, r.Order.CustomerID)
		require.Contains(t, d.warehouses, r.Order.WarehouseID)
		require.Equal(t, len(r.Lines), r.Order.ItemCount, id)
		sum := dal.Money{Currency: "EUR"}
		for i, line := range r.Lines {
			require.Equal(t, id, line.OrderID)
			require.Equal(t, i+1, line.Line)
			require.Positive(t, line.Quantity)
			product := d.products[line.SKU]
			require.NotNil(t, product, line.SKU)
			require.Equal(t, product.Name, line.Name)
			if product.Price != line.UnitPrice {
				dearer++
				require.True(t, r.Order.PlacedAt.Before(product.UpdatedAt), "only old orders have old prices: %s", id)
			}
			var err error
			sum, err = sum.Add(line.LineTotal())
			require.NoError(t, err)
		}
		require.Equal(t, sum, r.Order.Total, id)
	}
	require.Positive(t, dearer, "some lines keep a price that the product no longer has")
}

func TestDemoNamesAreUnique(t *testing.T) {
	t.Parallel()
	d := load(t)
	emails, names := map[string]bool{}, map[string]bool{}
	for _, r := range d.customers {
		require.Equal(t, r.Customer.Email, r.Email.Spelling)
		emails[r.Email.Folded] = true
		names[r.Customer.Name] = true
	}
	require.Len(t, emails, len(d.customers))
	require.Len(t, names, len(d.customers))

	products := map[string]bool{}
	for _, p := range d.products {
		products[p.Name] = true
		require.Positive(t, p.Price.Amount.Sign())
	}
	require.Len(t, products, len(d.products))
}

func TestDemoTimes(t *testing.T) {
	t.Parallel()
	d := load(t)
	from, before := time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	within := func(at time.Time, what string) {
		require.False(t, at.Before(from), "%s: %s", what, at)
		require.True(t, at.Before(before), "%s: %s", what, at)
		require.Equal(t, time.UTC, at.Location(), what)
		require.Equal(t, at.Truncate(time.Millisecond), at, "%s: the table keeps milliseconds", what)
	}
	months := map[string]bool{}
	for id, r := range d.orders {
		within(r.Order.PlacedAt, "placed "+string(id))
		within(r.Order.UpdatedAt, "updated "+string(id))
		require.False(t, r.Order.UpdatedAt.Before(r.Order.PlacedAt), id)
		require.False(t, r.Order.PlacedAt.Before(d.customers[r.Order.CustomerID].Customer.CreatedAt), id)
		if r.Order.CustomerID != "42" {
			require.NotEqual(t, r.Order.PlacedAt.Truncate(24*time.Hour), r.Order.PlacedAt, "%s has no time of day", id)
			months[r.Order.PlacedAt.Format("2006-01")] = true
		}
	}
	for id, r := range d.customers {
		within(r.Customer.CreatedAt, "created "+string(id))
		within(r.Customer.UpdatedAt, "updated "+string(id))
	}
	require.Len(t, months, 24, "every month of both years has orders")
}

// TestDemoNumbersFollowTime holds the shop to ids that read well: the number of a later order is higher.
func TestDemoNumbersFollowTime(t *testing.T) {
	t.Parallel()
	d := load(t)
	var shop []*dal.Order
	for _, r := range d.orders {
		if r.Order.CustomerID != "42" {
			shop = append(shop, r.Order)
		}
	}
	slices.SortFunc(shop, func(a, b *dal.Order) int { return a.PlacedAt.Compare(b.PlacedAt) })
	for i, o := range shop {
		require.Equal(t, fmt.Sprintf("order_%d", 1001+i), o.NodeID())
	}
}
