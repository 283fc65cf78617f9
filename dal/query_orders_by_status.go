package dal

// PatternOrdersByStatus is the name of the pattern behind [OrdersByStatus].
const PatternOrdersByStatus Pattern = "orders-by-status"

// OrdersByStatus reads one page of a customer's orders in one status, newest first. c.Status must be given.
//
// Access pattern: orders-by-status, one Query of the local index status-index with BETWEEN on its sort key.
//
// Cost: 1 request of at most the page's count plus 1 (plus 2 with a cursor); the sum of the sizes is rounded up once.
//
// Consistency: eventual or strong.
//
// Errors: none of its own; a customer without such orders is an empty page.
func OrdersByStatus(id CustomerID, w OrderWindow, c OrderCriteria) Read {
	pg := orderPage(w, c, string(c.Status)+separator, true)
	pg.index = indexStatus
	return pageRead(PatternOrdersByStatus, customerKey(id).PK, pg)
}

func ordersByStatusAccess() Access {
	sort := statusSortKey("<status>", OrderPosition{Placed: "<placed>", Order: "<order>"})
	return Access{
		Pattern: PatternOrdersByStatus, Operation: opQuery, Index: indexStatus,
		Key: customerKey("<id>").PK + " / " + sort + ", newest first", ItemBytes: MaxOrderBytes, Strong: true,
	}.reading(OrdersByStatus("id", OrderWindow{Count: DefaultPage}, OrderCriteria{Status: StatusPaid}))
}
