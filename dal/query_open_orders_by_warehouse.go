package dal

// PatternOpenOrdersByWarehouse is the name of the pattern behind [OpenOrdersByWarehouse].
const PatternOpenOrdersByWarehouse Pattern = "open-orders-by-warehouse"

// OpenOrdersByWarehouse reads one page of the orders a warehouse has still to send, oldest first.
//
// Access pattern: open-orders-by-warehouse, one Query of the sparse index open-orders-index for each shard of the
// warehouse, all at once, merged by time.
//
// Cost: as many requests as the table has shards, each of at most the page's count plus 1 (plus 2 with a cursor).
//
// Consistency: eventual only: it is a global index. Asked for strongly it is KindInvalid.
//
// Errors: none of its own; a warehouse without open orders is an empty page.
func OpenOrdersByWarehouse(id WarehouseID, w OrderWindow) Read {
	pg := orderPage(w, OrderCriteria{}, "", false)
	pg.index, pg.sharded = indexOpenOrders, true
	return pageRead(PatternOpenOrdersByWarehouse, warehouseKey(id).PK, pg)
}

func openOrdersByWarehouseAccess() Access {
	sort := OrderPosition{Placed: "<placed>", Order: "<order>"}.segment()
	return Access{
		Pattern: PatternOpenOrdersByWarehouse, Operation: opQuery, Index: indexOpenOrders,
		Key:       warehouseKey("<id>").PK + separator + "<shard> / " + sort + ", oldest first",
		ItemBytes: MaxOrderBytes,
	}.reading(OpenOrdersByWarehouse("id", OrderWindow{Count: DefaultPage}))
}
