package engine

import (
	"encoding/json"
	"errors"

	"example.com/keyfirst/internal/engine/attr"
)

// operation takes and returns the JSON of one request.
type operation func(e *Engine, body []byte) ([]byte, error)

// operationNamed is nil for what the engine does not do.
func operationNamed(name string) operation {
	switch name {
	case "GetItem":
		return scanned((*Engine).getItem)
	case "PutItem":
		return scanned((*Engine).putItem)
	case "UpdateItem":
		return scanned((*Engine).updateItem)
	case "DeleteItem":
		return scanned((*Engine).deleteItem)
	case "Query":
		return scanned((*Engine).query)
	case "Scan":
		return scanned((*Engine).scan)
	case "BatchGetItem":
		return scanned((*Engine).batchGetItem)
	case "BatchWriteItem":
		return scanned((*Engine).batchWriteItem)
	case "TransactGetItems":
		return scanned((*Engine).transactGetItems)
	case "TransactWriteItems":
		return scanned((*Engine).transactWriteItems)
	}
	return tableOperationNamed(name)
}

func tableOperationNamed(name string) operation {
	switch name {
	case "CreateTable":
		return decoded((*Engine).createTable)
	case "DescribeTable":
		return decoded((*Engine).describeTable)
	case "ListTables":
		return decoded((*Engine).listTables)
	case "UpdateTable":
		return decoded((*Engine).updateTable)
	case "DeleteTable":
		return decoded((*Engine).deleteTable)
	case "UpdateTimeToLive":
		return decoded((*Engine).updateTimeToLive)
	case "DescribeTimeToLive":
		return decoded((*Engine).describeTimeToLive)
	}
	return nil
}

func decoded[T any](run func(*Engine, *T) ([]byte, error)) operation {
	return func(e *Engine, body []byte) ([]byte, error) {
		request := new(T)
		if err := json.Unmarshal(body, request); err != nil {
			return nil, decodeError(err)
		}
		return run(e, request)
	}
}

func decodeError(err error) error {
	_, invalid := errors.AsType[attr.InvalidError](err)
	_, malformed := errors.AsType[attr.MalformedError](err)
	if invalid || malformed {
		return err
	}
	if wrongType, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return serialization("Unexpected value type in payload: " + wrongType.Field)
	}
	return serialization("The request is not well-formed JSON")
}
