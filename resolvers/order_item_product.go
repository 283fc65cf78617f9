package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
)

// Product answers the product of a line as it is now; nil is a product that is gone.
func (orderItem) Product(ctx context.Context, i *dal.OrderItem) (*dal.Product, error) {
	return one[*dal.Product](ctx, dal.ProductBySKU(i.SKU))
}
