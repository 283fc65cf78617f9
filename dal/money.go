package dal

// Money is an exact amount in one currency.
type Money struct {
	Amount Decimal
	// Currency is an ISO 4217 code.
	Currency string
}

// NewMoney checks that the currency is shaped like an ISO 4217 code: three upper-case letters. The list of codes
// changes over the years, so it is not checked against one.
func NewMoney(amount Decimal, currency string) (Money, error) {
	if !isCurrency(currency) {
		return Money{}, invalid("NewMoney", "a currency is three upper-case letters, like EUR")
	}
	return Money{Amount: amount, Currency: currency}, nil
}

// Add gives the exact sum of two amounts in the same currency.
func (m Money) Add(other Money) (Money, error) {
	if m.Currency != other.Currency {
		return Money{}, invalid("Money.Add", "amounts in two currencies cannot be added")
	}
	return Money{Amount: m.Amount.Add(other.Amount), Currency: m.Currency}, nil
}

// Mul gives the exact multiple of the amount.
func (m Money) Mul(n int) Money {
	return Money{Amount: m.Amount.Mul(n), Currency: m.Currency}
}

func isCurrency(s string) bool {
	if len(s) != 3 {
		return false
	}
	for i := range len(s) {
		if s[i] < 'A' || 'Z' < s[i] {
			return false
		}
	}
	return true
}
