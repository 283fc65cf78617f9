package plan_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
	"golang.org/x/tools/txtar"

	"example.com/keyfirst/plan"
)

// hostile are documents of about 100 KB, and variables, that are made to be dear to plan.
func hostile() map[string]struct {
	document  string
	variables map[string]any
} {
	repeat := func(n int, format string) string {
		var text strings.Builder
		for i := range n {
			text.WriteString(strings.ReplaceAll(format, "#", strconv.Itoa(i)))
		}
		return text.String()
	}
	ids := make([]any, 500)
	for i := range ids {
		ids[i] = fmt.Sprintf("cust_%d", i)
	}
	const deep = 300
	circle := strings.Repeat("orders(first:100){nodes{customer{", deep) + "name" + strings.Repeat("}}}", deep)
	type hostile = struct {
		document  string
		variables map[string]any
	}
	return map[string]hostile{
		"10,000 aliases of one field":  {document: `{` + repeat(10_000, `a#:customer(id:"cust_1"){name}`) + `}`},
		"2,500 aliases of other ids":   {document: `{` + repeat(2_500, `a#:customer(id:"cust_#"){latestOrder{id}}`) + `}`},
		"objects in a circle":          {document: `{customer(id:"cust_1"){` + circle + `}}`},
		"objects in circles":           {document: `{` + repeat(20, `a#:customer(id:"cust_#"){`+strings.Repeat("orders(first:100){nodes{customer{", 100)+"name"+strings.Repeat("}}}", 100)+"}") + `}`},
		"directives":                   {document: `{` + repeat(100, `a#:customer(id:"cust_#")`+strings.Repeat("@include(if:true)", 50)+`{name}`) + `}`},
		"500 ids for 1,000 fields":     {document: `query($ids:[ID!]!){nodes(ids:$ids){...on Customer{` + repeat(1_500, `a#:orders(first:100,after:"bzE6MjAyNS0wMy0wMSNh"){nodes{items{nodes{id}}}}`) + `}}}`, variables: map[string]any{"ids": ids}},
		"500 ids, 1,000 times":         {document: `query($ids:[ID!]!){` + repeat(2_000, `a#:nodes(ids:$ids){...on Customer{latestOrder{id}}}`) + `}`, variables: map[string]any{"ids": ids}},
		"pages of all sizes of lines":  {document: `{customer(id:"cust_1"){orders(first:100){nodes{` + repeat(2_000, `a#:items(first:100,after:"bDE6MDAx",before:null){nodes{product{id}}}`) + `}}}}`},
		"a bad argument, 2,000 times":  {document: `{` + repeat(2_000, `a#:customer(id:"order_#"){orders(first:0){nodes{id}}}`) + `}`},
		"a cursor of 90 KB":            {document: `{customer(id:"cust_1"){orders(after:"` + strings.Repeat("A", 90<<10) + `"){nodes{id}}}}`},
		"an id of 90 KB":               {document: `{customer(id:"cust_` + strings.Repeat("A", 90<<10) + `"){name}}`},
		"5,000 ids":                    {document: `{nodes(ids:[` + repeat(5_000, `"cust_#",`) + `]){id}}`},
		"a fragment of a large id":     {document: `{` + repeat(500, `...F `) + repeat(500, `a#:customer(id:"cust_#"){...G}`) + `} fragment F on Query{customer(id:"cust_` + strings.Repeat("A", 40<<10) + `"){name}} fragment G on Customer{orders(after:"` + strings.Repeat("A", 40<<10) + `"){nodes{id}}}`},
		"mutations, 500 times":         {document: `mutation{` + repeat(500, `a#:createCustomer(input:{name:"x",email:"x#@example.com"}){customer{orders(first:100){nodes{customer{latestOrder{items{nodes{product{id}}}}}}}}}`) + `}`},
		"an order of too many lines":   {document: `mutation{placeOrder(input:{customerId:"cust_1",warehouseId:"wh_1",lines:[` + repeat(3_000, `{sku:"#",quantity:1}`) + `]}){order{items(first:100){nodes{order{items(last:100){nodes{product{id}}}}}}}}}`},
		"wide and deep through a node": {document: `{` + repeat(150, `a#:node(id:"order_#"){...F}`) + `} fragment F on Node{...on Order{items(first:100){nodes{order{customer{orders(first:100){nodes{items{nodes{product{id}}} warehouse{openOrders(first:100){nodes{id}}}}}}}}}}}`},
	}
}

