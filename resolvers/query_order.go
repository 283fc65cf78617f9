package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
)

// Order answers an order by its id.
func (query) Order(ctx context.Context, id string) (*dal.Order, error) {
	parsed, err := dal.ParseOrderID(id)
	if err != nil {
		return nil, err
	}
	return one[*dal.Order](ctx, dal.OrderByID(parsed))
}
