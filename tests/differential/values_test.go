package differential

import (
	"encoding/base64"
	"strings"
	"sync"

	"pgregory.net/rapid"
)

// object is a JSON object, as a request or an item is one.
type object = map[string]any

// generator draws the parts of requests. Nothing but what it draws from decides what they are, so that a failure
// can be made smaller.
type generator struct {
	*rapid.T

	shape shape
}

// oneIn is true once in n times.
func (g generator) oneIn(n int) bool { return g.upTo(n-1) == n-1 }

// upTo is a number from 0 to n, each as likely: rapid's ranges of integers prefer the small ones.
func (g generator) upTo(n int) int {
	if n == 0 {
		return 0
	}
	return rapid.SampledFrom(counting()[:n+1]).Draw(g.T, "up to")
}

// counting returns the numbers from 0.
var counting = sync.OnceValue(func() []int {
	numbers := make([]int, 512)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
})

func pick[T any](g generator, from ...T) T { return rapid.SampledFrom(from).Draw(g.T, "pick") }

func text(s string) object      { return object{"S": s} }
func number(s string) object    { return object{"N": s} }
func binary(b string) object    { return object{"B": base64.StdEncoding.EncodeToString([]byte(b))} }
func list(of ...any) object     { return object{"L": of} }
func document(of object) object { return object{"M": of} }

// text is a string that some part of an engine may trip over: separators of keys, the ends of the character set,
// the same letter composed and decomposed.
func (g generator) text() string {
	return pick(g,
		"a", "b", "ab", "A", "", "#", ".", ":a", "a#b", "a.b", "\x00", "a\x00", "a\x00b", "\x01", "\u007f", "\u00e4", "a\u0308",
		"\uffff", "\U0001F600", "\U0001F600a", "\U0010FFFF", "name", "null", "1", "10", "2", " ", "a b", "\"\\/\n\t", "<&>\u2028",
		strings.Repeat("x", 300),
	)
}

func (g generator) number() string {
	return pick(g,
		"0", "1", "2", "10", "-1", "-10", "0.1", "-0.1", "1.5", "100", "-0", "1.0", "01", "1e2", "1E+2", "100e-2", "0.00", "0e10",
		"1e125", "9.9999999999999999999999999999999999999E+125", "-9.9999999999999999999999999999999999999E+125", "1E-130", "-1E-130",
		"12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678", "1234567890123456789012345678901234567800",
		"9007199254740993", "-9007199254740993", "3.14159", "1e-5", "0.000001", "1e20", "123e38",
	)
}

func (g generator) wrongNumber() string {
	return pick(g,
		"", " ", "1 ", " 1", "a", "1a", "NaN", "Infinity", "-Infinity", "0x10", "1e126", "1e-131", "1_000", "--1", "1.2.3", "1e", "e1", "-",
		"123456789012345678901234567890123456789", "1e1000", "9.99999999999999999999999999999999999999E+125", "1,5",
	)
}

func (g generator) bytes() string {
	return pick(g, "a", "b", "", "\x00", "\xff", "\xff\xff", "a\x00", "\x00\x00", "ab", "\x01", "\xfe")
}

// value is an attribute value, nested no deeper than depth, and now and then one that is refused.
func (g generator) value(depth int) object {
	if g.oneIn(150) {
		return g.wrongValue()
	}
	kinds := 7
	if depth > 0 {
		kinds = 9
	}
	switch g.upTo(kinds) {
	case 0, 1:
		return text(g.text())
	case 2, 3:
		return number(g.number())
	case 4:
		return binary(g.bytes())
	case 5:
		return object{"BOOL": g.oneIn(2)}
	case 6:
		return object{"NULL": true}
	case 7:
		return g.set()
	case 8:
		return list(g.values(depth - 1)...)
	default:
		return document(g.attributes(depth - 1))
	}
}

func (g generator) values(depth int) []any {
	of := []any{}
	for range g.upTo(3) {
		of = append(of, g.value(depth))
	}
	return of
}

func (g generator) attributes(depth int) object {
	of := object{}
	for range g.upTo(3) {
		of[g.attribute()] = g.value(depth)
	}
	return of
}

// set has distinct elements, but for one in many.
func (g generator) set() object {
	kind := pick(g, "SS", "NS", "BS")
	n := 1 + g.upTo(3)
	if g.oneIn(30) {
		n = 0
	}
	elements, seen := []any{}, map[string]bool{}
	for range n {
		var element, same string
		switch kind {
		case "SS":
			element = g.text()
			same = element
		case "NS":
			element = pick(g, "1", "2", "-1", "10", "0", "0.5", "1e3", "-0.5", "12345678901234567890123456789012345678")
			same = element
		default:
			element = base64.StdEncoding.EncodeToString([]byte(g.bytes()))
			same = element
		}
		if seen[same] && !g.oneIn(20) {
			continue
		}
		seen[same] = true
		elements = append(elements, element)
	}
	return object{kind: elements}
}

func (g generator) wrongValue() object {
	switch g.upTo(7) {
	case 0:
		return object{}
	case 1:
		return object{"S": "a", "N": "1"}
	case 2:
		return object{"X": "1"}
	case 3:
		return object{"NULL": false}
	case 4:
		return object{"NS": []any{"1", "1.0"}}
	case 5:
		return object{"SS": []any{}}
	default:
		return number(g.wrongNumber())
	}
}

// attribute is a name, of a key, reserved, or with what an expression gives a meaning to.
func (g generator) attribute() string {
	return pick(g, "a", "a", "b", "b", "l", "m", "n", "s", "status", "name", "a.b", "#x", ":y", "x y", "\u00e4\U0001F600", "size", "a[0]")
}
