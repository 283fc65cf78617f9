package operation

import (
	"github.com/99designs/gqlgen/graphql"

	"example.com/keyfirst/plan"
)

// Explain gives what an operation costs at most, as [plan.Figures], and the reason why it must not run; nil when it may.
func (*Extension) Explain(request *graphql.OperationContext) (figures any, refusal error) {
	p, ok := planOf(request)
	if !ok {
		return plan.Figures{}, nil
	}
	return p.Cost, p.Refusal
}
