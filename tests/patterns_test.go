package tests

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	schemas "github.com/vektah/gqlparser/v2/ast"
	"golang.org/x/tools/go/packages"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
)

func TestEveryPatternHasAGolden(t *testing.T) {
	t.Parallel()

	shown := map[string]bool{}
	for _, g := range readGoldens(t) {
		for line := range strings.Lines(g.file("calls")) {
			if columns := strings.Fields(line); len(columns) > 2 {
				for pattern := range strings.SplitSeq(columns[2], ",") {
					shown[pattern] = true
				}
			}
		}
	}
	for _, a := range dal.Catalogue() {
		assert.True(t, shown[string(a.Pattern)], "no golden shows the pattern %s", a.Pattern)
	}
}

// TestWhatReachesTheTableSaysSo holds the resolvers to the schema: whichever of them can cause a request resolves a field
// with @access, and whichever field has @access is resolved by one that can.
func TestWhatReachesTheTableSaysSo(t *testing.T) {
	t.Parallel()

	r := loadResolvers(t, "")
	for name := range r.reaching {
		field := r.fields[name]
		if assert.NotNil(t, field, "%s reaches the table, and resolves no field", name) {
			assert.NotNil(t, field.Directives.ForName("access"),
				"%s reaches the table, and its field does not name an access pattern", name)
		}
	}
	declared := 0
	for name, field := range r.fields {
		if field.Directives.ForName("access") != nil {
			declared++
			assert.True(t, r.reaching[name], "%s names an access pattern, and nothing that resolves it reaches the table", name)
		}
	}
	assert.NotZero(t, declared, "no resolver has a field with @access: this test looks in the wrong place")
	for _, name := range r.bound {
		assert.Fail(t, "a field is resolved within dal", "%s takes a context, so it could reach the table", name)
	}
}

// TestWhatReachesTheTableIsFound holds the test above to resolvers that hide their reads.
func TestWhatReachesTheTableIsFound(t *testing.T) {
	t.Parallel()

	r := loadResolvers(t, `package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/loaders"
)

func (customer) Calls(ctx context.Context, c *dal.Customer) { hides(ctx, c) }

func hides(ctx context.Context, c *dal.Customer) { _, _ = one[*dal.Customer](ctx, dal.CustomerByID(c.ID)) }

func (mutation) HandsOn(_ context.Context, m mutation) any { return m.table.PutProduct }

func (customer) Forgets(ctx context.Context) { defer func() { go loaders.From(ctx) }() }

func (customer) Direct(ctx context.Context, t *dal.Table) { t.Load(ctx, nil, dal.LoadOptions{}) }

func (customer) Harmless(context.Context) dal.Read { return dal.CustomerByID("") }
`)
	for _, name := range []string{"Customer.Calls", "Mutation.HandsOn", "Customer.Forgets", "Customer.Direct"} {
		assert.True(t, r.reaching[name], "%s is not found", name)
	}
	assert.False(t, r.reaching["Customer.Harmless"])
	assert.True(t, r.reaching["Customer.orders"])
}

// resolving is what there is to know about the resolvers. Names are Type.field, as the schema has them; a method that
// resolves no field has its own.
type resolving struct {
	reaching map[string]bool
	// fields are those that a method resolves.
	fields map[string]*schemas.FieldDefinition
	// bound are the methods of dal's types that resolve a field and could reach the table.
	bound []string
}

// loadResolvers looks at package resolvers, with one more file if a text is given.
func loadResolvers(t *testing.T, more string) resolving {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join("..", "resolvers"))
	require.NoError(t, err)
	config := &packages.Config{
		Mode: packages.NeedName | packages.NeedImports | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax |
			packages.NeedFiles | packages.NeedCompiledGoFiles,
		Context: t.Context(), Dir: folder,
	}
	if more != "" {
		config.Overlay = map[string][]byte{filepath.Join(folder, "zz_more.go"): []byte(more)}
	}
	loaded, err := packages.Load(config, ".")
	require.NoError(t, err)
	require.Len(t, loaded, 1)
	require.Empty(t, loaded[0].Errors)
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	objects := objectsOf(loaded[0])

	r := resolving{reaching: map[string]bool{}, fields: map[string]*schemas.FieldDefinition{}}
	reaching := reachingOf(loaded[0])
	for _, method := range methodsOf(loaded[0]) {
		receiver := receiverOf(method)
		object, isResolver := objects[receiver]
		name := receiver + "." + method.Name()
		if isResolver {
			name = object + "." + method.Name()
			if field := fieldOf(schema.Types[object], method.Name()); field != nil {
				name = object + "." + field.Name
				r.fields[name] = field
			}
		}
		if reaching[method] {
			r.reaching[name] = true
		}
	}
	r.bound = boundToDal(loaded[0], schema)
	return r
}

