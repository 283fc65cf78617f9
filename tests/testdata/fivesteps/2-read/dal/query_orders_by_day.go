package dal

import "time"

// PatternOrdersByDay is the name of the pattern behind [OrdersByDay].
const PatternOrdersByDay Pattern = "orders-by-day"

// OrdersByDay reads one page of the orders that a customer placed on the day, in UTC, that the instant belongs to.
//
// Access pattern: orders-by-day, one Query of the customer's partition with BETWEEN on the orders' sort keys.
//
// Cost: 1 request of at most the page's count plus 1 (plus 2 with a cursor); the sum of the sizes is rounded up once.
//
// Consistency: eventual or strong.
//
// Errors: none of its own; a day without orders is an empty page.
func OrdersByDay(id CustomerID, w OrderWindow, instant time.Time) Read {
	day := orderDay(instant.UTC().Format(time.DateOnly))
	return pageRead(PatternOrdersByDay, customerKey(id).PK, orderPage(w, day, prefixOrder, true))
}

func ordersByDayAccess() Access {
	key := customerOrderKey("<id>", OrderPosition{Placed: "<day>", Order: "<order>"})
	return Access{
		Pattern: PatternOrdersByDay, Operation: opQuery, Key: key.PK + " / " + key.SK + ", newest first",
		ItemBytes: MaxOrderBytes, Strong: true,
	}.reading(OrdersByDay("id", OrderWindow{Count: DefaultPage}, time.Time{}))
}
