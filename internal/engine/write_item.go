package engine

import (
	"slices"
	"strings"

	"example.com/keyfirst/internal/engine/attr"
)

// Values of ReturnValues.
const (
	returnNone       = "NONE"
	returnAllOld     = "ALL_OLD"
	returnAllNew     = "ALL_NEW"
	returnUpdatedOld = "UPDATED_OLD"
	returnUpdatedNew = "UPDATED_NEW"
)

type putItemRequest struct {
	writeParameters
	Item                   attr.Item
	ReturnValues           string
	ReturnConsumedCapacity string
}

type keyedWriteRequest struct {
	writeParameters
	Key                    attr.Item
	ReturnValues           string
	ReturnConsumedCapacity string
}

// putItem implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html.
func (e *Engine) putItem(request *putItemRequest) ([]byte, error) {
	if request.Item == nil {
		return nil, missingParameter("item")
	}
	if err := checkReturnValues(request.ReturnValues, returnAllOld); err != nil {
		return nil, err
	}
	request.UpdateExpression = nil
	m, err := request.parse(putMutation)
	if err != nil {
		return nil, err
	}
	m.item = request.Item
	return e.write(m, request.ReturnValues, request.ReturnConsumedCapacity)
}

// updateItem implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html.
func (e *Engine) updateItem(request *keyedWriteRequest) ([]byte, error) {
	if err := checkReturnValues(request.ReturnValues, returnAllOld, returnAllNew, returnUpdatedOld, returnUpdatedNew); err != nil {
		return nil, err
	}
	return e.keyedWrite(updateMutation, request)
}

// deleteItem implements https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html.
func (e *Engine) deleteItem(request *keyedWriteRequest) ([]byte, error) {
	if err := checkReturnValues(request.ReturnValues, returnAllOld); err != nil {
		return nil, err
	}
	request.UpdateExpression = nil
	return e.keyedWrite(deleteMutation, request)
}

func (e *Engine) keyedWrite(kind mutationKind, request *keyedWriteRequest) ([]byte, error) {
	if request.Key == nil {
		return nil, missingParameter("key")
	}
	m, err := request.parse(kind)
	if err != nil {
		return nil, err
	}
	m.key = request.Key
	return e.write(m, request.ReturnValues, request.ReturnConsumedCapacity)
}

func checkReturnValues(given string, allowed ...string) error {
	if given == "" || given == returnNone || slices.Contains(allowed, given) {
		return nil
	}
	switch given {
	case returnAllOld, returnAllNew, returnUpdatedOld, returnUpdatedNew:
		return validation("ReturnValues can only be " + strings.Join(allowed, ", ") + " or NONE")
	}
	return constraint("'"+given+"'", "returnValues", "Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]")
}

func (e *Engine) write(m *mutation, returnValues, capacityMode string) ([]byte, error) {
	if err := checkCapacityMode(capacityMode); err != nil {
		return nil, err
	}
	m.returnsOld = returnValues != "" && returnValues != returnNone
	var f *effect
	var cost *consumption
	err := e.update(func(w *writer) (err error) {
		if f, err = w.locate(m); err != nil {
			return err
		}
		if err = w.decide(m, f); err != nil {
			return err
		}
		cost, err = w.apply(f)
		return err
	})
	if err != nil {
		return nil, err
	}
	response := newReply(0)
	if attributes := f.returned(m, returnValues); len(attributes) > 0 {
		response.field("Attributes").item(attributes)
	}
	response.capacity(capacityMode, cost)
	return response.done(), nil
}

// returned is what ReturnValues asks for.
func (f *effect) returned(m *mutation, returnValues string) attr.Item {
	switch returnValues {
	case returnAllOld:
		return f.before.attributes()
	case returnAllNew:
		return f.after.attributes()
	case returnUpdatedOld:
		if m.update != nil {
			return m.update.Changed().Of(f.before.attributes())
		}
	case returnUpdatedNew:
		if m.update != nil {
			return m.update.Changed().Of(f.after.attributes())
		}
	}
	return nil
}
