package engine

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"example.com/keyfirst/internal/engine/attr"
	"example.com/keyfirst/internal/engine/expr"
	"example.com/keyfirst/internal/engine/storage"
)

// touchedRequest is any request, as far as it says what it is about.
type touchedRequest struct {
	touchedItem
	placeholderMaps
	IndexName              *string
	KeyConditionExpression *string
	RequestItems           map[string]json.RawMessage
	TransactItems          []struct{ Get, Put, Update, Delete, ConditionCheck *touchedItem }
}

type touchedItem struct {
	TableName string
	Key, Item attr.Item
}

// touches lists what a request is about; those of a transaction are its actions, in order. It returns an error for a
// request that cannot be carried out anyway.
func (e *Engine) touches(operation string, body []byte) (all []touch, err error) {
	var request touchedRequest
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, err
	}
	if operationNamed(operation) == nil || tableOperationNamed(operation) != nil {
		return []touch{{table: request.TableName}}, nil
	}
	err = e.store.View(func(r storage.Reader) error {
		find := func(name string) (*table, error) {
			if name, err = tableName(name); err != nil {
				return nil, err
			}
			return e.catalog.table(r, name)
		}
		all, err = request.touches(operation, find)
		return err
	})
	return all, err
}

func (request *touchedRequest) touches(operation string, find func(name string) (*table, error)) ([]touch, error) {
	switch operation {
	case "BatchGetItem", "BatchWriteItem":
		return request.touchesOfBatch(find)
	case "TransactGetItems", "TransactWriteItems":
		return request.touchesOfTransaction(find)
	}
	t, err := find(request.TableName)
	switch {
	case err != nil:
		return nil, err
	case operation == "Query":
		one, err := request.touchOfQuery(t)
		return []touch{one}, err
	case operation == "Scan":
		return []touch{{table: t.record.Name}}, nil
	}
	one, err := request.touchOf(t)
	return []touch{one}, err
}

func (one *touchedItem) touchOf(t *table) (touch, error) {
	key := one.Key
	if key == nil {
		key = one.Item
	}
	if !t.keys.complete(key) {
		return touch{}, errors.New("engine: a key is not complete")
	}
	return touchOf(t, key), nil
}

func (request *touchedRequest) touchOfQuery(t *table) (touch, error) {
	one := touch{table: t.record.Name}
	keys := t.keys
	if request.IndexName != nil {
		ix := t.index(*request.IndexName)
		if ix == nil {
			return one, errors.New("engine: there is no such index")
		}
		one.index, keys = ix.record.Name, ix.keys
	}
	if request.KeyConditionExpression == nil {
		return one, errors.New("engine: there is no key condition")
	}
	holders, err := request.begin(request.KeyConditionExpression)
	if err != nil {
		return one, err
	}
	tests, err := expr.ParseKeyCondition(*request.KeyConditionExpression, holders)
	if err != nil {
		return one, err
	}
	hash, _, err := keys.splitTests(tests)
	if err != nil {
		return one, err
	}
	one.hasPartition, one.partition = true, keyText(hash.Values[0])
	return one, nil
}

func (request *touchedRequest) touchesOfBatch(find func(name string) (*table, error)) (all []touch, err error) {
	for _, given := range slices.Sorted(maps.Keys(request.RequestItems)) {
		t, err := find(given)
		if err != nil {
			return nil, err
		}
		items, err := itemsOfBatch(request.RequestItems[given])
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			one, err := item.touchOf(t)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// itemsOfBatch reads the part of a batch that is about one table: an object when it gets, an array when it writes.
func itemsOfBatch(text json.RawMessage) (items []*touchedItem, err error) {
	if len(text) > 0 && text[0] == '[' {
		var writes []struct{ PutRequest, DeleteRequest *touchedItem }
		if err := json.Unmarshal(text, &writes); err != nil {
			return nil, err
		}
		for _, w := range writes {
			items = append(items, firstOf(w.PutRequest, w.DeleteRequest))
		}
		return items, nil
	}
	var gets struct{ Keys []attr.Item }
	if err := json.Unmarshal(text, &gets); err != nil {
		return nil, err
	}
	for _, key := range gets.Keys {
		items = append(items, &touchedItem{Key: key})
	}
	return items, nil
}

func (request *touchedRequest) touchesOfTransaction(find func(name string) (*table, error)) (all []touch, err error) {
	for _, action := range request.TransactItems {
		item := firstOf(action.Get, action.Put, action.Update, action.Delete, action.ConditionCheck)
		t, err := find(item.TableName)
		if err != nil {
			return nil, err
		}
		one, err := item.touchOf(t)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// firstOf is the first that is there, and an empty one when none is.
func firstOf(items ...*touchedItem) *touchedItem {
	for _, item := range items {
		if item != nil {
			return item
		}
	}
	return &touchedItem{}
}
