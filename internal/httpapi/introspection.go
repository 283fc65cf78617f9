package httpapi

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// introspection switches the schema's own fields on, which gqlgen refuses otherwise.
type introspection struct{}

// ExtensionName names the extension for gqlgen.
func (introspection) ExtensionName() string { return "Introspection" }

// Validate accepts every schema.
func (introspection) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext lifts gqlgen's refusal.
func (introspection) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	op.DisableIntrospection = false
	return nil
}

// withoutIntrospection makes rules those of a server that keeps its schema to itself: no field that reads it, and no
// message that suggests a name from it. (The executor swaps the two rules that it knows itself.)
func withoutIntrospection(set *rules.Rules) {
	for replaced, by := range map[string]core.Rule{
		rules.KnownArgumentNamesRule.Name:  rules.KnownArgumentNamesRuleWithoutSuggestions,
		rules.KnownTypeNamesRule.Name:      rules.KnownTypeNamesRuleWithoutSuggestions,
		rules.ValuesOfCorrectTypeRule.Name: rules.ValuesOfCorrectTypeRuleWithoutSuggestions,
	} {
		set.RemoveRule(replaced)
		set.AddRule(by.Name, by.RuleFunc)
	}
	set.AddRule("NoIntrospection", noIntrospection)
}

// noIntrospection refuses the two fields that read the schema; __typename stays.
func noIntrospection(observers *core.Events, addError core.AddErrFunc) {
	observers.OnField(func(_ *core.Walker, field *ast.Field) {
		if field.Name == "__schema" || field.Name == "__type" {
			addError(core.Message("Introspection is switched off on this server."), core.At(field.Position))
		}
	})
}
