package dal

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// anyTime draws times of the years 0001 to 9999, often whole days, seconds and milliseconds, in any zone.
func anyTime() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		first := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
		last := time.Date(9999, 12, 31, 23, 59, 58, 0, time.UTC).Unix()
		at := time.Unix(rapid.Int64Range(first, last).Draw(t, "second"), rapid.Int64Range(0, 999_999_999).Draw(t, "nano"))
		unit := rapid.SampledFrom([]time.Duration{1, time.Millisecond, time.Second, 24 * time.Hour}).Draw(t, "unit")
		zone := time.FixedZone("", rapid.IntRange(-14*60, 14*60).Draw(t, "offset")*60)
		return at.UTC().Truncate(unit).In(zone)
	})
}

func TestEncodeTime(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"2025-03-01T00:00:00Z":             "2025-03-01",
		"2025-03-01T00:00:00.000999999Z":   "2025-03-01",
		"2025-03-01T00:00:00.001Z":         "2025-03-01T00:00:00.001Z",
		"2025-03-01T09:15:00Z":             "2025-03-01T09:15:00.000Z",
		"2025-03-01T09:15:00.25Z":          "2025-03-01T09:15:00.250Z",
		"2025-03-01T09:15:00.1239999Z":     "2025-03-01T09:15:00.123Z",
		"2025-03-01T01:00:00+01:00":        "2025-03-01",
		"2025-03-01T00:00:00+01:00":        "2025-02-28T23:00:00.000Z",
		"0001-01-01T00:00:00Z":             "0001-01-01",
		"0999-12-31T23:59:59.999Z":         "0999-12-31T23:59:59.999Z",
		"9999-12-31T23:59:59.999Z":         "9999-12-31T23:59:59.999Z",
		"2024-02-29T12:00:00.000000-12:00": "2024-03-01",
	} {
		at, err := ParseTime(given)
		require.NoError(t, err, given)
		require.Equal(t, want, encodeTime(at), given)
		back, err := decodeTime(want)
		require.NoError(t, err)
		require.Equal(t, at.Truncate(time.Millisecond), back)
	}
}

func TestDecodeTimeRefuses(t *testing.T) {
	t.Parallel()
	for _, given := range []string{
		"", "2025", "2025-3-1", "2025-02-29", "2025-13-01", "0000-01-01", "0000-12-31T23:59:59.999Z", "10000-01-01",
		"2025-03-01T00:00:00.000Z", "2025-03-01T09:15:00Z", "2025-03-01T09:15:00.25Z", "2025-03-01T09:15:00.2500Z",
		"2025-03-01T09:15:00,250Z", "2025-03-01T09:15:00.250", "2025-03-01T09:15:00.250+00:00", "2025-03-01T9:15:00.250Z",
		"2025-03-01#", " 2025-03-01", "2025-03-01T24:00:00.000Z",
	} {
		_, err := decodeTime(given)
		require.Error(t, err, given)
	}
}

func TestParseTime(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]time.Time{
		"2025-03-01T09:15:00Z":                time.Date(2025, 3, 1, 9, 15, 0, 0, time.UTC),
		"2025-03-01T09:15:00.25Z":             time.Date(2025, 3, 1, 9, 15, 0, 250_000_000, time.UTC),
		"2025-03-01T09:15:00.123456789Z":      time.Date(2025, 3, 1, 9, 15, 0, 123_456_789, time.UTC),
		"2025-03-01T09:15:00.123456789+05:45": time.Date(2025, 3, 1, 3, 30, 0, 123_456_789, time.UTC),
		"2025-03-01T09:15:00+23:59":           time.Date(2025, 2, 28, 9, 16, 0, 0, time.UTC),
		"2025-03-01T09:15:00-00:00":           time.Date(2025, 3, 1, 9, 15, 0, 0, time.UTC),
		"2025-02-28T23:00:00-02:00":           time.Date(2025, 3, 1, 1, 0, 0, 0, time.UTC),
		"0000-12-31T23:30:00-01:00":           time.Date(1, 1, 1, 0, 30, 0, 0, time.UTC),
		"0001-01-01T00:00:00Z":                {},
		"9999-12-31T23:59:59.999Z":            time.Date(9999, 12, 31, 23, 59, 59, 999_000_000, time.UTC),
	} {
		got, err := ParseTime(given)
		require.NoError(t, err, given)
		require.Equal(t, want, got, given)
	}
}

