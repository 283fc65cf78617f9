package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/plan"
)

func aliases(n int, field string) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "a%d: %s ", i, field)
	}
	return text.String()
}

func TestResponseFieldsAreBounded(t *testing.T) {
	ids := make([]any, 500)
	for i := range ids {
		ids[i] = "cust_42"
	}
	for _, c := range []struct {
		name, query string
		variables   map[string]any
		refused     bool
	}{
		{"a whole screen", `{ customer(id: "cust_1") { name orders(first: 100) { nodes { id items(first: 90) { nodes { name quantity sku } } } } } }`, nil, false},
		{"a list under many names", `query ($ids: [ID!]!) { nodes(ids: $ids) { id ` + aliases(40, "__typename") + `} }`, map[string]any{"ids": ids}, false},
		{"many lists under many names", `query ($ids: [ID!]!) {` + aliases(150, "nodes(ids: $ids) { ...n }") + `} fragment n on Node {` + aliases(40, "id") + `}`, map[string]any{"ids": ids}, true},
		{
			"lists within lists that lead back", `{ order(id: "order_X") { items(first: 90) { nodes { ...q } } } }
			fragment q on OrderItem {` + aliases(20, "order { ...o }") + `}
			fragment o on Order {` + aliases(20, "items(first: 90) { nodes { ...r } }") + `}
			fragment r on OrderItem {` + aliases(30, "name") + `}`, nil, true,
		},
		{
			"what is left out", `query ($ids: [ID!]!, $no: Boolean!) {` + aliases(20, `nodes(ids: $ids) @include(if: $no) { ...n }`) +
				`} fragment n on Node {` + aliases(40, "id") + `}`, map[string]any{"ids": ids, "no": false}, false,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			compiled, failure := plan.Compile(schema(), parse(t, c.query))
			require.NoError(t, failure)
			failure = compiled.CheckResponse(c.variables)
			require.Equal(t, c.refused, failure != nil)
			if c.refused {
				require.ErrorAs(t, failure, &plan.TooLargeError{})
			}
		})
	}
}
