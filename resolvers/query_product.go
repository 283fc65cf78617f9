package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
)

// Product answers a product by its id.
func (query) Product(ctx context.Context, id string) (*dal.Product, error) {
	parsed, err := dal.ParseProductID(id)
	if err != nil {
		return nil, err
	}
	return one[*dal.Product](ctx, dal.ProductBySKU(parsed))
}
