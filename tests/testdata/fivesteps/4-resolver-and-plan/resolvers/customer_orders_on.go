package resolvers

import (
	"context"
	"time"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
	"example.com/keyfirst/loaders"
)

// OrdersOn answers a page of the orders that a customer placed on one day, newest first.
func (customer) OrdersOn(
	ctx context.Context, c *dal.Customer, day time.Time, first *int, after *string, last *int, before *string,
) (*graph.OrderConnection, error) {
	args := dal.PageArgs{First: first, After: after, Last: last, Before: before}
	window, err := dal.NewOrderWindow(args)
	if err != nil {
		return nil, err
	}
	page, err := loaders.From(ctx).Page(ctx, dal.OrdersByDay(c.ID, window, day))
	if err != nil {
		return nil, err
	}
	return orderConnection(args, page)
}