func TestParseTimeRefuses(t *testing.T) {
	t.Parallel()
	for _, given := range []string{
		"", "now", "2025-03-01", "2025-03-01T09:15", "2025-03-01T09:15Z", "2025-03-01T09:15:00", "2025-03-01 09:15:00Z",
		"2025-03-01t09:15:00z", "2025-03-01T9:15:00Z", "2025-03-01T09:15:00,5Z", "2025-03-01T09:15:00.Z",
		"2025-03-01T09:15:00+0100", "2025-03-01T09:15:00+1:00", "2025-03-01T09:15:00+24:00", "2025-03-01T09:15:00+01:60",
		"2025-02-29T00:00:00Z", "2025-03-01T24:00:00Z", "2025-03-01T23:59:60Z",
		" 2025-03-01T09:15:00Z", "2025-03-01T09:15:00Z\n", "20250301T091500Z",
		"2025-03-01T09:15:00.0000000001Z", "2025-03-01T09:15:00.0000000001+00:00",
		"0000-12-31T23:59:59Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59.999000001Z", "9999-12-31T23:59:59-00:01",
		"10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "+2025-03-01T09:15:00Z", strings.Repeat("2", 1<<20),
	} {
		_, err := ParseTime(given)
		requireInvalid(t, err, "ParseTime", given)
	}
}

func TestFormatTime(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"2025-01-09T00:00:00Z":          "2025-01-09T00:00:00Z",
		"2025-03-01T09:15:00.25Z":       "2025-03-01T09:15:00.250Z",
		"2025-03-01T09:15:00.000999Z":   "2025-03-01T09:15:00Z",
		"2025-03-01T09:15:00.001+02:00": "2025-03-01T07:15:00.001Z",
		"0001-01-01T00:00:00Z":          "0001-01-01T00:00:00Z",
	} {
		at, err := time.Parse(time.RFC3339, given)
		require.NoError(t, err)
		require.Equal(t, want, FormatTime(at))
	}
}

func TestRoundUpToMillisecond(t *testing.T) {
	t.Parallel()
	whole := time.Date(2025, 3, 1, 23, 59, 59, 999_000_000, time.UTC)
	require.Equal(t, whole, roundUpToMillisecond(whole))
	require.Equal(t, whole, roundUpToMillisecond(whole.In(time.FixedZone("", 3600))))
	require.Equal(t, whole, roundUpToMillisecond(whole.Add(-1)))
	require.Equal(t, whole.Add(time.Millisecond), roundUpToMillisecond(whole.Add(1)))
}

func TestTimesAreWrittenAndReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := anyTime().Draw(t, "time")
		kept := at.UTC().Truncate(time.Millisecond)
		decoded, err := decodeTime(encodeTime(at))
		require.NoError(t, err)
		require.Equal(t, kept, decoded)
		parsed, err := ParseTime(FormatTime(at))
		require.NoError(t, err)
		require.Equal(t, kept, parsed)
	})
}

func TestByteOrderIsTimeOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := anyTime().Draw(t, "a").UTC().Truncate(time.Millisecond)
		near := rapid.Map(rapid.Int64Range(-100_000_000, 100_000_000), func(n int64) time.Time {
			return a.Add(time.Duration(n) * time.Millisecond)
		})
		same := rapid.SampledFrom([]time.Time{a, a.Truncate(time.Second), a.Truncate(24 * time.Hour)})
		b := rapid.OneOf(anyTime(), near, same).Filter(hasKey).Draw(t, "b").UTC().Truncate(time.Millisecond)
		require.Equal(t, a.Compare(b), strings.Compare(encodeTime(a)+"#", encodeTime(b)+"#"))
	})
}

// A bound compared as a key gives the answer that times of any precision would give.
func TestRoundedBoundKeepsTheSameKeys(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		bound := anyTime().Filter(func(t time.Time) bool { return hasKey(t.UTC()) }).Draw(t, "bound")
		near := rapid.Int64Range(-3, 3).Draw(t, "milliseconds away")
		placed := bound.UTC().Truncate(time.Millisecond).Add(time.Duration(near) * time.Millisecond)
		if !hasKey(placed) {
			t.Skip("no key")
		}
		key, edge := encodeTime(placed)+"#A17", encodeTime(roundUpToMillisecond(bound))+"#"
		require.Equal(t, placed.Before(bound), key < edge)
	})
}

func FuzzParseTime(f *testing.F) {
	for _, seed := range []string{
		"2025-03-01T09:15:00Z", "2025-03-01T09:15:00.123456789+05:45", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at, err := ParseTime(s)
		if err != nil {
			requireInvalid(t, err, "ParseTime", s)
			return
		}
		require.Equal(t, time.UTC, at.Location())
		for _, bound := range []time.Time{at, roundUpToMillisecond(at)} {
			back, err := decodeTime(encodeTime(bound))
			require.NoError(t, err)
			require.Equal(t, bound.Truncate(time.Millisecond), back)
		}
	})
}

func FuzzDecodeTime(f *testing.F) {
	for _, seed := range []string{"2025-03-01", "2025-03-01T09:15:00.000Z", "0000-01-01", "2025-03-01T00:00:00.000Z"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at, err := decodeTime(s)
		if err == nil {
			require.Equal(t, s, encodeTime(at))
		}
	})
}
