package plan_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"example.com/keyfirst/plan"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../schema.graphqls")
	require.NoError(t, err)
	const latestOrder = `latestOrder: Order @access(pattern: "orders-by-customer")`
	cases := map[string]struct {
		old, changed string
		want         []string
	}{
		"the schema as it is": {"", "", nil},
		"a pattern that is not in the catalogue": {
			latestOrder, `latestOrder: Order @access(pattern: "latest-order")`,
			[]string{`Customer.latestOrder names the unknown pattern "latest-order"`},
		},
		"a field that nothing plans": {
			latestOrder, latestOrder + ` oldestOrder: Order @access(pattern: "orders-by-customer")`,
			[]string{"Customer.oldestOrder carries @access but plans nothing"},
		},
		"a field that does not say that it reads": {
			latestOrder, "latestOrder: Order",
			[]string{"Customer.latestOrder reads or writes without @access"},
		},
		"a pattern that no field names": {
			` @access(pattern: "orders-by-status")`, "",
			[]string{`no field of the schema names the pattern "orders-by-status" of dal's catalogue`},
		},
		"a plan for a field that is gone": {
			latestOrder, "firstOrder: Order",
			[]string{"the schema has no field Customer.latestOrder"},
		},
		"several faults, in order": {
			latestOrder, `newestOrder: Order @access(pattern: "newest")`,
			[]string{
				"Customer.newestOrder carries @access but plans nothing",
				`Customer.newestOrder names the unknown pattern "newest"`,
				"the schema has no field Customer.latestOrder",
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, string(text), c.old)
			schema, err := gqlparser.LoadSchema(&ast.Source{Input: strings.Replace(string(text), c.old, c.changed, 1)})
			require.NoError(t, err)
			err = plan.Check(schema)
			if c.want == nil {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, strings.Join(c.want, "\n"))
		})
	}
}
