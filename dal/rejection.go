package dal

import (
	"fmt"
	"unicode/utf8"
)

// RejectionCode says why a write did nothing, in terms of what its user asked for.
type RejectionCode string

// The reasons.
const (
	// RejectedEmailTaken is an e-mail address that belongs to another customer.
	RejectedEmailTaken RejectionCode = "EMAIL_TAKEN"
	// RejectedNotFound is input that points to nothing.
	RejectedNotFound RejectionCode = "NOT_FOUND"
	// RejectedInvalid is a value outside of its bounds.
	RejectedInvalid RejectionCode = "INVALID"
	// RejectedMixedCurrencies is an order of products in different currencies.
	RejectedMixedCurrencies RejectionCode = "MIXED_CURRENCIES"
)

// Rejection is one reason why a write did nothing. It is an answer, not a failure.
type Rejection struct {
	Code RejectionCode
	// Message is for people.
	Message string
	// Field is the path to the input field concerned, from the input's root.
	Field []string
}

func reject(code RejectionCode, field []string, format string, args ...any) *Rejection {
	return &Rejection{Code: code, Message: fmt.Sprintf(format, args...), Field: field}
}

// maxNameRunes bounds every name, so that its item stays within its own bound.
const maxNameRunes = 200

// checkName rejects a name outside of its bounds; nil is a good name.
func checkName(name string, field ...string) *Rejection {
	if n := utf8.RuneCountInString(name); n < 1 || n > maxNameRunes || !utf8.ValidString(name) {
		return reject(RejectedInvalid, field, "a name has 1 to %d characters", maxNameRunes)
	}
	return nil
}
