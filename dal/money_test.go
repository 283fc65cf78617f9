package dal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNewMoney(t *testing.T) {
	t.Parallel()
	for _, currency := range []string{"EUR", "USD", "XXX", "AAA", "ZZZ"} {
		m, err := NewMoney(mustDecimal(t, "1.50"), currency)
		require.NoError(t, err)
		require.Equal(t, Money{Amount: mustDecimal(t, "1.5"), Currency: currency}, m)
	}
	for _, currency := range []string{
		"", "E", "EU", "EURO", "eur", "Eur", "EU1", "EU ", " EUR", "@AA", "A[A", "É", "ÉU", "€", "ＥＵＲ", "EU\x00", "\xff\xff\xff",
	} {
		_, err := NewMoney(Decimal{}, currency)
		requireInvalid(t, err, "NewMoney", currency)
	}
}

func TestMoneyArithmetic(t *testing.T) {
	t.Parallel()
	euro := func(amount string) Money { return Money{Amount: mustDecimal(t, amount), Currency: "EUR"} }

	sum, err := euro("19.99").Add(euro("0.01"))
	require.NoError(t, err)
	require.Equal(t, euro("20"), sum)
	require.Equal(t, euro("59.97"), euro("19.99").Mul(3))
	require.Equal(t, euro("0"), euro("19.99").Mul(0))

	for _, other := range []Money{{}, {Currency: "USD"}, {Currency: "eur"}} {
		_, err := euro("1").Add(other)
		requireInvalid(t, err, "Money.Add", other.Currency)
	}
}
