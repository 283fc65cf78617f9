package expr

import "example.com/keyfirst/internal/engine/attr"

// operandCount is how many operands a condition function takes, 0 when there is no such function.
func operandCount(function string) int {
	switch function {
	case "attribute_exists", "attribute_not_exists":
		return 1
	case "attribute_type", "begins_with", "contains":
		return 2
	}
	return 0
}

// isFunction tells whether any expression knows a function of the name.
func isFunction(name string) bool {
	return name == "size" || name == "if_not_exists" || name == "list_append" || operandCount(name) > 0
}

func (p *parser) call() (condition, error) {
	name := p.take().text
	want := operandCount(name)
	if want == 0 {
		if isFunction(name) {
			return nil, p.kind.notAllowed(name)
		}
		return nil, p.unknownFunction(name)
	}
	arguments, err := p.callArguments(name, want)
	if err != nil {
		return nil, err
	}
	return call{name, arguments}, p.checkArguments(name, arguments)
}

func (p *parser) checkArguments(name string, arguments []operand) error {
	if err := p.checkDistinct(name, arguments[0], arguments[1:]...); err != nil {
		return err
	}
	switch name {
	case "attribute_exists", "attribute_not_exists":
		if _, ok := arguments[0].(Path); !ok {
			return p.kind.invalid("Operator or function requires a document path; operator or function: " + name)
		}
	case "attribute_type":
		return p.checkTypeName(arguments[1])
	case "begins_with":
		for _, argument := range arguments {
			if kind := knownKind(argument); kind != attr.None && kind != attr.S && kind != attr.B {
				return p.kind.wrongType(name, kind.String())
			}
		}
	}
	return nil
}

// knownKind is the type of an operand whatever the item, None for a path.
func knownKind(o operand) attr.Kind {
	switch o := o.(type) {
	case literal:
		return o.value.Kind
	case sizeOf:
		return attr.N
	}
	return attr.None
}

func (p *parser) checkTypeName(o operand) error {
	l, ok := o.(literal)
	if !ok {
		return p.kind.wrongType("attribute_type", "{DECIMAL,SS,BS,FLOAT,DICT,S,HDS,BOOL,M,NULL,FS,B,INT,HD,N,L,DOUBLESET,INTSET,NS,DECIMALSET,DOUBLE}")
	}
	if l.value.Kind != attr.S {
		return p.kind.wrongType("attribute_type", l.value.Kind.String())
	}
	if attr.KindOf(l.value.Text) == attr.None {
		return p.kind.invalid("Invalid attribute type name found; type: " + l.value.Text + ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}")
	}
	return nil
}
