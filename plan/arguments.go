package plan

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"example.com/keyfirst/dal"
)

// arguments are a field's arguments with the variables in. What is missing or of another type reads as absent: the
// executor has validated the operation, and the resolver reports what it refuses.
type arguments struct {
	values map[string]any
	// consistent says that the operation reads strongly.
	consistent bool
}

// string is a String or ID argument; an ID may be written as an integer.
func (a arguments) string(name string) string { return text(a.values[name]) }

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case int64:
		return strconv.FormatInt(v, 10)
	case int:
		return strconv.Itoa(v)
	}
	return ""
}

// strings is a list; a single value stands for a list of one, as the GraphQL specification coerces it.
func (a arguments) strings(name string) []string {
	switch v := a.values[name].(type) {
	case nil:
		return nil
	case []any:
		all := make([]string, len(v))
		for i, one := range v {
			all[i] = text(one)
		}
		return all
	case []string:
		return v
	default:
		return []string{text(v)}
	}
}

func (a arguments) page() dal.PageArgs {
	return dal.PageArgs{
		First: a.int("first"), Last: a.int("last"), After: a.optional("after"), Before: a.optional("before"),
	}
}

func (a arguments) optional(name string) *string {
	s, ok := a.values[name].(string)
	if !ok {
		return nil
	}
	return &s
}

func (a arguments) int(name string) *int {
	var n int
	switch v := a.values[name].(type) {
	case int64:
		n = int(v)
	case int:
		n = v
	case int32:
		n = int(v)
	case float64:
		if v != math.Trunc(v) {
			return nil
		}
		n = int(v)
	case json.Number:
		parsed, err := v.Int64()
		if err != nil {
			return nil
		}
		n = int(parsed)
	default:
		return nil
	}
	return &n
}

// criteria reads the filter of Customer.orders.
func (a arguments) criteria() (dal.OrderCriteria, error) {
	filter, _ := a.values["filter"].(map[string]any)
	of := arguments{values: filter}
	var status *dal.OrderStatus
	if s := of.optional("status"); s != nil {
		status = (*dal.OrderStatus)(s)
	}
	from, err := of.instant("placedFrom")
	if err != nil {
		return dal.OrderCriteria{}, err
	}
	before, err := of.instant("placedBefore")
	if err != nil {
		return dal.OrderCriteria{}, err
	}
	return dal.NewOrderCriteria(status, from, before)
}

func (a arguments) instant(name string) (*time.Time, error) {
	s := a.optional(name)
	if s == nil {
		return nil, nil //nolint:nilnil // an absent argument is no error
	}
	t, err := dal.ParseTime(*s)
	return &t, err
}

// lines is the number of lines of an order to place.
func (a arguments) lines() int {
	input, _ := a.values["input"].(map[string]any)
	switch lines := input["lines"].(type) {
	case nil:
		return 0
	case []any:
		return len(lines)
	default:
		return 1 // a single value stands for a list of one
	}
}
