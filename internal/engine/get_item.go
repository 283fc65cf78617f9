package engine

import (
	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/expr"
	"example.com/keyfirst/internal/engine/storage"
)

type getItemRequest struct {
	lookup
	ReturnConsumedCapacity string
}

// lookup says which item to get and what of it. GetItem and TransactGetItems have it.
type lookup struct {
	placeholderMaps
	legacyParameters
	TableName            string
	Key                  attr.Item
	ConsistentRead       bool
	ProjectionExpression *string
}

// get is a lookup with its expressions parsed.
type get struct {
	table      string
	key        attr.Item
	projection *expr.Selection
}

func (l *lookup) parse() (*get, error) {
	if err := l.refuse(); err != nil {
		return nil, err
	}
	name, err := tableName(l.TableName)
	if err != nil {
		return nil, err
	}
	if l.Key == nil {
		return nil, missingParameter("key")
	}
	holders, err := l.begin(l.ProjectionExpression)
	if err != nil {
		return nil, err
	}
	projection, err := optionalProjection(l.ProjectionExpression, holders)
	if err != nil {
		return nil, err
	}
	return &get{name, l.Key, projection}, holders.CheckUsed()
}

// found is what a get finds: the part of the item that was asked for, nil when there is no item, and its whole size.
type found struct {
	json []byte
	size int
}

// locate finds the table and the encoded key. It returns ResourceNotFoundException or ValidationException.
func (g *get) locate(c *catalog, r storage.Reader) (*table, []byte, error) {
	t, err := c.table(r, g.table)
	if err != nil {
		return nil, nil, err
	}
	if err := t.keys.checkKey(g.key); err != nil {
		return nil, nil, err
	}
	return t, t.key(g.key), nil
}

func (g *get) read(r storage.Reader, t *table, key []byte) (found, error) {
	value := r.Get(t.space, key)
	if value == nil {
		return found{}, nil
	}
	s, err := decodeStored(value)
	if err != nil {
		return found{}, err
	}
	json, err := s.selected(g.projection)
	return found{json, s.size}, err
}

// selected is the JSON of the selected part, or of the whole item when selection is nil. It may be a part of s.
func (s stored) selected(selection *expr.Selection) ([]byte, error) {
	if selection == nil {
		return s.json, nil
	}
	item, err := s.item()
	if err != nil {
		return nil, err
	}
	return selection.Of(item).AppendJSON(nil), nil
}

// getItem implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html.
func (e *Engine) getItem(request *getItemRequest) ([]byte, error) {
	if err := checkCapacityMode(request.ReturnConsumedCapacity); err != nil {
		return nil, err
	}
	g, err := request.parse()
	if err != nil {
		return nil, err
	}
	var response *reply
	err = e.store.View(func(r storage.Reader) error {
		t, key, err := g.locate(&e.catalog, r)
		if err != nil {
			return err
		}
		f, err := g.read(r, t, key)
		if err != nil {
			return err
		}
		response = newReply(len(f.json))
		if f.json != nil {
			response.field("Item").raw(f.json)
		}
		response.capacity(request.ReturnConsumedCapacity, &consumption{table: g.table, own: readUnits(f.size, request.ConsistentRead)})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return response.done(), nil
}
