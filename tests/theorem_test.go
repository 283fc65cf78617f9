package tests

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
	"example.com/keyfirst/internal/httpapi"
	"example.com/keyfirst/internal/operation"
	"example.com/keyfirst/resolvers"
)

var (
	theoremSeed = flag.Uint64("theorem.seed", 1, "the first seed of the theorem's operations")
	theoremRuns = flag.Int("theorem.runs", 0, "how many operations the theorem tries; 0 is the usual number")
)

// runs is how many operations are tried.
func runs() int {
	switch {
	case *theoremRuns > 0:
		return *theoremRuns
	case externalEndpoint() != "":
		return 200
	case testing.Short():
		return 400
	}
	return 2400
}

// shops are the random tables: nothing at all, hardly anything, and enough for several pages.
var shops = []sizes{
	{customers: 0, orders: 1, lines: 1, products: 1, warehouses: 1, shards: 1},
	{customers: 1, orders: 2, lines: 2, products: 1, warehouses: 1, shards: 1},
	{customers: 3, orders: 6, lines: 3, products: 3, warehouses: 2, shards: 3},
	{customers: 4, orders: 12, lines: 5, products: 6, warehouses: 2, shards: 2},
	{customers: 6, orders: 30, lines: 9, products: 20, warehouses: 3, shards: 4},
	{customers: 2, orders: 110, lines: 25, products: 12, warehouses: 1, shards: 1},
	{customers: 12, orders: 8, lines: 4, products: 9, warehouses: 6, shards: 7},
	{customers: 5, orders: 20, lines: 90, products: 40, warehouses: 4, shards: 1},
}

// TestTheorem tries random operations on random tables. For each the plan must bound what really happened, nothing
// unplanned may happen, and the answer must be the one of an executor that knows no plan.
func TestTheorem(t *testing.T) {
	t.Parallel()
	reached := make(chan map[string]bool, len(shops))
	t.Run("tables", func(t *testing.T) {
		for i, most := range shops {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				trial := newTrial(t, *theoremSeed+uint64(i)<<32, most)
				for range runs() / len(shops) {
					trial.next(t)
				}
				require.Less(t, trial.invalid, 1+runs()/len(shops)/10, "the generator makes invalid operations")
				reached <- trial.reached
			})
		}
	})
	if t.Failed() {
		return
	}
	close(reached)
	all := map[string]bool{}
	for some := range reached {
		for name := range some {
			all[name] = true
		}
	}
	for _, d := range parsedSchema().Types {
		for _, f := range d.Fields {
			if d.Kind == ast.Object && !strings.HasPrefix(f.Name, "__") && !strings.HasPrefix(d.Name, "__") {
				require.True(t, all[d.Name+"."+f.Name], "no operation reached %s.%s", d.Name, f.Name)
			}
		}
	}
}

func parsedSchema() *ast.Schema {
	return graph.NewExecutableSchema(graph.Config{}).Schema()
}

// watched is the table as the operations read it. It counts what no plan foresaw.
type watched struct {
	*dal.Table

	unplanned atomic.Int64
}

func (w *watched) Load(ctx context.Context, reads []dal.Read, o dal.LoadOptions) map[dal.Read]dal.Result {
	if o.Round == 0 {
		w.unplanned.Add(1)
	}
	return w.Table.Load(ctx, reads, o)
}

// serveWatched is the whole program over a table that counts.
func serveWatched(t require.TestingT, name string, latency time.Duration) (*server, *watched) {
	s := &server{table: name, wire: &wire{next: backend()}}
	table := &watched{Table: dal.New(newClient(s.wire), dal.Config{Name: name})}
	_, err := table.RefreshSettings(context.Background())
	require.NoError(t, err)
	s.handler, err = httpapi.New(httpapi.Config{
		Schema:     graph.NewExecutableSchema(graph.Config{Resolvers: resolvers.New(table.Table)}),
		Extensions: []graphql.HandlerExtension{operation.New(table)},
		Timeout:    time.Minute, MaxTokens: 1 << 20, MaxBodyBytes: 1 << 24,
	})
	require.NoError(t, err)
	s.wire.take()
	s.wire.latency = latency
	return s, table
}

// trial is one table with the operations that are tried on it, one after the other.
type trial struct {
	seed    uint64
	schema  *ast.Schema
	shop    *shop
	server  *server
	table   *watched
	reached map[string]bool
	invalid int
}

func newTrial(t *testing.T, seed uint64, most sizes) *trial {
	t.Helper()
	made := randomShop(t, rand.New(rand.NewPCG(seed, 0)), most)
	tr := &trial{seed: seed, schema: parsedSchema(), shop: made, reached: map[string]bool{}}
	tr.server, tr.table = serveWatched(t, newTable(t, made.shards, made.records(t)), 0)
	return tr
}

