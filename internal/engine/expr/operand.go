package expr

import (
	"strconv"
	"unicode/utf16"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/decimal"
)

// operand is something with a value in an item.
type operand interface {
	eval(item attr.Item) (attr.Value, bool)
}

// literal is an expression attribute value.
type literal struct{ value attr.Value }

func (l literal) eval(attr.Item) (attr.Value, bool) { return l.value, true }

func (p Path) eval(item attr.Item) (attr.Value, bool) { return p.find(item) }

// sizeOf is the function size.
type sizeOf struct{ of operand }

func (s sizeOf) eval(item attr.Item) (attr.Value, bool) {
	v, ok := s.of.eval(item)
	if !ok {
		return attr.Value{}, false
	}
	n, ok := extent(v)
	return attr.Value{Kind: attr.N, Text: strconv.Itoa(n)}, ok
}

// extent is the length of a text in UTF-16 code units, as in Java, of binary in bytes, of a collection in elements.
func extent(v attr.Value) (int, bool) {
	switch v.Kind {
	case attr.S:
		return utf16Length(v.Text), true
	case attr.B:
		return len(v.Text), true
	case attr.SS, attr.NS, attr.BS:
		return len(v.Set), true
	case attr.L:
		return len(v.List), true
	case attr.M:
		return len(v.Map), true
	case attr.None, attr.N, attr.BOOL, attr.NULL:
	}
	return 0, false
}

func utf16Length(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// operand reads a path, a placeholder or a call of size.
func (p *parser) operand() (operand, error) {
	switch {
	case p.peek().kind == tokenValue:
		v, err := p.holders.value(p.kind, p.take().text)
		return literal{v}, err
	case p.isCall():
		return p.sizeCall()
	default:
		return p.path()
	}
}

func (p *parser) sizeCall() (operand, error) {
	name := p.take().text
	if name != "size" {
		if isFunction(name) {
			return nil, p.kind.misused(name)
		}
		return nil, p.unknownFunction(name)
	}
	arguments, err := p.callArguments(name, 1)
	if err != nil {
		return nil, err
	}
	switch kind := knownKind(arguments[0]); kind {
	case attr.N, attr.BOOL, attr.NULL:
		return nil, p.kind.wrongType(name, kind.String())
	case attr.None, attr.S, attr.B, attr.SS, attr.NS, attr.BS, attr.L, attr.M:
	}
	return sizeOf{arguments[0]}, nil
}

// arguments reads operands in parentheses.
func (p *parser) arguments() ([]operand, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	arguments, err := list(p, p.operand)
	if err != nil {
		return nil, err
	}
	return arguments, p.expect(")")
}

// callArguments reads the arguments of a function that takes so many; a call counts as an operator.
func (p *parser) callArguments(name string, want int) ([]operand, error) {
	if err := p.operator(); err != nil {
		return nil, err
	}
	arguments, err := p.arguments()
	if err == nil && len(arguments) != want {
		err = p.wrongCount(name, len(arguments))
	}
	return arguments, err
}

func (p *parser) unknownFunction(name string) error {
	return p.kind.invalid("Invalid function name; function: " + name)
}

func (p *parser) wrongCount(function string, n int) error {
	return p.kind.invalid("Incorrect number of operands for operator or function; operator or function: " + function +
		", number of operands: " + strconv.Itoa(n))
}

// arithmetic is one + or - of an update.
type arithmetic struct {
	left, right updateValue
	subtract    bool
}

func (a arithmetic) apply(left, right attr.Value) (attr.Value, error) {
	if left.Kind != attr.N || right.Kind != attr.N {
		return attr.Value{}, ErrOperandType
	}
	operation := decimal.Decimal.Add
	if a.subtract {
		operation = decimal.Decimal.Sub
	}
	sum, err := operation(left.Decimal(), right.Decimal())
	if err != nil {
		return attr.Value{}, InvalidError(err.Error())
	}
	return attr.Number(sum), nil
}
