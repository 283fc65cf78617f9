package engine

import (
	"maps"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/expr"
)

// maxItemSize is the largest item, in bytes
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-items).
const maxItemSize = 400 << 10

type mutationKind uint8

const (
	putMutation mutationKind = iota
	updateMutation
	deleteMutation
	checkMutation
)

// mutation is one write, or the check of a condition, on one item. All write operations are made of them.
type mutation struct {
	kind      mutationKind
	table     string
	item      attr.Item // of a put
	key       attr.Item // of all others
	condition *expr.Predicate
	update    *expr.Program // nil: the item is made if it is not there
	// oldOnFailure makes a failed condition return the item.
	oldOnFailure bool
}

// writeParameters are what every single write can have.
type writeParameters struct {
	placeholderMaps
	legacyParameters
	TableName                           string
	ConditionExpression                 *string
	UpdateExpression                    *string
	ReturnValuesOnConditionCheckFailure string
}

// parse makes a mutation without item and key.
func (p *writeParameters) parse(kind mutationKind) (*mutation, error) {
	if err := p.refuse(); err != nil {
		return nil, err
	}
	name, err := tableName(p.TableName)
	if err != nil {
		return nil, err
	}
	m := &mutation{kind: kind, table: name}
	switch p.ReturnValuesOnConditionCheckFailure {
	case "", returnNone:
	case returnAllOld:
		m.oldOnFailure = true
	default:
		return nil, constraint("'"+p.ReturnValuesOnConditionCheckFailure+"'", "returnValuesOnConditionCheckFailure", "Member must satisfy enum value set: [ALL_OLD, NONE]")
	}
	return m, p.parseExpressions(m)
}

func (p *writeParameters) parseExpressions(m *mutation) error {
	holders, err := p.begin(p.ConditionExpression, p.UpdateExpression)
	if err != nil {
		return err
	}
	if p.UpdateExpression != nil {
		if m.update, err = expr.ParseUpdate(*p.UpdateExpression, holders); err != nil {
			return err
		}
	}
	if m.condition, err = optionalPredicate(expr.Condition, p.ConditionExpression, holders); err != nil {
		return err
	}
	return holders.CheckUsed()
}

// check checks the mutation against its table, before any item is read.
func (m *mutation) check(t *table) error {
	if m.kind != putMutation {
		if err := t.keys.checkKey(m.key); err != nil {
			return err
		}
		return m.checkUpdatedAttributes(t)
	}
	if err := t.keys.checkItem(m.item); err != nil {
		return err
	}
	if m.item.Size() > maxItemSize {
		return validation("Item size has exceeded the maximum allowed size")
	}
	return t.checkIndexKeys(m.item)
}

func (m *mutation) checkUpdatedAttributes(t *table) error {
	if m.update == nil {
		return nil
	}
	for _, name := range m.update.Attributes() {
		if t.keys.has(name) {
			return invalidParameter("Cannot update attribute " + name + ". This attribute is part of the key")
		}
	}
	return nil
}

// checkIndexKeys checks the attributes that are keys of indexes; they may be missing, but not wrong.
func (t *table) checkIndexKeys(item attr.Item) error {
	for _, ix := range t.indexes {
		if err := ix.checkKeys(t, item); err != nil {
			return err
		}
	}
	return nil
}

func (ix *index) checkKeys(t *table, item attr.Item) error {
	for i, k := range ix.keys {
		v, ok := item[k.name]
		if !ok || t.keys.has(k.name) {
			continue
		}
		if v.Kind != k.kind {
			return invalidParameter("Type mismatch for Index Key " + k.name + " Expected: " + k.kind.String() +
				" Actual: " + v.Kind.String() + " IndexName: " + ix.record.Name)
		}
		if v.Kind != attr.N && v.Text == "" {
			return validation("One or more parameter values are not valid. A value specified for a secondary index key is not supported. " +
				"The AttributeValue for a key attribute cannot contain an empty " + emptyKind(v.Kind) + " value. IndexName: " +
				ix.record.Name + ", IndexKey: " + k.name)
		}
		if err := checkKeySize(v, i == 0); err != nil {
			return err
		}
	}
	return nil
}

// target is the key of the item that the mutation is about.
func (m *mutation) target() attr.Item {
	if m.kind == putMutation {
		return m.item
	}
	return m.key
}

// result is the item after the mutation, nil when there is none. old is nil when there was none.
func (m *mutation) result(t *table, old attr.Item) (attr.Item, error) {
	switch m.kind {
	case putMutation:
		return m.item, nil
	case deleteMutation:
		return nil, nil //nolint:nilnil // nothing is what a deletion leaves
	case checkMutation:
		return old, nil
	case updateMutation:
	}
	item := old
	if item == nil {
		item = maps.Clone(m.key)
	}
	if m.update == nil {
		return item, nil
	}
	item, err := m.update.Apply(item)
	if err != nil {
		return nil, err
	}
	if item.Size() > maxItemSize {
		return nil, validation("Item size to update has exceeded the maximum allowed size")
	}
	return item, t.checkIndexKeys(item)
}
