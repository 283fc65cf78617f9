package dal

import (
	"fmt"
	"strings"
	"time"
)

const (
	dayLayout         = "2006-01-02"
	wallLayout        = "2006-01-02T15:04:05"
	secondLayout      = "2006-01-02T15:04:05Z"
	millisecondLayout = "2006-01-02T15:04:05.000Z"
)

// The longest RFC 3339 times with nanoseconds.
const (
	maxUTCLength    = len("2006-01-02T15:04:05.000000000Z")
	maxOffsetLength = len("2006-01-02T15:04:05.000000000+00:00")
)

// ParseTime reads an RFC 3339 time with any offset and gives it in UTC. It takes fractions of up to nine digits, and
// keeps them, because a bound of a filter is rounded up and not down. Refused is what lies, in UTC, before year 1 or
// after the last millisecond of year 9999: it would have no key, even rounded up.
func ParseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || !isRFC3339(s, t) {
		return time.Time{}, invalid("ParseTime", "a time is written as in RFC 3339, like 2025-03-01T09:15:00Z")
	}
	t = t.UTC()
	if !hasKey(t) {
		return time.Time{}, invalid("ParseTime", "a time lies in the years 0001 to 9999, in UTC")
	}
	return t, nil
}

// isRFC3339 refuses what time.Parse takes beyond RFC 3339: one-digit hours, a comma, offsets of a day and more. It
// also refuses a tenth digit of the fraction, which time.Parse drops.
func isRFC3339(s string, t time.Time) bool {
	if !strings.HasPrefix(s, t.Format(wallLayout)) || strings.Contains(s, ",") {
		return false
	}
	if strings.HasSuffix(s, "Z") {
		return len(s) <= maxUTCLength
	}
	_, err := time.Parse("15:04", s[len(s)-len("15:04"):])
	return err == nil && len(s) <= maxOffsetLength
}

// FormatTime writes a time for a client: RFC 3339 in UTC, with milliseconds (three digits) unless they are zero.
func FormatTime(t time.Time) string {
	t = t.UTC()
	if t.Nanosecond() < int(time.Millisecond) {
		return t.Format(secondLayout)
	}
	return t.Format(millisecondLayout)
}

// encodeTime writes a time for a key, truncated to the millisecond: the day alone for its first instant, which is all
// that a dated import knows. For the years 0001 to 9999 byte order is time order, provided the delimiter of key
// segments follows, because it sorts before the T.
func encodeTime(t time.Time) string {
	text := t.UTC().Format(millisecondLayout)
	return strings.TrimSuffix(text, "T00:00:00.000Z")
}

// decodeTime reads what encodeTime wrote, and nothing else: two spellings of one time would be two keys. Its error is
// a plain one: the reader of the item knows the key.
func decodeTime(s string) (time.Time, error) {
	layout := millisecondLayout
	if len(s) == len(dayLayout) {
		layout = dayLayout
	}
	t, err := time.Parse(layout, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("time in a key: %w", err)
	}
	if !hasKey(t) || encodeTime(t) != s {
		return time.Time{}, fmt.Errorf("time in a key: %q is not the one form of its time", s)
	}
	return t, nil
}

// roundUpToMillisecond makes a bound of times into a bound of keys: a whole millisecond, and keys hold no other, is
// before t exactly when it is before t rounded up.
func roundUpToMillisecond(t time.Time) time.Time {
	rounded := t.UTC().Truncate(time.Millisecond)
	if rounded.Before(t) {
		return rounded.Add(time.Millisecond)
	}
	return rounded
}

func hasKey(t time.Time) bool {
	last := time.Date(9999, time.December, 31, 23, 59, 59, 999*int(time.Millisecond), time.UTC)
	return t.Year() >= 1 && !t.After(last)
}
