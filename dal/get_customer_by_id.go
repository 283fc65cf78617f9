package dal

// PatternCustomerByID is the name of the pattern behind [CustomerByID].
const PatternCustomerByID Pattern = "customer-by-id"

// CustomerByID reads one customer without its orders.
//
// Access pattern: customer-by-id, GetItem of the customer's PROFILE; siblings of any type merge into BatchGetItem.
//
// Cost: 1 key; 0.5 read units, 1 when strongly consistent.
//
// Consistency: eventual or strong.
//
// Errors: an unknown customer is a result without entities.
func CustomerByID(id CustomerID) Read { return itemRead(PatternCustomerByID, customerKey(id)) }

func customerByIDAccess() Access {
	key := customerKey("<id>")
	return Access{
		Pattern: PatternCustomerByID, Operation: opGetItem, Key: key.PK + " / " + key.SK,
		ItemBytes: MaxCustomerBytes, Strong: true,
	}.reading(CustomerByID("id"))
}
