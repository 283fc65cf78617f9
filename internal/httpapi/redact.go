package httpapi

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// The parser's and validator's messages quote the document. Names may be told; values may be secrets, so that every
// message ends where a value would begin. The place in the document is told by the error's locations.

// redactSyntax cuts a parser's message in front of the text it found.
func redactSyntax(message string) string {
	for _, mark := range []string{", found", `"`, ":"} {
		message, _, _ = strings.Cut(message, mark)
	}
	return "Syntax error: " + strings.TrimRight(message, " .") + "."
}

// redactValidation cuts a validator's message in front of a value.
func redactValidation(message string) string {
	if strings.HasPrefix(message, "operation ") && strings.HasSuffix(message, " not found") {
		return "The document has no such operation, or several and operationName does not say which."
	}
	for _, mark := range []string{" value: ", ", found "} {
		if kept, _, found := strings.Cut(message, mark); found {
			return kept + strings.TrimRight(strings.TrimSuffix(mark, "found "), ":, ") + "."
		}
	}
	return message
}

// isVariableFault tells a variable that has the wrong value from a document that is wrong: only the former has a path.
func isVariableFault(g *gqlerror.Error) bool {
	return len(g.Path) > 1 && g.Path[0] == ast.PathName("variable")
}

// variableFault says which variable is wrong, down to the field within it, and why.
func variableFault(g *gqlerror.Error) string {
	why := g.Message
	if _, kind, found := strings.Cut(why, " is not a valid "); found {
		why = "is not a valid " + kind
	}
	if strings.HasPrefix(why, "cannot use ") {
		why = "is not a valid " + why[strings.LastIndex(why, " ")+1:]
	}
	if object, _, found := strings.Cut(strings.TrimPrefix(why, "must be a "), ", not a "); found { // a kind of Go's
		why = "is not a valid " + object
	}
	if strings.HasPrefix(why, "enums must be ") {
		why = "is not the name of an enum's value"
	}
	return `Variable "$` + g.Path[1:].String() + `" ` + why + "."
}
