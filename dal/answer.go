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
	if !r.IsPage() {
		return []Answer{{Read: r, Result: res}}
	}
	switch r.pattern {
	case PatternCustomerWithOrders:
		return splitCustomerWithOrders(r, res, wanted)
	case PatternOrderWithItems:
		return splitOrderWithItems(r, res)
	case PatternItemsByOrder:
		return splitLines(res)
	default:
		return []Answer{{Read: r, Result: res}}
	}
}

// failed gives all reads the same result.
func failed(res Result, reads []Read) []Answer {
	answers := make([]Answer, 0, len(reads))
	for _, r := range reads {
		answers = append(answers, Answer{Read: r, Result: res})
	}
	return answers
}
