package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/loaders"
)

// CustomerByEmail answers the customer an e-mail address belongs to: from the index, or, when the operation reads
// strongly, from the guard and then the customer.
func (query) CustomerByEmail(ctx context.Context, email string) (*dal.Customer, error) {
	parsed, err := dal.ParseEmail(email)
	if err != nil {
		return nil, err
	}
	if loaders.From(ctx).Consistency() != dal.Strong {
		return one[*dal.Customer](ctx, dal.CustomerByEmail(parsed))
	}
	owner, err := one[*dal.EmailOwner](ctx, dal.OwnerByEmail(parsed))
	if err != nil || owner == nil {
		return nil, err
	}
	return one[*dal.Customer](ctx, dal.CustomerOfOwner(owner))
}