// next tries the operation of the next seed.
func (tr *trial) next(t *testing.T) {
	t.Helper()
	tr.seed++
	random := rand.New(rand.NewPCG(tr.seed, 1))
	like := taste{mutation: random.IntN(6) == 0, depth: 1 + random.IntN(8), page: 1 + random.IntN(8), values: 3000}
	op := generate(random, tr.schema, tr.shop, like)
	doc, errs := tr.parse(op.query)
	if len(errs) > 0 {
		tr.invalid++
		return
	}
	failure := tr.try(t.Context(), op, doc)
	if failure == nil {
		return
	}
	if !like.mutation {
		op, failure = tr.minimise(t.Context(), op, failure)
	}
	variables, err := json.Marshal(op.variables)
	require.NoError(t, err)
	t.Fatalf("seed %d (-theorem.seed %d):\n%s\nvariables: %s\n%v", tr.seed, *theoremSeed, op.query, variables, failure)
}

func (tr *trial) parse(query string) (*ast.QueryDocument, gqlerror.List) {
	doc, err := parser.ParseQuery(&ast.Source{Input: query})
	if err != nil {
		return nil, gqlerror.List{{Message: err.Error()}}
	}
	return doc, validator.ValidateWithRules(tr.schema, doc, rules.NewDefaultRules())
}

// explained is the report of an operation.
type explained struct {
	Extensions struct {
		Explain struct {
			Plan struct {
				Rounds, Requests      int
				ReadUnits, WriteUnits float64
			}
			Actual actual
		}
	}
}

// stopped ends a try.
type stopped struct{}

// failures collects what a try finds wrong.
type failures struct{ found []error }

func (f *failures) Errorf(format string, args ...any) {
	f.found = append(f.found, fmt.Errorf(format, args...))
}

func (*failures) FailNow() { panic(stopped{}) }

// try runs one operation and says everything that is wrong with it; nil when nothing is.
func (tr *trial) try(ctx context.Context, op generated, doc *ast.QueryDocument) (failure error) {
	f := &failures{}
	defer func() {
		if p := recover(); p != nil && p != any(stopped{}) {
			f.Errorf("panic: %v", p)
		}
		failure = errors.Join(f.found...)
	}()
	variables, err := validator.VariableValues(tr.schema, doc.Operations[0], throughJSON(f, op.variables))
	require.NoError(f, err)
	before := tr.table.unplanned.Load()
	got := tr.server.ask(ctx, f, op.query, op.variables)
	require.NotEmpty(f, got.Data, "%s", got.body)
	tr.checkCost(f, got, declared(tr.schema, variables, doc.Operations[0]))
	require.Equal(f, before, tr.table.unplanned.Load(), "reads that no plan foresaw")
	tr.checkAnswer(f, got, variables, doc.Operations[0])
	return nil
}

// throughJSON gives the variables as they arrive.
func throughJSON(t require.TestingT, variables map[string]any) (arrived map[string]any) {
	body, err := json.Marshal(variables)
	require.NoError(t, err)
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	require.NoError(t, d.Decode(&arrived))
	return arrived
}

// checkCost is the theorem.
func (tr *trial) checkCost(t require.TestingT, got *response, patterns map[string]bool) {
	var e explained
	require.NoError(t, json.Unmarshal(got.body, &e))
	plan, cost := e.Extensions.Explain.Plan, e.Extensions.Explain.Actual
	for _, sent := range tr.server.requireReported(t, got) {
		require.Contains(t, []string{"GetItem", "BatchGetItem", "Query", "TransactWriteItems"}, sent.operation)
	}
	require.Zero(t, cost.Retries)
	require.LessOrEqual(t, cost.Rounds, plan.Rounds, "rounds")
	require.LessOrEqual(t, cost.Requests, plan.Requests, "requests")
	require.LessOrEqual(t, cost.ReadUnits, plan.ReadUnits, "read units")
	if externalEndpoint() == "" { // DynamoDB Local counts more for a transaction than the service does
		require.LessOrEqual(t, cost.WriteUnits, plan.WriteUnits, "write units")
	}
	for _, c := range cost.Calls {
		for pattern := range strings.SplitSeq(c.Pattern, ",") {
			require.Contains(t, patterns, pattern, "a request of no field in the operation")
		}
	}
}

// declared are the patterns of the @access directives on all fields that the operation selects.
func declared(schema *ast.Schema, variables map[string]any, o *ast.OperationDefinition) map[string]bool {
	patterns := map[string]bool{}
	var visit func(on *ast.Definition, set ast.SelectionSet)
	visit = func(on *ast.Definition, set ast.SelectionSet) {
		for _, merged := range collect(variables, on, set) {
			if strings.HasPrefix(merged[0].Name, "__") {
				continue
			}
			f := on.Fields.ForName(merged[0].Name)
			for _, d := range f.Directives.ForNames("access") {
				patterns[d.Arguments.ForName("pattern").Value.Raw] = true
			}
			var below ast.SelectionSet
			for _, same := range merged {
				below = append(below, same.SelectionSet...)
			}
			for _, object := range schema.GetPossibleTypes(schema.Types[f.Type.Name()]) {
				visit(object, below)
			}
		}
	}
	root := schema.Query
	if o.Operation == ast.Mutation {
		root = schema.Mutation
	}
	visit(root, o.SelectionSet)
	return patterns
}

