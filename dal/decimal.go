package dal

import (
	"fmt"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// What a client may send: small enough that quantity x price summed over all lines of an order stays within the 38
// digits of a DynamoDB number.
const (
	maxWholeDigits    = 20
	maxFractionDigits = 10
)

// What DynamoDB holds: so many significant digits, and powers of ten of the first of them.
const (
	maxNumberDigits   = 38
	minNumberExponent = -130
	maxNumberExponent = 125
	maxNumberLength   = 300
)

// Decimal is an exact decimal number. The zero value is 0, and == compares values: the text is kept in its one plain
// form (no exponent, no zeros to trim), so that reading a number from the table costs no arithmetic.
type Decimal struct {
	// text is empty for 0.
	text string
}

// ParseDecimal reads a number as a client may send it: an optional minus sign, digits without needless leading
// zeros, and optionally a point with more digits, as in "12.50", "-3" or "0.5". A plus sign, an exponent, a point
// without digits on both sides, blanks, NaN and Inf are refused, as are more than 20 digits before or 10 after the
// point (counted as written). "-0" is 0.
func ParseDecimal(s string) (Decimal, error) {
	whole, fraction, ok := splitPlain(s)
	if !ok {
		return Decimal{}, invalid("ParseDecimal",
			"a decimal is written in plain digits, like 12.50 or -3, without exponent, plus sign or blanks")
	}
	if whole > maxWholeDigits || fraction > maxFractionDigits {
		return Decimal{}, invalid("ParseDecimal", "a decimal has at most %d digits before the point and %d after it",
			maxWholeDigits, maxFractionDigits)
	}
	return trimPlain(s), nil
}

// decimalFromNumber reads a DynamoDB number in any spelling an engine may answer with. Its error is a plain one: the
// reader of the item knows the key.
func decimalFromNumber(n string) (Decimal, error) {
	if len(n) <= maxNumberDigits {
		if _, _, ok := splitPlain(n); ok {
			return trimPlain(n), nil
		}
	}
	if len(n) > maxNumberLength {
		return Decimal{}, fmt.Errorf("a number of %d bytes", len(n))
	}
	number, _, err := apd.NewFromString(n)
	if err != nil {
		return Decimal{}, fmt.Errorf("number %q: %w", n, err)
	}
	if number.Form != apd.Finite {
		return Decimal{}, fmt.Errorf("number %q is not finite", n)
	}
	if !isNumber(number) {
		return Decimal{}, fmt.Errorf("number %q is beyond what DynamoDB holds", n)
	}
	return fromAPD(number), nil
}

// String writes the number in plain digits: no exponent, no plus sign, no zeros to trim.
func (d Decimal) String() string {
	if d.text == "" {
		return "0"
	}
	return d.text
}

// Add gives the exact sum.
func (d Decimal) Add(other Decimal) Decimal {
	var sum apd.Decimal
	condition, err := apd.BaseContext.Add(&sum, d.apd(), other.apd())
	return exact(&sum, condition, err)
}

// Mul gives the exact product.
func (d Decimal) Mul(n int) Decimal {
	var product apd.Decimal
	condition, err := apd.BaseContext.Mul(&product, d.apd(), apd.New(int64(n), 0))
	return exact(&product, condition, err)
}

// Cmp is -1, 0 or 1 as the number is less than, equal to or greater than the other.
func (d Decimal) Cmp(other Decimal) int {
	if d == other {
		return 0
	}
	return d.apd().Cmp(other.apd())
}

// Sign is -1, 0 or 1 as the number is negative, 0 or positive.
func (d Decimal) Sign() int {
	switch {
	case d.text == "":
		return 0
	case d.text[0] == '-':
		return -1
	default:
		return 1
	}
}

// apd gives the number to calculate with. Every Decimal is made of checked text, so a failure is a fault of this file,
// and to go on would be to get an amount of money wrong.
func (d Decimal) apd() *apd.Decimal {
	number, _, err := apd.NewFromString(d.String())
	if err != nil {
		panic(fmt.Sprintf("dal: decimal %q: %v", d.text, err))
	}
	return number
}

// exact takes over a result. The context does not round, so no pair of operands can fail here: it panics rather than
// give a wrong amount.
func exact(result *apd.Decimal, condition apd.Condition, err error) Decimal {
	if err != nil || condition.Inexact() {
		panic(fmt.Sprintf("dal: inexact decimal (%v): %v", condition, err))
	}
	return fromAPD(result)
}

func fromAPD(number *apd.Decimal) Decimal {
	if number.IsZero() {
		return Decimal{} // apd writes a 0 with an exponent as a row of zeros
	}
	return trimPlain(number.Text('f'))
}

func isNumber(number *apd.Decimal) bool {
	var reduced apd.Decimal
	reduced.Reduce(number)
	if reduced.IsZero() {
		return true
	}
	digits := reduced.NumDigits()
	first := int64(reduced.Exponent) + digits - 1
	return digits <= maxNumberDigits && minNumberExponent <= first && first <= maxNumberExponent
}

// splitPlain counts the digits before and after the point of a plain number.
func splitPlain(s string) (whole, fraction int, ok bool) {
	before, after, pointed := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if !isDigits(before) || before[0] == '0' && len(before) > 1 || pointed && !isDigits(after) {
		return 0, 0, false
	}
	return len(before), len(after), true
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// trimPlain brings a plain number into its one form, by slicing alone.
func trimPlain(s string) Decimal {
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	if s == "0" || s == "-0" {
		return Decimal{}
	}
	return Decimal{text: s}
}
