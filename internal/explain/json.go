package explain

import (
	"encoding/json"
	"errors"
	"io"
	"maps"

	"example.com/keyfirst/plan"
)

// entry is one operation: what /explain answers, and which operation of which file it is.
type entry struct {
	File string `json:"file"`
	// Operation is null for an operation without a name.
	Operation *string       `json:"operation"`
	Plan      *plan.Figures `json:"plan,omitempty"`
	Errors    []refusal     `json:"errors,omitempty"`
}

// refusal is an error as the server writes it.
type refusal struct {
	Message    string         `json:"message"`
	Extensions map[string]any `json:"extensions"`
}

// coded is a refusal that has a code.
type coded interface {
	error
	Code() string
	Extensions() map[string]any
}

// JSON writes the explanations as a list.
func JSON(w io.Writer, explanations []Explanation) error {
	entries := make([]entry, len(explanations))
	for i, e := range explanations {
		entries[i] = entry{File: e.File, Plan: e.Plan}
		if e.Operation != "" {
			entries[i].Operation = &e.Operation
		}
		if e.Refusal != nil {
			entries[i].Errors = []refusal{refusalOf(e.Refusal)}
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(entries)
}

func refusalOf(err error) refusal {
	r := refusal{Message: err.Error(), Extensions: map[string]any{}}
	c, ok := errors.AsType[coded](err)
	if !ok {
		return r
	}
	maps.Copy(r.Extensions, c.Extensions())
	r.Extensions["code"] = c.Code()
	return r
}