// objectsOf tells which type of the schema each type of the package resolves: gqlgen wants a CustomerResolver for Customer.
func objectsOf(p *packages.Package) map[string]string {
	objects := map[string]string{}
	generated := p.Imports[module+"/graph"].Types.Scope()
	for _, wanted := range generated.Names() {
		object, isResolver := strings.CutSuffix(wanted, "Resolver")
		contract, isInterface := generated.Lookup(wanted).Type().Underlying().(*types.Interface)
		if !isResolver || !isInterface {
			continue
		}
		for _, name := range p.Types.Scope().Names() {
			if _, isType := p.Types.Scope().Lookup(name).(*types.TypeName); !isType {
				continue
			}
			if types.Implements(p.Types.Scope().Lookup(name).Type(), contract) {
				objects[name] = object
			}
		}
	}
	return objects
}

// reachingOf are the functions of the package that can cause a request, by themselves or through another.
func reachingOf(p *packages.Package) map[*types.Func]bool {
	uses := map[*types.Func]map[*types.Func]bool{}
	reaching := map[*types.Func]bool{}
	for _, file := range p.Syntax {
		for _, declaration := range file.Decls {
			f, isFunc := declaration.(*ast.FuncDecl)
			if !isFunc || f.Body == nil {
				continue
			}
			self := p.TypesInfo.Defs[f.Name].(*types.Func)
			uses[self] = map[*types.Func]bool{}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				ident, isIdent := n.(*ast.Ident)
				if !isIdent {
					return true
				}
				if used, isFunc := p.TypesInfo.Uses[ident].(*types.Func); isFunc {
					uses[self][used.Origin()] = true
					reaching[self] = reaching[self] || sends(p.Types, used)
				}
				return true
			})
		}
	}
	for changed := true; changed; {
		changed = false
		for f, used := range uses {
			for u := range used {
				if reaching[u] && !reaching[f] {
					reaching[f], changed = true, true
				}
			}
		}
	}
	return reaching
}

// sends says that a function itself reaches the table: all of the loaders, the table that mutations write to, and whatever
// in dal is given a context.
func sends(resolvers *types.Package, f *types.Func) bool {
	if f.Pkg() == nil {
		return false
	}
	receiver := f.Signature().Recv()
	switch f.Pkg().Path() {
	case module + "/loaders":
		return true
	case module + "/dal":
		return startsWithContext(f)
	case resolvers.Path():
		return receiver != nil && types.IsInterface(receiver.Type())
	}
	return strings.HasPrefix(f.Pkg().Path(), "github.com/aws/")
}

func startsWithContext(f *types.Func) bool {
	parameters := f.Signature().Params()
	return parameters.Len() > 0 && parameters.At(0).Type().String() == "context.Context"
}

// methodsOf are the exported methods that the package declares.
func methodsOf(p *packages.Package) (methods []*types.Func) {
	for _, file := range p.Syntax {
		for _, declaration := range file.Decls {
			if f, isFunc := declaration.(*ast.FuncDecl); isFunc && f.Recv != nil && f.Name.IsExported() {
				methods = append(methods, p.TypesInfo.Defs[f.Name].(*types.Func))
			}
		}
	}
	return methods
}

// receiverOf is the name of the type that a method belongs to.
func receiverOf(method *types.Func) string {
	receiver := method.Signature().Recv().Type()
	if pointer, isPointer := receiver.(*types.Pointer); isPointer {
		receiver = pointer.Elem()
	}
	return receiver.(*types.Named).Obj().Name()
}

// fieldOf is the field that a method resolves: names differ in their capitals only.
func fieldOf(object *schemas.Definition, method string) *schemas.FieldDefinition {
	for _, field := range object.Fields {
		if strings.EqualFold(field.Name, method) {
			return field
		}
	}
	return nil
}

// boundToDal are the methods of the table's own types that gqlgen calls, which must read what is there already.
func boundToDal(p *packages.Package, schema *schemas.Schema) (names []string) {
	scope := p.Imports[module+"/dal"].Types.Scope()
	for name := range schema.Types {
		object, isType := scope.Lookup(name).(*types.TypeName)
		if !isType {
			continue
		}
		methods := types.NewMethodSet(types.NewPointer(object.Type()))
		for selection := range methods.Methods() {
			if method, isFunc := selection.Obj().(*types.Func); isFunc && startsWithContext(method) {
				names = append(names, name+"."+method.Name())
			}
		}
	}
	return names
}
