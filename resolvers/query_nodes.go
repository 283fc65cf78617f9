package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/loaders"
)

// Nodes answers many objects by their ids, in the order asked. One that cannot be read is null with an error of its
// own, and leaves the others alone.
func (query) Nodes(ctx context.Context, ids []string) ([]dal.Entity, error) {
	parsed, err := dal.ParseIDs(ids)
	if err != nil {
		return nil, err
	}
	reads := make([]dal.Read, len(parsed))
	for i, id := range parsed {
		reads[i] = id.Read()
	}
	entities := make([]dal.Entity, len(reads))
	for i, res := range loaders.From(ctx).Each(ctx, reads) {
		switch {
		case res.Err != nil:
			graphql.AddError(graphql.WithFieldContext(ctx, &graphql.FieldContext{Index: &i}), res.Err)
		case len(res.Entities) > 0:
			entities[i] = res.Entities[0]
		}
	}
	return entities, nil
}
