package dal

import (
	"math"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// canonicalDecimal is the one form of a number, said another way than the code does.
var canonicalDecimal = regexp.MustCompile(`^(0|-?([1-9][0-9]*(\.[0-9]*[1-9])?|0\.[0-9]*[1-9]))$`)

func mustDecimal(t require.TestingT, s string) Decimal {
	if helper, ok := t.(interface{ Helper() }); ok {
		helper.Helper()
	}
	d, err := ParseDecimal(s)
	require.NoError(t, err, "%q", s)
	return d
}

func ratOf(t require.TestingT, s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	require.True(t, ok, "%q", s)
	return r
}

// requireInvalid asserts a failure that a client may be shown, whatever the client sent.
func requireInvalid(t require.TestingT, err error, op, given string) {
	if helper, ok := t.(interface{ Helper() }); ok {
		helper.Helper()
	}
	var failure *Error
	require.ErrorAs(t, err, &failure, "%.80q", given)
	require.Equal(t, KindInvalid, failure.Kind)
	require.Equal(t, op, failure.Op)
	require.NotEmpty(t, failure.Reason)
	require.Less(t, len(failure.Reason), 200)
	require.NoError(t, failure.Err)
}

func anyDecimalText() *rapid.Generator[string] {
	return rapid.StringMatching(`-?(0|[1-9][0-9]{0,19})(\.[0-9]{1,10})?`)
}

func TestParseDecimalTakes(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"0": "0", "-0": "0", "0.0": "0", "-0.000": "0",
		"1": "1", "-1": "-1", "10": "10", "100.00": "100",
		"12.50": "12.5", "-12.50": "-12.5", "0.5": "0.5", "-0.05": "-0.05", "1.0": "1",
		"99999999999999999999.9999999999": "99999999999999999999.9999999999",
		"0.0000000001":                    "0.0000000001",
		"10000000000000000000.0000000000": "10000000000000000000",
	} {
		t.Run(given, func(t *testing.T) {
			t.Parallel()
			d, err := ParseDecimal(given)
			require.NoError(t, err)
			require.Equal(t, want, d.String())
		})
	}
}

func TestParseDecimalRefuses(t *testing.T) {
	t.Parallel()
	for _, given := range []string{
		"", "-", ".", "-.", "+5", "--5", "5-", ".5", "5.", "-.5", "1.2.3", "1,5", "1_000", "00", "007", "-01", "00.5",
		"1e3", "1E3", "1e0", "0x1F", "1.5e-3", "NaN", "nan", "sNaN", "Inf", "-Infinity", " 1", "1 ", "1 000", "\t1",
		"1\n", "1\x00", "١٢", "１", "−1", "\xff", "$5",
		"100000000000000000000", "0.00000000001", "1.00000000000", strings.Repeat("9", 1<<20),
	} {
		_, err := ParseDecimal(given)
		requireInvalid(t, err, "ParseDecimal", given)
	}
}

func TestDecimalFromNumber(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"0": "0", "-0": "0", "0E+5": "0", "0E-999": "0", "0.00": "0",
		"12.50": "12.5", "-3": "-3", "007": "7", "+5": "5", ".5": "0.5",
		"1E+2": "100", "1e2": "100", "1.50E1": "15", "-1.5E-3": "-0.0015", "100E-2": "1",
		"12345678901234567890123456789012345678":   "12345678901234567890123456789012345678",
		"-1234567890123456789012345678.9012345678": "-1234567890123456789012345678.9012345678",
		"1E-130": "0." + strings.Repeat("0", 129) + "1",
		"9.9999999999999999999999999999999999999E+125": strings.Repeat("9", 38) + strings.Repeat("0", 88),
		"1" + strings.Repeat("0", 125):                 "1" + strings.Repeat("0", 125),
	} {
		t.Run(given, func(t *testing.T) {
			t.Parallel()
			d, err := decimalFromNumber(given)
			require.NoError(t, err)
			require.Equal(t, want, d.String())
		})
	}
}

func TestDecimalFromNumberRefuses(t *testing.T) {
	t.Parallel()
	for _, given := range []string{
		"", "-", "x", "1x", " 1", "NaN", "Infinity", "-inf", "1E126", "1E-131", "1E2000000000", "1E99999999999",
		"123456789012345678901234567890123456789", strings.Repeat("1", 1<<20),
	} {
		_, err := decimalFromNumber(given)
		require.Error(t, err, "%.40q", given)
		require.Less(t, len(err.Error()), 500)
	}
}

func TestDecimalReadingAllocatesNothing(t *testing.T) {
	require.Zero(t, testing.AllocsPerRun(100, func() {
		d, err := decimalFromNumber("-12345.50")
		if err != nil || d.String() != "-12345.5" {
			t.Error(d, err)
		}
	}))
}

