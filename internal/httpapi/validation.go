package httpapi

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// ValidationRules are what a document is held to. Each call makes new ones, because the executor swaps some.
func ValidationRules(introspection bool) *rules.Rules {
	set := rules.NewDefaultRules()
	set.AddRule("NoDefer", noDefer)
	if !introspection {
		withoutIntrospection(set)
	}
	return set
}

// noDefer refuses a directive that gqlparser adds to every schema. The executor answers a deferred field with null and
// sends it in a later response; here an operation has one response, and null would be taken for the answer.
func noDefer(observers *core.Events, addError core.AddErrFunc) {
	observers.OnDirective(func(_ *core.Walker, directive *ast.Directive) {
		if directive.Name == "defer" {
			addError(core.Message("The directive @defer is not supported."), core.At(directive.Position))
		}
	})
}
