package explain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"example.com/keyfirst/plan"
)

// Explainer plans operations.
type Explainer struct {
	// Schema is what documents are held to. Required.
	Schema *ast.Schema
	// Rules makes the rules that documents are held to, as a server would. Required.
	Rules func() *rules.Rules
	// Coerce gives an operation the variables it is sent, as a server would. Required.
	Coerce func(*ast.Schema, *ast.OperationDefinition, map[string]any) (map[string]any, error)
	// Variables makes the variables that are sent with every operation. Each call makes new ones, because coercing
	// changes them. Default: no variables.
	Variables func() map[string]any
	// Shards is the number of shards of the table that it is planned for.
	Shards int
	// Budget is what every operation is compared with.
	Budget plan.Budget
	// Operation is the name of the only operation to plan. Default: all.
	Operation string
}

// Source is one document.
type Source struct{ Name, Text string }

// Explanation is what is said about one operation.
type Explanation struct {
	// File is the document's name.
	File string
	// Kind is query or mutation, Operation the operation's name, empty for none.
	Kind, Operation string
	// Plan is what it costs at most; nil when it is too large to be planned.
	Plan *plan.Figures
	// Refusal is why it must not run; nil when it may.
	Refusal error
}

// FaultError is what is wrong with a document or its variables, and where.
type FaultError struct {
	File         string
	Line, Column int
	Message      string
}

// Error is one line, as compilers write it.
func (f *FaultError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
}

// Explain plans the operations of a document, in its order. What is wrong with it is given beside them: a document that
// is not valid has no explanations, and an operation that does not fit the variables has none.
func (e *Explainer) Explain(source Source) (explanations []Explanation, faults []*FaultError) {
	document, err := parser.ParseQuery(&ast.Source{Name: source.Name, Input: source.Text})
	if err != nil {
		return nil, []*FaultError{faultOf(source, err, nil)}
	}
	if len(document.Operations) == 0 {
		return nil, []*FaultError{{source.Name, 1, 1, "there is no operation in the document"}}
	}
	for _, err := range validator.ValidateWithRules(e.Schema, document, e.Rules()) {
		faults = append(faults, faultOf(source, err, nil))
	}
	if len(faults) > 0 {
		slices.SortStableFunc(faults, func(a, b *FaultError) int {
			return cmp.Or(a.Line-b.Line, a.Column-b.Column)
		})
		return nil, faults
	}
	for _, operation := range document.Operations {
		if e.Operation != "" && operation.Name != e.Operation {
			continue
		}
		variables, fault := e.coerce(source, operation)
		if fault != nil {
			faults = append(faults, fault)
			continue
		}
		explanations = append(explanations, e.plan(source, operation, variables))
	}
	return explanations, faults
}

// coerce gives the operation its variables, one after the other, so that a fault is found at its variable.
func (e *Explainer) coerce(source Source, operation *ast.OperationDefinition) (map[string]any, *FaultError) {
	var sent map[string]any
	if e.Variables != nil {
		sent = e.Variables()
	}
	all := map[string]any{}
	for _, definition := range operation.VariableDefinitions {
		one := &ast.OperationDefinition{VariableDefinitions: ast.VariableDefinitionList{definition}}
		coerced, err := e.Coerce(e.Schema, one, sent)
		if err != nil {
			return nil, faultOf(source, err, definition.Position)
		}
		if value, given := coerced[definition.Variable]; given {
			all[definition.Variable] = value
		}
	}
	return all, nil
}

func (e *Explainer) plan(source Source, operation *ast.OperationDefinition, variables map[string]any) Explanation {
	explanation := Explanation{File: source.Name, Kind: string(operation.Operation), Operation: operation.Name}
	priced, err := plan.Price(e.Schema, operation, variables, e.Shards, e.Budget)
	if err != nil {
		explanation.Refusal = err
		return explanation
	}
	explanation.Plan, explanation.Refusal = &priced.Cost, priced.Refusal
	return explanation
}

// faultOf finds where an error is; what does not say is at the position given, or else at the beginning.
func faultOf(source Source, err error, at *ast.Position) *FaultError {
	fault := &FaultError{File: source.Name, Line: 1, Column: 1, Message: err.Error()}
	if at != nil {
		fault.Line, fault.Column = at.Line, at.Column
	}
	if g, ok := errors.AsType[*gqlerror.Error](err); ok {
		fault.Message = g.Message
		if len(g.Locations) > 0 {
			fault.Line, fault.Column = g.Locations[0].Line, g.Locations[0].Column
		}
	}
	return fault
}
