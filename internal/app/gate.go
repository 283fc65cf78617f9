package app

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// gate lets no operation through to a table whose settings are not known. What asks about the schema alone passes.
type gate struct {
	settings *settings
	schema   *ast.Schema
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
} = gate{}

// ExtensionName names the extension.
func (gate) ExtensionName() string { return "Gate" }

// Validate accepts every schema.
func (gate) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext refuses the operation with the error of the table.
func (g gate) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	if !g.reads(op) {
		return nil
	}
	return gqlerror.Wrap(g.settings.ready(ctx))
}

// reads says that the operation selects more than the schema's own fields.
func (g gate) reads(op *graphql.OperationContext) bool {
	root := g.schema.Query
	if op.Operation.Operation == ast.Mutation {
		root = g.schema.Mutation
	}
	for _, field := range graphql.CollectFields(op, op.Operation.SelectionSet, []string{root.Name}) {
		if !strings.HasPrefix(field.Name, "__") {
			return true
		}
	}
	return false
}
