package console_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"example.com/keyfirst/internal/console"
)

func get(t *testing.T, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	console.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, http.NoBody))
	return w
}

func TestFiles(t *testing.T) {
	t.Parallel()
	for path, contentType := range map[string]string{
		"/":            "text/html; charset=utf-8",
		"/console.js":  "text/javascript; charset=utf-8",
		"/console.css": "text/css; charset=utf-8",
	} {
		got := get(t, path)
		require.Equal(t, http.StatusOK, got.Code, path)
		require.Equal(t, contentType, got.Header().Get("Content-Type"))
		require.Contains(t, got.Header().Get("Content-Security-Policy"), "default-src 'none'; script-src 'self';")
		require.NotEmpty(t, got.Body.String())
	}
	require.Equal(t, http.StatusNotFound, get(t, "/page.html").Code)
}

func TestNothingComesFromElsewhere(t *testing.T) {
	t.Parallel()
	addresses := regexp.MustCompile(`(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}`)
	for _, path := range []string{"/", "/console.js", "/console.css"} {
		for _, found := range addresses.FindAllString(get(t, path).Body.String(), -1) {
			require.Equal(t, "http://www.w3.org", found, "the name of the SVG namespace is no address")
		}
	}
	page := get(t, "/").Body.String()
	require.NotRegexp(t, `<script>|<style|\sstyle=|\son[a-z]+=`, page, "the policy forbids what is inline")
	require.NotRegexp(t, `innerHTML|insertAdjacentHTML|document\.write`, get(t, "/console.js").Body.String())
}

// offer is an example as the page has it.
type offer struct{ query, variables, pattern string }

func offers(t *testing.T) []offer {
	t.Helper()
	found := regexp.MustCompile(`data-query="([^"]*)" data-variables="([^"]*)"[^>]*><span>[^<]+</span> <code>([^<]+)</code>`).
		FindAllStringSubmatch(get(t, "/").Body.String(), -1)
	list := make([]offer, 0, len(found))
	for _, match := range found {
		list = append(list, offer{html.UnescapeString(match[1]), html.UnescapeString(match[2]), match[3]})
	}
	return list
}

func TestExamplesAreValidAndComplete(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../schema.graphqls")
	require.NoError(t, err)
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "schema.graphqls", Input: string(text)})
	require.NoError(t, err)

	shown := map[string]bool{}
	for _, example := range offers(t) {
		doc, errs := gqlparser.LoadQueryWithRules(schema, example.query, nil)
		require.Empty(t, errs, example.pattern)
		variables := map[string]any{}
		if example.variables != "" {
			require.NoError(t, json.Unmarshal([]byte(example.variables), &variables), example.pattern)
		}
		_, err := validator.VariableValues(schema, doc.Operations[0], variables)
		require.NoError(t, err, example.pattern)
		require.Contains(t, patternsOf(doc.Operations[0].SelectionSet), example.pattern, "the example reads by another pattern")
		shown[example.pattern] = true
	}
	for _, definition := range schema.Types {
		for _, field := range definition.Fields {
			for _, pattern := range accessPatterns(field) {
				require.True(t, shown[pattern], "no example of %s", pattern)
			}
		}
	}
}

// patternsOf are the patterns by which a selection may read.
func patternsOf(selections ast.SelectionSet) []string {
	var patterns []string
	for _, selection := range selections {
		switch s := selection.(type) {
		case *ast.Field:
			patterns = append(patterns, accessPatterns(s.Definition)...)
			patterns = append(patterns, patternsOf(s.SelectionSet)...)
		case *ast.InlineFragment:
			patterns = append(patterns, patternsOf(s.SelectionSet)...)
		}
	}
	return patterns
}

func accessPatterns(field *ast.FieldDefinition) []string {
	var patterns []string
	for _, directive := range field.Directives.ForNames("access") {
		patterns = append(patterns, directive.Arguments.ForName("pattern").Value.Raw)
	}
	return patterns
}
