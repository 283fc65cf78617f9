package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/loaders"
)

// wrote ends a write: what the operation knew before is forgotten, what was written is known, and what the payload's
// fields need is read.
func wrote(ctx context.Context, e dal.Entity, known ...dal.Answer) {
	loaders.From(ctx).Wrote(ctx, graphql.GetFieldContext(ctx).Field.Alias, e, known)
}

// listed is the list of rejections; the schema wants an empty one, not null.
func listed(rejections []*dal.Rejection) []*dal.Rejection {
	if rejections == nil {
		return []*dal.Rejection{}
	}
	return rejections
}

// invalidInput turns what a parser says of an input field into the payload's userErrors.
func invalidInput(err error, field ...string) []*dal.Rejection {
	return []*dal.Rejection{{Code: dal.RejectedInvalid, Message: dal.ReasonOf(err), Field: field}}
}