func TestDecimalIsAKey(t *testing.T) {
	t.Parallel()
	require.Equal(t, "0", Decimal{}.String())
	require.True(t, mustDecimal(t, "-0.00") == Decimal{})
	require.True(t, mustDecimal(t, "1.50") == mustDecimal(t, "1.5"))
	require.Len(t, map[Decimal]bool{mustDecimal(t, "1"): true, mustDecimal(t, "1.0"): true}, 1)
}

func TestDecimalAdd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, sum string }{
		{"0.1", "0.2", "0.3"},
		{"-0.1", "0.1", "0"},
		{"0", "0", "0"},
		{"99.99", "0.01", "100"},
		{"99999999999999999999.9999999999", "0.0000000001", "100000000000000000000"},
	} {
		require.Equal(t, c.sum, mustDecimal(t, c.a).Add(mustDecimal(t, c.b)).String(), "%s + %s", c.a, c.b)
	}
}

func TestDecimalMul(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a    string
		n    int
		want string
	}{
		{"0.1", 3, "0.3"},
		{"0.05", 20, "1"},
		{"-19.99", 100, "-1999"},
		{"5", 0, "0"},
		{"5", -1, "-5"},
		{"-0.5", 0, "0"},
		{"1", math.MinInt64, "-9223372036854775808"},
	} {
		require.Equal(t, c.want, mustDecimal(t, c.a).Mul(c.n).String(), "%s * %d", c.a, c.n)
	}
}

// An order of the most lines with very many of the dearest product is still a number the table takes.
func TestDecimalTotalFitsTheTable(t *testing.T) {
	t.Parallel()
	var total Decimal
	for range 90 {
		total = total.Add(mustDecimal(t, "99999999999999999999.9999999999").Mul(1_000_000))
	}
	require.Equal(t, "8999999999999999999999999999.991", total.String())
	stored, err := decimalFromNumber(total.String())
	require.NoError(t, err)
	require.Equal(t, total, stored)
}

func TestDecimalSignAndCmp(t *testing.T) {
	t.Parallel()
	ascending := []string{"-10", "-9.5", "-0.01", "0", "0.01", "0.1", "1", "9", "10", "10.01"}
	for i, a := range ascending {
		for j, b := range ascending {
			require.Equal(t, big.NewInt(int64(i)).Cmp(big.NewInt(int64(j))), mustDecimal(t, a).Cmp(mustDecimal(t, b)))
		}
		require.Equal(t, mustDecimal(t, a).Cmp(Decimal{}), mustDecimal(t, a).Sign(), a)
	}
}

func TestDecimalAgreesWithRationals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		as, bs := anyDecimalText().Draw(t, "a"), anyDecimalText().Draw(t, "b")
		n := rapid.Int().Draw(t, "n")
		a, b := mustDecimal(t, as), mustDecimal(t, bs)
		ar, br := ratOf(t, as), ratOf(t, bs)

		require.Zero(t, ar.Cmp(ratOf(t, a.String())))
		require.Equal(t, ar.Cmp(br), a.Cmp(b))
		require.Equal(t, ar.Cmp(br) == 0, a == b)
		require.Equal(t, ar.Sign(), a.Sign())
		require.Equal(t, a.Add(b), b.Add(a))
		require.Zero(t, new(big.Rat).Add(ar, br).Cmp(ratOf(t, a.Add(b).String())))
		require.Zero(t, new(big.Rat).Mul(ar, new(big.Rat).SetInt64(int64(n))).Cmp(ratOf(t, a.Mul(n).String())))
		for _, d := range []Decimal{a, a.Add(b), a.Mul(n)} {
			require.Regexp(t, canonicalDecimal, d.String())
		}
	})
}

func FuzzParseDecimal(f *testing.F) {
	for _, seed := range []string{"0", "-0", "12.50", "+5", ".5", "5.", "1e3", "NaN", "007", "99999999999999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := ParseDecimal(s)
		if err != nil {
			requireInvalid(t, err, "ParseDecimal", s)
			return
		}
		require.Regexp(t, canonicalDecimal, d.String())
		require.Zero(t, ratOf(t, s).Cmp(ratOf(t, d.String())))
		again, err := ParseDecimal(d.String())
		require.NoError(t, err)
		require.Equal(t, d, again)
		stored, err := decimalFromNumber(s)
		require.NoError(t, err)
		require.Equal(t, d, stored)
	})
}

func FuzzDecimalFromNumber(f *testing.F) {
	for _, seed := range []string{"0", "1E+2", "-1.5E-3", "1E-130", "9.9E+125", "1E126", "Infinity", "0E-999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := decimalFromNumber(s)
		if err != nil {
			return
		}
		require.Regexp(t, canonicalDecimal, d.String())
		again, err := decimalFromNumber(d.String())
		require.NoError(t, err)
		require.Equal(t, d, again)
	})
}
