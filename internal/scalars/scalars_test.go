package scalars_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/internal/scalars"
)

func written(m graphql.Marshaler) string {
	var text strings.Builder
	m.MarshalGQL(&text)
	return text.String()
}

func TestDecimal(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"0": `"0"`, "-0": `"0"`, "19.90": `"19.9"`, "-3": `"-3"`,
		"99999999999999999999.9999999999": `"99999999999999999999.9999999999"`,
	} {
		d, err := scalars.UnmarshalDecimal(given)
		require.NoError(t, err)
		require.Equal(t, want, written(scalars.MarshalDecimal(d)))
	}
	for _, bad := range []any{"", "1e3", "NaN", "+1", "1.", " 1", 1, int64(1), 1.5, json.Number("1.5"), true, nil, []any{"1"}, map[string]any{}} {
		d, err := scalars.UnmarshalDecimal(bad)
		require.Error(t, err, "%v", bad)
		require.Zero(t, d)
	}
}

func TestDateTime(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"2025-03-01T00:00:00Z":           `"2025-03-01T00:00:00Z"`,
		"2025-03-01T10:15:00.5+01:00":    `"2025-03-01T09:15:00.500Z"`,
		"9999-12-31T23:59:59.999Z":       `"9999-12-31T23:59:59.999Z"`,
		"2025-03-01T00:00:00.000000001Z": `"2025-03-01T00:00:00Z"`,
	} {
		at, err := scalars.UnmarshalDateTime(given)
		require.NoError(t, err)
		require.Equal(t, time.UTC, at.Location())
		require.Equal(t, want, written(scalars.MarshalDateTime(at)))
	}
	for _, bad := range []any{"", "2025-03-01", "yesterday", "10000-01-01T00:00:00Z", int64(1), 1.5, json.Number("1"), true, nil, []any{}} {
		at, err := scalars.UnmarshalDateTime(bad)
		require.Error(t, err, "%v", bad)
		require.Zero(t, at)
	}
	_, err := scalars.UnmarshalDateTime("yesterday")
	require.NotEmpty(t, dal.ReasonOf(err), "the client is told why")
}
