package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
)

// PutWarehouse creates a warehouse, or changes the one that has the id.
func (m mutation) PutWarehouse(ctx context.Context, input graph.PutWarehouseInput) (*graph.PutWarehousePayload, error) {
	id, err := dal.ParseWarehouseID(input.ID)
	if err != nil {
		return nil, err
	}
	w, rejections, err := m.table.PutWarehouse(ctx, dal.NewWarehouse{ID: id, Name: input.Name})
	if err != nil {
		return nil, err
	}
	if w != nil {
		wrote(ctx, w)
	}
	return &graph.PutWarehousePayload{Warehouse: w, UserErrors: listed(rejections)}, nil
}
