package engine

import (
	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/order"
)

// Limits on key values in bytes
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-partition-sort-keys).
const (
	maxHashSize  = 2048
	maxRangeSize = 1024
)

// schema is the key attributes of a table or an index: the partition key, then the sort key if there is one.
type schema []keyAttribute

type keyAttribute struct {
	name string
	kind attr.Kind
}

func (s schema) hash() keyAttribute { return s[0] }

func (s schema) has(name string) bool {
	for _, k := range s {
		if k.name == name {
			return true
		}
	}
	return false
}

func (s schema) names() []string {
	names := make([]string, len(s))
	for i, k := range s {
		names[i] = k.name
	}
	return names
}

// appendKey appends the encoded values of the schema's attributes, which the item must have.
func (s schema) appendKey(dst []byte, item attr.Item) []byte {
	dst = order.AppendPartition(dst, item[s[0].name])
	return s[1:].appendParts(dst, item)
}

func (s schema) appendParts(dst []byte, item attr.Item) []byte {
	for _, k := range s {
		dst = order.AppendPart(dst, item[k.name])
	}
	return dst
}

// complete tells whether the item has every attribute of the schema.
func (s schema) complete(item attr.Item) bool {
	for _, k := range s {
		if _, ok := item[k.name]; !ok {
			return false
		}
	}
	return true
}

// checkKey checks the Key of a request, which must be the key attributes and no others.
func (s schema) checkKey(key attr.Item) error {
	if len(key) != len(s) {
		return validation("The provided key element does not match the schema")
	}
	for i, k := range s {
		if v, ok := key[k.name]; !ok || v.Kind != k.kind {
			return validation("The provided key element does not match the schema")
		}
		if err := k.checkValue(key[k.name], i == 0); err != nil {
			return err
		}
	}
	return nil
}

// checkItem checks the key attributes of an item to be put.
func (s schema) checkItem(item attr.Item) error {
	for i, k := range s {
		v, ok := item[k.name]
		switch {
		case !ok:
			return invalidParameter("Missing the key " + k.name + " in the item")
		case v.Kind != k.kind:
			return invalidParameter("Type mismatch for key " + k.name + " expected: " + k.kind.String() + " actual: " + v.Kind.String())
		}
		if err := k.checkValue(v, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// checkValue checks that a value of the right type is not empty and not too long.
func (k keyAttribute) checkValue(v attr.Value, isHash bool) error {
	if v.Kind != attr.N && v.Text == "" {
		return emptyKey("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty " +
			emptyKind(v.Kind) + " value. Key: " + k.name)
	}
	return checkKeySize(v, isHash)
}

func emptyKind(kind attr.Kind) string {
	if kind == attr.B {
		return "binary"
	}
	return "string"
}

func checkKeySize(v attr.Value, isHash bool) error {
	switch size := v.Size(); {
	case isHash && size > maxHashSize:
		return invalidParameter("Size of hashkey has exceeded the maximum size limit of2048 bytes")
	case !isHash && size > maxRangeSize:
		return invalidParameter("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
	}
	return nil
}
