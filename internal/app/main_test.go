package app_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/internal/app"
	"example.com/keyfirst/internal/engine"
)

// outcome is what a run of the program left.
type outcome struct {
	status         int
	stdout, stderr string
}

// keyfirst runs a command line in an empty environment.
func keyfirst(t *testing.T, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := app.Main(t.Context(), app.Process{
		Args: args, Environment: func(string) (string, bool) { return "", false }, Stdout: &stdout, Stderr: &stderr,
	})
	return outcome{status, stdout.String(), stderr.String()}
}

func TestUsageErrors(t *testing.T) {
	t.Parallel()
	got := keyfirst(t, "--bogus")
	require.Equal(t, outcome{2, "", "keyfirst: unknown flag --bogus (see keyfirst --help)\n"}, got)
	got = keyfirst(t, "--addr", "x", "--table", "y")
	require.Equal(t, 2, got.status)
	require.Equal(t, 1, strings.Count(got.stderr, "\n"), "two faults are one line: %s", got.stderr)
}

func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	got := keyfirst(t, "--help")
	require.Zero(t, got.status)
	require.Contains(t, got.stdout, "Usage: keyfirst")
	got = keyfirst(t, "version")
	require.Zero(t, got.status)
	require.Regexp(t, `^keyfirst \S+.* \(go1\.\S+\)\n$`, got.stdout)
}

func TestHealthcheck(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	require.Equal(t, outcome{}, keyfirst(t, "healthcheck", "--url", server.URL))
	status = http.StatusServiceUnavailable
	got := keyfirst(t, "healthcheck", "--url", server.URL)
	require.Equal(t, outcome{1, "", "keyfirst: " + server.URL + " answers 503 Service Unavailable\n"}, got)
	server.Close()
	got = keyfirst(t, "healthcheck", "--url", server.URL)
	require.Equal(t, 1, got.status)
	require.Contains(t, got.stderr, "keyfirst: no answer: ")
}

func TestTableCreateIsIdempotent(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "k.db")
	const ready = "The table keyfirst is ready. Shards of a warehouse's open orders: 4"
	for range 2 {
		require.Equal(t, outcome{0, ready + ".\n", ""}, keyfirst(t, "table", "create", "--data", path, "--shards", "4"))
	}
	require.Equal(t, outcome{0, ready + ", not 8: it was made before.\n", ""}, keyfirst(t, "table", "create", "--data", path, "--shards", "8"))
}

func TestTableCreateAtAnEndpoint(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "local")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "local")
	e, err := engine.Open(engine.Config{})
	require.NoError(t, err)
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	for range 2 {
		require.Equal(t, outcome{0, "The table shop is ready. Shards of a warehouse's open orders: 2.\n", ""},
			keyfirst(t, "table", "create", "--endpoint", server.URL, "--table", "shop", "--shards", "2"))
	}
	server.Close()
	got := keyfirst(t, "table", "create", "--endpoint", server.URL)
	require.Equal(t, 1, got.status)
	require.Contains(t, got.stderr, "keyfirst: the table keyfirst cannot be made: ")
	require.Equal(t, 1, strings.Count(got.stderr, "\n"))
}

func TestServeThatCannotStart(t *testing.T) {
	t.Parallel()
	got := keyfirst(t, "--addr", "127.0.0.1:0", "--data", "/no/such/folder/k.db")
	require.Equal(t, 1, got.status)
	require.Empty(t, got.stdout)
	require.Regexp(t, `^keyfirst: the data cannot be opened: .*\n$`, got.stderr)
}
