package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
	"example.com/keyfirst/loaders"
)

// OpenOrders answers a page of the orders a warehouse has still to send, oldest first.
func (warehouse) OpenOrders(
	ctx context.Context, w *dal.Warehouse, first *int, after *string, last *int, before *string,
) (*graph.OrderConnection, error) {
	args := dal.PageArgs{First: first, After: after, Last: last, Before: before}
	window, err := dal.NewOrderWindow(args)
	if err != nil {
		return nil, err
	}
	page, err := loaders.From(ctx).Page(ctx, dal.OpenOrdersByWarehouse(w.ID, window))
	if err != nil {
		return nil, err
	}
	return orderConnection(args, page)
}
