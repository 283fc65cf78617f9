package tests

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
)

// fullShop has more in each list than a page of four shows, nothing that two lists share unless they must, and items
// as large as their bounds say. Orders are larger than any input makes them: their currency is padded.
func fullShop(t require.TestingT) *shop {
	const customers, warehouses, orders, lines = 40, 12, 8, 6
	s := newShop(2)
	pad := func(bound, other int) string { return strings.Repeat("x", bound-other) }
	start := time.Date(2025, 3, 1, 0, 0, 0, int(time.Millisecond), time.UTC)
	one, err := dal.ParseDecimal("19.90")
	require.NoError(t, err)
	for i := range warehouses {
		w := &dal.Warehouse{ID: dal.WarehouseID(fmt.Sprintf("w%02d", i)), Name: pad(dal.MaxWarehouseBytes, 100), Version: 1, UpdatedAt: start}
		s.warehouses[w.ID] = w
		s.ids[dal.TypeWarehouse] = append(s.ids[dal.TypeWarehouse], w.NodeID())
	}
	for i := range customers {
		c := &dal.Customer{
			ID: dal.CustomerID(fmt.Sprintf("c%02d", i)), Name: pad(dal.MaxCustomerBytes, 220), Email: fmt.Sprintf("c%02d@example.com", i),
			CreatedAt: start, UpdatedAt: start, Version: 1,
		}
		s.addCustomer(t, c)
		s.ids[dal.TypeCustomer] = append(s.ids[dal.TypeCustomer], c.NodeID())
	}
	for i := range customers * orders {
		customer, round := i%customers, i/customers
		o := &dal.Order{
			ID: dal.OrderID(fmt.Sprintf("o%03d", i)), CustomerID: dal.CustomerID(fmt.Sprintf("c%02d", customer)),
			WarehouseID: dal.WarehouseID(fmt.Sprintf("w%02d", (customer+round)%warehouses)), Status: dal.StatusPending,
			PlacedAt: start.Add(time.Duration(i) * time.Millisecond), UpdatedAt: start, Version: 1,
			Total: dal.Money{Amount: one, Currency: pad(dal.MaxOrderBytes, 332)},
		}
		s.ids[dal.TypeOrder] = append(s.ids[dal.TypeOrder], o.NodeID())
		items := make([]*dal.OrderItem, lines)
		for line := range items {
			p := &dal.Product{
				SKU: dal.SKU(fmt.Sprintf("p%03d-%d", i, line)), Name: pad(dal.MaxProductBytes, 120), Version: 1, UpdatedAt: start,
				Price: dal.Money{Amount: one, Currency: "EUR"},
			}
			s.products[p.SKU] = p
			s.ids[dal.TypeProduct] = append(s.ids[dal.TypeProduct], p.NodeID())
			items[line] = &dal.OrderItem{
				OrderID: o.ID, Line: line + 1, SKU: p.SKU, Name: pad(dal.MaxItemBytes, 110), Quantity: 1, UnitPrice: p.Price,
			}
		}
		s.addOrder(o, items)
	}
	return s
}

// TestTightness says how much of what is planned is really used where every list fills its page.
func TestTightness(t *testing.T) {
	t.Parallel()
	embeddedOnly(t, "it counts exact units")
	s := fullShop(t)
	schema := parsedSchema()
	serve, _ := serveWatched(t, newTable(t, s.shards, s.records(t)), 0)
	sample := 600
	if testing.Short() {
		sample = 100
	}
	used := map[string][]float64{}
	worst := map[string]string{}
	for i := range sample {
		random := rand.New(rand.NewPCG(*theoremSeed, uint64(i)))
		op := generate(random, schema, s, taste{valid: true, depth: 2 + random.IntN(4), page: 4, values: 300})
		got := serve.ask(t.Context(), t, op.query, op.variables)
		serve.wire.take()
		var e explained
		require.NoError(t, json.Unmarshal(got.body, &e))
		plan, cost := e.Extensions.Explain.Plan, e.Extensions.Explain.Actual
		for name, figure := range map[string][2]float64{
			"rounds":     {float64(cost.Rounds), float64(plan.Rounds)},
			"requests":   {float64(cost.Requests), float64(plan.Requests)},
			"read units": {cost.ReadUnits, plan.ReadUnits},
		} {
			if figure[1] == 0 {
				continue
			}
			ratio := figure[0] / figure[1]
			if len(used[name]) == 0 || ratio < slices.Min(used[name]) {
				worst[name] = op.query
			}
			used[name] = append(used[name], ratio)
		}
	}
	for name, ratios := range used {
		slices.Sort(ratios)
		mean := 0.0
		for _, r := range ratios {
			mean += r / float64(len(ratios))
		}
		t.Logf("%s used of those planned: median %.2f, mean %.2f, tenth %.2f, worst %.2f of %d operations; worst: %s",
			name, ratios[len(ratios)/2], mean, ratios[len(ratios)/10], ratios[0], len(ratios), worst[name])
		require.GreaterOrEqual(t, ratios[len(ratios)/2], 0.8, name)
		require.LessOrEqual(t, ratios[len(ratios)-1], 1.0, name)
	}
}
