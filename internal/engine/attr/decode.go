package attr

import (
	"encoding/base64"
	"errors"
	"strings"

	"example.com/keyfirst/internal/engine/decimal"
)

// MaxDepth is how many levels a value may have, itself and all that lists and maps nest in it.
const MaxDepth = 32

// Decode reads the JSON object of an item. It returns a MalformedError or an InvalidError.
func Decode(text []byte) (Item, error) {
	s := NewScanner(text)
	it, err := s.item(0)
	if err != nil {
		return nil, err
	}
	return it, s.Finish()
}

// UnmarshalJSON is Decode for encoding/json. A JSON null leaves the item nil.
func (it *Item) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	decoded, err := Decode(text)
	*it = decoded
	return err
}

// UnmarshalJSON reads one value, as DecodeItem reads those of an item.
func (v *Value) UnmarshalJSON(text []byte) error {
	s := NewScanner(text)
	decoded, err := s.value(0)
	if err != nil {
		return err
	}
	*v = decoded
	return s.Finish()
}

func (s *Scanner) item(depth int) (Item, error) {
	it := Item{}
	err := s.Object(func(name string) error {
		if name == "" {
			return InvalidError("Empty attribute name")
		}
		v, err := s.value(depth)
		it[name] = v
		return err
	})
	return it, err
}

func (s *Scanner) value(depth int) (Value, error) {
	if depth >= MaxDepth {
		return Value{}, InvalidError("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit")
	}
	var v Value
	types := 0
	err := s.Object(func(descriptor string) error {
		types++
		var err error
		v, err = s.typed(descriptor, depth)
		return err
	})
	switch {
	case err != nil:
		return Value{}, err
	case types == 0:
		return Value{}, InvalidError("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
	case types > 1:
		return Value{}, InvalidError("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
	}
	return v, nil
}

func (s *Scanner) typed(descriptor string, depth int) (Value, error) {
	kind := KindOf(descriptor)
	switch kind {
	case S, N, B:
		text, err := s.scalar(kind)
		return Value{Kind: kind, Text: text}, err
	case BOOL:
		b, err := s.Bool()
		return Value{Kind: BOOL, Bool: b}, err
	case NULL:
		b, err := s.Bool()
		if err == nil && !b {
			err = InvalidError("One or more parameter values were invalid: Null attribute value types must have the value of true")
		}
		return Value{Kind: NULL}, err
	case SS, NS, BS:
		return s.set(kind)
	case L:
		return s.list(depth)
	case M:
		m, err := s.item(depth + 1)
		return Value{Kind: M, Map: m}, err
	case None:
	}
	return Value{}, InvalidError("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
}

func (s *Scanner) list(depth int) (Value, error) {
	v := Value{Kind: L, List: []Value{}}
	err := s.Array(func() error {
		element, err := s.value(depth + 1)
		v.List = append(v.List, element)
		return err
	})
	return v, err
}

func (s *Scanner) scalar(kind Kind) (string, error) {
	s.space()
	text, err := s.Text()
	if err != nil {
		return "", err
	}
	switch kind {
	case N:
		return number(text)
	case B:
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return "", s.malformed("invalid Base64")
		}
		return string(raw), nil
	case None, S, BOOL, NULL, SS, NS, BS, L, M:
	}
	return text, nil
}

func number(text string) (string, error) {
	d, err := decimal.Parse(text)
	switch {
	case errors.Is(err, decimal.ErrSyntax):
		return "", InvalidError(err.Error() + ": " + text)
	case err != nil:
		return "", InvalidError(err.Error())
	}
	return d.String(), nil
}

func (s *Scanner) set(kind Kind) (Value, error) {
	members := []string{}
	err := s.Array(func() error {
		text, err := s.scalar(kind.Element())
		members = append(members, text)
		return err
	})
	if err != nil {
		return Value{}, err
	}
	if len(members) == 0 {
		return Value{}, InvalidError("One or more parameter values were invalid: An " + setName(kind) + " set  may not be empty")
	}
	given := strings.Join(members, ", ")
	v := SetOf(kind, members)
	for i := 1; i < len(v.Set); i++ {
		if v.Set[i] == v.Set[i-1] {
			return Value{}, InvalidError("One or more parameter values were invalid: Input collection [" + given + "] contains duplicates.")
		}
	}
	return v, nil
}

func setName(kind Kind) string {
	switch kind {
	case NS:
		return "number"
	case BS:
		return "binary"
	case None, S, N, B, BOOL, NULL, SS, L, M:
	}
	return "string"
}
