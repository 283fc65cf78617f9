package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
)

// Customer answers a customer by its id.
func (query) Customer(ctx context.Context, id string) (*dal.Customer, error) {
	parsed, err := dal.ParseCustomerID(id)
	if err != nil {
		return nil, err
	}
	return one[*dal.Customer](ctx, dal.CustomerByID(parsed))
}
