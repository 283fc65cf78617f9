package expr

import (
	"strings"

	"example.com/keyfirst/internal/engine/attr"
)

// Predicate is a parsed condition or filter.
type Predicate struct {
	root       condition
	attributes []string
}

// Holds tells whether the item satisfies the predicate. A nil item is the item that does not exist.
func (p *Predicate) Holds(item attr.Item) bool { return p.root.holds(item) }

// Attributes are the top-level attributes that the predicate reads, some perhaps more than once.
func (p *Predicate) Attributes() []string { return p.attributes }

// condition is a node of a predicate.
type condition interface{ holds(item attr.Item) bool }

type and struct{ left, right condition }

func (c and) holds(item attr.Item) bool { return c.left.holds(item) && c.right.holds(item) }

type or struct{ left, right condition }

func (c or) holds(item attr.Item) bool { return c.left.holds(item) || c.right.holds(item) }

type not struct{ of condition }

func (c not) holds(item attr.Item) bool { return !c.of.holds(item) }

// comparison is left = right and its kin. An operand without a value makes it false, except that it is unequal to all.
type comparison struct {
	operator    string
	left, right operand
}

func (c comparison) holds(item attr.Item) bool {
	left, leftOK := c.left.eval(item)
	right, rightOK := c.right.eval(item)
	if !leftOK || !rightOK {
		return c.operator == "<>"
	}
	switch c.operator {
	case "=":
		return left.Equal(right)
	case "<>":
		return !left.Equal(right)
	}
	order, ok := left.Compare(right)
	return ok && ordered(c.operator, order)
}

func ordered(operator string, order int) bool {
	switch operator {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	}
	return false
}

type between struct{ value, low, high operand }

func (c between) holds(item attr.Item) bool {
	return comparison{">=", c.value, c.low}.holds(item) && comparison{"<=", c.value, c.high}.holds(item)
}

type in struct {
	value operand
	list  []operand
}

func (c in) holds(item attr.Item) bool {
	for _, candidate := range c.list {
		if (comparison{"=", c.value, candidate}).holds(item) {
			return true
		}
	}
	return false
}

// call is a function that is true or false.
type call struct {
	function  string
	arguments []operand
}

func (c call) holds(item attr.Item) bool {
	first, ok := c.arguments[0].eval(item)
	switch c.function {
	case "attribute_exists":
		return ok
	case "attribute_not_exists":
		return !ok
	}
	second, secondOK := c.arguments[1].eval(item)
	if !ok || !secondOK {
		return false
	}
	switch c.function {
	case "attribute_type":
		return first.Kind == attr.KindOf(second.Text)
	case "begins_with":
		return first.Kind == second.Kind && (first.Kind == attr.S || first.Kind == attr.B) && strings.HasPrefix(first.Text, second.Text)
	case "contains":
		return contains(first, second)
	}
	return false
}

func contains(whole, part attr.Value) bool {
	switch whole.Kind {
	case attr.S, attr.B:
		return whole.Kind == part.Kind && strings.Contains(whole.Text, part.Text)
	case attr.SS, attr.NS, attr.BS:
		return whole.Contains(part)
	case attr.L:
		for _, element := range whole.List {
			if element.Equal(part) {
				return true
			}
		}
	case attr.None, attr.N, attr.BOOL, attr.NULL, attr.M:
	}
	return false
}
