package tests

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"golang.org/x/tools/txtar"

	"example.com/keyfirst/internal/app"
)

// command is a run of the program over files. Those of an archive in testdata/explain:
//
//	args            the command line, in one line; a word that names a file of the archive is that file
//	stdin           standard input, empty when left out
//	stdout, stderr  what the program writes
//	status          its exit status
//
// and any others.
type command struct {
	path    string
	archive *txtar.Archive
	folder  string
}

func readCommands(t *testing.T) map[string]*command {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "explain", "*.txtar"))
	require.NoError(t, err)
	commands := map[string]*command{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		require.NotEmpty(t, strings.TrimSpace(string(archive.Comment)), "%s does not say what it is about", path)
		commands[strings.TrimSuffix(filepath.Base(path), ".txtar")] = &command{path, archive, t.TempDir()}
	}
	return commands
}

func (c *command) file(name string) string {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// set changes a file; one that is empty is left out.
func (c *command) set(name, content string) {
	for i, f := range c.archive.Files {
		if f.Name == name {
			c.archive.Files[i].Data = []byte(content)
			return
		}
	}
	if content != "" {
		c.archive.Files = append(c.archive.Files, txtar.File{Name: name, Data: []byte(content)})
	}
}

// run runs the command line with its files in a folder, which the output does not show.
func (c *command) run(t *testing.T, more ...string) (stdout, stderr, status string) {
	t.Helper()
	args := append(strings.Fields(c.file("args")), more...)
	for _, f := range c.archive.Files {
		name := filepath.Join(c.folder, f.Name)
		require.NoError(t, os.WriteFile(name, f.Data, 0o600))
		for i := range args {
			if args[i] == f.Name {
				args[i] = name
			}
		}
	}
	var out, problems bytes.Buffer
	code := app.Main(t.Context(), app.Process{
		Args: args, Environment: func(string) (string, bool) { return "", false },
		Stdin: strings.NewReader(c.file("stdin")), Stdout: &out, Stderr: &problems,
	})
	without := func(text string) string { return strings.ReplaceAll(text, c.folder+string(filepath.Separator), "") }
	return without(out.String()), without(problems.String()), strconv.Itoa(code) + "\n"
}

// TestExplainCommand holds `keyfirst explain` to what it printed when somebody last looked.
func TestExplainCommand(t *testing.T) {
	t.Parallel()
	for name, c := range readCommands(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, status := c.run(t)
			if *update {
				c.set("stdout", stdout)
				c.set("stderr", stderr)
				c.set("status", status)
				require.NoError(t, os.WriteFile(c.path, txtar.Format(c.archive), 0o644))
				return
			}
			require.Equal(t, c.file("stdout"), stdout)
			require.Equal(t, c.file("stderr"), stderr)
			require.Equal(t, c.file("status"), status)
		})
	}
}

// TestExplainCommandAnswersLikeTheServer sends every operation of the goldens to /explain.
func TestExplainCommandAnswersLikeTheServer(t *testing.T) {
	t.Parallel()
	s := newServer(t, setup{})
	for name, g := range readGoldens(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &command{folder: t.TempDir(), archive: g.archive}
			c.archive.Files = append(slices.Clip(c.archive.Files),
				txtar.File{Name: "args", Data: []byte("explain --format json query.graphql")})
			var more []string
			if g.file("variables.json") != "" {
				more = []string{"-v", "variables.json"}
			}
			stdout, stderr, status := c.run(t, more...)

			document, err := parser.ParseQuery(&ast.Source{Input: g.file("query.graphql")})
			if err != nil {
				require.Equal(t, "1\n", status, stderr)
				return
			}
			var entries []map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(stdout), &entries))
			for _, operation := range document.Operations {
				plan, refused := s.explain(t, g, operation.Name)
				if strings.Contains(string(refused), "Introspection is switched off") {
					require.Equal(t, "0\n", status, "it costs nothing, and whether it may run is a server's setting")
					return
				}
				if plan == nil {
					require.Equal(t, "1\n", status, "the server refuses it: %s", refused)
					continue
				}
				require.NotEmpty(t, entries, stderr)
				require.JSONEq(t, string(plan), string(entries[0]["plan"]))
				if len(refused) == 0 {
					require.Empty(t, entries[0]["errors"])
				} else {
					require.JSONEq(t, string(refused), string(entries[0]["errors"]))
					require.Equal(t, "3\n", status)
				}
				entries = entries[1:]
			}
		})
	}
}

// explain asks the server what a golden's operation costs.
func (s *server) explain(t *testing.T, g *golden, operation string) (plan, refused json.RawMessage) {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"query": g.file("query.graphql"), "variables": g.variables(t), "operationName": operation,
	})
	require.NoError(t, err)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/explain", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	var answer struct {
		Plan, Errors json.RawMessage
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer), w.Body)
	return answer.Plan, answer.Errors
}
