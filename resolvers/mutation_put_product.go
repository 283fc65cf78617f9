package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
)

// PutProduct creates a product, or changes the one that has the SKU.
func (m mutation) PutProduct(ctx context.Context, input graph.PutProductInput) (*graph.PutProductPayload, error) {
	sku, err := dal.ParseSKU(input.Sku)
	if err != nil {
		return &graph.PutProductPayload{UserErrors: invalidInput(err, "sku")}, nil
	}
	price, err := dal.NewMoney(input.Price.Amount, input.Price.Currency)
	if err != nil {
		return &graph.PutProductPayload{UserErrors: invalidInput(err, "price", "currency")}, nil
	}
	p, rejections, err := m.table.PutProduct(ctx, dal.NewProduct{SKU: sku, Name: input.Name, Price: price})
	if err != nil {
		return nil, err
	}
	if p != nil {
		wrote(ctx, p)
	}
	return &graph.PutProductPayload{Product: p, UserErrors: listed(rejections)}, nil
}
