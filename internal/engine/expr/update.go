package expr

import (
	"slices"
	"strings"

	"example.com/keyfirst/internal/engine/attr"
)

// Program is a parsed update expression.
type Program struct {
	sets    []assignment
	removes []Path
	adds    []edit
	deletes []edit
	tree    *pathTree
}

// assignment is path = value of a SET clause.
type assignment struct {
	path  Path
	value updateValue
}

// edit is path and value of an ADD or a DELETE clause.
type edit struct {
	path  Path
	value attr.Value
}

// ParseUpdate parses an expression of kind Update.
func ParseUpdate(text string, holders *Placeholders) (*Program, error) {
	p, err := newParser(Update, text, holders)
	if err != nil {
		return nil, err
	}
	u := &Program{tree: &pathTree{}}
	seen := map[string]bool{}
	for p.peek().kind != tokenEnd {
		clause := strings.ToUpper(p.peek().text)
		if seen[clause] {
			return nil, Update.invalid(`The "` + clause + `" section can only be used once in an update expression;`)
		}
		seen[clause] = true
		if err := u.clause(p); err != nil {
			return nil, err
		}
	}
	return u, u.checkPaths()
}

func (u *Program) clause(p *parser) (err error) {
	switch {
	case p.accept("SET"):
		u.sets, err = list(p, p.assignment)
	case p.accept("REMOVE"):
		u.removes, err = list(p, p.path)
	case p.accept("ADD"):
		u.adds, err = list(p, func() (edit, error) { return p.edit("ADD") })
	case p.accept("DELETE"):
		u.deletes, err = list(p, func() (edit, error) { return p.edit("DELETE") })
	default:
		err = p.unexpected()
	}
	return err
}

func (p *parser) edit(clause string) (edit, error) {
	if err := p.operator(); err != nil {
		return edit{}, err
	}
	path, err := p.path()
	if err != nil {
		return edit{}, err
	}
	if p.peek().kind != tokenValue {
		return edit{}, p.unexpected()
	}
	v, err := p.holders.value(Update, p.take().text)
	if err != nil {
		return edit{}, err
	}
	if !v.Kind.IsSet() && (clause != "ADD" || v.Kind != attr.N) {
		return edit{}, Update.invalid("Incorrect operand type for operator or function; operator: " + clause +
			", operand type: " + longName(v.Kind) + ", typeSet: ALLOWED_FOR_" + clause + "_OPERAND")
	}
	return edit{path, v}, nil
}

// longName is how messages about ADD and DELETE call a type.
func longName(kind attr.Kind) string {
	switch kind {
	case attr.S:
		return "STRING"
	case attr.N:
		return "NUMBER"
	case attr.B:
		return "BINARY"
	case attr.BOOL:
		return "BOOLEAN"
	case attr.L:
		return "LIST"
	case attr.M:
		return "MAP"
	case attr.None, attr.NULL, attr.SS, attr.NS, attr.BS:
	}
	return kind.String()
}

func (u *Program) checkPaths() error {
	for path := range u.paths {
		if err := u.tree.add(Update, path); err != nil {
			return err
		}
	}
	return nil
}

// paths goes over every path that the update changes.
func (u *Program) paths(yield func(Path) bool) {
	for _, s := range u.sets {
		if !yield(s.path) {
			return
		}
	}
	for _, path := range u.removes {
		if !yield(path) {
			return
		}
	}
	for _, e := range slices.Concat(u.adds, u.deletes) {
		if !yield(e.path) {
			return
		}
	}
}

// Attributes are the top-level attributes that the update changes, whole or in part.
func (u *Program) Attributes() []string { return u.Changed().Attributes() }

// Changed selects what the update changes, as UPDATED_OLD and UPDATED_NEW return it.
func (u *Program) Changed() *Selection { return &Selection{u.tree} }
