package engine

import (
	"encoding/json"

	"example.com/keyfirst/internal/engine/attr"
)

// scannable is a request that reads its own members, in one pass over the text: encoding/json goes over it three
// times, and takes longer than the operation itself. A member that it does not know it leaves alone.
type scannable[T any] interface {
	*T
	member(s *attr.Scanner, name string) (known bool, err error)
}

// scan reads the JSON object of a request, or of a part of it. Of null it makes nothing.
func scan[T any, P scannable[T]](s *attr.Scanner) (P, error) {
	if s.Null() {
		return nil, nil
	}
	request := P(new(T))
	err := s.Object(func(name string) error {
		known, err := request.member(s, name)
		if !known && err == nil {
			_, err = s.Raw()
		}
		return err
	})
	return request, err
}

// scanPart is scan by value.
func scanPart[T any, P scannable[T]](s *attr.Scanner) (part T, err error) {
	given, err := scan[T, P](s)
	if given != nil {
		part = *given
	}
	return part, err
}

// scanned is an operation whose request is scannable.
func scanned[T any, P scannable[T]](run func(*Engine, P) ([]byte, error)) operation {
	return func(e *Engine, body []byte) ([]byte, error) {
		s := attr.NewScanner(body)
		request, err := scan[T, P](s)
		if err == nil {
			err = s.Finish()
		}
		if err != nil {
			return nil, err
		}
		if request == nil {
			return nil, serialization("The request is not a JSON object")
		}
		return run(e, request)
	}
}

// The functions below read one member into a field, and leave it as it is when the member is null.

func scanInto[T any](s *attr.Scanner, field *T, read func() (T, error)) error {
	if s.Null() {
		return nil
	}
	var err error
	*field, err = read()
	return err
}

func scanOptional[T any](s *attr.Scanner, field **T, read func() (T, error)) error {
	if s.Null() {
		return nil
	}
	value, err := read()
	*field = &value
	return err
}

func scanText(s *attr.Scanner, field *string) error { return scanInto(s, field, s.Text) }

func scanOptionalText(s *attr.Scanner, field **string) error { return scanOptional(s, field, s.Text) }

func scanBool(s *attr.Scanner, field *bool) error { return scanInto(s, field, s.Bool) }

func scanOptionalInt(s *attr.Scanner, field **int) error { return scanOptional(s, field, s.Int) }

func scanItem(s *attr.Scanner, field *attr.Item) error { return scanInto(s, field, s.Item) }

func scanRaw(s *attr.Scanner, field *json.RawMessage) (err error) {
	*field, err = s.Raw()
	return err
}

func scanObject[T any](s *attr.Scanner, field *map[string]T, value func() (T, error)) error {
	return scanInto(s, field, func() (map[string]T, error) {
		all := map[string]T{}
		err := s.Object(func(name string) (err error) {
			all[name], err = value()
			return err
		})
		return all, err
	})
}

func scanArray[T any](s *attr.Scanner, field *[]T, value func() (T, error)) error {
	return scanInto(s, field, func() ([]T, error) {
		all := []T{}
		err := s.Array(func() error {
			one, err := value()
			all = append(all, one)
			return err
		})
		return all, err
	})
}

func (m *placeholderMaps) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "ExpressionAttributeNames":
		return true, scanObject(s, &m.ExpressionAttributeNames, s.Text)
	case "ExpressionAttributeValues":
		return true, scanItem(s, &m.ExpressionAttributeValues)
	}
	return false, nil
}

func (p *legacyParameters) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "AttributesToGet":
		return true, scanRaw(s, &p.AttributesToGet)
	case "AttributeUpdates":
		return true, scanRaw(s, &p.AttributeUpdates)
	case "ConditionalOperator":
		return true, scanRaw(s, &p.ConditionalOperator)
	case "Expected":
		return true, scanRaw(s, &p.Expected)
	case "KeyConditions":
		return true, scanRaw(s, &p.KeyConditions)
	case "QueryFilter":
		return true, scanRaw(s, &p.QueryFilter)
	case "ScanFilter":
		return true, scanRaw(s, &p.ScanFilter)
	}
	return false, nil
}

// firstKnown asks the parts of a request for a member in turn.
func firstKnown(s *attr.Scanner, name string, parts ...func(*attr.Scanner, string) (bool, error)) (known bool, err error) {
	for _, part := range parts {
		if known, err := part(s, name); known || err != nil {
			return known, err
		}
	}
	return false, nil
}

func (l *lookup) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "TableName":
		return true, scanText(s, &l.TableName)
	case "Key":
		return true, scanItem(s, &l.Key)
	case "ConsistentRead":
		return true, scanBool(s, &l.ConsistentRead)
	case "ProjectionExpression":
		return true, scanOptionalText(s, &l.ProjectionExpression)
	}
	return firstKnown(s, name, l.placeholderMaps.member, l.legacyParameters.member)
}

func (request *getItemRequest) member(s *attr.Scanner, name string) (known bool, err error) {
	if name == "ReturnConsumedCapacity" {
		return true, scanText(s, &request.ReturnConsumedCapacity)
	}
	return request.lookup.member(s, name)
}

func (request *batchGetItemRequest) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "RequestItems":
		return true, scanObject(s, &request.RequestItems, func() (*batchGetTable, error) { return scan[batchGetTable](s) })
	case "ReturnConsumedCapacity":
		return true, scanText(s, &request.ReturnConsumedCapacity)
	}
	return false, nil
}

func (of *batchGetTable) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "Keys":
		return true, scanArray(s, &of.Keys, s.Item)
	case "ConsistentRead":
		return true, scanBool(s, &of.ConsistentRead)
	case "ProjectionExpression":
		return true, scanOptionalText(s, &of.ProjectionExpression)
	}
	return firstKnown(s, name, of.placeholderMaps.member, of.legacyParameters.member)
}

