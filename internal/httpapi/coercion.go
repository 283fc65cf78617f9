package httpapi

import (
	"context"
	"errors"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// coercionFault tells whether the error of a field is about its arguments, and says which one is wrong. gqlgen reads
// the arguments before the resolver runs, leaves Args nil when that fails, and appends the path within the argument
// to the field's; its own texts name Go types and repeat the value.
func (p *presenter) coercionFault(ctx context.Context, err error) (string, bool) {
	field := graphql.GetFieldContext(ctx)
	if field == nil || field.Args != nil || field.Field.Field == nil || field.Field.Definition == nil ||
		len(field.Field.Definition.Arguments) == 0 {
		return "", false
	}
	within := argumentPath(field, err)
	if wanted := p.typeAt(field.Field.Definition.Arguments, within); wanted != "" {
		return fmt.Sprintf("Argument %q is not a valid %s.", within.String(), wanted), true
	}
	return fmt.Sprintf("An argument of field %q is not valid.", field.Field.Name), true
}

// argumentPath is what follows the field's own path in an error's.
func argumentPath(field *graphql.FieldContext, err error) ast.Path {
	g, ok := errors.AsType[*gqlerror.Error](err)
	own := len(field.Path())
	if !ok || len(g.Path) <= own {
		return nil
	}
	return g.Path[own:]
}

// typeAt is the name of the type that the schema wants at a path below a list of arguments; empty when there is none.
func (p *presenter) typeAt(arguments ast.ArgumentDefinitionList, path ast.Path) string {
	if len(path) == 0 {
		return ""
	}
	name, _ := path[0].(ast.PathName)
	argument := arguments.ForName(string(name))
	if argument == nil {
		return ""
	}
	wanted := argument.Type
	for _, step := range path[1:] {
		if wanted = p.stepInto(wanted, step); wanted == nil {
			return ""
		}
	}
	return wanted.Name()
}

// stepInto goes one step down, into a list or an input object; nil when there is no such step.
func (p *presenter) stepInto(from *ast.Type, step ast.PathElement) *ast.Type {
	name, isName := step.(ast.PathName)
	if !isName {
		return from.Elem
	}
	input := p.schema.Types[from.Name()]
	if input == nil {
		return nil
	}
	if field := input.Fields.ForName(string(name)); field != nil {
		return field.Type
	}
	return nil
}
