package expr

import "example.com/keyfirst/internal/engine/attr"

// KeyTest is one part of a key condition: an attribute, an operator of =, <, <=, >, >=, BETWEEN or begins_with, and its
// values, of which BETWEEN has two.
type KeyTest struct {
	Attribute string
	Operator  string
	Values    []attr.Value
}

// ParseKeyCondition parses an expression of kind KeyCondition: tests that all must hold, one an attribute. Which
// attributes they may be is the caller's to check.
func ParseKeyCondition(text string, holders *Placeholders) ([]KeyTest, error) {
	c, err := ParsePredicate(KeyCondition, text, holders)
	if err != nil {
		return nil, err
	}
	tests, err := keyTests(c.root)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, t := range tests {
		if seen[t.Attribute] {
			return nil, KeyCondition.invalid("KeyConditionExpressions must only contain one condition per key")
		}
		seen[t.Attribute] = true
	}
	return tests, nil
}

func keyTests(c condition) ([]KeyTest, error) {
	switch c := c.(type) {
	case and:
		left, err := keyTests(c.left)
		if err != nil {
			return nil, err
		}
		right, err := keyTests(c.right)
		return append(left, right...), err
	case comparison:
		if c.operator == "<>" {
			return nil, invalidOperator("<>")
		}
		if _, ok := c.left.(literal); ok {
			return keyTest(flip(c.operator), c.right, c.left)
		}
		return keyTest(c.operator, c.left, c.right)
	case between:
		return keyTest("BETWEEN", c.value, c.low, c.high)
	case call:
		if c.function == "begins_with" {
			return keyTest(c.function, c.arguments[0], c.arguments[1])
		}
		return nil, invalidOperator(c.function)
	case in:
		return nil, invalidOperator("IN")
	case or:
		return nil, invalidOperator("OR")
	case not:
		return nil, invalidOperator("NOT")
	}
	return nil, invalidOperator("")
}

func invalidOperator(operator string) error {
	return InvalidError("Invalid operator used in KeyConditionExpression: " + operator)
}

// flip is the operator with its operands exchanged.
func flip(operator string) string {
	switch operator {
	case "<":
		return ">"
	case "<=":
		return ">="
	case ">":
		return "<"
	case ">=":
		return "<="
	}
	return operator
}

func keyTest(operator string, key operand, values ...operand) ([]KeyTest, error) {
	path, ok := key.(Path)
	if !ok {
		return nil, InvalidError("Invalid condition in KeyConditionExpression: No key attribute specified")
	}
	if !path.IsAttribute() {
		return nil, InvalidError("KeyConditionExpressions cannot have conditions on nested attributes")
	}
	test := KeyTest{Attribute: path.Attribute(), Operator: operator}
	for _, v := range values {
		l, ok := v.(literal)
		if !ok {
			return nil, InvalidError("Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")
		}
		test.Values = append(test.Values, l.value)
	}
	return []KeyTest{test}, nil
}
