package patterns_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
	"example.com/keyfirst/internal/patterns"
)

func schema() *ast.Schema { return graph.NewExecutableSchema(graph.Config{}).Schema() }

func TestRowsAreComplete(t *testing.T) {
	t.Parallel()
	rows := map[string]patterns.Row{}
	for i, row := range patterns.Rows(schema()) {
		require.NotContains(t, rows, row.Pattern, "a pattern has two rows")
		require.Equal(t, string(dal.Catalogue()[i].Pattern), row.Pattern, "the order is that of the catalogue")
		rows[row.Pattern] = row
	}
	require.Len(t, rows, len(dal.Catalogue()))

	for _, object := range schema().Types {
		for _, field := range object.Fields {
			for _, directive := range field.Directives.ForNames("access") {
				pattern := directive.Arguments.ForName("pattern").Value.Raw
				require.Contains(t, rows[pattern].Fields, object.Name+"."+field.Name, pattern)
			}
		}
	}
}

func TestRowsSayEverything(t *testing.T) {
	t.Parallel()
	for _, row := range patterns.Rows(schema()) {
		require.NotEmpty(t, row.Fields, row.Pattern)
		require.IsIncreasing(t, append([]string{""}, row.Fields...), row.Pattern)
		require.NotEmpty(t, row.Request, row.Pattern)
		require.NotEmpty(t, row.Key, row.Pattern)
		require.Regexp(t, `^[0-9.]+ (read|write) units`, row.Cost, row.Pattern)
		require.Contains(t, []string{"eventual", "eventual or strong", "transaction"}, row.Consistency, row.Pattern)
		require.Equal(t, strings.Contains(row.Cost, ", then "), row.Rounds == 2, row.Pattern)
	}
}

func row() patterns.Row {
	return patterns.Row{
		Pattern: "this|that", Fields: []string{"A.one", "B.two"}, Request: "Query an-index", Key: "K#<id> | L", Rounds: 2,
		Cost: "0.5 read units", Consistency: "eventual",
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, patterns.Text(&out, []patterns.Row{row()}))
	require.Equal(t, ""+
		"pattern    fields        request         key         rounds  cost at most    consistency\n"+
		"this|that  A.one, B.two  Query an-index  K#<id> | L  2       0.5 read units  eventual\n", out.String())
}

// TestMarkdownEscapes holds that no text can end its cell.
func TestMarkdownEscapes(t *testing.T) {
	t.Parallel()
	require.Equal(t, ""+
		"| pattern | fields | request | key | rounds | cost at most | consistency |\n"+
		"| --- | --- | --- | --- | --- | --- | --- |\n"+
		"| `this\\|that` | `A.one`, `B.two` | Query an-index | `K#<id> \\| L` | 2 | 0.5 read units | eventual |\n",
		patterns.Markdown([]patterns.Row{row()}))
}

func TestJSON(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, patterns.JSON(&out, []patterns.Row{row()}))
	require.Contains(t, out.String(), `"K#<id> | L"`, "keys are for people too")
	require.JSONEq(t, `[{"pattern": "this|that", "fields": ["A.one", "B.two"], "request": "Query an-index",
		"key": "K#<id> | L", "rounds": 2, "cost": "0.5 read units", "consistency": "eventual"}]`, out.String())

	out.Reset()
	require.NoError(t, patterns.JSON(&out, patterns.Rows(schema())))
	var rows []patterns.Row
	require.NoError(t, json.Unmarshal(out.Bytes(), &rows))
	require.Equal(t, patterns.Rows(schema()), rows)
}

const (
	begin = "<!-- access patterns: begin (generated) -->\n"
	end   = "<!-- access patterns: end -->"
)

func TestReplace(t *testing.T) {
	t.Parallel()
	rows := []patterns.Row{row()}
	want := "above\n" + begin + "\n" + patterns.Markdown(rows) + "\n" + end + "\nbelow\n"

	got, err := patterns.Replace("above\n"+begin+"old\n"+end+"\nbelow\n", rows)
	require.NoError(t, err)
	require.Equal(t, want, got)

	again, err := patterns.Replace(got, rows)
	require.NoError(t, err)
	require.Equal(t, want, again, "a page that is up to date stays")

	for name, page := range map[string]string{
		"no marks": "text", "no end": begin + "text", "no beginning": "text" + end, "the wrong order": end + begin,
	} {
		_, err := patterns.Replace(page, rows)
		require.ErrorContains(t, err, "the page has no marks", name)
	}
}

// TestPagesAreUpToDate finds what `make gen` would write.
func TestPagesAreUpToDate(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"../../README.md", "../../docs/access-patterns.md"} {
		page, err := os.ReadFile(name)
		require.NoError(t, err)
		written, err := patterns.Replace(string(page), patterns.Rows(schema()))
		require.NoError(t, err)
		require.Equal(t, string(page), written, "%s: run make gen", name)
	}
}
