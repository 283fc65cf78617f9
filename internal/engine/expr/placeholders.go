package expr

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"example.com/keyfirst/internal/engine/attr"
)

// Placeholders are the ExpressionAttributeNames and ExpressionAttributeValues of a request, and which of them its
// expressions have used so far.
type Placeholders struct {
	names  map[string]string
	values map[string]attr.Value
	used   map[string]bool
}

// NewPlaceholders checks the keys of the two maps, either of which may be nil.
func NewPlaceholders(names map[string]string, values map[string]attr.Value) (*Placeholders, error) {
	for key, name := range names {
		switch {
		case !isPlaceholder(key, '#'):
			return nil, InvalidError(`ExpressionAttributeNames contains invalid key: Syntax error; key: "` + key + `"`)
		case name == "":
			return nil, InvalidError("ExpressionAttributeNames contains invalid value: Empty attribute name for key " + key)
		}
	}
	for key := range values {
		if !isPlaceholder(key, ':') {
			return nil, InvalidError(`ExpressionAttributeValues contains invalid key: Syntax error; key: "` + key + `"`)
		}
	}
	return &Placeholders{names: names, values: values, used: map[string]bool{}}, nil
}

func isPlaceholder(key string, mark byte) bool {
	return len(key) > 1 && key[0] == mark && wordLength(key[1:]) == len(key)-1
}

func (p *Placeholders) name(kind Kind, key string) (string, error) {
	name, ok := p.names[key]
	if !ok {
		return "", kind.invalid("An expression attribute name used in the document path is not defined; attribute name: " + key)
	}
	p.used[key] = true
	return name, nil
}

func (p *Placeholders) value(kind Kind, key string) (attr.Value, error) {
	v, ok := p.values[key]
	if !ok {
		return attr.Value{}, kind.invalid("An expression attribute value used in expression is not defined; attribute value: " + key)
	}
	p.used[key] = true
	return v, nil
}

// CheckUsed returns an InvalidError that names what no expression has used.
func (p *Placeholders) CheckUsed() error {
	if unused := p.unused(maps.Keys(p.names)); unused != "" {
		return InvalidError("Value provided in ExpressionAttributeNames unused in expressions: keys: {" + unused + "}")
	}
	if unused := p.unused(maps.Keys(p.values)); unused != "" {
		return InvalidError("Value provided in ExpressionAttributeValues unused in expressions: keys: {" + unused + "}")
	}
	return nil
}

func (p *Placeholders) unused(keys iter.Seq[string]) string {
	var unused []string
	for key := range keys {
		if !p.used[key] {
			unused = append(unused, key)
		}
	}
	slices.Sort(unused)
	return strings.Join(unused, ", ")
}
