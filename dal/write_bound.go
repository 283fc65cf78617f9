package dal

// WriteBound is the most that a write can cost, retries aside.
type WriteBound struct {
	Pattern Pattern
	// Read is what is read first, strongly, in a round of its own; zero when nothing is.
	Read Bound
	// Actions is the number of items in the transaction.
	Actions int
	// WriteUnits is the number of write units, copies in indexes included.
	WriteUnits float64
}

// writeUnitBytes is what one write unit writes; a transaction takes two for it
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html).
const writeUnitBytes = 1 << 10

// transactUnits is the price of writing one item of so many bytes, and its copies in indexes, in a transaction.
func transactUnits(bytes, indexes int) float64 {
	return float64(2 * ((bytes + writeUnitBytes - 1) / writeUnitBytes) * (1 + indexes))
}

// CreateCustomerBound is the most that [Table.CreateCustomer] costs.
func CreateCustomerBound() WriteBound {
	return WriteBound{
		Pattern: PatternCreateCustomer, Actions: 2,
		WriteUnits: transactUnits(MaxCustomerBytes, 1) + transactUnits(maxGuardBytes, 0),
	}
}

// PutProductBound is the most that [Table.PutProduct] costs.
func PutProductBound() WriteBound { return upsertBound(PatternPutProduct, MaxProductBytes) }

// PutWarehouseBound is the most that [Table.PutWarehouse] costs.
func PutWarehouseBound() WriteBound { return upsertBound(PatternPutWarehouse, MaxWarehouseBytes) }

func upsertBound(p Pattern, bytes int) WriteBound {
	return WriteBound{
		Pattern: p, Read: Bound{Requests: 1, Keys: 1, ReadUnits: readUnits(bytes, true)},
		Actions: 1, WriteUnits: transactUnits(bytes, 0),
	}
}

// PlaceOrderBound is the most that [Table.PlaceOrder] of so many lines costs.
func PlaceOrderBound(lines int) WriteBound {
	lines = min(lines, MaxLines)
	keys := 2 + lines
	units := readUnits(MaxCustomerBytes, true) + readUnits(MaxWarehouseBytes, true) +
		float64(lines)*readUnits(MaxProductBytes, true)
	return WriteBound{
		Pattern: PatternPlaceOrder, Read: Bound{Requests: BatchRequests(keys), Keys: keys, ReadUnits: units},
		Actions: 3 + lines,
		WriteUnits: transactUnits(MaxCustomerBytes, 1) + transactUnits(MaxOrderBytes, 2) + transactUnits(MaxOrderBytes, 0) +
			float64(lines)*transactUnits(MaxItemBytes, 0),
	}
}