// cost compiles, binds and sums up, as it is done for every operation that comes.
func cost(schema *ast.Schema, operation *ast.OperationDefinition, variables map[string]any) (plan.Figures, error) {
	op, err := plan.Compile(schema, operation)
	if err != nil {
		return plan.Figures{}, err
	}
	figures := op.Bind(variables).Figures(16)
	return figures, plan.DefaultBudget().Check(figures)
}

// TestHostileDocuments: what a document costs to plan follows from its length, whatever it would cost to run.
func TestHostileDocuments(t *testing.T) { //nolint:paralleltest // it measures
	known := schema()
	for name, h := range hostile() {
		t.Run(name, func(t *testing.T) {
			operation := parse(t, h.document)
			took := time.Hour // the best of several, on a machine that has other things to do
			var memory uint64
			var figures plan.Figures
			var err error
			for range 10 {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				start := time.Now()
				figures, err = cost(known, operation, h.variables)
				took = min(took, time.Since(start))
				runtime.ReadMemStats(&after)
				memory = after.TotalAlloc - before.TotalAlloc
			}
			requireSane(t, figures)
			t.Logf("%d KB: %s, %d KB; %d rounds, %d requests, %g read units: %v", len(h.document)>>10, took, memory>>10,
				figures.Rounds, figures.Requests, figures.ReadUnits, err)
			length := 1 + len(h.document)/(100<<10)
			require.Less(t, took.Milliseconds(), int64(length*10*busy*slowdown))
			require.Less(t, memory, uint64(length)*16<<20)
		})
	}
}

// busy is how much slower than alone a test may run beside others, which share two processors with it in the gate.
const busy = 15

// requireSane fails when a figure has run over.
func requireSane(t require.TestingT, f plan.Figures) {
	const most = 1 << 53 // what JSON numbers hold exactly
	for _, n := range []float64{float64(f.Rounds), float64(f.Requests), f.ReadUnits, f.WriteUnits} {
		require.GreaterOrEqual(t, n, 0.0)
		require.Less(t, n, 1e24)
	}
	require.Less(t, f.Requests, most)
	for _, s := range f.Steps {
		require.Positive(t, s.Requests)
		require.Less(t, s.Requests, most)
		require.GreaterOrEqual(t, s.Keys, 0)
		require.Less(t, s.Keys, most)
		require.Positive(t, s.Round)
		require.LessOrEqual(t, s.Round, f.Rounds)
	}
}

// FuzzPlan plans whatever parses: it never panics, and its figures are sane.
func FuzzPlan(f *testing.F) {
	known := schema()
	for _, h := range hostile() {
		f.Add(h.document)
	}
	for _, bomb := range bombs() {
		f.Add(bomb)
	}
	goldens, err := filepath.Glob("../tests/testdata/goldens/*.txtar")
	require.NoError(f, err)
	for _, path := range goldens {
		text, err := os.ReadFile(path)
		require.NoError(f, err)
		for _, file := range txtar.Parse(text).Files {
			if file.Name == "query.graphql" {
				f.Add(string(file.Data))
			}
		}
	}
	f.Fuzz(func(t *testing.T, document string) {
		doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: document}, 10_000)
		if err != nil {
			return
		}
		checks := rules.NewDefaultRules()
		if len(document) > 2<<10 {
			checks = rules.NewRules() // validation takes the square of its length, which is guarded elsewhere
		}
		if errs := validator.ValidateWithRules(known, doc, checks); len(errs) > 0 {
			return
		}
		for _, operation := range doc.Operations {
			variables, bad := validator.VariableValues(known, operation, nil)
			if bad != nil {
				variables = map[string]any{}
			}
			figures, err := cost(known, operation, variables)
			requireSane(t, figures)
			var over *plan.BudgetError
			if err != nil && !errors.As(err, &over) {
				require.ErrorIs(t, err, plan.TooLargeError{})
			}
		}
	})
}
