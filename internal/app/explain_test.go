package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
)

func TestPatterns(t *testing.T) {
	t.Parallel()
	lines := len(dal.Catalogue())
	got := keyfirst(t, "patterns")
	require.Zero(t, got.status, got.stderr)
	require.Equal(t, lines+1, strings.Count(got.stdout, "\n"))
	require.Regexp(t, `^pattern +fields +request +key +rounds +cost at most +consistency\n`, got.stdout)

	got = keyfirst(t, "patterns", "--format", "markdown")
	require.Zero(t, got.status, got.stderr)
	require.Equal(t, lines+2, strings.Count(got.stdout, "\n"))
	require.Contains(t, got.stdout, "\n| `customer-by-id` | ")

	got = keyfirst(t, "patterns", "--format", "json")
	require.Zero(t, got.status, got.stderr)
	var rows []map[string]any
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &rows))
	require.Len(t, rows, lines)
	require.Equal(t, "customer-by-id", rows[0]["pattern"])
}

func TestExplainWithoutWhatItReads(t *testing.T) {
	t.Parallel()
	require.Equal(t, outcome{1, "", "keyfirst: there is no standard input\n"}, keyfirst(t, "explain", "-"))
	missing := filepath.Join(t.TempDir(), "missing")
	for _, args := range [][]string{{"explain", missing}, {"explain", "-v", missing, "-"}} {
		got := keyfirst(t, args...)
		require.Equal(t, 1, got.status)
		require.Contains(t, got.stderr, missing)
	}
}

func TestExplainRefusesWhatTheServerRefuses(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "deferred.graphql")
	require.NoError(t, os.WriteFile(file, []byte(`{ ... @defer { customer(id: "cust_42") { id } } }`), 0o600))
	got := keyfirst(t, "explain", file)
	require.Equal(t, 1, got.status)
	require.Contains(t, got.stderr, file+":1:8: The directive @defer is not supported.")
}
