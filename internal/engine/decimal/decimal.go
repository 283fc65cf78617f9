package decimal

import (
	"strconv"
	"strings"
)

// Limits of a DynamoDB number.
const (
	MaxDigits   = 38
	maxExponent = 126  // of 0.d1d2... x 10^exponent: 9.99E+125 has exponent 126
	minExponent = -129 // 1E-130 has exponent -129
)

// Error says why a text or a result is not a DynamoDB number, in the words of the service.
type Error string

// The ways in which something is not a DynamoDB number.
const (
	ErrSyntax    = Error("The parameter cannot be converted to a numeric value")
	ErrPrecision = Error("Attempting to store more than 38 significant digits in a Number")
	ErrOverflow  = Error("Number overflow. Attempting to store a number with magnitude larger than supported range")
	ErrUnderflow = Error("Number underflow. Attempting to store a number with magnitude smaller than supported range")
)

// Error is the message for the client.
func (e Error) Error() string { return string(e) }

// Decimal is sign x 0.digits x 10^exponent, normalised: no zero at either end of digits, and zero has no digits.
// The zero value is 0.
type Decimal struct {
	negative bool
	digits   string
	exponent int
}

// Parse reads a number as DynamoDB accepts it: optional sign, digits with an optional point, optional exponent.
// It returns ErrSyntax, ErrPrecision, ErrOverflow or ErrUnderflow.
func Parse(text string) (Decimal, error) {
	mantissa, negative := cutSign(text)
	exponent := 0
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		var ok bool
		if exponent, ok = parseExponent(mantissa[i+1:]); !ok {
			return Decimal{}, ErrSyntax
		}
		mantissa = mantissa[:i]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" || !allDigits(whole) || !allDigits(fraction) {
		return Decimal{}, ErrSyntax
	}
	digits := whole
	if fraction != "" {
		digits += fraction
	}
	return normalise(negative, digits, exponent+len(whole))
}

func cutSign(text string) (rest string, negative bool) {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		return text[1:], text[0] == '-'
	}
	return text, false
}

func parseExponent(text string) (int, bool) {
	digits, negative := cutSign(text)
	if digits == "" || !allDigits(digits) {
		return 0, false
	}
	digits = strings.TrimLeft(digits, "0")
	if len(digits) > 6 {
		digits = digits[:6] // beyond any legal magnitude either way
	}
	n := 0
	if digits != "" {
		var err error
		if n, err = strconv.Atoi(digits); err != nil {
			return 0, false
		}
	}
	if negative {
		n = -n
	}
	return n, true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func normalise(negative bool, digits string, exponent int) (Decimal, error) {
	trimmed := strings.TrimLeft(digits, "0")
	exponent -= len(digits) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, "0")
	switch {
	case trimmed == "":
		return Decimal{}, nil
	case len(trimmed) > MaxDigits:
		return Decimal{}, ErrPrecision
	case exponent > maxExponent:
		return Decimal{}, ErrOverflow
	case exponent < minExponent:
		return Decimal{}, ErrUnderflow
	}
	return Decimal{negative: negative, digits: trimmed, exponent: exponent}, nil
}

// String gives the plain notation that the service returns: no exponent, no superfluous zero.
func (d Decimal) String() string {
	if d.digits == "" {
		return "0"
	}
	var b strings.Builder
	if d.negative {
		b.WriteByte('-')
	}
	switch {
	case d.exponent <= 0:
		b.WriteString("0.")
		b.WriteString(strings.Repeat("0", -d.exponent))
		b.WriteString(d.digits)
	case d.exponent >= len(d.digits):
		b.WriteString(d.digits)
		b.WriteString(strings.Repeat("0", d.exponent-len(d.digits)))
	default:
		b.WriteString(d.digits[:d.exponent])
		b.WriteByte('.')
		b.WriteString(d.digits[d.exponent:])
	}
	return b.String()
}

// IsZero tells whether d is 0.
func (d Decimal) IsZero() bool { return d.digits == "" }

// Compare returns -1, 0 or +1 as d is less than, equal to or greater than other.
func (d Decimal) Compare(other Decimal) int {
	if s, t := d.sign(), other.sign(); s != t {
		if s < t {
			return -1
		}
		return 1
	}
	if d.negative {
		return other.compareMagnitude(d)
	}
	return d.compareMagnitude(other)
}

func (d Decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.negative:
		return -1
	default:
		return 1
	}
}

func (d Decimal) compareMagnitude(other Decimal) int {
	if d.exponent != other.exponent {
		if d.exponent < other.exponent {
			return -1
		}
		return 1
	}
	return strings.Compare(d.digits, other.digits)
}

// Int64 returns the value and true when d is a whole number that fits, as for a time in Unix seconds.
func (d Decimal) Int64() (int64, bool) {
	n, err := strconv.ParseInt(d.String(), 10, 64)
	return n, err == nil
}

// Size is what the number adds to the size of its item, in bytes: one for each base-100 digit between the first and
// the last that is not zero, one more, and one for a minus sign; 21 at most
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html).
func (d Decimal) Size() int {
	if d.digits == "" {
		return 1
	}
	digits := len(d.digits) + d.exponent&1
	size := (digits+1)/2 + 1
	if d.negative {
		size++
	}
	return min(size, 21)
}
