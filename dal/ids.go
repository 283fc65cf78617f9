package dal

import (
	"strings"
	"unicode/utf8"
)

// EntityType is the type of an entity, by the name the domain gives it.
type EntityType string

// The types of entity that have an id.
const (
	TypeCustomer  EntityType = "Customer"
	TypeOrder     EntityType = "Order"
	TypeOrderItem EntityType = "OrderItem"
	TypeProduct   EntityType = "Product"
	TypeWarehouse EntityType = "Warehouse"
)

// The raw ids, as they stand in a key (before escaping): what follows the prefix of the readable id.
type (
	// CustomerID is the `42` of `cust_42`.
	CustomerID string
	// OrderID is the `A17` of `order_A17`.
	OrderID string
	// SKU is the stock-keeping unit of a product.
	SKU string
	// WarehouseID is the `north` of `wh_north`.
	WarehouseID string
)

// The readable prefixes: each type has its own, so that an id in the wrong place is noticed.
const (
	nodePrefixCustomer  = "cust_"
	nodePrefixOrder     = "order_"
	nodePrefixItem      = "item_"
	nodePrefixProduct   = "prod_"
	nodePrefixWarehouse = "wh_"
)

// maxIDBytes bounds a raw id, so that no key comes near DynamoDB's limits (2,048 bytes for PK, 1,024 for SK) even
// with every byte escaped.
const maxIDBytes = 64

// MaxLines is the most lines an order can have: with its two copies, its customer and some room, one transaction of
// 100 actions takes them all.
const MaxLines = 90

// ID is the id of an entity of any type, taken apart.
type ID struct {
	Type EntityType
	// Raw is the id of the customer, order, product or warehouse; for an item that of its order.
	Raw string
	// Line is the line number of an item; zero for every other type.
	Line int
}

// String is the readable id: `cust_42`, `order_A17`, `item_A17_001`, `prod_<sku>`, `wh_<id>`.
func (id ID) String() string {
	switch id.Type {
	case TypeCustomer:
		return nodePrefixCustomer + id.Raw
	case TypeOrder:
		return nodePrefixOrder + id.Raw
	case TypeOrderItem:
		return nodePrefixItem + id.Raw + "_" + formatLine(id.Line)
	case TypeProduct:
		return nodePrefixProduct + id.Raw
	case TypeWarehouse:
		return nodePrefixWarehouse + id.Raw
	}
	return id.Raw
}

// Read is the read that fetches the entity by its id alone.
func (id ID) Read() Read {
	switch id.Type {
	case TypeCustomer:
		return CustomerByID(CustomerID(id.Raw))
	case TypeOrder:
		return OrderByID(OrderID(id.Raw))
	case TypeOrderItem:
		return ItemByID(OrderID(id.Raw), id.Line)
	case TypeProduct:
		return ProductBySKU(SKU(id.Raw))
	case TypeWarehouse:
		return WarehouseByID(WarehouseID(id.Raw))
	}
	return Read{}
}

// ParseID takes a readable id of any type apart. Its errors are KindInvalid.
func ParseID(s string) (ID, error) {
	t, raw, found := cutNodePrefix(s)
	switch {
	case !found:
		return ID{}, invalid("ParseID", "not an id: ids start with cust_, order_, item_, prod_ or wh_")
	case !utf8.ValidString(s):
		return ID{}, invalid("ParseID", "the id is not valid UTF-8")
	case t == TypeOrderItem:
		return parseItemID(raw)
	case raw == "" || len(raw) > maxIDBytes:
		return ID{}, badIDLength(t)
	}
	return ID{Type: t, Raw: raw}, nil
}

// MaxIDs is the most ids that one field takes.
const MaxIDs = 500

// ParseIDs takes many ids of any types apart. Its errors are KindInvalid.
func ParseIDs(all []string) ([]ID, error) {
	if len(all) > MaxIDs {
		return nil, invalid("ParseIDs", "at most %d ids at once", MaxIDs)
	}
	ids := make([]ID, len(all))
	for i, s := range all {
		id, err := ParseID(s)
		if err != nil {
			return nil, invalid("ParseIDs", "id %d: %s", i, ReasonOf(err))
		}
		ids[i] = id
	}
	return ids, nil
}

// ParseCustomerID reads an id that must be a customer's. Its errors are KindInvalid.
func ParseCustomerID(s string) (CustomerID, error) {
	id, err := ParseIDOf(TypeCustomer, s)
	return CustomerID(id.Raw), err
}

// ParseOrderID reads an id that must be an order's. Its errors are KindInvalid.
func ParseOrderID(s string) (OrderID, error) {
	id, err := ParseIDOf(TypeOrder, s)
	return OrderID(id.Raw), err
}

// ParseProductID reads an id that must be a product's. Its errors are KindInvalid.
func ParseProductID(s string) (SKU, error) {
	id, err := ParseIDOf(TypeProduct, s)
	return SKU(id.Raw), err
}

// ParseWarehouseID reads an id that must be a warehouse's. Its errors are KindInvalid.
func ParseWarehouseID(s string) (WarehouseID, error) {
	id, err := ParseIDOf(TypeWarehouse, s)
	return WarehouseID(id.Raw), err
}

// ParseSKU reads a bare stock-keeping unit. Its errors are KindInvalid.
func ParseSKU(s string) (SKU, error) {
	if s == "" || len(s) > maxIDBytes || !utf8.ValidString(s) {
		return "", invalid("ParseSKU", "a SKU has 1 to %d bytes of UTF-8", maxIDBytes)
	}
	return SKU(s), nil
}

// ParseIDOf takes an id apart that must be of one type. Its errors are KindInvalid.
func ParseIDOf(want EntityType, s string) (ID, error) {
	id, err := ParseID(s)
	if err != nil {
		return ID{}, err
	}
	if id.Type != want {
		return ID{}, invalid("ParseID", "expected an id of type %s (%s…), got one of type %s", want, ID{Type: want}, id.Type)
	}
	return id, nil
}

func cutNodePrefix(s string) (t EntityType, raw string, found bool) {
	prefix, raw, found := strings.Cut(s, "_")
	if !found {
		return "", "", false
	}
	switch prefix + "_" {
	case nodePrefixCustomer:
		return TypeCustomer, raw, true
	case nodePrefixOrder:
		return TypeOrder, raw, true
	case nodePrefixItem:
		return TypeOrderItem, raw, true
	case nodePrefixProduct:
		return TypeProduct, raw, true
	case nodePrefixWarehouse:
		return TypeWarehouse, raw, true
	}
	return "", "", false
}

// parseItemID reads `<order>_<line>`; the order's id may itself contain `_`.
func parseItemID(s string) (ID, error) {
	cut := strings.LastIndexByte(s, '_')
	if cut < 1 || cut > maxIDBytes {
		return ID{}, badIDLength(TypeOrderItem)
	}
	line, ok := parseLine(s[cut+1:])
	if !ok {
		return ID{}, invalid("ParseID", "an id of type OrderItem ends in its line number, 001 to %03d", MaxLines)
	}
	return ID{Type: TypeOrderItem, Raw: s[:cut], Line: line}, nil
}

func badIDLength(t EntityType) error {
	return invalid("ParseID", "an id of type %s has 1 to %d bytes after its prefix", t, maxIDBytes)
}
