package dal

// Pattern is the name of an access pattern, as the schema's @access directive spells it.
type Pattern string

// The most that one item of each type can weigh in the table, in bytes, keys and index keys included. Input is held
// to them, so a page of 100 never comes near DynamoDB's 1 MB, and a read's units are known before it is sent.
const (
	MaxCustomerBytes  = 4 << 10
	MaxOrderBytes     = 2 << 10
	MaxItemBytes      = 2 << 10
	MaxProductBytes   = 4 << 10
	MaxWarehouseBytes = 4 << 10
	maxGuardBytes     = 2 << 10
)

// Access is what the catalogue says of one access pattern.
type Access struct {
	// Pattern is its name.
	Pattern Pattern
	// Operation is the DynamoDB operation it is sent as. Single items of several parents merge into BatchGetItem.
	Operation string
	// Index is the index it reads; empty for the table.
	Index string
	// Key is the key, or the partition and the order of the item collection, with <id> for what varies.
	Key string
	// ItemBytes is the most that one item it reads or writes can weigh.
	ItemBytes int
	// Strong says whether it can be read strongly consistent.
	Strong bool
	// Read is a read of it, of the default size where it has one; nil for a write.
	Read *Read
	// Write is what a write costs at most; nil for a read.
	Write *WriteBound
}

// reading adds a sample read to an entry of the catalogue.
func (a Access) reading(r Read) Access {
	a.Read = &r
	return a
}

// writing adds what a write costs to an entry of the catalogue.
func (a Access) writing(b WriteBound) Access {
	a.Write = &b
	return a
}

// Catalogue lists every access pattern, reads first.
func Catalogue() []Access {
	return []Access{
		customerByIDAccess(),
		customerWithOrdersAccess(),
		ordersByCustomerAccess(),
		ordersByStatusAccess(),
		customerByEmailAccess(),
		orderByIDAccess(),
		orderWithItemsAccess(),
		itemsByOrderAccess(),
		itemByIDAccess(),
		productByIDAccess(),
		warehouseByIDAccess(),
		openOrdersByWarehouseAccess(),
		createCustomerAccess(),
		putProductAccess(),
		putWarehouseAccess(),
		placeOrderAccess(),
	}
}
