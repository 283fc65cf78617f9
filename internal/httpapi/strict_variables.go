package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
)

// CoerceVariables gives an operation the variables that a client sent, as the schema wants them. It refuses what the
// server refuses, in the same words.
func CoerceVariables(
	schema *ast.Schema, op *ast.OperationDefinition, sent map[string]any,
) (map[string]any, error) {
	coerced, err := validator.VariableValues(schema, op, sent)
	if err != nil {
		fault, ok := errors.AsType[*gqlerror.Error](err)
		if !ok || !isVariableFault(fault) {
			return nil, err
		}
		return nil, newError(codeBadUserInput, variableFault(fault))
	}
	if fault := (strictVariables{schema}).checkAll(op, coerced); fault != nil {
		return nil, fault
	}
	return coerced, nil
}

// strictVariables refuses what gqlparser lets pass in variables, though not in the document: an enum's value in other
// letters (which gqlgen would silently read as the zero value), an Int of more than 32 bits, a number in quotes, and a
// number where a String is wanted, or a fraction where an ID is.
type strictVariables struct {
	schema *ast.Schema
}

// ExtensionName names the extension for gqlgen.
func (strictVariables) ExtensionName() string { return "StrictVariables" }

// Validate accepts every schema.
func (strictVariables) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext refuses the operation or leaves it alone.
func (s strictVariables) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	return s.checkAll(op.Operation, op.Variables)
}

// checkAll looks at every variable of an operation.
func (s strictVariables) checkAll(op *ast.OperationDefinition, variables map[string]any) *gqlerror.Error {
	for _, definition := range op.VariableDefinitions {
		path := ast.Path{ast.PathName(definition.Variable)}
		if fault := s.check(path, definition.Type, variables[definition.Variable]); fault != nil {
			return fault
		}
	}
	return nil
}

// check looks at a value and everything within it. Null and the kinds of JSON are right already.
func (s strictVariables) check(path ast.Path, wanted *ast.Type, value any) *gqlerror.Error {
	if value == nil {
		return nil
	}
	if wanted.Elem != nil {
		return s.checkList(path, wanted.Elem, value)
	}
	definition := s.schema.Types[wanted.NamedType]
	switch {
	case definition.Kind == ast.InputObject:
		return s.checkObject(path, definition, value)
	case definition.Kind == ast.Enum && !isEnumValue(definition, value),
		wanted.NamedType == "Int" && !isInt(value),
		wanted.NamedType == "String" && isNumber(value),
		wanted.NamedType == "ID" && isNumber(value) && !isWhole(value):
		return newError(codeBadUserInput, `Variable "$`+path.String()+`" is not a valid `+wanted.NamedType+`.`)
	}
	return nil
}

// checkList looks at each element; what is no list stands for a list of one. (Of such a one gqlparser makes a slice
// of the value's own type.)
func (s strictVariables) checkList(path ast.Path, wanted *ast.Type, value any) *gqlerror.Error {
	list := reflect.ValueOf(value)
	if list.Kind() != reflect.Slice {
		return s.check(path, wanted, value)
	}
	for i := range list.Len() {
		if fault := s.check(below(path, ast.PathIndex(i)), wanted, list.Index(i).Interface()); fault != nil {
			return fault
		}
	}
	return nil
}

// checkObject looks at each field of an input object, in the schema's order.
func (s strictVariables) checkObject(path ast.Path, definition *ast.Definition, value any) *gqlerror.Error {
	object, ok := value.(map[string]any)
	if !ok {
		return nil // not of JSON: a default value's, which validation has seen
	}
	for _, field := range definition.Fields {
		if fault := s.check(below(path, ast.PathName(field.Name)), field.Type, object[field.Name]); fault != nil {
			return fault
		}
	}
	return nil
}

// below is a path one step down, sharing nothing with path.
func below(path ast.Path, step ast.PathElement) ast.Path {
	return append(slices.Clip(path), step)
}

// isEnumValue tells whether an enum has a value, letter by letter.
func isEnumValue(definition *ast.Definition, value any) bool {
	name, ok := value.(string)
	return ok && definition.EnumValues.ForName(name) != nil
}

// isNumber tells whether a value was a number in the JSON: to gqlparser a [json.Number] is a string.
func isNumber(value any) bool {
	_, ok := value.(json.Number)
	return ok
}

// isWhole tells whether a number is written as a whole one, of any length.
func isWhole(value any) bool {
	number, ok := value.(json.Number)
	return ok && !strings.ContainsAny(number.String(), ".eE")
}

// isInt tells whether a value is a whole number of 32 bits.
func isInt(value any) bool {
	var text string
	switch v := value.(type) {
	case int64:
		text = strconv.FormatInt(v, 10)
	case json.Number:
		text = v.String()
	}
	_, err := strconv.ParseInt(text, 10, 32)
	return err == nil
}
