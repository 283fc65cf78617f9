package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
)

// Warehouse answers which warehouse sends an order.
func (order) Warehouse(ctx context.Context, o *dal.Order) (*dal.Warehouse, error) {
	return one[*dal.Warehouse](ctx, dal.WarehouseByID(o.WarehouseID))
}
