package dal

// PatternItemByID is the name of the pattern behind [ItemByID].
const PatternItemByID Pattern = "item-by-id"

// ItemByID reads one line of an order.
//
// Access pattern: item-by-id, GetItem of the line; siblings of any type merge into BatchGetItem.
//
// Cost: 1 key; 0.5 read units, 1 when strongly consistent.
//
// Consistency: eventual or strong.
//
// Errors: an unknown line is a result without entities.
func ItemByID(order OrderID, line int) Read {
	return itemRead(PatternItemByID, itemKey(order, line))
}

func itemByIDAccess() Access {
	key := itemKey("<order>", 1)
	return Access{
		Pattern: PatternItemByID, Operation: opGetItem, Key: key.PK + " / " + key.SK,
		ItemBytes: MaxItemBytes, Strong: true,
	}.reading(ItemByID("order", 1))
}
