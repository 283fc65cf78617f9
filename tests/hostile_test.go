package tests

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
)

// TestHostileRequests sends what no honest client does. Each gets an error with a code, soon, and costs no request.
func TestHostileRequests(t *testing.T) {
	t.Parallel()
	nested := func(open, inner, end string, depth int) string {
		return strings.Repeat(open, depth) + inner + strings.Repeat(end, depth)
	}
	cases := []struct {
		name, body, query string
		variables         any
		status            int
		code              string
	}{
		{name: "5 MB", body: `{"query":"{__typename}","variables":{"x":"` + strings.Repeat("a", 5<<20) + `"}}`, status: 413, code: "BAD_USER_INPUT"},
		{name: "5 MB of no JSON", body: strings.Repeat("a", 5<<20), status: 413, code: "BAD_USER_INPUT"},
		{name: "nothing", body: ``, status: 400, code: "BAD_USER_INPUT"},
		{name: "no JSON", body: `{"query": "{ customer(id: \"hunter2\")`, status: 400, code: "BAD_USER_INPUT"},
		{name: "JSON and more", body: `{"query":"{__typename}"} {"password":"hunter2"}`, status: 400, code: "BAD_USER_INPUT"},
		{name: "an array", body: `[{"query":"{__typename}"}]`, status: 400, code: "BAD_USER_INPUT"},
		{name: "no query", body: `{"operationName":"x"}`, status: 400, code: "BAD_USER_INPUT"},
		{name: "a query of the wrong type", body: `{"query":{"a":1}}`, status: 400, code: "BAD_USER_INPUT"},
		{name: "variables of the wrong type", body: `{"query":"{__typename}","variables":[1]}`, status: 400, code: "BAD_USER_INPUT"},
		{name: "no UTF-8", body: "{\"query\":\"{customer(id:\\\"\xff\xfe\\\"){id}}\"}", status: 400, code: "BAD_USER_INPUT"},
		{name: "JSON nested too deep", body: `{"query":"{__typename}","variables":{"x":` + nested("[", "", "]", 20_000) + `}}`, status: 400, code: "BAD_USER_INPUT"},
		{name: "unknown field", query: `{ customer(id: "cust_42") { password } }`, status: 400, code: "GRAPHQL_VALIDATION_FAILED"},
		{name: "4001 tokens", query: "{" + strings.Repeat(" __typename", 3999) + "}", status: 400, code: "GRAPHQL_PARSE_FAILED"},
		{name: "nested too deep", query: nested("{a", "", "}", 1999), status: 400, code: "GRAPHQL_PARSE_FAILED"},
		{name: "values nested too deep", query: `{ node(id: ` + nested("[", "1", "]", 1900) + `) { id } }`, status: 400, code: "GRAPHQL_PARSE_FAILED"},
		{
			name: "objects in a circle", query: `{ customer(id: "cust_42") { orders {` +
				nested(" nodes { customer { orders {", " nodes { id } ", "}}}", 200) + "} } }",
			status: 400, code: "BUDGET_EXCEEDED",
		},
		{name: "a fragment within itself", query: `{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }`, status: 400, code: "GRAPHQL_VALIDATION_FAILED"},
		{name: "fragments that double", query: doubling(25), status: 400, code: "BUDGET_EXCEEDED"},
		{name: "one field very often", query: "{" + strings.Repeat(" __typename", 3000) + "}", status: 400, code: "GRAPHQL_VALIDATION_FAILED"},
		{name: "a NUL in the document", query: "{ customer(id: \"cust_42\") { id\x00 } }", status: 400, code: "GRAPHQL_PARSE_FAILED"},
		{name: "a subscription", query: `subscription { customer(id: "cust_42") { id } }`, status: 400, code: "GRAPHQL_VALIDATION_FAILED"},
		{name: "two operations, none named", query: `query A { __typename } query B { __typename }`, status: 400, code: "GRAPHQL_VALIDATION_FAILED"},
		{
			name: "an object for an id", query: `query ($id: ID!) { customer(id: $id) { id } }`,
			variables: map[string]any{"id": map[string]any{"password": "hunter2"}}, status: 400, code: "BAD_USER_INPUT",
		},
		{
			name: "a list for a number", query: `query ($n: Int) { customer(id: "cust_42") { orders(first: $n) { nodes { id } } } }`,
			variables: map[string]any{"n": []any{1}}, status: 400, code: "BAD_USER_INPUT",
		},
		{
			name: "a fraction for a number", query: `query ($n: Int) { customer(id: "cust_42") { orders(first: $n) { nodes { id } } } }`,
			variables: map[string]any{"n": 1.5}, status: 400, code: "BAD_USER_INPUT",
		},
		{
			name: "an unknown field of an input", query: `query ($f: OrderFilter) { customer(id: "cust_42") { orders(filter: $f) { nodes { id } } } }`,
			variables: map[string]any{"f": map[string]any{"password": "hunter2"}}, status: 400, code: "BAD_USER_INPUT",
		},
	}
	s := newServer(t, setup{})
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			body := []byte(c.body)
			if c.query != "" {
				var err error
				body, err = json.Marshal(map[string]any{"query": c.query, "variables": c.variables})
				require.NoError(t, err)
			}
			start := time.Now()
			got := s.post(t.Context(), t, body)
			require.Less(t, time.Since(start), 10*time.Second)
			require.Equal(t, c.status, got.status, "%s", got.body)
			require.Equal(t, []string{c.code}, got.codes(), "%s", got.body)
			require.Nil(t, got.Data, "%s", got.body)
			require.NotContains(t, string(got.body), "hunter2", "what a client sent may be a secret")
			require.Less(t, len(got.Errors[0].Message), 10_000, "a message is not larger than what it is about")
			require.Empty(t, s.wire.take())
		})
	}
}

