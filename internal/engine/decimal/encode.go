package decimal

// Signs order first: negative, zero, positive.
const (
	signNegative byte = 1
	signZero     byte = 2
	signPositive byte = 3
)

const endOfNegative byte = 0xFF

// AppendOrdered appends an encoding of d whose byte order is the order of numbers: sign, exponent, then two digits a
// byte. In a negative number everything after the sign is inverted and an end mark follows, as the longer of two that
// agree is the smaller one.
func (d Decimal) AppendOrdered(dst []byte) []byte {
	if d.digits == "" {
		return append(dst, signZero)
	}
	var invert byte
	if d.negative {
		dst = append(dst, signNegative)
		invert = 0xFF
	} else {
		dst = append(dst, signPositive)
	}
	dst = append(dst, byte(d.exponent-minExponent)^invert) //nolint:gosec // an exponent is within -129 and 126
	for i := 0; i < len(d.digits); i += 2 {
		pair := (d.digits[i] - '0') * 10
		if i+1 < len(d.digits) {
			pair += d.digits[i+1] - '0'
		}
		dst = append(dst, (pair+1)^invert)
	}
	if d.negative {
		dst = append(dst, endOfNegative)
	}
	return dst
}
