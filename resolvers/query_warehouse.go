package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
)

// Warehouse answers a warehouse by its id.
func (query) Warehouse(ctx context.Context, id string) (*dal.Warehouse, error) {
	parsed, err := dal.ParseWarehouseID(id)
	if err != nil {
		return nil, err
	}
	return one[*dal.Warehouse](ctx, dal.WarehouseByID(parsed))
}