// checkAnswer compares data and errors with those of the naive executor. A mutation changes the shop.
func (tr *trial) checkAnswer(t require.TestingT, got *response, variables map[string]any, o *ast.OperationDefinition) {
	n := &naive{schema: tr.schema, shop: tr.shop, variables: variables, reached: tr.reached}
	require.NoError(t, json.Unmarshal(got.Data, &n.answered))
	want := n.run(o)
	var codes []string
	for _, e := range got.Errors {
		path := make([]any, len(e.Path))
		for i, step := range e.Path {
			path[i] = step
			if index, isIndex := step.(float64); isIndex {
				path[i] = int(index)
			}
		}
		codes = append(codes, fmt.Sprint(path, e.code()))
	}
	slices.Sort(codes)
	slices.Sort(n.errors)
	require.Equal(t, n.errors, codes, "the paths and codes of the errors")
	require.Equal(t, tokens(want), tokensOf(t, got.Data), "the data")
}

func tokensOf(t require.TestingT, text []byte) (all []json.Token) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all = append(all, token)
	}
}

// minimise takes away selections as long as something is still wrong.
func (tr *trial) minimise(ctx context.Context, op generated, failure error) (generated, error) {
	for smaller := true; smaller; {
		smaller = false
		for _, query := range tr.without(op.query) {
			less := generated{query, op.variables}
			doc, errs := tr.parse(query)
			if len(errs) > 0 {
				continue
			}
			if err := tr.try(ctx, less, doc); err != nil {
				op, failure, smaller = less, err, true
				break
			}
		}
	}
	return op, failure
}

// without are the document's texts with one selection less each.
func (tr *trial) without(query string) (smaller []string) {
	for n := 0; ; n++ {
		doc, err := parser.ParseQuery(&ast.Source{Input: query})
		if err != nil {
			return smaller
		}
		left := n
		removed := false
		var visit func(ast.SelectionSet) ast.SelectionSet
		visit = func(set ast.SelectionSet) ast.SelectionSet {
			for i, s := range set {
				if left--; left < 0 && !removed && len(set) > 1 {
					removed = true
					return slices.Delete(slices.Clone(set), i, i+1)
				}
				switch s := s.(type) {
				case *ast.Field:
					s.SelectionSet = visit(s.SelectionSet)
				case *ast.InlineFragment:
					s.SelectionSet = visit(s.SelectionSet)
				}
				if removed {
					return set
				}
			}
			return set
		}
		doc.Operations[0].SelectionSet = visit(doc.Operations[0].SelectionSet)
		for _, f := range doc.Fragments {
			if !removed {
				f.SelectionSet = visit(f.SelectionSet)
			}
		}
		if !removed {
			return smaller
		}
		smaller = append(smaller, printed(doc))
	}
}

// printed is the document without fragments and variables that nothing uses any more.
func printed(doc *ast.QueryDocument) string {
	write := func() string {
		var text strings.Builder
		formatter.NewFormatter(&text, formatter.WithIndent("  ")).FormatQueryDocument(doc)
		return text.String()
	}
	for {
		text := write()
		before := len(doc.Fragments)
		doc.Fragments = slices.DeleteFunc(doc.Fragments, func(f *ast.FragmentDefinition) bool {
			return strings.Count(text, "... "+f.Name+"\n")+strings.Count(text, "... "+f.Name+" ")+strings.Count(text, "..."+f.Name+"\n") == 0
		})
		if len(doc.Fragments) == before {
			break
		}
	}
	text := write()
	o := doc.Operations[0]
	o.VariableDefinitions = slices.DeleteFunc(o.VariableDefinitions, func(v *ast.VariableDefinition) bool {
		uses := 0
		for _, end := range " ,)]}:\n" {
			uses += strings.Count(text, "$"+v.Variable+string(end))
		}
		return uses < 2
	})
	return write()
}

// TestRoundsAreTheLongestChain runs a sample with latency, in time that stands still while anything is under way:
// what the program calls rounds must be what an observer of the wire would.
func TestRoundsAreTheLongestChain(t *testing.T) {
	t.Parallel()
	embeddedOnly(t, "its time cannot be stopped")
	most := shops[4]
	made := randomShop(t, rand.New(rand.NewPCG(7, 0)), most)
	table := newTable(t, made.shards, made.records(t))
	schema := parsedSchema()
	sample := 150
	if testing.Short() {
		sample = 40
	}
	deepest := 0
	for i := range sample {
		random := rand.New(rand.NewPCG(*theoremSeed, uint64(i)))
		like := taste{mutation: i%6 == 0, depth: 2 + random.IntN(7), page: 5, values: 1500}
		op := generate(random, schema, made, like)
		synctest.Test(t, func(t *testing.T) {
			s, _ := serveWatched(t, table, 4*time.Millisecond)
			got := s.ask(t.Context(), t, op.query, op.variables)
			sent := s.requireReported(t, got)
			if got.Extensions.Explain == nil {
				return // the generator's fault, counted elsewhere
			}
			rounds := got.actual(t).Rounds
			require.Equal(t, longestChain(sent), rounds, "seed %d: %s %v", i, op.query, op.variables)
			deepest = max(deepest, rounds)
		})
	}
	require.Greater(t, deepest, 3)
}
