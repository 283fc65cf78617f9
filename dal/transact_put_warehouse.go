package dal

import (
	"context"
)

// PatternPutWarehouse is the name of the pattern behind [Table.PutWarehouse].
const PatternPutWarehouse Pattern = "put-warehouse"

// NewWarehouse is a warehouse as it shall be.
type NewWarehouse struct {
	ID   WarehouseID
	Name string
}

// PutWarehouse creates the warehouse, or changes the one that has the id.
//
// Access pattern: put-warehouse, GetItem of the warehouse, then one TransactWriteItems with an Update of what was read.
//
// Cost: 2 requests in 2 rounds; 1 read unit, 2 write units.
//
// Consistency: strong; when another write comes between, both steps are done again, a bounded number of times.
//
// Errors: a rejection for a bad name; KindConflict when others kept winning.
func (t *Table) PutWarehouse(ctx context.Context, in NewWarehouse) (*Warehouse, []*Rejection, error) {
	if r := checkName(in.Name, "name"); r != nil {
		return nil, []*Rejection{r}, nil
	}
	w := &Warehouse{ID: in.ID, Name: in.Name}
	err := t.upsert(ctx, PatternPutWarehouse, WarehouseByID(in.ID), func(old Entity) item {
		w.Version, w.UpdatedAt = 1, t.now()
		if before, ok := old.(*Warehouse); ok {
			w.Version = before.Version + 1
		}
		return w.item()
	})
	if err != nil {
		return nil, nil, err
	}
	return w, nil, nil
}

func putWarehouseAccess() Access {
	key := warehouseKey("<id>")
	return Access{
		Pattern: PatternPutWarehouse, Operation: opTransactWrite, Key: key.PK + " / " + key.SK,
		ItemBytes: MaxWarehouseBytes, Strong: true,
	}.writing(PutWarehouseBound())
}
