package dal

// PatternOrderByID is the name of the pattern behind [OrderByID].
const PatternOrderByID Pattern = "order-by-id"

// OrderByID reads one order without its lines, from the copy in its own partition.
//
// Access pattern: order-by-id, GetItem of the order's HEADER; siblings of any type merge into BatchGetItem.
//
// Cost: 1 key; 0.5 read units, 1 when strongly consistent.
//
// Consistency: eventual or strong.
//
// Errors: an unknown order is a result without entities.
func OrderByID(id OrderID) Read { return itemRead(PatternOrderByID, orderKey(id)) }

func orderByIDAccess() Access {
	key := orderKey("<id>")
	return Access{
		Pattern: PatternOrderByID, Operation: opGetItem, Key: key.PK + " / " + key.SK,
		ItemBytes: MaxOrderBytes, Strong: true,
	}.reading(OrderByID("id"))
}
