package dal

import (
	"fmt"
	"strconv"
	"strings"
)

// Key is the primary key of one item. Nothing outside of this package builds or reads one; it is comparable, and so
// serves as an item's identity.
type Key struct{ PK, SK string }

// The attributes of the primary key and of the indexes' keys.
const (
	attrPK            = "PK"
	attrSK            = "SK"
	attrEmailKey      = "emailKey"
	attrStatusKey     = "statusKey"
	attrOpenWarehouse = "openWarehouse"
	attrOpenSince     = "openSince"
)

// The indexes.
const (
	indexEmail      = "email-index"
	indexOpenOrders = "open-orders-index"
	indexStatus     = "status-index"
)

// The sort keys that are the same in every item collection.
const (
	skProfile  = "PROFILE"
	skHeader   = "HEADER"
	skOwner    = "OWNER"
	skSettings = "SETTINGS"
	pkTable    = "TABLE"
)

// The first segments of the keys. Each ends in the separator, so that no type's keys are another's prefix. The order
// of the bytes matters: `ORDER#` is below `PROFILE` and `HEADER` below `ITEM#`.
const (
	separator       = "#"
	prefixCustomer  = "CUST#"
	prefixOrder     = "ORDER#"
	prefixItem      = "ITEM#"
	prefixProduct   = "PRODUCT#"
	prefixWarehouse = "WAREHOUSE#"
	prefixEmail     = "EMAIL#"
)

// Bounds beyond every position, for a BETWEEN with one end open: positions start with a digit of the year.
const (
	belowEveryPosition = "0"
	aboveEveryPosition = ":"
)

func customerKey(id CustomerID) Key { return Key{prefixCustomer + escape(string(id)), skProfile} }
func orderKey(id OrderID) Key       { return Key{prefixOrder + escape(string(id)), skHeader} }
func productKey(sku SKU) Key        { return Key{prefixProduct + escape(string(sku)), skProfile} }
func warehouseKey(id WarehouseID) Key {
	return Key{prefixWarehouse + escape(string(id)), skProfile}
}
func emailKey(folded string) Key { return Key{prefixEmail + escape(folded), skOwner} }
func settingsKey() Key           { return Key{pkTable, skSettings} }

func itemKey(order OrderID, line int) Key {
	return Key{orderKey(order).PK, itemSortKey(line)}
}

func itemSortKey(line int) string { return prefixItem + formatLine(line) }

// formatLine pads a line number with zeros, so that byte order is line order.
func formatLine(line int) string { return fmt.Sprintf("%03d", line) }

// parseLine reads a line number back; ok is false for anything that [formatLine] does not write for a line.
func parseLine(s string) (line int, ok bool) {
	line, err := strconv.Atoi(s)
	return line, err == nil && 1 <= line && line <= MaxLines && formatLine(line) == s
}

// customerOrderKey is the key of an order's copy in its customer's partition.
func customerOrderKey(customer CustomerID, at OrderPosition) Key {
	return Key{customerKey(customer).PK, prefixOrder + at.segment()}
}

func statusSortKey(status OrderStatus, at OrderPosition) string {
	return string(status) + separator + at.segment()
}

// openWarehouseKey is the partition of the open-orders index that one shard of a warehouse lives in.
func openWarehouseKey(id WarehouseID, shard int) string {
	return fmt.Sprintf("%s%s%d", warehouseKey(id).PK, separator, shard)
}

// segment is the position as it stands in a sort key.
func (p OrderPosition) segment() string { return p.Placed + separator + escape(string(p.Order)) }

// parsePosition reads a position back; ok is false for anything that [OrderPosition.segment] did not write.
func parsePosition(segment string) (p OrderPosition, ok bool) {
	placed, order, found := strings.Cut(segment, separator)
	if !found || order == "" {
		return OrderPosition{}, false
	}
	t, err := decodeTime(placed)
	if err != nil || encodeTime(t) != placed {
		return OrderPosition{}, false
	}
	id, ok := unescape(order)
	return OrderPosition{Placed: placed, Order: OrderID(id)}, ok
}

// above is the least string greater than every string with the prefix, for a prefix that ends in the separator:
// `$` follows `#`.
func above(prefix string) string { return strings.TrimSuffix(prefix, separator) + "$" }

// escape makes any bytes safe inside of one key segment, so that no id or e-mail can forge a key.
func escape(s string) string {
	if !strings.ContainsAny(s, "%#") {
		return s
	}
	return strings.NewReplacer("%", "%25", separator, "%23").Replace(s)
}

// unescape is the inverse of escape; ok is false for anything escape does not write.
func unescape(s string) (raw string, ok bool) {
	if !strings.ContainsAny(s, "%#") {
		return s, true
	}
	raw = strings.NewReplacer("%25", "%", "%23", separator).Replace(s)
	return raw, escape(raw) == s
}

// keyShape says which item a key belongs to.
type keyShape uint8

const (
	shapeUnknown keyShape = iota
	shapeCustomer
	shapeCustomerOrder
	shapeOrder
	shapeItem
	shapeProduct
	shapeWarehouse
	shapeEmailOwner
)

// shape tells the item's type by its key alone.
func (k Key) shape() keyShape {
	switch {
	case strings.HasPrefix(k.PK, prefixCustomer) && k.SK == skProfile:
		return shapeCustomer
	case strings.HasPrefix(k.PK, prefixCustomer) && strings.HasPrefix(k.SK, prefixOrder):
		return shapeCustomerOrder
	case strings.HasPrefix(k.PK, prefixOrder) && k.SK == skHeader:
		return shapeOrder
	case strings.HasPrefix(k.PK, prefixOrder) && strings.HasPrefix(k.SK, prefixItem):
		return shapeItem
	case strings.HasPrefix(k.PK, prefixProduct) && k.SK == skProfile:
		return shapeProduct
	case strings.HasPrefix(k.PK, prefixWarehouse) && k.SK == skProfile:
		return shapeWarehouse
	case strings.HasPrefix(k.PK, prefixEmail) && k.SK == skOwner:
		return shapeEmailOwner
	}
	return shapeUnknown
}

// id is the raw id in the partition key.
func (k Key) id() (string, bool) {
	_, segment, found := strings.Cut(k.PK, separator)
	if !found {
		return "", false
	}
	raw, ok := unescape(segment)
	return raw, ok && raw != ""
}
