package dal

import (
	"errors"
	"fmt"
)

// Kind says what went wrong in the terms a caller can act on. It is the only thing about a failure that crosses
// the border of this package: no caller looks at an SDK error.
type Kind uint8

// The kinds of failure. The presenter of the HTTP layer turns each into one GraphQL error code.
const (
	// KindInternal is a failure nobody foresaw.
	KindInternal Kind = iota
	// KindInvalid is a request that is wrong in itself; Reason says why, in words fit for a client.
	KindInvalid
	// KindThrottled is a read or write the table had no capacity for, after all retries.
	KindThrottled
	// KindTimeout is a deadline that passed before the answer came.
	KindTimeout
	// KindCanceled is a caller that went away.
	KindCanceled
	// KindUnavailable is an endpoint that cannot be reached or that failed, after all retries.
	KindUnavailable
	// KindNoTable is an endpoint without the table.
	KindNoTable
	// KindConflict is a write that lost against another one.
	KindConflict
	// KindCorrupt is an item in the table that is not what its key says it is.
	KindCorrupt
)

// String names the kind for logs.
func (k Kind) String() string {
	switch k {
	case KindInternal:
		return "internal"
	case KindInvalid:
		return "invalid"
	case KindThrottled:
		return "throttled"
	case KindTimeout:
		return "timeout"
	case KindCanceled:
		return "canceled"
	case KindUnavailable:
		return "unavailable"
	case KindNoTable:
		return "no table"
	case KindConflict:
		return "conflict"
	case KindCorrupt:
		return "corrupt"
	}
	return "unknown"
}

// Error is the one error type of this package.
type Error struct {
	// Op is the DynamoDB operation or the function that failed.
	Op string
	// Kind is what a caller decides by.
	Kind Kind
	// Key is the item or item collection concerned; zero when there is none.
	Key Key
	// Reason is a sentence a client may be shown; empty except for KindInvalid.
	Reason string
	// Err is the cause, for the log only: it may name the table, the endpoint or an ARN.
	Err error
}

// Error describes the failure for a log. It is never fit for a client: see Reason.
func (e *Error) Error() string {
	text := "dal: " + e.Op + ": " + e.Kind.String()
	if e.Key != (Key{}) {
		text += fmt.Sprintf(" (%q, %q)", e.Key.PK, e.Key.SK)
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// ReasonOf is the sentence about an error that a client may be shown; empty when there is none.
func ReasonOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason
	}
	return ""
}

// invalid makes the error of a request that is wrong in itself.
func invalid(op, format string, args ...any) *Error {
	return &Error{Op: op, Kind: KindInvalid, Reason: fmt.Sprintf(format, args...)}
}
