package tests

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"example.com/keyfirst/dal"
)

var update = flag.Bool("update", false, "write what the program answers into the golden files")

// golden is one file of testdata/goldens: an operation on given data, what a client gets, and the requests that the
// table gets. The files of its archive:
//
//	seed            the word demo, or JSON Lines of records (see seedRecord)
//	shards          shards of the open orders, 1 when left out; not with the demo
//	query.graphql   the document
//	variables.json  its variables, none when left out
//	response.json   data and errors
//	calls           one line a DynamoDB request: round, operation, patterns, keys, read and write units
type golden struct {
	path    string
	archive *txtar.Archive
}

// readGoldens reads all of them, by name.
func readGoldens(t require.TestingT) map[string]*golden {
	paths, err := filepath.Glob(filepath.Join("testdata", "goldens", "*.txtar"))
	require.NoError(t, err)
	goldens := make(map[string]*golden, len(paths))
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		goldens[name] = &golden{path: path, archive: archive}
		for _, f := range archive.Files {
			require.Contains(t, goldenFiles, f.Name, path)
		}
		require.NotEmpty(t, strings.TrimSpace(string(archive.Comment)), "%s does not say what it is about", path)
	}
	return goldens
}

var goldenFiles = []string{"seed", "shards", "query.graphql", "variables.json", "response.json", "calls"}

func (g *golden) file(name string) string {
	for _, f := range g.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func (g *golden) set(name, content string) {
	for i, f := range g.archive.Files {
		if f.Name == name {
			g.archive.Files[i].Data = []byte(content)
			return
		}
	}
	g.archive.Files = append(g.archive.Files, txtar.File{Name: name, Data: []byte(content)})
}

// demo says that the golden reads the shared demo.
func (g *golden) demo() bool { return strings.TrimSpace(g.file("seed")) == "demo" }

// table is the golden's data.
func (g *golden) table(tb testing.TB) string {
	tb.Helper()
	if g.demo() {
		return demoTable(tb)
	}
	shards := 1
	if text := strings.TrimSpace(g.file("shards")); text != "" {
		var err error
		shards, err = strconv.Atoi(text)
		require.NoError(tb, err)
	}
	return newTable(tb, shards, parseSeed(tb, []byte(g.file("seed"))))
}

func (g *golden) variables(t require.TestingT) (variables map[string]any) {
	text := g.file("variables.json")
	if text == "" {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(t, d.Decode(&variables))
	return variables
}

func (g *golden) write(t require.TestingT) {
	require.Empty(t, externalEndpoint(), "goldens are written over the embedded engine, whose read units are exact")
	require.NoError(t, os.WriteFile(g.path, txtar.Format(g.archive), 0o644))
}

// check compares a response and its calls with the golden's.
func (g *golden) check(t require.TestingT, got *response) {
	var calls []call
	if got.Extensions.Explain != nil {
		calls = got.actual(t).Calls
	}
	require.JSONEq(t, g.file("response.json"), settled(t, got))
	require.Equal(t, wanted(g.file("calls")), lines(calls), "the requests of the operation")
}

func TestGoldens(t *testing.T) {
	t.Parallel()
	goldens := readGoldens(t)
	require.GreaterOrEqual(t, len(goldens), 60)
	for name, g := range goldens {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, setup{table: g.table(t)})
			got := s.ask(t.Context(), t, g.file("query.graphql"), g.variables(t))
			s.requireReported(t, got)
			if *update {
				g.record(t, got)
				return
			}
			g.check(t, got)
		})
	}
}

// record writes what differs into the golden.
func (g *golden) record(t require.TestingT, got *response) {
	var calls []call
	if got.Extensions.Explain != nil {
		calls = got.actual(t).Calls
	}
	if text := settled(t, got); !sameJSON(text, g.file("response.json")) {
		g.set("response.json", text)
	}
	g.set("calls", aligned(calls))
	g.write(t)
}

func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	same, err := json.Marshal(x)
	other, err2 := json.Marshal(y)
	return err == nil && err2 == nil && bytes.Equal(same, other)
}

var (
	ulids = regexp.MustCompile(`[0-7][0-9A-HJKMNP-TV-Z]{25}`)
	times = regexp.MustCompile(`"\d{4}-\d\d-\d\dT[^"]*Z"`)
)

// settled is data and errors without what differs from run to run: new ids are numbered in the order they appear
// in, the present is called now, and request ids are left out.
func settled(t require.TestingT, r *response) string {
	for i := range r.Errors {
		if id, ok := r.Errors[i].Extensions["requestId"]; ok {
			require.Equal(t, r.header.Get("X-Request-Id"), id)
			delete(r.Errors[i].Extensions, "requestId")
		}
	}
	seen := map[string]string{}
	text := ulids.ReplaceAllStringFunc(indented(t, r), func(id string) string {
		if seen[id] == "" {
			seen[id] = fmt.Sprintf("<id %d>", len(seen)+1)
		}
		return seen[id]
	})
	return times.ReplaceAllStringFunc(text, func(quoted string) string {
		at, err := dal.ParseTime(strings.Trim(quoted, `"`))
		if err == nil && time.Since(at).Abs() < time.Minute {
			return `"<now>"`
		}
		return quoted
	})
}

// indented puts the errors into the order of their paths: the executor runs fields side by side.
func indented(t require.TestingT, r *response) string {
	slices.SortStableFunc(r.Errors, func(a, b responseError) int {
		return strings.Compare(fmt.Sprint(a.Path...), fmt.Sprint(b.Path...))
	})
	answer := struct {
		Data   json.RawMessage `json:"data,omitempty"`
		Errors []responseError `json:"errors,omitempty"`
	}{r.Data, r.Errors}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(answer))
	return out.String()
}

const callColumns = "%-5s  %-18s  %-50s  %4s"

// aligned is the text of calls in a golden.
func aligned(calls []call) string {
	if len(calls) == 0 {
		return "none\n"
	}
	var text strings.Builder
	fmt.Fprintf(&text, callColumns+"  %9s  %10s\n", "round", "operation", "patterns", "keys", "readUnits", "writeUnits")
	sorted := make([]string, len(calls))
	for i, c := range calls {
		sorted[i] = fmt.Sprintf(callColumns+"  %9.1f  %10.1f\n", strconv.Itoa(c.Round), c.Operation, c.Pattern,
			strconv.Itoa(c.Keys), c.ReadUnits, c.WriteUnits)
	}
	slices.Sort(sorted) // requests of one round have no order
	return text.String() + strings.Join(sorted, "")
}

// lines are calls in the form that is compared: over an external engine without the units, which engines count in
// their own ways.
func lines(calls []call) []string { return wanted(aligned(calls)) }

func wanted(text string) []string {
	var rows []string
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if externalEndpoint() != "" && len(fields) == 6 {
			fields = fields[:4]
		}
		rows = append(rows, strings.Join(fields, "  "))
	}
	slices.Sort(rows)
	return rows
}
