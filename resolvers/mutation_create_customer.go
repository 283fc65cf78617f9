package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/graph"
)

// CreateCustomer creates a customer.
func (m mutation) CreateCustomer(ctx context.Context, input graph.CreateCustomerInput) (*graph.CreateCustomerPayload, error) {
	email, err := dal.ParseEmail(input.Email)
	if err != nil {
		return &graph.CreateCustomerPayload{UserErrors: invalidInput(err, "email")}, nil
	}
	c, rejections, err := m.table.CreateCustomer(ctx, dal.NewCustomer{Name: input.Name, Email: email})
	if err != nil {
		return nil, err
	}
	if c != nil {
		wrote(ctx, c)
	}
	return &graph.CreateCustomerPayload{Customer: c, UserErrors: listed(rejections)}, nil
}
