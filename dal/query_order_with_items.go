package dal

// PatternOrderWithItems is the name of the pattern behind [OrderWithItems].
const PatternOrderWithItems Pattern = "order-with-items"

// OrderWithItems reads an order together with its first lines. wanted are the plain pages of the same order's items
// that the one read shall answer: the largest of them sets the limit.
//
// Access pattern: order-with-items, one Query of the order's partition, ascending: the header sorts before the lines.
//
// Cost: 1 request of at most 1 header and the largest limit of wanted; the sum of their sizes is rounded up once.
//
// Consistency: eventual or strong.
//
// Errors: an unknown order is a result without entities.
func OrderWithItems(id OrderID, wanted []Read) Read {
	limit := 1
	for _, w := range wanted {
		limit = max(limit, 1+w.page.limit)
	}
	return pageRead(PatternOrderWithItems, orderKey(id).PK, page{
		limit: limit, count: limit, itemBytes: MaxItemBytes,
	})
}

func orderWithItemsAccess() Access {
	return Access{
		Pattern: PatternOrderWithItems, Operation: opQuery, Key: orderKey("<id>").PK + ", ascending",
		ItemBytes: MaxItemBytes, Strong: true,
	}.reading(OrderWithItems("id", []Read{ItemsByOrder("id", LineWindow{Count: DefaultPage})}))
}

// splitOrderWithItems answers the order's own read and the read of each line that came along.
func splitOrderWithItems(r Read, res Result) []Answer {
	header := Read{pattern: PatternOrderByID, key: Key{r.key.PK, skHeader}}
	if res.Err != nil || len(res.Entities) == 0 {
		return []Answer{{Read: header, Result: Result{Err: res.Err}}}
	}
	if _, ok := res.Entities[0].(*Order); !ok {
		return []Answer{{Read: header}}
	}
	answers := []Answer{{Read: header, Result: Result{Entities: res.Entities[:1:1]}}}
	return append(answers, splitLines(Result{Entities: res.Entities[1:]})...)
}
