package dal

import (
	"encoding/base64"
	"strings"
	"time"
	"unicode/utf8"
)

// OrderPosition is an order's place in every list of orders, whichever index the list is read from: the instant it
// was placed, then its id. It is comparable; the zero value is no place.
type OrderPosition struct {
	// Placed is the instant as it stands in keys: a day, or a day and a time to the millisecond.
	Placed string
	// Order breaks ties.
	Order OrderID
}

// positionOf is the place of an order placed at an instant.
func positionOf(placed time.Time, id OrderID) OrderPosition {
	return OrderPosition{Placed: encodeTime(placed), Order: id}
}

// The cursor's first bytes: what it points into, and the version of its form.
const (
	orderCursor = "o1:"
	lineCursor  = "l1:"
)

// Cursor is the opaque form of the position that clients page with.
func (p OrderPosition) Cursor() string { return sealCursor(orderCursor + p.segment()) }

// ParseOrderCursor reads a cursor that [OrderPosition.Cursor] wrote. Its errors are KindInvalid.
func ParseOrderCursor(cursor string) (OrderPosition, error) {
	segment, ok := openCursor(orderCursor, cursor)
	if !ok {
		return OrderPosition{}, badCursor()
	}
	p, ok := parsePosition(segment)
	if !ok || len(p.Order) > maxIDBytes || !utf8.ValidString(string(p.Order)) {
		return OrderPosition{}, badCursor()
	}
	return p, nil
}

// LineCursor is the opaque form of a line number.
func LineCursor(line int) string { return sealCursor(lineCursor + formatLine(line)) }

// ParseLineCursor reads a cursor that [LineCursor] wrote. Its errors are KindInvalid.
func ParseLineCursor(cursor string) (int, error) {
	text, ok := openCursor(lineCursor, cursor)
	if !ok {
		return 0, badCursor()
	}
	line, ok := parseLine(text)
	if !ok {
		return 0, badCursor()
	}
	return line, nil
}

func sealCursor(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// maxCursorBytes is well above the longest cursor ever written, so that a hostile one is refused before it is decoded.
const maxCursorBytes = 512

func openCursor(kind, cursor string) (text string, ok bool) {
	if len(cursor) > maxCursorBytes {
		return "", false
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || strings.ContainsAny(cursor, "\r\n") { // which the decoder skips
		return "", false
	}
	return strings.CutPrefix(string(raw), kind)
}

func badCursor() error {
	return invalid("ParseCursor", "not a cursor of this list: use the cursors that the list itself returned")
}
