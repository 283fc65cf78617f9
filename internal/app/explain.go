package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"example.com/keyfirst/graph"
	"example.com/keyfirst/internal/config"
	"example.com/keyfirst/internal/explain"
	"example.com/keyfirst/internal/httpapi"
	"example.com/keyfirst/plan"
)

// overBudgetError says how many operations are over budget.
type overBudgetError struct{ over, all int }

func (e overBudgetError) Error() string {
	return fmt.Sprintf("over budget: %d of %d operations", e.over, e.all)
}

// builtInSchema is the schema without anything that resolves it.
func builtInSchema() *ast.Schema { return graph.NewExecutableSchema(graph.Config{}).Schema() }

// explain prints what the operations of documents cost. It goes through all of them before it fails.
func (p Process) explain(c config.Explain) error {
	e, err := newExplainer(c)
	if err != nil {
		return err
	}
	var (
		explanations []explain.Explanation
		faults       []error
	)
	for _, file := range c.Files {
		text, err := p.read(file)
		if err != nil {
			return err
		}
		explained, wrong := e.Explain(explain.Source{Name: file, Text: string(text)})
		explanations = append(explanations, explained...)
		for _, fault := range wrong {
			faults = append(faults, fault)
		}
	}
	if len(explanations) == 0 && len(faults) == 0 {
		return fmt.Errorf("no document has an operation %s", c.Operation)
	}
	if c.Format == config.FormatJSON {
		err = explain.JSON(p.Stdout, explanations)
	} else {
		err = explain.Text(p.Stdout, explanations, e.Budget)
	}
	return errors.Join(err, p.judge(explanations, faults))
}

func newExplainer(c config.Explain) (*explain.Explainer, error) {
	e := &explain.Explainer{
		Schema: builtInSchema(), Coerce: httpapi.CoerceVariables, Shards: c.Shards, Budget: plan.Budget(c.Budget),
		Operation: c.Operation,
		// Whether a document may read the schema is a server's setting.
		Rules: func() *rules.Rules { return httpapi.ValidationRules(true) },
	}
	if err := plan.Check(e.Schema); err != nil || c.Variables == "" {
		return e, err
	}
	text, err := os.ReadFile(c.Variables)
	if err != nil {
		return nil, err
	}
	if _, err := decodeVariables(text); err != nil {
		return nil, fmt.Errorf("%s is not one JSON object: %w", c.Variables, err)
	}
	e.Variables = func() map[string]any {
		variables, _ := decodeVariables(text) // it could be decoded before
		return variables
	}
	return e, nil
}

// decodeVariables keeps numbers as they are written, as the server does.
func decodeVariables(text []byte) (variables map[string]any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&variables); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows it")
	}
	return variables, nil
}

// read reads a document.
func (p Process) read(file string) ([]byte, error) {
	if file != config.Stdin {
		return os.ReadFile(file) //nolint:gosec // the user names the file
	}
	if p.Stdin == nil {
		return nil, errors.New("there is no standard input")
	}
	return io.ReadAll(p.Stdin)
}

// judge writes a line for each fault, and says what the command comes to.
func (p Process) judge(explanations []explain.Explanation, faults []error) error {
	for _, fault := range faults {
		if _, err := fmt.Fprintln(p.Stderr, fault); err != nil {
			return err
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("faults in documents or variables: %d", len(faults))
	}
	over := 0
	for _, e := range explanations {
		if e.Refusal != nil {
			over++
		}
	}
	if over > 0 {
		return overBudgetError{over, len(explanations)}
	}
	return nil
}
