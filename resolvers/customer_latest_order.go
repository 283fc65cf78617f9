package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
)

// LatestOrder answers the order a customer placed last.
func (customer) LatestOrder(ctx context.Context, c *dal.Customer) (*dal.Order, error) {
	return one[*dal.Order](ctx, dal.LatestOrder(c.ID))
}
