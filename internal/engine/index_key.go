package engine

import "example.com/keyfirst/internal/engine/attr"

// misfit is an attribute that cannot be the key of an index as it is.
type misfit struct {
	index  *index
	key    keyAttribute
	value  attr.Value
	isHash bool
}

// misfit finds an attribute of the item that does not fit an index, nil when all do. They may be missing.
func (t *table) misfit(item attr.Item) *misfit {
	for _, ix := range t.indexes {
		if m := ix.misfit(t, item); m != nil {
			return m
		}
	}
	return nil
}

func (ix *index) misfit(t *table, item attr.Item) *misfit {
	for i, k := range ix.keys {
		v, ok := item[k.name]
		if !ok || t.keys.has(k.name) {
			continue
		}
		if v.Kind != k.kind || v.Kind != attr.N && v.Text == "" || checkKeySize(v, i == 0) != nil {
			return &misfit{ix, k, v, i == 0}
		}
	}
	return nil
}

// onPut is the error when an item is put, nil for no misfit.
func (m *misfit) onPut() error {
	switch {
	case m == nil:
		return nil
	case m.value.Kind != m.key.kind:
		return invalidParameter("Type mismatch for Index Key " + m.key.name + " Expected: " + m.key.kind.String() +
			" Actual: " + m.value.Kind.String() + " IndexName: " + m.index.record.Name)
	case m.value.Text == "":
		return emptyKey("One or more parameter values are not valid. A value specified for a secondary index key is not supported. " +
			"The AttributeValue for a key attribute cannot contain an empty " + emptyKind(m.value.Kind) + " value. IndexName: " +
			m.index.record.Name + ", IndexKey: " + m.key.name)
	}
	return checkKeySize(m.value, m.isHash)
}

// onUpdate is the error when an update made the attribute, nil for no misfit.
func (m *misfit) onUpdate() error {
	switch {
	case m == nil:
		return nil
	case m.value.Kind != m.key.kind:
		return invalidParameter("The update expression attempted to update the secondary index key to unsupported type")
	case m.value.Text == "":
		return emptyKey("One or more parameter values are not valid. The update expression attempted to update a secondary index key " +
			"to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty " + emptyKind(m.value.Kind) + " value.")
	}
	return checkKeySize(m.value, m.isHash)
}
