package plan_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
	"example.com/keyfirst/loaders"
	"example.com/keyfirst/plan"
)

// schema is the project's own.
func schema() *ast.Schema { return graph.NewExecutableSchema(graph.Config{}).Schema() }

// compile parses, validates and compiles an operation.
func compile(t *testing.T, document string) (*plan.Operation, *ast.OperationDefinition) {
	t.Helper()
	doc, errs := gqlparser.LoadQueryWithRules(schema(), document, nil)
	require.Nil(t, errs, "%v", errs)
	op, err := plan.Compile(schema(), doc.Operations[0])
	require.NoError(t, err)
	return op, doc.Operations[0]
}

// bind binds an operation with variables, coerced as an executor does it.
func bind(t *testing.T, document string, variables map[string]any) *plan.Plan {
	t.Helper()
	op, definition := compile(t, document)
	values, err := validator.VariableValues(schema(), definition, variables)
	require.NoError(t, err)
	return op.Bind(values)
}

// table answers reads from entities it holds, and notes what it was asked for, round by round.
type table struct {
	answers map[dal.Read]dal.Result
	// fails are patterns whose reads fail.
	fails map[dal.Pattern]error

	rounds      []map[dal.Read]bool
	numbers     []int
	consistency []dal.Consistency
	reread      []dal.Read
}

func (t *table) Load(_ context.Context, reads []dal.Read, o dal.LoadOptions) map[dal.Read]dal.Result {
	if len(reads) == 0 {
		return nil
	}
	round := map[dal.Read]bool{}
	results := map[dal.Read]dal.Result{}
	for _, r := range reads {
		if round[r] {
			panic("a read goes out twice in a round")
		}
		round[r] = true
		if results[r] = t.answers[r]; t.fails[r.Pattern()] != nil {
			results[r] = dal.Result{Err: t.fails[r.Pattern()]}
		}
	}
	t.rounds = append(t.rounds, round)
	t.numbers = append(t.numbers, o.Round)
	t.consistency = append(t.consistency, o.Consistency)
	return results
}

func (t *table) Reread(_ context.Context, reads []dal.Read, _ int) map[dal.Read]dal.Result {
	results := map[dal.Read]dal.Result{}
	for _, r := range reads {
		results[r] = t.answers[r]
	}
	t.reread = append(t.reread, reads...)
	return results
}

// run runs a plan's reads over the table and gives its loaders.
func (t *table) run(tb testing.TB, p *plan.Plan) *loaders.Loaders {
	tb.Helper()
	l := loaders.New(tb.Context(), t, p.Consistency(), nil)
	p.Run(tb.Context(), t, l)
	return l
}

// patterns are the access patterns of each round, one for each read, sorted.
func (t *table) patterns() [][]string {
	var rounds [][]string
	for _, round := range t.rounds {
		var names []string
		for r := range maps.Keys(round) {
			names = append(names, string(r.Pattern()))
		}
		slices.Sort(names)
		rounds = append(rounds, names)
	}
	return rounds
}

// has makes entities be found by their ids.
func (t *table) has(entities ...dal.Entity) *table {
	if t.answers == nil {
		t.answers, t.fails = map[dal.Read]dal.Result{}, map[dal.Pattern]error{}
	}
	for _, e := range entities {
		t.answers[e.ByID()] = dal.Result{Entities: []dal.Entity{e}}
	}
	return t
}

// lists makes a read find entities.
func (t *table) lists(r dal.Read, entities ...dal.Entity) *table {
	t.has()
	t.answers[r] = dal.Result{Entities: entities}
	return t
}
