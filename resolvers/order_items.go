package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
	"example.com/keyfirst/loaders"
)

// Items answers a page of an order's lines. Which lines those are, and whether more follow, is known from the order;
// however they were read, each is asked for by its key.
func (order) Items(
	ctx context.Context, o *dal.Order, first *int, after *string, last *int, before *string,
) (*graph.OrderItemConnection, error) {
	args := dal.PageArgs{First: first, After: after, Last: last, Before: before}
	window, err := dal.NewLineWindow(args)
	if err != nil {
		return nil, err
	}
	lines, err := loaders.From(ctx).Many(ctx, dal.LinesOfOrder(o, window))
	if err != nil {
		return nil, err
	}
	_, _, more := window.Of(o.ItemCount)
	return itemConnection(args, lines, more)
}