func (request *transactGetItemsRequest) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "TransactItems":
		return true, scanArray(s, &request.TransactItems, func() (transactGetItem, error) { return scanPart[transactGetItem](s) })
	case "ReturnConsumedCapacity":
		return true, scanText(s, &request.ReturnConsumedCapacity)
	}
	return false, nil
}

func (one *transactGetItem) member(s *attr.Scanner, name string) (known bool, err error) {
	if name == "Get" {
		one.Get, err = scan[lookup](s)
		return true, err
	}
	return false, nil
}

func (p *readParameters) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "TableName":
		return true, scanText(s, &p.TableName)
	case "IndexName":
		return true, scanOptionalText(s, &p.IndexName)
	case "ConsistentRead":
		return true, scanBool(s, &p.ConsistentRead)
	case "ExclusiveStartKey":
		return true, scanItem(s, &p.ExclusiveStartKey)
	case "FilterExpression":
		return true, scanOptionalText(s, &p.FilterExpression)
	case "ProjectionExpression":
		return true, scanOptionalText(s, &p.ProjectionExpression)
	case "Limit":
		return true, scanOptionalInt(s, &p.Limit)
	case "Select":
		return true, scanText(s, &p.Select)
	case "ReturnConsumedCapacity":
		return true, scanText(s, &p.ReturnConsumedCapacity)
	}
	return firstKnown(s, name, p.placeholderMaps.member, p.legacyParameters.member)
}

func (request *queryRequest) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "KeyConditionExpression":
		return true, scanOptionalText(s, &request.KeyConditionExpression)
	case "ScanIndexForward":
		return true, scanOptional(s, &request.ScanIndexForward, s.Bool)
	}
	return request.readParameters.member(s, name)
}

func (request *scanRequest) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "Segment":
		return true, scanOptionalInt(s, &request.Segment)
	case "TotalSegments":
		return true, scanOptionalInt(s, &request.TotalSegments)
	}
	return request.readParameters.member(s, name)
}

func (p *writeParameters) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "TableName":
		return true, scanText(s, &p.TableName)
	case "ConditionExpression":
		return true, scanOptionalText(s, &p.ConditionExpression)
	case "UpdateExpression":
		return true, scanOptionalText(s, &p.UpdateExpression)
	case "ReturnValuesOnConditionCheckFailure":
		return true, scanText(s, &p.ReturnValuesOnConditionCheckFailure)
	}
	return firstKnown(s, name, p.placeholderMaps.member, p.legacyParameters.member)
}

func (request *putItemRequest) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "Item":
		return true, scanItem(s, &request.Item)
	case "ReturnValues":
		return true, scanText(s, &request.ReturnValues)
	case "ReturnConsumedCapacity":
		return true, scanText(s, &request.ReturnConsumedCapacity)
	}
	return request.writeParameters.member(s, name)
}

func (request *keyedWriteRequest) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "Key":
		return true, scanItem(s, &request.Key)
	case "ReturnValues":
		return true, scanText(s, &request.ReturnValues)
	case "ReturnConsumedCapacity":
		return true, scanText(s, &request.ReturnConsumedCapacity)
	}
	return request.writeParameters.member(s, name)
}

func (request *batchWriteItemRequest) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "RequestItems":
		return true, scanObject(s, &request.RequestItems, func() (writes []writeRequest, err error) {
			err = scanArray(s, &writes, func() (writeRequest, error) { return scanPart[writeRequest](s) })
			return writes, err
		})
	case "ReturnConsumedCapacity":
		return true, scanText(s, &request.ReturnConsumedCapacity)
	}
	return false, nil
}

func (one *writeRequest) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "PutRequest":
		one.PutRequest, err = scan[putRequest](s)
		return true, err
	case "DeleteRequest":
		one.DeleteRequest, err = scan[deleteRequest](s)
		return true, err
	}
	return false, nil
}

func (p *putRequest) member(s *attr.Scanner, name string) (known bool, err error) {
	return name == "Item", scanNamed(s, name, "Item", &p.Item)
}

func (d *deleteRequest) member(s *attr.Scanner, name string) (known bool, err error) {
	return name == "Key", scanNamed(s, name, "Key", &d.Key)
}

func scanNamed(s *attr.Scanner, name, wanted string, field *attr.Item) error {
	if name != wanted {
		return nil
	}
	return scanItem(s, field)
}

func (request *transactWriteItemsRequest) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "TransactItems":
		return true, scanArray(s, &request.TransactItems, func() (transactWriteItem, error) { return scanPart[transactWriteItem](s) })
	case "ClientRequestToken":
		return true, scanText(s, &request.ClientRequestToken)
	case "ReturnConsumedCapacity":
		return true, scanText(s, &request.ReturnConsumedCapacity)
	}
	return false, nil
}

func (one *transactWriteItem) member(s *attr.Scanner, name string) (known bool, err error) {
	switch name {
	case "Put":
		one.Put, err = scan[transactPut](s)
	case "Update":
		one.Update, err = scan[transactKeyed](s)
	case "Delete":
		one.Delete, err = scan[transactKeyed](s)
	case "ConditionCheck":
		one.ConditionCheck, err = scan[transactKeyed](s)
	default:
		return false, nil
	}
	return true, err
}

func (p *transactPut) member(s *attr.Scanner, name string) (known bool, err error) {
	if name == "Item" {
		return true, scanItem(s, &p.Item)
	}
	return p.writeParameters.member(s, name)
}

func (k *transactKeyed) member(s *attr.Scanner, name string) (known bool, err error) {
	if name == "Key" {
		return true, scanItem(s, &k.Key)
	}
	return k.writeParameters.member(s, name)
}
