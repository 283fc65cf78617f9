package resolvers

import (
	"context"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/loaders"
)

// Nodes answers many objects by their ids, in the order asked.
func (query) Nodes(ctx context.Context, ids []string) ([]dal.Entity, error) {
	parsed, err := dal.ParseIDs(ids)
	if err != nil {
		return nil, err
	}
	reads := make([]dal.Read, len(parsed))
	for i, id := range parsed {
		reads[i] = id.Read()
	}
	return loaders.From(ctx).Many(ctx, reads)
}
