package operation

import (
	"context"
	"sync"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/loaders"
	"example.com/keyfirst/plan"
)

// meter stands between an operation's loaders and the table. What reaches it no plan foresaw, so it is charged against
// what the plan has left of the budget, and refused when nothing is.
type meter struct {
	table  loaders.Table
	budget plan.Budget
	shards int

	mu    sync.Mutex
	spent plan.Figures
}

// Load answers reads that the budget allows; it refuses all of them or none. When the operation's time is over the plan
// stops reading, and what it left is asked for here: that is a timeout, which the table reports.
func (m *meter) Load(ctx context.Context, reads []dal.Read, o dal.LoadOptions) map[dal.Read]dal.Result {
	if err := m.charge(reads, o.Consistency); err != nil && ctx.Err() == nil {
		results := make(map[dal.Read]dal.Result, len(reads))
		for _, r := range reads {
			results[r] = dal.Result{Err: err}
		}
		return results
	}
	o.Shards = m.shards
	return m.table.Load(ctx, reads, o)
}

// charge adds what the reads cost at most, in a round of their own.
func (m *meter) charge(reads []dal.Read, c dal.Consistency) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	total, keys := m.spent, 0
	total.Rounds++
	for _, r := range reads {
		b := r.Bound(c, m.shards)
		total.ReadUnits += b.ReadUnits
		total.Steps = append(total.Steps, plan.Step{
			Path: string(r.Pattern()), Round: total.Rounds, Requests: b.Requests, ReadUnits: b.ReadUnits,
		})
		if r.IsPage() {
			total.Requests += b.Requests
		} else {
			keys++
		}
	}
	total.Requests += dal.BatchRequests(keys)
	if err := m.budget.Check(total); err != nil {
		return err
	}
	m.spent = total
	return nil
}
