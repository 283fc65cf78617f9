package scalars

import (
	"errors"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"example.com/keyfirst/dal"
)

var errNotString = errors.New("must be a string")

// MarshalDecimal writes an exact number as a string.
func MarshalDecimal(d dal.Decimal) graphql.Marshaler { return graphql.MarshalString(d.String()) }

// UnmarshalDecimal reads an exact number from a string; a JSON number may already have lost digits and is refused.
func UnmarshalDecimal(v any) (dal.Decimal, error) {
	s, ok := v.(string)
	if !ok {
		return dal.Decimal{}, errNotString
	}
	return dal.ParseDecimal(s)
}

// MarshalDateTime writes an instant in UTC, RFC 3339.
func MarshalDateTime(t time.Time) graphql.Marshaler { return graphql.MarshalString(dal.FormatTime(t)) }

// UnmarshalDateTime reads an instant from RFC 3339.
func UnmarshalDateTime(v any) (time.Time, error) {
	s, ok := v.(string)
	if !ok {
		return time.Time{}, errNotString
	}
	return dal.ParseTime(s)
}
