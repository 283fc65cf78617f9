package dal

import (
	"errors"
	"strings"
)

var (
	errForeignKey  = errors.New("not a key of this table's items")
	errOutOfBounds = errors.New("outside of its bounds")
)

// decode makes the entity of an item; its key says which type it is. What is not in the projection of its type is left
// out, whether it came or not.
func decode(it item, p Projection) (Entity, error) {
	key := keyOf(it)
	r := &reader{item: it, only: p[key.entityType()]}
	entity := decodeShape(key, r)
	if r.err != nil {
		return nil, &Error{Op: "decode", Kind: KindCorrupt, Key: key, Err: r.err}
	}
	return entity, nil
}

func decodeShape(key Key, r *reader) Entity {
	id, ok := key.id()
	if !ok {
		r.fail(attrPK, errForeignKey)
		return nil
	}
	switch key.shape() {
	case shapeCustomer:
		return decodeCustomer(CustomerID(id), r)
	case shapeCustomerOrder:
		return decodeCustomerOrder(key, r)
	case shapeOrder:
		return decodeOrder(OrderID(id), r)
	case shapeItem:
		return decodeItem(OrderID(id), key, r)
	case shapeProduct:
		return decodeProduct(SKU(id), r)
	case shapeWarehouse:
		return decodeWarehouse(WarehouseID(id), r)
	case shapeEmailOwner:
		return &EmailOwner{Folded: id, CustomerID: CustomerID(r.string(attrCustomer))}
	case shapeUnknown:
	}
	r.fail(attrSK, errForeignKey)
	return nil
}

func decodeCustomer(id CustomerID, r *reader) *Customer {
	return &Customer{
		ID: id, Name: r.string(attrName), Email: r.string(attrEmail),
		CreatedAt: r.time(attrCreatedAt), UpdatedAt: r.time(attrUpdatedAt), Version: r.int(attrVersion),
		OrderCount: r.int(attrOrderCount), OpenOrderCount: r.int(attrOpenOrderCount),
	}
}

// decodeCustomerOrder decodes the copy in the customer's partition, whose sort key names the order.
func decodeCustomerOrder(key Key, r *reader) *Order {
	at, ok := parsePosition(strings.TrimPrefix(key.SK, prefixOrder))
	o := decodeOrder(at.Order, r)
	if !ok || o.Position() != at {
		r.fail(attrSK, errForeignKey) // a page would end in a cursor that does not point back at it
	}
	return o
}

func decodeOrder(id OrderID, r *reader) *Order {
	o := &Order{
		ID: id, CustomerID: CustomerID(r.string(attrCustomer)), WarehouseID: WarehouseID(r.string(attrWarehouse)),
		PlacedAt: r.time(attrPlacedAt), Status: OrderStatus(r.string(attrStatus)), Total: r.money(attrTotal),
		ItemCount: r.int(attrItemCount), Version: r.int(attrVersion), UpdatedAt: r.time(attrUpdatedAt),
	}
	if r.wants(attrStatus) && !o.Status.valid() {
		r.fail(attrStatus, errOutOfBounds)
	}
	if o.ItemCount < 0 || o.ItemCount > MaxLines {
		r.fail(attrItemCount, errOutOfBounds)
	}
	return o
}

func decodeItem(order OrderID, key Key, r *reader) *OrderItem {
	line, ok := parseLine(strings.TrimPrefix(key.SK, prefixItem))
	if !ok {
		r.fail(attrSK, errForeignKey)
	}
	return &OrderItem{
		OrderID: order, Line: line, SKU: SKU(r.string(attrSKU)), Name: r.string(attrName),
		Quantity: r.int(attrQuantity), UnitPrice: r.money(attrUnitPrice),
	}
}

func decodeProduct(sku SKU, r *reader) *Product {
	return &Product{
		SKU: sku, Name: r.string(attrName), Price: r.money(attrPrice),
		Version: r.int(attrVersion), UpdatedAt: r.time(attrUpdatedAt),
	}
}

func decodeWarehouse(id WarehouseID, r *reader) *Warehouse {
	return &Warehouse{
		ID: id, Name: r.string(attrName), Version: r.int(attrVersion), UpdatedAt: r.time(attrUpdatedAt),
	}
}
