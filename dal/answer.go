package dal

// Answer is a result together with the read it answers.
type Answer struct {
	Read   Read
	Result Result
}

// Split takes the result of a read apart into the answers of the smaller reads it stands for: a customer with orders
// answers the customer and the wanted pages of its orders; an order with items, or a page of items, answers each line.
// Any other read answers itself.
func Split(r Read, res Result, wanted []Read) []Answer {
	switch {
	case r.pattern == PatternCustomerWithOrders:
		return splitCustomerWithOrders(r, res, wanted)
	case r.pattern == PatternOrderWithItems:
		return splitOrderWithItems(r, res)
	case r.pattern == PatternItemsByOrder && r.IsPage():
		return splitLines(res)
	}
	return []Answer{{Read: r, Result: res}}
}

// failed gives all reads the same result.
func failed(res Result, reads []Read) []Answer {
	answers := make([]Answer, 0, len(reads))
	for _, r := range reads {
		answers = append(answers, Answer{Read: r, Result: res})
	}
	return answers
}
