package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
)

// Order answers the order a line belongs to.
func (orderItem) Order(ctx context.Context, i *dal.OrderItem) (*dal.Order, error) {
	return one[*dal.Order](ctx, dal.OrderByID(i.OrderID))
}
