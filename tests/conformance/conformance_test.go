package conformance

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/engine"
	"example.com/keyfirst/tests/protocol"
)

// subject is an engine under test.
type subject struct {
	name  string // of its list of known failures
	doer  protocol.Doer
	where string
}

func TestConformance(t *testing.T) {
	cases := allCases(t)
	if endpoint := setting("DYNAMODB_ENDPOINT"); endpoint != "" {
		runAll(t, cases, external(t, endpoint))
		return
	}
	require.NotEqual(t, "1", setting("REQUIRE_DYNAMODB"), "REQUIRE_DYNAMODB is set, but DYNAMODB_ENDPOINT is not")
	t.Run("memory", func(t *testing.T) { runAll(t, cases, embedded(t, engine.Config{})) })
	t.Run("file", func(t *testing.T) {
		if testing.Short() {
			t.Skip("the file is slow")
		}
		runAll(t, cases, embedded(t, engine.Config{Path: filepath.Join(t.TempDir(), "tables.db")}))
	})
}

func setting(name string) string {
	return os.Getenv(name) //nolint:forbidigo // which engine is tested is not a setting of the program
}

func embedded(t *testing.T, cfg engine.Config) subject {
	t.Helper()
	e, err := engine.Open(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return subject{"embedded", e, "http://engine.invalid"}
}

// external is the engine at the endpoint. CONFORMANCE_ENGINE says which one it is; DynamoDB Local is known by its server.
func external(t *testing.T, endpoint string) subject {
	t.Helper()
	transport := &http.Transport{MaxIdleConnsPerHost: 128}
	t.Cleanup(transport.CloseIdleConnections)
	s := subject{setting("CONFORMANCE_ENGINE"), &http.Client{Transport: transport, Timeout: time.Minute}, endpoint}
	if s.name == "" {
		reply, err := protocol.NewClient(s.doer, s.where).Send(t.Context(), "ListTables", []byte("{}"))
		require.NoError(t, err)
		require.Contains(t, reply.Header.Get("Server"), "Jetty", "CONFORMANCE_ENGINE must say which engine is at %s", endpoint)
		s.name = "dynamodb-local"
	}
	return s
}

// testCase is one behaviour. Its name is that of its file or area, a slash, and what is to be so.
type testCase struct {
	name string
	run  func(p *probe)
}

func allCases(t *testing.T) []testCase {
	t.Helper()
	cases := append(scripts(t), concurrencyCases()...)
	cases = append(cases, expiryCases()...)
	cases = append(cases, scanCases()...)
	cases = append(cases, sdkCases()...)
	cases = append(cases, wireCases()...)
	names := map[string]bool{}
	for _, c := range cases {
		require.False(t, names[c.name], "two cases have the name %q", c.name)
		names[c.name] = true
	}
	return cases
}

func runAll(t *testing.T, cases []testCase, s subject) {
	t.Helper()
	known := knownFailures(t, s.name)
	for _, c := range cases {
		reason, isKnown := known[c.name]
		delete(known, c.name)
		t.Run(c.name, func(t *testing.T) {
			if !strings.HasPrefix(c.name, "tables/") { // DynamoDB Local fails to update a table while others are busy
				t.Parallel()
			}
			failures := newProbe(s).check(c)
			switch {
			case isKnown && len(failures) == 0:
				t.Errorf("it passes: take it from testdata/known/%s.txt, where it is for: %s", s.name, reason)
			case isKnown:
				t.Skipf("known, %s: %s", reason, strings.Join(failures, "\n"))
			case len(failures) > 0:
				t.Error(strings.Join(failures, "\n"))
			}
		})
	}
	require.Empty(t, known, "testdata/known/%s.txt lists cases that there are not", s.name)
}

// knownFailures reads the list of an engine: on each line the name of a case, a colon, and the reason.
func knownFailures(t *testing.T, name string) map[string]string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "known", name+".txt"))
	require.NoError(t, err, "there is no list of the known failures of %q", name)
	known := map[string]string{}
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, found := strings.Cut(line, ": ")
		require.True(t, found, "%q lacks a reason", line)
		require.NotContains(t, known, name)
		known[name] = reason
	}
	return known
}
