package tests

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

const module = "example.com/keyfirst"

// place says what one package may import of ours. It stands for the packages below it too, and those import each other.
type place struct {
	path    string // below the module's root
	imports []string
	reason  string // why nothing else
}

// places lists every package that must exist, from the top down: an arrow to a package further up is not even
// a valid entry. A new package is placed here first. Test files are free to import what they test against.
var places = []place{
	{"", []string{"internal/app", "internal/config"}, "main parses the command line and runs it: what is built is internal/app's to say"},
	{"tests", nil, "the whole program is tested from outside"},
	{
		"internal/app",
		[]string{"internal/config", "internal/httpapi", "internal/console", "internal/demo", "internal/engine", "internal/operation", "internal/explain", "internal/patterns", "resolvers", "plan", "graph", "loaders", "dal"},
		"the composition root is for main and the tests alone",
	},
	{"internal/config", nil, "settings are plain values: what they configure takes them, not the other way round"},
	{"internal/httpapi", []string{"dal"}, "transports know how an error looks to a client; what answers an operation is given to them"},
	{"internal/console", nil, "the console is files"},
	{"internal/demo", []string{"dal"}, "the sample data is records, and dal says how they are stored"},
	{"internal/operation", []string{"plan", "loaders", "dal"}, "one operation runs from its plan to its report, whatever its fields and its transport"},
	{"internal/explain", []string{"plan"}, "what is said about a document follows from its plans, whoever runs it"},
	{"resolvers", []string{"graph", "loaders", "dal", "internal/scalars"}, "a resolver asks its loader; whether a plan has primed it is not its business"},
	{"plan", []string{"loaders", "dal"}, "a plan follows from the schema and dal's catalogue, whoever resolves the fields"},
	{"internal/patterns", []string{"graph", "dal"}, "what is written about the access patterns follows from the schema and dal's catalogue alone"},
	{"graph", []string{"internal/scalars", "dal"}, "generated code knows the types that it marshals"},
	{"internal/scalars", []string{"dal"}, "a scalar knows its Go type"},
	{"loaders", []string{"dal"}, "loaders know dal and nothing above it"},
	{"dal", nil, "dal is the bottom: what it needs is an argument"},
	{"internal/engine", nil, "the engine stands in for DynamoDB, which knows none of its customers"},
}

// outside says which packages may import something that is not ours.
type outside struct {
	imports []string // and the packages below
	by      []string
	tests   []string // may import it in their tests too
	reason  string
}

var outsides = []outside{
	{
		imports: []string{"github.com/aws"},
		by:      []string{"dal", "internal/app"},
		tests:   []string{"internal/engine", "internal/operation", "internal/httpapi", "tests"},
		reason:  "only dal talks to DynamoDB, through a client that internal/app makes",
	},
	{
		imports: []string{"github.com/99designs/gqlgen", "github.com/vektah/gqlparser"},
		by:      []string{"internal/app", "internal/httpapi", "internal/operation", "internal/explain", "resolvers", "plan", "internal/patterns", "graph", "internal/scalars"},
		tests:   []string{"tests", "internal/console"},
		reason:  "GraphQL ends above the loaders, and neither the table nor its engine knows it",
	},
	{
		imports: []string{"github.com/alecthomas/kong", "flag"},
		by:      []string{"internal/config"},
		tests:   []string{"tests"},
		reason:  "only internal/config reads the command line",
	},
	{
		imports: []string{"github.com/graph-gophers/dataloader"},
		by:      []string{"loaders"},
		reason:  "batching policy lives in the loaders",
	},
}

func TestImportsPointDown(t *testing.T) {
	t.Parallel()

	for i, p := range places {
		for _, imported := range p.imports {
			at := slices.IndexFunc(places, func(q place) bool { return q.path == imported })
			assert.Greater(t, at, i, "the table lets %q import %q, which is not below it", p.path, imported)
		}
	}
	for _, f := range sources(t) {
		if f.test {
			continue
		}
		from, known := placeOf(f.folder)
		if !assert.True(t, known, "%s: the package has no place yet: add it to the table of this test", f.name) {
			continue
		}
		for _, spec := range f.syntax.Imports {
			imported, ours := strings.CutPrefix(importPath(t, spec), module)
			if !ours {
				continue
			}
			to, _ := placeOf(strings.TrimPrefix(imported, "/"))
			assert.True(t, from.path == to.path || slices.Contains(from.imports, to.path),
				"%s imports %q: %s", f.name, to.path, from.reason)
		}
	}
}

func TestOutsideImports(t *testing.T) {
	t.Parallel()

	for _, f := range sources(t) {
		from, _ := placeOf(f.folder)
		for _, spec := range f.syntax.Imports {
			imported := importPath(t, spec)
			for _, o := range outsides {
				allowed := slices.Contains(o.by, from.path) || f.test && slices.Contains(o.tests, from.path)
				matches := slices.ContainsFunc(o.imports, func(p string) bool { return isOrBelow(imported, p) })
				assert.False(t, matches && !allowed, "%s imports %s: %s", f.name, imported, o.reason)
			}
		}
	}
}

func TestOnlyConfigReadsTheEnvironment(t *testing.T) {
	t.Parallel()

	reading := []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}
	for _, f := range sources(t) {
		if f.test || f.folder == "internal/config" {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			selector, isSelector := n.(*ast.SelectorExpr)
			if isSelector && isIdent(selector.X, "os") {
				assert.NotContains(t, reading, selector.Sel.Name,
					"%s reads the environment: a setting that internal/config does not list is one nobody finds", f.name)
			}
			return true
		})
	}
}

