package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/loaders"
)

// Node answers any object by its id.
func (query) Node(ctx context.Context, id string) (dal.Entity, error) {
	parsed, err := dal.ParseID(id)
	if err != nil {
		return nil, err
	}
	return loaders.From(ctx).One(ctx, parsed.Read())
}
