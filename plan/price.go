package plan

import "github.com/vektah/gqlparser/v2/ast"

// Priced is a plan with what it costs.
type Priced struct {
	*Plan

	// Cost is the most that it costs.
	Cost Figures
	// Refusal is why the budget does not allow it; nil when it does.
	Refusal error
}

// Price plans an operation on a table with so many shards, and holds it to a budget. Its reads keep to that number of
// shards, whatever the table learns meanwhile. The error is a [TooLargeError]: what cannot be planned has no price.
func Price(
	schema *ast.Schema, operation *ast.OperationDefinition, variables map[string]any, shards int, budget Budget,
) (*Priced, error) {
	compiled, err := Compile(schema, operation)
	if err != nil {
		return nil, err
	}
	if budget != (Budget{}) { // who lifts every limit lifts that of the response
		if err := compiled.CheckResponse(variables); err != nil {
			return nil, err
		}
	}
	p := compiled.Bind(variables)
	p.shards = shards
	cost := p.Figures(shards)
	return &Priced{Plan: p, Cost: cost, Refusal: budget.Check(cost)}, nil
}
