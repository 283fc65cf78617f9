package app

import (
	"github.com/99designs/gqlgen/graphql"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
	"example.com/keyfirst/internal/config"
	"example.com/keyfirst/internal/operation"
	"example.com/keyfirst/plan"
	"example.com/keyfirst/resolvers"
)

// newSchema makes the executable schema over a table, and the extension that plans and runs each of its operations.
func newSchema(table *dal.Table, budget config.Budget) (graphql.ExecutableSchema, *operation.Extension) {
	schema := graph.NewExecutableSchema(graph.Config{Resolvers: resolvers.New(table)})
	return schema, operation.New(table).Within(plan.Budget(budget))
}
