package dal

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// Projection says which attributes of each type an operation needs. A type that is not in it is read whole.
//
// It changes nothing about read units, which DynamoDB counts before it projects; what it saves is the reply: bytes on
// the way, and the work of decoding them
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ProjectionExpressions.html).
type Projection map[EntityType]map[string]bool

// NewProjection makes the projection of an operation that selects these fields of each type. A type of which more
// than half of the attributes are needed is left out: naming them then costs what leaving the others out would save.
func NewProjection(selected map[EntityType]map[string]bool) Projection {
	p := Projection{}
	for _, t := range []EntityType{TypeCustomer, TypeOrder, TypeOrderItem, TypeProduct, TypeWarehouse} {
		of := attributesByField(t)
		needed, known := attributesOf(of, selected[t])
		all, _ := attributesOf(of, of)
		if known && 2*len(needed) <= len(all) {
			p[t] = needed
		}
	}
	return p
}

// attributesOf are the attributes behind some fields, and those behind none, which are always needed. known is false
// when one of the fields is not in the table: what it needs cannot be said.
func attributesOf[V any](of map[string][]string, fields map[string]V) (attributes map[string]bool, known bool) {
	attributes = map[string]bool{}
	for field := range fields {
		if _, known := of[field]; !known {
			return nil, false
		}
		for _, a := range of[field] {
			attributes[a] = true
		}
	}
	for _, a := range of[""] {
		attributes[a] = true
	}
	return attributes, true
}

// attributesByField are the attributes that each field of a type is made of, and under "" those that are needed
// whatever is selected: an order's place in its list, and how many lines it has.
func attributesByField(t EntityType) map[string][]string {
	switch t {
	case TypeCustomer:
		return map[string][]string{
			"name": {attrName}, "email": {attrEmail}, "createdAt": {attrCreatedAt}, "updatedAt": {attrUpdatedAt},
			"version": {attrVersion}, "orderCount": {attrOrderCount},
			"id": nil, "latestOrder": nil, "orders": nil,
		}
	case TypeOrder:
		return map[string][]string{
			"": {attrPlacedAt, attrItemCount}, "status": {attrStatus}, "total": {attrTotal, attrCurrency},
			"version": {attrVersion}, "updatedAt": {attrUpdatedAt}, "customer": {attrCustomer}, "warehouse": {attrWarehouse},
			"id": nil, "placedAt": nil, "itemCount": nil, "items": nil,
		}
	case TypeOrderItem:
		return map[string][]string{
			"sku": {attrSKU}, "product": {attrSKU}, "name": {attrName}, "quantity": {attrQuantity},
			"unitPrice": {attrUnitPrice, attrCurrency}, "lineTotal": {attrQuantity, attrUnitPrice, attrCurrency},
			"id": nil, "line": nil, "order": nil,
		}
	case TypeProduct:
		return map[string][]string{
			"name": {attrName}, "price": {attrPrice, attrCurrency}, "version": {attrVersion}, "updatedAt": {attrUpdatedAt},
			"id": nil, "sku": nil,
		}
	case TypeWarehouse:
		return map[string][]string{
			"name": {attrName}, "version": {attrVersion}, "updatedAt": {attrUpdatedAt}, "id": nil, "openOrders": nil,
		}
	}
	return nil
}

// expression is the ProjectionExpression of a request for items of some types, and the names it uses; nil when one of
// them is read whole.
func (p Projection) expression(types ...EntityType) (expression *string, names map[string]string) {
	attributes := map[string]bool{attrPK: true, attrSK: true}
	for _, t := range types {
		of, projected := p[t]
		if !projected {
			return nil, nil
		}
		maps.Copy(attributes, of)
	}
	names = make(map[string]string, len(attributes))
	placeholders := make([]string, 0, len(attributes))
	for i, a := range slices.Sorted(maps.Keys(attributes)) {
		placeholder := "#a" + strconv.Itoa(i)
		names[placeholder] = a
		placeholders = append(placeholders, placeholder)
	}
	return aws.String(strings.Join(placeholders, ", ")), names
}

// entityType is the type of the item that a key belongs to; empty for what is no entity of the schema.
func (k Key) entityType() EntityType {
	switch k.shape() {
	case shapeCustomer:
		return TypeCustomer
	case shapeCustomerOrder, shapeOrder:
		return TypeOrder
	case shapeItem:
		return TypeOrderItem
	case shapeProduct:
		return TypeProduct
	case shapeWarehouse:
		return TypeWarehouse
	case shapeEmailOwner, shapeUnknown:
	}
	return ""
}

// entityTypes are the types that a page of the pattern holds; one of the unknown type is read whole.
func (p Pattern) entityTypes() []EntityType {
	switch p { //nolint:exhaustive // the other patterns have no pages
	case PatternCustomerWithOrders:
		return []EntityType{TypeCustomer, TypeOrder}
	case PatternOrderWithItems:
		return []EntityType{TypeOrder, TypeOrderItem}
	case PatternItemsByOrder:
		return []EntityType{TypeOrderItem}
	case PatternCustomerByEmail:
		return []EntityType{TypeCustomer}
	case PatternOrdersByCustomer, PatternOrdersByStatus, PatternOpenOrdersByWarehouse:
		return []EntityType{TypeOrder}
	}
	return []EntityType{""}
}

// entityTypesOf are the types of the items behind keys.
func entityTypesOf(keys []Key) []EntityType {
	var types []EntityType
	for _, k := range keys {
		if t := k.entityType(); !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}
