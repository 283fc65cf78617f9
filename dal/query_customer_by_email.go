package dal

// PatternCustomerByEmail is the name of the pattern behind [CustomerByEmail].
const PatternCustomerByEmail Pattern = "customer-by-email"

// CustomerByEmail reads the customer an e-mail address belongs to.
//
// Access pattern: customer-by-email, one Query of the index email-index, limit 1.
//
// Cost: 1 request of 1 item.
//
// Consistency: eventual only, and a fresh customer may be missing for a moment; [OwnerByEmail] then [CustomerOfOwner]
// is the strongly consistent way.
//
// Errors: an address of nobody is a result without entities.
func CustomerByEmail(e Email) Read {
	return pageRead(PatternCustomerByEmail, e.Folded, page{
		index: indexEmail, limit: 1, count: 1, itemBytes: MaxCustomerBytes,
	})
}

// OwnerByEmail reads the guard of an e-mail address, an *[EmailOwner], which names the customer.
//
// Access pattern: customer-by-email, GetItem of the address's OWNER; siblings of any type merge into BatchGetItem.
//
// Cost: 1 key; 0.5 read units, 1 when strongly consistent; the customer is a read of its own.
//
// Consistency: eventual or strong.
//
// Errors: an address of nobody is a result without entities.
func OwnerByEmail(e Email) Read { return ownerByEmail(e.Folded) }

// CustomerOfOwner reads the customer that a guard names.
//
// Access pattern: customer-by-email, GetItem of the customer's PROFILE; siblings of any type merge into BatchGetItem.
//
// Cost: 1 key; 0.5 read units, 1 when strongly consistent.
//
// Consistency: eventual or strong.
//
// Errors: a customer deleted in between is a result without entities.
func CustomerOfOwner(e *EmailOwner) Read {
	return itemRead(PatternCustomerByEmail, customerKey(e.CustomerID))
}

func ownerByEmail(folded string) Read { return itemRead(PatternCustomerByEmail, emailKey(folded)) }

func customerByEmailAccess() Access {
	key := emailKey("<folded e-mail>")
	return Access{
		Pattern: PatternCustomerByEmail, Operation: opQuery, Index: indexEmail,
		Key: attrEmailKey + " = <folded e-mail>; strongly: " + key.PK + " / " + key.SK, ItemBytes: MaxCustomerBytes, Strong: true,
	}.reading(CustomerByEmail(Email{Folded: "e-mail"}))
}
