package expr

import (
	"strconv"

	"example.com/keyfirst/internal/engine/attr"
)

// ParsePredicate parses an expression of kind Condition or Filter.
func ParsePredicate(kind Kind, text string, holders *Placeholders) (*Predicate, error) {
	p, err := newParser(kind, text, holders)
	if err != nil {
		return nil, err
	}
	root, err := p.disjunction()
	if err != nil {
		return nil, err
	}
	return &Predicate{root, p.attributes}, p.finish()
}

func (p *parser) disjunction() (condition, error) {
	left, err := p.conjunction()
	for err == nil && p.accept("OR") {
		var right condition
		if err = p.operator(); err != nil {
			break
		}
		if right, err = p.conjunction(); err == nil {
			left = or{left, right}
		}
	}
	return left, err
}

func (p *parser) conjunction() (condition, error) {
	left, err := p.negation()
	for err == nil && p.accept("AND") {
		var right condition
		if err = p.operator(); err != nil {
			break
		}
		if right, err = p.negation(); err == nil {
			left = and{left, right}
		}
	}
	return left, err
}

func (p *parser) negation() (condition, error) {
	if !p.accept("NOT") {
		return p.primary()
	}
	if err := p.operator(); err != nil {
		return nil, err
	}
	of, err := p.negation()
	return not{of}, err
}

func (p *parser) primary() (condition, error) {
	if p.peek().is("(") {
		return p.parenthesised()
	}
	if p.isCall() && p.peek().text != "size" {
		return p.call()
	}
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	return p.tail(left)
}

// parenthesised reads a condition in parentheses, which may not be all that another pair holds.
func (p *parser) parenthesised() (condition, error) {
	open := p.pos
	p.take()
	inner, err := p.disjunction()
	if err != nil {
		return nil, err
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	if p.group.open == open+1 && p.group.end == p.pos-1 {
		return nil, p.kind.invalid("The expression has redundant parentheses;")
	}
	p.group = span{open, p.pos}
	return inner, nil
}

// tail reads what follows the first operand: a comparator, BETWEEN or IN.
func (p *parser) tail(left operand) (condition, error) {
	if err := p.operator(); err != nil {
		return nil, err
	}
	t := p.peek()
	switch {
	case p.accept("BETWEEN"):
		return p.between(left)
	case p.accept("IN"):
		return p.in(left)
	case t.kind == tokenSymbol && isComparator(t.text):
		p.pos++
		right, err := p.operand()
		if err != nil {
			return nil, err
		}
		return comparison{t.text, left, right}, p.checkComparison(t.text, left, right)
	}
	if _, ok := left.(sizeOf); ok {
		return nil, p.kind.misused("size")
	}
	return nil, p.unexpected()
}

func isComparator(symbol string) bool {
	switch symbol {
	case "=", "<>", "<", "<=", ">", ">=":
		return true
	}
	return false
}

func (p *parser) checkComparison(operator string, left, right operand) error {
	if err := p.checkDistinct(operator, left, right); err != nil {
		return err
	}
	if operator == "=" || operator == "<>" {
		return nil
	}
	for _, o := range []operand{left, right} {
		if l, ok := o.(literal); ok && !l.value.Kind.IsScalarKey() {
			return p.kind.wrongType(operator, l.value.Kind.String())
		}
	}
	return nil
}

// checkDistinct refuses an operator whose first operand is the same path as another one.
func (p *parser) checkDistinct(operator string, first operand, others ...operand) error {
	path, ok := first.(Path)
	if !ok {
		return nil
	}
	for _, other := range others {
		if o, ok := other.(Path); ok && o.String() == path.String() {
			return p.kind.invalid("The first operand must be distinct from the remaining operands for this operator or function; operator: " +
				operator + ", first operand: " + path.String())
		}
	}
	return nil
}

func (p *parser) between(value operand) (condition, error) {
	low, err := p.operand()
	if err != nil {
		return nil, err
	}
	if err := p.expect("AND"); err != nil {
		return nil, err
	}
	high, err := p.operand()
	if err != nil {
		return nil, err
	}
	if err := p.checkDistinct("BETWEEN", value, low, high); err != nil {
		return nil, err
	}
	for _, o := range []operand{value, low, high} {
		if l, ok := o.(literal); ok && !l.value.Kind.IsScalarKey() {
			return nil, p.kind.wrongType("BETWEEN", l.value.Kind.String())
		}
	}
	return between{value, low, high}, p.checkBounds(low, high)
}

func (p *parser) checkBounds(low, high operand) error {
	l, lowOK := low.(literal)
	h, highOK := high.(literal)
	if !lowOK || !highOK {
		return nil
	}
	bounds := "; lower bound operand: " + showValue(l.value) + ", upper bound operand: " + showValue(h.value)
	order, sameType := l.value.Compare(h.value)
	switch {
	case !sameType:
		return p.kind.invalid("The BETWEEN operator requires same data type for lower and upper bounds" + bounds)
	case order > 0:
		return p.kind.invalid("The BETWEEN operator requires upper bound to be greater than or equal to lower bound" + bounds)
	}
	return nil
}

func showValue(v attr.Value) string {
	return "AttributeValue: {" + v.Kind.String() + ":" + v.Text + "}"
}

func (p *parser) in(value operand) (condition, error) {
	candidates, err := p.arguments()
	if err != nil {
		return nil, err
	}
	if len(candidates) > maxInOperands {
		return nil, p.kind.invalid("The IN operator is provided with too many operands; number of operands: " + strconv.Itoa(len(candidates)))
	}
	return in{value, candidates}, p.checkDistinct("IN", value, candidates...)
}
