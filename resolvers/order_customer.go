package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
)

// Customer answers who placed an order; nil is a customer that was deleted.
func (order) Customer(ctx context.Context, o *dal.Order) (*dal.Customer, error) {
	return one[*dal.Customer](ctx, dal.CustomerByID(o.CustomerID))
}
