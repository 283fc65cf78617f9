package dal

// PatternCustomerWithOrders is the name of the pattern behind [CustomerWithOrders].
const PatternCustomerWithOrders Pattern = "customer-with-orders"

// CustomerWithOrders reads a customer together with its newest orders. wanted are the plain pages and latest orders of
// the same customer that the one read shall answer: the largest of them sets the limit.
//
// Access pattern: customer-with-orders, one Query of the customer's partition, descending: the profile sorts behind
// the orders and so comes first, then the orders, newest first.
//
// Cost: 1 request of at most 1 profile and the largest limit of wanted; the sum of their sizes is rounded up once.
//
// Consistency: eventual or strong.
//
// Errors: an unknown customer is a result without entities, whatever orders it left behind.
func CustomerWithOrders(id CustomerID, wanted []Read) Read {
	limit := 0
	for _, w := range wanted {
		limit = max(limit, w.page.limit)
	}
	return pageRead(PatternCustomerWithOrders, customerKey(id).PK, page{
		descending: true, limit: 1 + limit, count: 1 + limit, itemBytes: MaxOrderBytes,
	})
}

func customerWithOrdersAccess() Access {
	return Access{
		Pattern: PatternCustomerWithOrders, Operation: opQuery, Key: customerKey("<id>").PK + ", descending",
		ItemBytes: MaxOrderBytes, Strong: true,
	}.reading(CustomerWithOrders("id", []Read{OrdersByCustomer("id", OrderWindow{Count: DefaultPage}, OrderCriteria{})}))
}

// splitCustomerWithOrders answers the customer's own read and the wanted pages from one result.
func splitCustomerWithOrders(r Read, res Result, wanted []Read) []Answer {
	profile := Read{pattern: PatternCustomerByID, key: Key{r.key.PK, skProfile}}
	if res.Err != nil || len(res.Entities) == 0 {
		return failed(Result{Err: res.Err}, append([]Read{profile}, wanted...))
	}
	answers, orders := []Answer{{Read: profile}}, res.Entities
	if _, ok := orders[0].(*Customer); ok {
		answers[0].Result.Entities, orders = orders[:1:1], orders[1:]
	}
	for _, w := range wanted {
		n := min(w.page.count, len(orders))
		answers = append(answers, Answer{Read: w, Result: Result{Entities: orders[:n:n], More: len(orders) > n}})
	}
	return answers
}
