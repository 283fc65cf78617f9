package dal

// PatternOrdersByCustomer is the name of the pattern behind [OrdersByCustomer] and [LatestOrder].
const PatternOrdersByCustomer Pattern = "orders-by-customer"

// OrdersByCustomer reads one page of a customer's orders, newest first.
//
// Access pattern: orders-by-customer, one Query of the customer's partition with BETWEEN on the orders' sort keys.
//
// Cost: 1 request of at most the page's count plus 1 (plus 2 with a cursor); the sum of the sizes is rounded up once.
//
// Consistency: eventual or strong.
//
// Errors: none of its own; a customer without orders is an empty page.
func OrdersByCustomer(id CustomerID, w OrderWindow, c OrderCriteria) Read {
	return pageRead(PatternOrdersByCustomer, customerKey(id).PK, orderPage(w, c, prefixOrder, true))
}

// CustomerOrders reads one page of a customer's orders, newest first, by whichever of the two patterns the criteria
// ask for: orders-by-status when a status is given, else orders-by-customer.
func CustomerOrders(id CustomerID, w OrderWindow, c OrderCriteria) Read {
	if c.Status != "" {
		return OrdersByStatus(id, w, c)
	}
	return OrdersByCustomer(id, w, c)
}

// LatestOrder reads the order a customer placed last.
//
// Access pattern: orders-by-customer, one Query of the customer's partition, descending, limit 1.
//
// Cost: 1 request of 1 item.
//
// Consistency: eventual or strong.
//
// Errors: none of its own; a customer without orders is a result without entities.
func LatestOrder(id CustomerID) Read {
	pg := orderPage(OrderWindow{Count: 1}, OrderCriteria{}, prefixOrder, true)
	pg.limit = 1
	return pageRead(PatternOrdersByCustomer, customerKey(id).PK, pg)
}

func ordersByCustomerAccess() Access {
	key := customerOrderKey("<id>", OrderPosition{Placed: "<placed>", Order: "<order>"})
	return Access{
		Pattern: PatternOrdersByCustomer, Operation: opQuery, Key: key.PK + " / " + key.SK + ", newest first",
		ItemBytes: MaxOrderBytes, Strong: true,
	}.reading(OrdersByCustomer("id", OrderWindow{Count: DefaultPage}, OrderCriteria{}))
}
