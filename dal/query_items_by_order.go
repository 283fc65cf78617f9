package dal

// PatternItemsByOrder is the name of the pattern behind [ItemsByOrder] and [LinesOfOrder].
const PatternItemsByOrder Pattern = "items-by-order"

// ItemsByOrder reads one page of an order's lines where the order itself may not be known yet. Its result is given out
// line by line: see [LinesOfOrder].
//
// Access pattern: items-by-order, one Query of the lines in the order's partition, in either direction.
//
// Cost: 1 request of at most the page's count; the sum of the sizes is rounded up once.
//
// Consistency: eventual or strong.
//
// Errors: none of its own; an unknown order is an empty page.
func ItemsByOrder(id OrderID, w LineWindow) Read {
	first, last, _ := w.Of(MaxLines)
	if w.Backward {
		// How many lines there are is not known: the bounds are the cursors' alone, and the limit cuts the page.
		first = w.After + 1
	}
	count := min(w.Count, MaxLines)
	return pageRead(PatternItemsByOrder, orderKey(id).PK, page{
		lower: itemSortKey(first), upper: itemSortKey(last), descending: w.Backward, reverse: w.Backward,
		limit: count, count: count, itemBytes: MaxItemBytes, empty: first > last,
	})
}

// LinesOfOrder reads one page of an order's lines by their keys, which follow from the order's item count.
//
// Access pattern: items-by-order, GetItem of each line; siblings of any type merge into BatchGetItem.
//
// Cost: 1 key for each line; 0.5 read units each, 1 when strongly consistent.
//
// Consistency: eventual or strong. A line that is not there although its order says so is read once more, strongly.
//
// Errors: a line that is still absent then is KindUnavailable, never a shorter page.
func LinesOfOrder(o *Order, w LineWindow) []Read {
	first, last, _ := w.Of(o.ItemCount)
	reads := make([]Read, 0, max(0, last-first+1))
	for line := first; line <= last; line++ {
		reads = append(reads, lineOfOrder(o.ID, line))
	}
	return reads
}

func lineOfOrder(id OrderID, line int) Read { return itemRead(PatternItemsByOrder, itemKey(id, line)) }

func itemsByOrderAccess() Access {
	key := itemKey("<order>", 1)
	return Access{
		Pattern: PatternItemsByOrder, Operation: opQuery, Key: key.PK + " / " + key.SK,
		ItemBytes: MaxItemBytes, Strong: true,
	}.reading(ItemsByOrder("id", LineWindow{Count: DefaultPage}))
}

// mustExist says that the item is known to exist, so that its absence is a lag or a fault, never an answer.
func (r Read) mustExist() bool { return r.pattern == PatternItemsByOrder && !r.IsPage() }

// splitLines answers the read of each line in the result.
func splitLines(res Result) []Answer {
	answers := make([]Answer, 0, len(res.Entities))
	for i, e := range res.Entities {
		if line, ok := e.(*OrderItem); ok {
			answers = append(answers, Answer{
				Read: lineOfOrder(line.OrderID, line.Line), Result: Result{Entities: res.Entities[i : i+1 : i+1]},
			})
		}
	}
	return answers
}