func TestEveryPackageExistsAndSaysWhatItIsFor(t *testing.T) {
	t.Parallel()

	written := map[string]bool{} // the packages, and whether a person wrote them
	docs := map[string]*ast.File{}
	for _, f := range sources(t) {
		written[f.folder] = written[f.folder] || !ast.IsGenerated(f.syntax)
		if path.Base(f.name) == "doc.go" {
			docs[f.folder] = f.syntax
		}
	}
	for _, p := range places {
		exists := slices.ContainsFunc(slices.Collect(maps.Keys(written)), func(folder string) bool { return isOrBelow(folder, p.path) })
		assert.True(t, exists, "the package %q is missing", p.path)
	}
	for folder, byHand := range written {
		if !byHand {
			continue
		}
		doc := docs[folder]
		if assert.NotNil(t, doc, "the package %q has no doc.go", folder) {
			assert.Contains(t, oneLine(doc.Doc.Text()), "must not know",
				"the doc.go of %q does not say what the package must not know", folder)
		}
	}
}

func TestPackageNamesSayWhatIsInside(t *testing.T) {
	t.Parallel()

	for _, f := range sources(t) {
		for _, name := range []string{f.syntax.Name.Name, path.Base(f.folder)} {
			assert.NotContains(t, []string{"util", "utils", "helper", "helpers", "common", "manager", "impl"}, name,
				"%s: name the package after what it holds", f.name)
		}
	}
}

// TestTableMethodsAreDocumented takes every exported method of dal.Table that is given a context for one that reaches
// DynamoDB.
func TestTableMethodsAreDocumented(t *testing.T) {
	t.Parallel()

	paragraphs := []string{"Access pattern:", "Cost:", "Consistency:", "Errors:"}
	methods := 0
	for _, f := range sources(t) {
		if f.folder != "dal" || f.test {
			continue
		}
		for _, declaration := range f.syntax.Decls {
			method, isFunc := declaration.(*ast.FuncDecl)
			if !isFunc || !method.Name.IsExported() || !isMethodOf(method, "Table") || !takesContext(method) {
				continue
			}
			methods++
			text := "\n\n" + method.Doc.Text()
			for _, p := range paragraphs {
				assert.Contains(t, text, "\n\n"+p, "%s: the comment of Table.%s has no paragraph %q", f.name, method.Name, p)
			}
		}
	}
	assert.NotZero(t, methods, "dal.Table has no method that reaches DynamoDB")
}

// placeholder is what DynamoDB's expressions write for an attribute's name: a '#' that starts a word, never one
// between the segments of a key, which are in capitals.
var placeholder = regexp.MustCompile(`(^|[ (,])#[a-z]`)

func TestOnlyKeysSpellTheSeparator(t *testing.T) {
	t.Parallel()

	spelled := false
	for _, f := range sources(t) {
		if f.folder != "dal" || f.test {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			literal, isLiteral := n.(*ast.BasicLit)
			if !isLiteral || literal.Kind != token.STRING && literal.Kind != token.CHAR {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			if !strings.Contains(placeholder.ReplaceAllString(text, ""), "#") {
				return true
			}
			if f.name == "dal/keys.go" {
				spelled = true
			} else {
				assert.Fail(t, "a key is spelled outside of dal/keys.go", "%s: %s", f.name, literal.Value)
			}
			return true
		})
	}
	assert.True(t, spelled, "dal/keys.go spells no key: this test looks in the wrong place")
}

// source is one Go file of the module that the build takes on this system.
type source struct {
	name   string // from the module's root, with slashes
	folder string // of the name; empty for the root
	test   bool
	syntax *ast.File
}

func sources(t *testing.T) []source {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	loaded, err := packages.Load(&packages.Config{
		Mode:    packages.NeedName | packages.NeedFiles,
		Context: t.Context(),
		Dir:     root,
		Tests:   true,
	}, "./...")
	require.NoError(t, err)

	found := map[string]source{} // a file is in its package and in the package's test variant
	for _, p := range loaded {
		require.Empty(t, p.Errors, p.ID)
		for _, file := range p.GoFiles {
			name, err := filepath.Rel(root, file)
			require.NoError(t, err)
			name = filepath.ToSlash(name)
			if _, seen := found[name]; seen || strings.HasPrefix(name, "../") { // the main of a test binary is elsewhere
				continue
			}
			syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
			require.NoError(t, err)
			found[name] = source{
				name:   name,
				folder: strings.TrimPrefix(path.Dir(name), "."),
				test:   strings.HasSuffix(name, "_test.go"),
				syntax: syntax,
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b source) int { return cmp.Compare(a.name, b.name) })
}

func placeOf(folder string) (place, bool) {
	for _, p := range places {
		if isOrBelow(folder, p.path) {
			return p, true
		}
	}
	return place{}, false
}

func isOrBelow(name, top string) bool {
	return name == top || strings.HasPrefix(name, top+"/")
}

func importPath(t *testing.T, spec *ast.ImportSpec) string {
	t.Helper()
	imported, err := strconv.Unquote(spec.Path.Value)
	require.NoError(t, err)
	return imported
}

func isMethodOf(f *ast.FuncDecl, name string) bool {
	if f.Recv == nil {
		return false
	}
	pointer, isPointer := f.Recv.List[0].Type.(*ast.StarExpr)
	return isPointer && isIdent(pointer.X, name)
}

func takesContext(f *ast.FuncDecl) bool {
	if len(f.Type.Params.List) == 0 {
		return false
	}
	selector, isSelector := f.Type.Params.List[0].Type.(*ast.SelectorExpr)
	return isSelector && isIdent(selector.X, "context") && selector.Sel.Name == "Context"
}

func isIdent(e ast.Expr, name string) bool {
	ident, isIdent := e.(*ast.Ident)
	return isIdent && ident.Name == name
}

func oneLine(text string) string {
	return strings.Join(strings.Fields(text), " ")
}
