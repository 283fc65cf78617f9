package tests

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// internals are what no client may ever see, whatever it asked for: names of the table's keys and indexes, of AWS and
// its errors, of Go packages and types, and traces of a panic.
var internals = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`arn:aws`, `\bamazon`, `dynamodb`, `\baws\b`, `smithy`, `api error`, `https response error`, `StatusCode`,
	`[A-Za-z]+Exception\b`, `operation error`, `\bdial tcp`, `127\.0\.0\.1`, `localhost`, `connection refused`,
	`example\.com/keyfirst`, `github\.com/`, `\.go:\d`, `goroutine \d`, `runtime error`, `nil pointer`, `panic`,
	`\*?\b(dal|graph|loaders|resolvers|plan|httpapi|operation|gqlerror|engine|time|json)\.[A-Z]\w+`, `\bdal: `,
	`map\[string\]`, `interface \{\}`, `\bcontext (canceled|deadline)`, `unexpected EOF`,
	`CUST#`, `ORDER#`, `ITEM#`, `PRODUCT#`, `WAREHOUSE#`, `EMAIL#`, `ERASE#`, `REQUEST#`,
	`email-index`, `open-orders-index`, `status-index`, `openWarehouse`, `openSince`, `statusKey`, `emailKey`,
}, "|"))

// requireNoLeak looks at every byte that a client gets. It is applied to each response of each test of this package.
func requireNoLeak(t require.TestingT, s *server, header http.Header, body []byte) {
	if h, ok := t.(interface{ Helper() }); ok {
		h.Helper()
	}
	var head strings.Builder
	for name, values := range header {
		head.WriteString(name + ": " + strings.Join(values, ", ") + "\n")
	}
	seen := head.String() + string(body)
	for _, secret := range slices.Concat(s.secrets, []string{s.table}) {
		require.NotContains(t, seen, secret)
	}
	require.Empty(t, internals.FindString(seen), "an internal name in: %s", seen)
}
