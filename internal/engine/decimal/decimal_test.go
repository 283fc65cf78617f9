package decimal_test

import (
	"bytes"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"example.com/keyfirst/internal/engine/decimal"
)

func parse(t require.TestingT, text string) decimal.Decimal {
	d, err := decimal.Parse(text)
	require.NoError(t, err, text)
	return d
}

func digits(n int) string { return strings.Repeat("1234567890", n/10+1)[:n] }

func TestParseNormalises(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "-0": "0", "0.000": "0", "0e999": "0", "007": "7", "1.10": "1.1", "1e2": "100", "1E-2": "0.01", "+5": "5", ".5": "0.5", "5.": "5",
		"-12.340": "-12.34", "9007199254740993": "9007199254740993", digits(38): digits(38), "0." + digits(38): "0." + digits(38),
		digits(38) + "000": digits(38) + "000", "1E-130": "0." + strings.Repeat("0", 129) + "1", "9.99E+125": "999" + strings.Repeat("0", 123),
	} {
		require.Equal(t, want, parse(t, in).String(), in)
	}
}

func TestParseRefuses(t *testing.T) {
	for in, want := range map[string]error{
		"": decimal.ErrSyntax, "abc": decimal.ErrSyntax, "1.2.3": decimal.ErrSyntax, "NaN": decimal.ErrSyntax, "Infinity": decimal.ErrSyntax, "1e": decimal.ErrSyntax,
		"-": decimal.ErrSyntax, ".": decimal.ErrSyntax, "1_0": decimal.ErrSyntax, "1 2": decimal.ErrSyntax, "1e1.5": decimal.ErrSyntax, "0x1": decimal.ErrSyntax,
		digits(39): decimal.ErrPrecision, "1E126": decimal.ErrOverflow, "1E999999999999": decimal.ErrOverflow, "1E-131": decimal.ErrUnderflow,
		"-1E-99999999999999999999": decimal.ErrUnderflow,
	} {
		_, err := decimal.Parse(in)
		require.ErrorIs(t, err, want, in)
	}
}

func TestArithmeticIsExact(t *testing.T) {
	for _, c := range []struct{ a, b, sum, difference string }{
		{"0.1", "0.2", "0.3", "-0.1"},
		{"19.99", "0.01", "20", "19.98"},
		{"9007199254740993", "1", "9007199254740994", "9007199254740992"},
		{"12345678901234567890123456789012345678", "1", "12345678901234567890123456789012345679", "12345678901234567890123456789012345677"},
		{"0", "-7", "-7", "7"},
		{"-5", "5", "0", "-10"},
		{"1E125", "1E125", "2" + strings.Repeat("0", 125), "0"},
	} {
		sum, err := parse(t, c.a).Add(parse(t, c.b))
		require.NoError(t, err)
		require.Equal(t, c.sum, sum.String())
		difference, err := parse(t, c.a).Sub(parse(t, c.b))
		require.NoError(t, err)
		require.Equal(t, c.difference, difference.String())
	}
}

func TestArithmeticRefusesWhatDoesNotFit(t *testing.T) {
	_, err := parse(t, "1E125").Add(parse(t, "1"))
	require.ErrorIs(t, err, decimal.ErrPrecision)
	_, err = parse(t, "1E50").Add(parse(t, "1"))
	require.ErrorIs(t, err, decimal.ErrPrecision)
	_, err = parse(t, "9E125").Add(parse(t, "9E125"))
	require.ErrorIs(t, err, decimal.ErrOverflow)
}

// The sizes are those that the service counts: base-100 digits around the decimal point, one more, one for the sign.
func TestSize(t *testing.T) {
	for text, want := range map[string]int{
		"0": 1, "1": 2, "12": 2, "123": 3, "100": 2, "1000": 2, "10": 2, "-1": 3, "0.1": 2, "0.01": 2, "0.001": 2, "1.5": 3, "12.5": 3, "123.45": 4,
		digits(38): 20, "-" + digits(38): 21, "1" + digits(37) + "0": 21,
	} {
		require.Equal(t, want, parse(t, text).Size(), text)
	}
}

func TestInt64(t *testing.T) {
	n, ok := parse(t, "1.7e9").Int64()
	require.True(t, ok)
	require.Equal(t, int64(1700000000), n)
	_, ok = parse(t, "1.5").Int64()
	require.False(t, ok)
	_, ok = parse(t, "1e30").Int64()
	require.False(t, ok)
}

func anyMantissa(t *rapid.T) string {
	return rapid.StringMatching(`-?[0-9]{1,10}\.[0-9]{1,10}`).Draw(t, "mantissa")
}

func withExponent(t *rapid.T, mantissa string) string {
	return mantissa + "e" + strconv.Itoa(rapid.IntRange(-60, 60).Draw(t, "exponent"))
}

func TestOrderAgreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mantissa := anyMantissa(t)
		x, y := withExponent(t, mantissa), withExponent(t, anyMantissa(t))
		if rapid.Bool().Draw(t, "close") {
			x, y = mantissa, mantissa+rapid.StringMatching(`[0-9]{1,5}`).Draw(t, "more digits")
		}
		a, b := parse(t, x), parse(t, y)
		left, _ := new(big.Rat).SetString(x)
		right, _ := new(big.Rat).SetString(y)
		require.Equal(t, left.Cmp(right), a.Compare(b))
		require.Equal(t, left.Cmp(right), bytes.Compare(a.AppendOrdered(nil), b.AppendOrdered(nil)))
	})
}

func TestSumAgreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.StringMatching(`-?[0-9]{1,9}\.[0-9]{1,9}`).Draw(t, "x")
		y := rapid.StringMatching(`-?[0-9]{1,9}\.[0-9]{1,9}`).Draw(t, "y")
		sum, err := parse(t, x).Add(parse(t, y))
		require.NoError(t, err)
		left, _ := new(big.Rat).SetString(x)
		right, _ := new(big.Rat).SetString(y)
		got, _ := new(big.Rat).SetString(sum.String())
		require.Zero(t, got.Cmp(left.Add(left, right)))
	})
}
