package attr

import (
	"slices"
	"strings"

	"example.com/keyfirst/internal/engine/decimal"
)

// Kind is the data type of a value. The zero Kind is that of no value at all.
type Kind uint8

// The ten data types.
const (
	None Kind = iota
	S
	N
	B
	BOOL
	NULL
	SS
	NS
	BS
	L
	M
)

// String is the type descriptor of the wire.
func (k Kind) String() string {
	switch k {
	case None:
		return "NONE"
	case S:
		return "S"
	case N:
		return "N"
	case B:
		return "B"
	case BOOL:
		return "BOOL"
	case NULL:
		return "NULL"
	case SS:
		return "SS"
	case NS:
		return "NS"
	case BS:
		return "BS"
	case L:
		return "L"
	case M:
		return "M"
	}
	return "NONE"
}

// KindOf is the Kind with this type descriptor, None when there is none.
func KindOf(descriptor string) Kind {
	for k := S; k <= M; k++ {
		if k.String() == descriptor {
			return k
		}
	}
	return None
}

// IsSet tells whether values of the kind are sets.
func (k Kind) IsSet() bool { return k == SS || k == NS || k == BS }

// Element is the kind of the members of a set kind, None for other kinds.
func (k Kind) Element() Kind {
	switch k {
	case SS:
		return S
	case NS:
		return N
	case BS:
		return B
	case None, S, N, B, BOOL, NULL, L, M:
	}
	return None
}

// IsScalarKey tells whether key attributes may have the kind.
func (k Kind) IsScalarKey() bool { return k == S || k == N || k == B }

// Value is one attribute value, never changed once made. Which field holds it depends on Kind.
type Value struct {
	Kind Kind
	Bool bool     // BOOL
	Text string   // S: UTF-8; B: raw bytes; N: canonical decimal
	Set  []string // SS, NS, BS: members as in Text, in order, none twice
	List []Value  // L
	Map  Item     // M
}

// Item is a set of named attributes: an item, or a map inside one.
type Item map[string]Value

// String makes a value of type S.
func String(text string) Value { return Value{Kind: S, Text: text} }

// Number makes a value of type N.
func Number(d decimal.Decimal) Value { return Value{Kind: N, Text: d.String()} }

// SetOf makes a set of the kind from members that may be out of order but not twice in it.
func SetOf(kind Kind, members []string) Value {
	slices.SortFunc(members, func(a, b string) int { return compareText(kind.Element(), a, b) })
	return Value{Kind: kind, Set: members}
}

// Decimal is the number held by a value of type N; zero for any other.
func (v Value) Decimal() decimal.Decimal {
	if v.Kind != N {
		return decimal.Decimal{}
	}
	return canonical(v.Text)
}

// canonical parses a text that was made by Decimal.String, so it cannot fail.
func canonical(text string) decimal.Decimal {
	d, err := decimal.Parse(text)
	if err != nil {
		return decimal.Decimal{}
	}
	return d
}

// Equal tells whether two values have the same type and content; sets and maps have no order.
func (v Value) Equal(other Value) bool {
	if v.Kind != other.Kind {
		return false
	}
	switch v.Kind {
	case None, NULL:
		return true
	case S, N, B:
		return v.Text == other.Text
	case BOOL:
		return v.Bool == other.Bool
	case SS, NS, BS:
		return slices.Equal(v.Set, other.Set)
	case L:
		return slices.EqualFunc(v.List, other.List, Value.Equal)
	case M:
		return v.Map.Equal(other.Map)
	}
	return false
}

// Equal tells whether two items have the same attributes.
func (it Item) Equal(other Item) bool {
	if len(it) != len(other) {
		return false
	}
	for name, v := range it {
		if w, ok := other[name]; !ok || !v.Equal(w) {
			return false
		}
	}
	return true
}

// Compare orders two values of one scalar key type; ok is false for any other pair.
func (v Value) Compare(other Value) (result int, ok bool) {
	if v.Kind != other.Kind || !v.Kind.IsScalarKey() {
		return 0, false
	}
	return compareText(v.Kind, v.Text, other.Text), true
}

func compareText(kind Kind, a, b string) int {
	if kind == N {
		return canonical(a).Compare(canonical(b))
	}
	return strings.Compare(a, b)
}

// Contains tells whether a set has the member.
func (v Value) Contains(member Value) bool {
	return v.Kind.IsSet() && v.Kind.Element() == member.Kind && slices.Contains(v.Set, member.Text)
}
