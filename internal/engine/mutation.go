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
	returnsOld   bool // the old item is part of the reply
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

// looksAtOld tells whether it matters what is in the item that the mutation replaces, beyond its size.
func (m *mutation) looksAtOld(t *table) bool {
	replaces := m.kind == putMutation || m.kind == deleteMutation
	return !replaces || m.condition != nil || m.returnsOld || len(t.indexes) > 0 || t.record.TimeToLive != ""
}

// checkTarget checks the key of the item against the table.
func (m *mutation) checkTarget(t *table) error {
	if m.kind == putMutation {
		return t.keys.checkItem(m.item)
	}
	return t.keys.checkKey(m.key)
}

// checkContent checks what the mutation writes, as far as the item that is there does not matter.
func (m *mutation) checkContent(t *table) error {
	if m.kind == putMutation {
		if m.item.Size() > maxItemSize {
			return validation("Item size has exceeded the maximum allowed size")
		}
		return t.misfit(m.item).onPut()
	}
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
	return item, t.misfit(item).onUpdate()
}