// doubling is a document that merges into 2 to the power of n fields.
func doubling(n int) string {
	var document strings.Builder
	document.WriteString("{ ...F0 }")
	for i := range n {
		fmt.Fprintf(&document, ` fragment F%d on Query { a%d: node(id: "cust_1") { ...G%d } b%d: node(id: "cust_2") { ...G%d } }`, i, i, i, i, i)
		fmt.Fprintf(&document, ` fragment G%d on Customer { a%d: latestOrder { customer { ...G%d } } b%d: latestOrder { customer { ...G%d } } }`, i, i, i+1, i, i+1)
	}
	fmt.Fprintf(&document, " fragment G%d on Customer { latestOrder { id } }", n)
	// Only F0 is spread; the others would be unused fragments, which are refused for another reason.
	text := document.String()
	for i := 1; i < n; i++ {
		start := strings.Index(text, fmt.Sprintf(" fragment F%d ", i))
		end := start + strings.Index(text[start:], fmt.Sprintf(" fragment G%d ", i))
		text = text[:start] + text[end:]
	}
	return text
}

// TestHostileText sends bytes that mean something to keys, to JSON and to Go where ids, names, addresses and cursors
// are wanted. They are looked up or refused, but never change what is looked for.
func TestHostileText(t *testing.T) {
	t.Parallel()
	s := newServer(t, setup{})
	texts := []string{
		"\x00", "42\x00", "😀", "42#", "#42", "42%23", "42#ORDER#2025-03-01#A17", "42/../42", "\u202e42", "\ufeff42", " 42", "42\n",
		"'; DROP TABLE", `"}`, "${jndi:ldap://x}", "\U0010ffff", "e\u0301", strings.Repeat("\U0001f600", 16),
	}
	for i, text := range texts {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			got := s.ask(t.Context(), t, `query ($c: ID!, $o: ID!, $i: ID!, $p: ID!, $w: ID!) {
				customer(id: $c) { id orders { nodes { id } } } order(id: $o) { id items { nodes { id } } } item: node(id: $i) { id }
				product(id: $p) { id } warehouse(id: $w) { id openOrders { nodes { id } } } }`,
				map[string]any{"c": "cust_" + text, "o": "order_" + text, "i": "item_" + text + "_001", "p": "prod_" + text, "w": "wh_" + text})
			require.Empty(t, got.Errors, "%s", got.body)
			require.JSONEq(t, `{"customer":null,"order":null,"item":null,"product":null,"warehouse":null}`, string(got.Data))

			got = s.ask(t.Context(), t, `query ($e: String!) { customerByEmail(email: $e) { id } }`, map[string]any{"e": text + "@example.com"})
			require.JSONEq(t, `{"customerByEmail":null}`, string(got.Data))
			for _, code := range got.codes() {
				require.Equal(t, "BAD_USER_INPUT", code)
			}

			cursor := dal.OrderPosition{Placed: "2025-03-01", Order: dal.OrderID(text)}.Cursor()
			got = s.ask(t.Context(), t, `query ($a: String!) { customer(id: "cust_42") { orders(after: $a) { nodes { customer { id } } } } }`,
				map[string]any{"a": cursor})
			require.Empty(t, got.Errors, "a position of an order with any id is a position")
			require.NotContains(t, string(got.Data), `"cust_1"`)

			got = s.ask(t.Context(), t, `query ($a: String!) { customer(id: "cust_42") { orders(after: $a) { nodes { id } } } }`,
				map[string]any{"a": text})
			require.Equal(t, []string{"BAD_USER_INPUT"}, got.codes(), "%s", got.body)
		})
	}
}

// TestHostileNames writes such bytes and reads them back as they were.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	s := newServer(t, setup{table: newTable(t, 1, nil)})
	for _, text := range []string{"a#b", "a%23b", "%", "😀", "a\x00b", "\u202e", "a b", "##", `"`, "\\"} {
		got := s.ask(t.Context(), t, `mutation ($s: String!) {
			putProduct(input: {sku: $s, name: $s, price: {amount: "1", currency: "EUR"}}) { product { id sku name } userErrors { code } } }`,
			map[string]any{"s": text})
		require.Empty(t, got.Errors, "%s", got.body)
		got = s.ask(t.Context(), t, `query ($p: ID!) { product(id: $p) { id sku name version } node(id: $p) { id } }`, map[string]any{"p": "prod_" + text})
		wanted, err := json.Marshal(map[string]any{
			"product": map[string]any{"id": "prod_" + text, "sku": text, "name": text, "version": 1}, "node": map[string]any{"id": "prod_" + text},
		})
		require.NoError(t, err)
		require.JSONEq(t, string(wanted), string(got.Data), "%q", text)
	}
}

// TestEveryByteOfABody sends bodies cut at every length.
func TestEveryByteOfABody(t *testing.T) {
	t.Parallel()
	s := newServer(t, setup{})
	whole := []byte(`{"query":"query A($id: ID!) { customer(id: $id) { name } }","operationName":"A","variables":{"id":"cust_42"}}`)
	for i := range whole {
		got := s.post(t.Context(), t, whole[:i])
		require.Equal(t, http.StatusBadRequest, got.status, "%s", whole[:i])
		require.Equal(t, []string{"BAD_USER_INPUT"}, got.codes())
		got = s.post(t.Context(), t, bytes.Replace(whole, whole[i:i+1], []byte{0}, 1))
		require.NotEmpty(t, got.codes(), "%q is no request", whole[i])
	}
}
