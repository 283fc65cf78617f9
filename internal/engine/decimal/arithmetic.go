package decimal

import "math/big"

// Add returns d + other, or ErrPrecision, ErrOverflow or ErrUnderflow when the exact sum is not a DynamoDB number.
func (d Decimal) Add(other Decimal) (Decimal, error) {
	if d.IsZero() {
		return other, nil
	}
	if other.IsZero() {
		return d, nil
	}
	low := min(d.lowest(), other.lowest())
	high := max(d.exponent, other.exponent)
	if high-low > 2*MaxDigits+1 {
		return Decimal{}, ErrPrecision
	}
	sum := d.scaled(low)
	sum.Add(sum, other.scaled(low))
	negative := sum.Sign() < 0
	digits := sum.Abs(sum).String()
	return normalise(negative, digits, low+len(digits))
}

// Sub returns d - other, with the errors of Add.
func (d Decimal) Sub(other Decimal) (Decimal, error) {
	if !other.IsZero() {
		other.negative = !other.negative
	}
	return d.Add(other)
}

// lowest is the power of ten of the last digit.
func (d Decimal) lowest() int { return d.exponent - len(d.digits) }

// scaled is d in units of 10^low.
func (d Decimal) scaled(low int) *big.Int {
	n, ok := new(big.Int).SetString(d.digits, 10)
	if !ok {
		return new(big.Int)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.lowest()-low)), nil)
	n.Mul(n, scale)
	if d.negative {
		n.Neg(n)
	}
	return n
}
