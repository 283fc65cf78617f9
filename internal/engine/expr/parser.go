package expr

import (
	"strconv"

	"example.com/keyfirst/internal/engine/attr"
)

// Limits on one expression
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-expression-parameters).
const (
	maxOperators  = 300
	maxInOperands = 100
)

type parser struct {
	kind       Kind
	text       string
	tokens     []token
	pos        int
	operators  int
	group      span     // of the last condition in parentheses
	attributes []string // that paths lead into
	holders    *Placeholders
}

// span is a run of tokens: the position of its first, and the one after its last.
type span struct{ open, end int }

func newParser(kind Kind, text string, holders *Placeholders) (*parser, error) {
	tokens, err := tokenize(kind, text)
	if err != nil {
		return nil, err
	}
	if len(tokens) == 1 {
		return nil, kind.invalid("The expression can not be empty;")
	}
	return &parser{kind: kind, text: text, tokens: tokens, holders: holders}, nil
}

func (p *parser) peek() token { return p.tokens[p.pos] }

// ahead is the token after the next one, or the end.
func (p *parser) ahead() token { return p.tokens[min(p.pos+1, len(p.tokens)-1)] }

func (p *parser) take() token {
	t := p.tokens[p.pos]
	if t.kind != tokenEnd {
		p.pos++
	}
	return t
}

func (p *parser) accept(text string) bool {
	if !p.peek().is(text) {
		return false
	}
	p.pos++
	return true
}

func (p *parser) expect(text string) error {
	if !p.accept(text) {
		return p.unexpected()
	}
	return nil
}

func (p *parser) unexpected() error {
	at, after := p.peek(), p.ahead()
	end := after.pos
	if after.kind != tokenEnd {
		end += len(after.text)
	}
	return syntaxError(p.kind, p.text, p.tokens[:p.pos], at, end)
}

func (p *parser) finish() error {
	if p.peek().kind != tokenEnd {
		return p.unexpected()
	}
	return nil
}

// operator counts one operator or function.
func (p *parser) operator() error {
	p.operators++
	if p.operators > maxOperators {
		return p.kind.invalid("The expression contains too many operators; operator count: " + strconv.Itoa(p.operators))
	}
	return nil
}

// path reads a document path.
func (p *parser) path() (Path, error) {
	first, err := p.pathName()
	if err != nil {
		return nil, err
	}
	p.attributes = append(p.attributes, first)
	path := Path{member(first)}
	for {
		switch {
		case p.accept("."):
			name, err := p.pathName()
			if err != nil {
				return nil, err
			}
			path = append(path, member(name))
		case p.accept("["):
			index, err := p.index()
			if err != nil {
				return nil, err
			}
			path = append(path, step{index: index})
		default:
			return path, p.checkDepth(path)
		}
	}
}

func (p *parser) checkDepth(path Path) error {
	if len(path) > attr.MaxDepth {
		return p.kind.invalid("The document path has too many nesting elements; nesting elements: " + strconv.Itoa(len(path)))
	}
	return nil
}

func (p *parser) pathName() (string, error) {
	switch t := p.peek(); t.kind {
	case tokenName:
		p.pos++
		return p.holders.name(p.kind, t.text)
	case tokenWord:
		if isReserved(t.text) {
			return "", p.kind.invalid("Attribute name is a reserved keyword; reserved keyword: " + t.text)
		}
		p.pos++
		return t.text, nil
	case tokenEnd, tokenValue, tokenNumber, tokenSymbol:
	}
	return "", p.unexpected()
}

func (p *parser) index() (int, error) {
	t := p.peek()
	if t.kind != tokenNumber {
		return 0, p.unexpected()
	}
	index, err := strconv.ParseInt(t.text, 10, 32)
	if err != nil {
		return 0, p.kind.invalid("List index is not within the allowable range; index: [" + t.text + "]")
	}
	p.pos++
	return int(index), p.expect("]")
}

// list reads one or more things with commas between them.
func list[T any](p *parser, read func() (T, error)) ([]T, error) {
	var all []T
	for {
		one, err := read()
		if err != nil {
			return nil, err
		}
		all = append(all, one)
		if !p.accept(",") {
			return all, nil
		}
	}
}

// isCall tells whether a function call is next.
func (p *parser) isCall() bool {
	return p.peek().kind == tokenWord && p.ahead().is("(")
}
