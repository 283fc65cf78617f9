package plan

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// condition is what @skip and @include around a selection ask of the variables: all literals must hold.
type condition []literal

// literal asks a variable to be true, or to be false.
type literal struct {
	variable string
	want     bool
}

// and adds the conditions of a selection's own directives. It is impossible when a constant or the conditions around
// it say so.
func (c condition) and(directives ast.DirectiveList) (under condition, possible bool) {
	under = c
	for _, d := range directives {
		if d.Name != "skip" && d.Name != "include" {
			continue
		}
		argument := d.Arguments.ForName("if")
		if argument == nil {
			continue
		}
		want := d.Name == "include"
		if argument.Value.Kind != ast.Variable {
			if given, err := strconv.ParseBool(argument.Value.Raw); err == nil && given != want {
				return nil, false
			}
			continue
		}
		l := literal{argument.Value.Raw, want}
		if slices.Contains(under, literal{l.variable, !want}) {
			return nil, false
		}
		if !slices.Contains(under, l) {
			under = append(slices.Clip(under), l)
		}
	}
	return under, true
}

// holds says that the condition is met.
func (c condition) holds(variables map[string]any) bool {
	for _, l := range c {
		given, ok := variables[l.variable].(bool)
		if !ok || given != l.want {
			return false
		}
	}
	return true
}

// String is the same for equal conditions.
func (c condition) String() string {
	var text strings.Builder
	for _, l := range c {
		text.WriteString(l.variable + "=" + strconv.FormatBool(l.want) + " ")
	}
	return text.String()
}

// selectedWith says that one of the field's alternatives holds.
func (s *selected) selectedWith(variables map[string]any) bool {
	return slices.ContainsFunc(s.when, func(c condition) bool { return c.holds(variables) })
}
