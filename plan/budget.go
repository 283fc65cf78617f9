package plan

import (
	"fmt"
	"strconv"
)

// Budget is the most that one operation may cost. A zero is no limit.
type Budget struct {
	// Rounds bounds the rounds, one after the other.
	Rounds int
	// Requests bounds the DynamoDB requests.
	Requests int
	// ReadUnits and WriteUnits bound the capacity units.
	ReadUnits, WriteUnits float64
}

// DefaultBudget lets a screen's worth of nested lists through, and stops what nobody reads to its end.
func DefaultBudget() Budget { return Budget{Rounds: 8, Requests: 50, ReadUnits: 1000, WriteUnits: 500} }

// BudgetError says that an operation would cost more than its budget. It is fit for a client.
type BudgetError struct {
	// Figures are what the operation would cost.
	Figures Figures
	// Limit names the limit, Allowed is it, Planned what the operation would take of it.
	Limit            string
	Allowed, Planned float64
	// Field is the path that adds most to it, Adds how much; of rounds, the path read last, and its round.
	Field string
	Adds  float64
}

// Check says which limit the figures are over; nil when they are within all.
func (b Budget) Check(f Figures) error {
	for _, l := range []struct {
		name             string
		allowed, planned float64
		of               func(Step) float64
	}{
		{"rounds", float64(b.Rounds), float64(f.Rounds), func(s Step) float64 { return float64(s.Round) }},
		{"requests", float64(b.Requests), float64(f.Requests), func(s Step) float64 { return float64(s.Requests) }},
		{"readUnits", b.ReadUnits, f.ReadUnits, func(s Step) float64 { return s.ReadUnits }},
		{"writeUnits", b.WriteUnits, f.WriteUnits, func(s Step) float64 { return s.WriteUnits }},
	} {
		if l.allowed > 0 && l.planned > l.allowed {
			field, adds := dearest(f.Steps, l.of)
			return &BudgetError{
				Figures: f, Limit: l.name, Allowed: l.allowed, Planned: l.planned, Field: field, Adds: adds,
			}
		}
	}
	return nil
}

func dearest(steps []Step, of func(Step) float64) (field string, adds float64) {
	for _, s := range steps {
		if of(s) > adds {
			field, adds = s.Path, of(s)
		}
	}
	return field, adds
}

// Error names the limit, and the field to begin with.
func (e *BudgetError) Error() string {
	where := "adds most of them"
	if e.Limit == "rounds" {
		where = "is in the last of them"
	}
	return fmt.Sprintf("The operation may take %s %s and is planned to take %s; the field %s %s.",
		number(e.Allowed), e.Limit, number(e.Planned), e.Field, where)
}

// Code is the GraphQL error code.
func (*BudgetError) Code() string { return "BUDGET_EXCEEDED" }

// Extensions are the totals, the limit and the field, for programs.
func (e *BudgetError) Extensions() map[string]any {
	return map[string]any{"budget": map[string]any{
		"limit": e.Limit, "allowed": e.Allowed, "planned": e.Planned, "field": e.Field, "adds": e.Adds,
		"rounds": e.Figures.Rounds, "requests": e.Figures.Requests,
		"readUnits": e.Figures.ReadUnits, "writeUnits": e.Figures.WriteUnits,
	}}
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
