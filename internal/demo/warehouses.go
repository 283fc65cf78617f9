package demo

import "example.com/keyfirst/dal"

// The warehouses' raw ids.
const (
	north dal.WarehouseID = "north"
	south dal.WarehouseID = "south"
	east  dal.WarehouseID = "east"
)

func (m *maker) warehouses() {
	for _, w := range []dal.Warehouse{
		{ID: north, Name: "North, Hamburg"},
		{ID: south, Name: "South, Munich"},
		{ID: east, Name: "East, Leipzig"},
	} {
		w.Version, w.UpdatedAt = 1, opening()
		m.records = append(m.records, dal.WarehouseRecord{Warehouse: &w})
	}
}
