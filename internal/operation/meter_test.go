package operation

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/plan"
)

// counted answers every read with nothing, and counts what it is asked for.
type counted struct{ reads int }

func (c *counted) Load(_ context.Context, reads []dal.Read, _ dal.LoadOptions) map[dal.Read]dal.Result {
	c.reads += len(reads)
	results := map[dal.Read]dal.Result{}
	for _, r := range reads {
		results[r] = dal.Result{}
	}
	return results
}

func TestUnplannedReadsAreChargedAgainstTheBudget(t *testing.T) {
	two := []dal.Read{dal.CustomerByID("1"), dal.OrderByID("2")}
	for _, c := range []struct {
		name    string
		budget  plan.Budget
		planned plan.Figures
		allowed int // batches of two keys
		limit   string
	}{
		{"rounds", plan.Budget{Rounds: 4}, plan.Figures{Rounds: 2}, 2, "rounds"},
		{"requests", plan.Budget{Requests: 5}, plan.Figures{Requests: 2}, 3, "requests"},
		{"read units", plan.Budget{ReadUnits: 3}, plan.Figures{ReadUnits: 2}, 1, "readUnits"},
		{"nothing left", plan.Budget{Requests: 1}, plan.Figures{Requests: 1}, 0, "requests"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := &counted{}
			m := &meter{table: table, budget: c.budget, shards: 1, spent: c.planned}
			for range c.allowed {
				for _, res := range m.Load(t.Context(), two, dal.LoadOptions{}) {
					require.NoError(t, res.Err)
				}
			}
			for _, res := range m.Load(t.Context(), two, dal.LoadOptions{}) {
				var refused *plan.BudgetError
				require.ErrorAs(t, res.Err, &refused)
				require.Equal(t, c.limit, refused.Limit)
			}
			require.Equal(t, 2*c.allowed, table.reads)
		})
	}
}

func TestReadsAfterTheDeadlineAreNoMatterOfTheBudget(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	table := &counted{}
	m := &meter{table: table, budget: plan.Budget{Requests: 1}, shards: 1, spent: plan.Figures{Requests: 1}}
	read := dal.CustomerByID("1")
	require.NoError(t, m.Load(ctx, []dal.Read{read}, dal.LoadOptions{})[read].Err)
	require.Equal(t, 1, table.reads)
}
