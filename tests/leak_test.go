package tests

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/stretchr/testify/require"
)

// internals are what no client may ever see, whatever it asked for: names of AWS and its errors, of the table's keys
// and indexes, of Go packages and types, and traces of a panic. All in lower case.
var internals = []string{
	"arn:aws", "amazon", "dynamodb", "smithy", "api error", "statuscode", "operation error", "exception",
	"dial tcp", "127.0.0.1", "localhost", "connection refused", "engine.invalid", "embedded.invalid",
	"example.com/keyfirst", "github.com/", "runtime error", "nil pointer", "panic", "goroutine ", "map[string]",
	"interface {}", "context canceled", "context deadline", "unexpected eof", "dal: ",
	"cust#", "order#", "item#", "product#", "warehouse#", "email#", "erase#", "request#", "%!",
	"email-index", "open-orders-index", "status-index", "openwarehouse", "opensince", "statuskey", "emailkey",
}

// goNames are types, functions and source files of Go. What is quicker to find stands in front.
var goNames = []struct {
	part string
	full *regexp.Regexp
}{
	{"dal.", regexp.MustCompile(`\bdal\.[A-Z]`)},
	{"graph.", regexp.MustCompile(`\bgraph\.[A-Z]`)},
	{"plan.", regexp.MustCompile(`\bplan\.[A-Z]`)},
	{"loaders.", regexp.MustCompile(`\bloaders\.[A-Z]`)},
	{"resolvers.", regexp.MustCompile(`\bresolvers\.[A-Z]`)},
	{"gqlerror.", regexp.MustCompile(`\bgqlerror\.[A-Z]`)},
	{"types.", regexp.MustCompile(`\btypes\.[A-Z]`)},
	{"time.", regexp.MustCompile(`\btime\.[A-Z]`)},
	{"json.", regexp.MustCompile(`\bjson\.[A-Z]`)},
	{".go:", regexp.MustCompile(`\.go:\d`)},
	{"aws", regexp.MustCompile(`(?i)\baws\b`)},
}

// requireNoLeak looks at every byte that a client gets. It is applied to each response of each test of this package.
func requireNoLeak(t require.TestingT, s *server, header http.Header, body []byte) {
	var text strings.Builder
	for name, values := range header {
		text.WriteString(name + ": " + strings.Join(values, ", ") + "\n")
	}
	text.Write(body)
	seen := text.String()
	lower := strings.ToLower(seen)
	for _, name := range internals {
		if strings.Contains(lower, name) {
			require.Failf(t, "an internal name reached a client", "%q in %s", name, seen)
		}
	}
	for _, name := range goNames {
		if strings.Contains(lower, name.part) && name.full.MatchString(seen) {
			require.Failf(t, "a name of the program reached a client", "%s in %s", name.full, seen)
		}
	}
	for _, secret := range append([]string{s.table}, s.secrets...) {
		if strings.Contains(seen, secret) {
			require.Failf(t, "a secret reached a client", "%q in %s", secret, seen)
		}
	}
}
