package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
	"example.com/keyfirst/loaders"
)

// Orders answers a page of a customer's orders, newest first.
func (customer) Orders(
	ctx context.Context, c *dal.Customer, first *int, after *string, last *int, before *string, filter *graph.OrderFilter,
) (*graph.OrderConnection, error) {
	args := dal.PageArgs{First: first, After: after, Last: last, Before: before}
	window, err := dal.NewOrderWindow(args)
	if err != nil {
		return nil, err
	}
	criteria, err := criteriaOf(filter)
	if err != nil {
		return nil, err
	}
	page, err := loaders.From(ctx).Page(ctx, dal.CustomerOrders(c.ID, window, criteria))
	if err != nil {
		return nil, err
	}
	return orderConnection(args, page)
}

func criteriaOf(filter *graph.OrderFilter) (dal.OrderCriteria, error) {
	if filter == nil {
		return dal.OrderCriteria{}, nil
	}
	return dal.NewOrderCriteria(filter.Status, filter.PlacedFrom, filter.PlacedBefore)
}
