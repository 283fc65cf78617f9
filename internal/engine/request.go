package engine

import (
	"encoding/json"
	"strings"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/expr"
)

// placeholderMaps are the placeholders of a request.
type placeholderMaps struct {
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues attr.Item
}

// begin checks the placeholders before expressions are parsed; expressions are those that the request may have.
func (m *placeholderMaps) begin(expressions ...*string) (*expr.Placeholders, error) {
	for _, e := range expressions {
		if e != nil {
			return expr.NewPlaceholders(m.ExpressionAttributeNames, m.ExpressionAttributeValues)
		}
	}
	switch {
	case len(m.ExpressionAttributeNames) > 0:
		return nil, validation("ExpressionAttributeNames can only be specified when using expressions")
	case len(m.ExpressionAttributeValues) > 0:
		return nil, validation("ExpressionAttributeValues can only be specified when using expressions")
	}
	return expr.NewPlaceholders(nil, nil)
}

// legacyParameters are those that expressions replaced. The engine does not have them.
type legacyParameters struct {
	AttributesToGet     json.RawMessage
	AttributeUpdates    json.RawMessage
	ConditionalOperator json.RawMessage
	Expected            json.RawMessage
	KeyConditions       json.RawMessage
	QueryFilter         json.RawMessage
	ScanFilter          json.RawMessage
}

func (p *legacyParameters) refuse() error {
	for _, one := range []struct {
		name    string
		value   json.RawMessage
		instead string
	}{
		{"AttributesToGet", p.AttributesToGet, "ProjectionExpression"},
		{"AttributeUpdates", p.AttributeUpdates, "UpdateExpression"},
		{"ConditionalOperator", p.ConditionalOperator, "an expression"},
		{"Expected", p.Expected, "ConditionExpression"},
		{"KeyConditions", p.KeyConditions, "KeyConditionExpression"},
		{"QueryFilter", p.QueryFilter, "FilterExpression"},
		{"ScanFilter", p.ScanFilter, "FilterExpression"},
	} {
		if len(one.value) > 0 && string(one.value) != "null" {
			return validation("The legacy parameter " + one.name + " is not supported; use " + one.instead)
		}
	}
	return nil
}

// tableName checks a name, which may also be an ARN, and gives the name alone.
func tableName(given string) (string, error) {
	name := given
	if strings.HasPrefix(given, "arn:") {
		_, name, _ = strings.Cut(given, ":table/")
	}
	switch {
	case given == "":
		return "", missingParameter("tableName")
	case len(name) < 3:
		return "", constraint("'"+given+"'", "tableName", "Member must have length greater than or equal to 3")
	case len(name) > 255:
		return "", constraint("'"+given+"'", "tableName", "Member must have length less than or equal to 255")
	case !isName(name):
		return "", constraint("'"+given+"'", "tableName", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	}
	return name, nil
}

func isName(name string) bool {
	for _, c := range []byte(name) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-', c == '.':
		default:
			return false
		}
	}
	return true
}

// optionalPredicate parses a condition or filter that may be missing.
func optionalPredicate(kind expr.Kind, text *string, holders *expr.Placeholders) (*expr.Predicate, error) {
	if text == nil {
		return nil, nil //nolint:nilnil // no expression is not an error
	}
	return expr.ParsePredicate(kind, *text, holders)
}

// optionalProjection parses a projection that may be missing.
func optionalProjection(text *string, holders *expr.Placeholders) (*expr.Selection, error) {
	if text == nil {
		return nil, nil //nolint:nilnil // no expression is not an error
	}
	return expr.ParseProjection(*text, holders)
}
