package dal

// PatternWarehouseByID is the name of the pattern behind [WarehouseByID].
const PatternWarehouseByID Pattern = "warehouse-by-id"

// WarehouseByID reads one warehouse without its open orders.
//
// Access pattern: warehouse-by-id, GetItem of the warehouse's PROFILE; siblings of any type merge into BatchGetItem.
//
// Cost: 1 key; 0.5 read units, 1 when strongly consistent.
//
// Consistency: eventual or strong.
//
// Errors: an unknown warehouse is a result without entities.
func WarehouseByID(id WarehouseID) Read { return itemRead(PatternWarehouseByID, warehouseKey(id)) }

func warehouseByIDAccess() Access {
	key := warehouseKey("<id>")
	return Access{
		Pattern: PatternWarehouseByID, Operation: opGetItem, Key: key.PK + " / " + key.SK,
		ItemBytes: MaxWarehouseBytes, Strong: true,
	}.reading(WarehouseByID("id"))
}
