package expr

import (
	"slices"

	"example.com/keyfirst/internal/engine/attr"
)

// updateValue is the right-hand side of an assignment.
type updateValue interface {
	compute(item attr.Item) (attr.Value, error)
}

// copied is an operand as it is; it must be there.
type copied struct{ operand }

func (c copied) compute(item attr.Item) (attr.Value, error) {
	v, ok := c.eval(item)
	if !ok {
		return attr.Value{}, ErrMissingOperand
	}
	return v, nil
}

// ifNotExists is the value at the path, or else the other one.
type ifNotExists struct {
	path  Path
	other updateValue
}

func (f ifNotExists) compute(item attr.Item) (attr.Value, error) {
	if v, ok := f.path.find(item); ok {
		return v, nil
	}
	return f.other.compute(item)
}

type listAppend struct{ front, back updateValue }

func (f listAppend) compute(item attr.Item) (attr.Value, error) {
	front, err := f.front.compute(item)
	if err != nil {
		return attr.Value{}, err
	}
	back, err := f.back.compute(item)
	if err != nil {
		return attr.Value{}, err
	}
	if front.Kind != attr.L || back.Kind != attr.L {
		return attr.Value{}, ErrOperandType
	}
	return attr.Value{Kind: attr.L, List: slices.Concat(front.List, back.List)}, nil
}

func (a arithmetic) compute(item attr.Item) (attr.Value, error) {
	left, err := a.left.compute(item)
	if err != nil {
		return attr.Value{}, err
	}
	right, err := a.right.compute(item)
	if err != nil {
		return attr.Value{}, err
	}
	return a.apply(left, right)
}

func (p *parser) assignment() (assignment, error) {
	path, err := p.path()
	if err != nil {
		return assignment{}, err
	}
	if err := p.expect("="); err != nil {
		return assignment{}, err
	}
	if err := p.operator(); err != nil {
		return assignment{}, err
	}
	value, err := p.sum()
	return assignment{path, value}, err
}

// sum reads one value, or two with + or - between them, of which none is a sum itself.
func (p *parser) sum() (updateValue, error) {
	left, err := p.term()
	if err != nil {
		return nil, err
	}
	sign := p.peek()
	if _, nested := left.(arithmetic); nested || !sign.is("+") && !sign.is("-") {
		return left, nil
	}
	p.take()
	if err := p.operator(); err != nil {
		return nil, err
	}
	right, err := p.term()
	if err != nil {
		return nil, err
	}
	if err := checkNested(left, right); err != nil {
		return nil, err
	}
	for _, side := range []updateValue{left, right} {
		if err := p.checkLiteral(sign.text, side, attr.N); err != nil {
			return nil, err
		}
	}
	return arithmetic{left, right, sign.is("-")}, nil
}

// checkLiteral refuses a placeholder of another type than the operator needs, before any item is read.
func (p *parser) checkLiteral(operator string, value updateValue, want attr.Kind) error {
	c, ok := value.(copied)
	if !ok {
		return nil
	}
	if l, ok := c.operand.(literal); ok && l.value.Kind != want {
		return Update.wrongType(operator, l.value.Kind.String())
	}
	return nil
}

func (p *parser) term() (updateValue, error) {
	switch {
	case p.accept("("):
		inner, err := p.sum()
		if err != nil {
			return nil, err
		}
		return inner, p.expect(")")
	case p.isCall():
		return p.updateCall()
	}
	o, err := p.operand()
	return copied{o}, err
}

func (p *parser) updateCall() (updateValue, error) {
	name := p.take().text
	if name != "if_not_exists" && name != "list_append" {
		if isFunction(name) {
			return nil, Update.notAllowed(name)
		}
		return nil, p.unknownFunction(name)
	}
	if err := p.operator(); err != nil {
		return nil, err
	}
	if err := p.expect("("); err != nil {
		return nil, err
	}
	arguments, err := list(p, p.term)
	if err != nil {
		return nil, err
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	if len(arguments) != 2 {
		return nil, p.wrongCount(name, len(arguments))
	}
	if err := checkNested(arguments...); err != nil {
		return nil, err
	}
	if name == "if_not_exists" {
		return p.ifNotExists(arguments)
	}
	return p.listAppend(arguments)
}

// checkNested refuses list_append as an operand: it can only be the whole value.
func checkNested(operands ...updateValue) error {
	for _, o := range operands {
		if _, ok := o.(listAppend); ok {
			return Update.misused("list_append")
		}
	}
	return nil
}

func (p *parser) ifNotExists(arguments []updateValue) (updateValue, error) {
	if c, ok := arguments[0].(copied); ok {
		if path, ok := c.operand.(Path); ok {
			if other, ok := arguments[1].(copied); ok {
				if err := p.checkDistinct("if_not_exists", path, other.operand); err != nil {
					return nil, err
				}
			}
			return ifNotExists{path, arguments[1]}, nil
		}
	}
	return nil, Update.invalid("Operator or function requires a document path; operator or function: if_not_exists")
}

func (p *parser) listAppend(arguments []updateValue) (updateValue, error) {
	for _, argument := range arguments {
		if err := p.checkLiteral("list_append", argument, attr.L); err != nil {
			return nil, err
		}
	}
	return listAppend{arguments[0], arguments[1]}, nil
}
