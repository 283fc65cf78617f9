package dal

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestOrderCursorsRoundTrip(t *testing.T) {
	t.Parallel()
	for _, id := range append(hostileIDs(), strings.Repeat("#", maxIDBytes)) {
		for _, placed := range []time.Time{
			time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2025, 3, 1, 9, 15, 0, 0, time.UTC),
			time.Date(9999, 12, 31, 23, 59, 59, 999*int(time.Millisecond), time.UTC),
		} {
			at := positionOf(placed, OrderID(id))
			got, err := ParseOrderCursor(at.Cursor())
			require.NoError(t, err)
			require.Equal(t, at, got)
			require.LessOrEqual(t, len(at.Cursor()), maxCursorBytes)
		}
	}
}

func TestLineCursorsRoundTrip(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for line := 1; line <= MaxLines; line++ {
		got, err := ParseLineCursor(LineCursor(line))
		require.NoError(t, err)
		require.Equal(t, line, got)
		seen[LineCursor(line)] = true
	}
	require.Len(t, seen, MaxLines)
}

func TestCursorsThatNoListWrote(t *testing.T) {
	t.Parallel()
	seal := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	good := positionOf(time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC), "A17").Cursor()
	for name, cursor := range map[string]string{
		"empty": "", "no base64": "!!", "padding": good + "==", "a blank": good + " ", "a line break": good + "\n",
		"no kind": seal("2025-03-01#A17"), "another version": seal("o2:2025-03-01#A17"), "upper case": seal("O1:2025-03-01#A17"),
		"no order": seal("o1:2025-03-01#"), "no time": seal("o1:#A17"), "no separator": seal("o1:2025-03-01"),
		"a raw separator": seal("o1:2025-03-01#A#17"), "a raw percent sign": seal("o1:2025-03-01#A%17"),
		"another form of midnight": seal("o1:2025-03-01T00:00:00.000Z#A17"), "no such day": seal("o1:2025-02-30#A17"),
		"no millisecond": seal("o1:2025-03-01T09:15:00Z#A17"), "an offset": seal("o1:2025-03-01T09:15:00.000+01:00#A17"),
		"too long an order": seal("o1:2025-03-01#" + strings.Repeat("x", maxIDBytes+1)), "huge": strings.Repeat("A", 1<<20),
		"not UTF-8": seal("o1:2025-03-01#\xff"), "trailing bits": good[:len(good)-1] + "B", "half a key": seal("o1:ORDER#2025-03-01#A17"),
		"line 0": seal("l1:000"), "line 91": seal("l1:091"), "unpadded": seal("l1:1"), "signed": seal("l1:+01"),
		"negative": seal("l1:-01"), "four digits": seal("l1:0001"), "no line": seal("l1:"), "nul": seal("l1:01\x00"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ParseOrderCursor(cursor)
			require.Equal(t, KindInvalid, kindOf(err))
			require.NotEmpty(t, ReasonOf(err))
			_, err = ParseLineCursor(cursor)
			require.Equal(t, KindInvalid, kindOf(err))
			require.NotEmpty(t, ReasonOf(err))
		})
	}
}

func TestCursorsOfTheOtherKind(t *testing.T) {
	t.Parallel()
	_, err := ParseOrderCursor(LineCursor(1))
	require.Equal(t, KindInvalid, kindOf(err))
	_, err = ParseLineCursor(positionOf(time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC), "A17").Cursor())
	require.Equal(t, KindInvalid, kindOf(err))
}

func FuzzParseCursor(f *testing.F) {
	f.Add(LineCursor(1))
	f.Add(positionOf(time.Date(2025, 3, 1, 9, 15, 0, 0, time.UTC), "A#17").Cursor())
	f.Add("bzE6MjAyNS0wMS0wOSNBMTE")
	f.Add("====")
	f.Fuzz(func(t *testing.T, s string) {
		// The fuzzer reaches further when it need not find base64 by itself.
		for _, cursor := range []string{s, sealCursor(s), sealCursor(orderCursor + s), sealCursor(lineCursor + s)} {
			if at, err := ParseOrderCursor(cursor); err == nil {
				require.Equal(t, cursor, at.Cursor())
			} else {
				require.Equal(t, KindInvalid, kindOf(err))
			}
			if line, err := ParseLineCursor(cursor); err == nil {
				require.Equal(t, cursor, LineCursor(line))
			} else {
				require.Equal(t, KindInvalid, kindOf(err))
			}
		}
	})
}
