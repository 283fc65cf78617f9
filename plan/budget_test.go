package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/plan"
)

// TestBudget goes over each limit by one, and then is just within it.
func TestBudget(t *testing.T) {
	t.Parallel()
	read := bind(t, `{customer(id:"cust_1"){orders(first:20){nodes{items(first:5){nodes{product{name}}}}}} a:warehouse(id:"wh_1"){openOrders{nodes{id}}}}`, nil).Figures(2)
	require.Equal(t, []any{3, 6, 117.5}, []any{read.Rounds, read.Requests, read.ReadUnits})
	write := bind(t, `mutation{
		small:createCustomer(input:{name:"A",email:"a@example.com"}){customer{id}}
		large:placeOrder(input:{customerId:"cust_1",warehouseId:"wh_1",lines:[{sku:"a",quantity:1},{sku:"b",quantity:1}]}){order{id}}
	}`, nil).Figures(1)
	require.InEpsilon(t, 60.0, write.WriteUnits, 0)
	for _, c := range []struct {
		name         string
		budget, just plan.Budget
		figures      plan.Figures
		want         plan.BudgetError
		message      string
	}{
		{
			"rounds",
			plan.Budget{Rounds: 2},
			plan.Budget{Rounds: 3},
			read,
			plan.BudgetError{Limit: "rounds", Allowed: 2, Planned: 3, Field: "customer.orders.items.product", Adds: 3},
			"The operation may take 2 rounds and is planned to take 3; the field customer.orders.items.product is in the last of them.",
		},
		{
			"requests",
			plan.Budget{Requests: 5},
			plan.Budget{Requests: 6},
			read,
			plan.BudgetError{Limit: "requests", Allowed: 5, Planned: 6, Field: "a.openOrders", Adds: 2},
			"The operation may take 5 requests and is planned to take 6; the field a.openOrders adds most of them.",
		},
		{
			"read units",
			plan.Budget{ReadUnits: 117},
			plan.Budget{ReadUnits: 117.5},
			read,
			plan.BudgetError{Limit: "readUnits", Allowed: 117, Planned: 117.5, Field: "customer.orders.items", Adds: 50},
			"The operation may take 117 readUnits and is planned to take 117.5; the field customer.orders.items adds most of them.",
		},
		{
			"write units",
			plan.Budget{WriteUnits: 59.5},
			plan.Budget{WriteUnits: 60},
			write,
			plan.BudgetError{Limit: "writeUnits", Allowed: 59.5, Planned: 60, Field: "large", Adds: 40},
			"The operation may take 59.5 writeUnits and is planned to take 60; the field large adds most of them.",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, c.just.Check(c.figures))
			require.NoError(t, plan.Budget{}.Check(c.figures))
			var over *plan.BudgetError
			require.ErrorAs(t, c.budget.Check(c.figures), &over)
			c.want.Figures = c.figures
			require.Equal(t, c.want, *over)
			require.Equal(t, c.message, over.Error())
			require.Equal(t, "BUDGET_EXCEEDED", over.Code())
			require.Equal(t, map[string]any{"budget": map[string]any{
				"limit": c.want.Limit, "allowed": c.want.Allowed, "planned": c.want.Planned, "field": c.want.Field, "adds": c.want.Adds,
				"rounds": c.figures.Rounds, "requests": c.figures.Requests,
				"readUnits": c.figures.ReadUnits, "writeUnits": c.figures.WriteUnits,
			}}, over.Extensions())
		})
	}
}

// TestDefaultBudget lets a full screen through.
func TestDefaultBudget(t *testing.T) {
	t.Parallel()
	screen := `{customer(id:"cust_1"){name orders(first:20){nodes{id warehouse{name} items(first:10){nodes{name product{name}}}}}}}`
	require.NoError(t, plan.DefaultBudget().Check(bind(t, screen, nil).Figures(4)))
}
