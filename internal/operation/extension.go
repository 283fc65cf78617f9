package operation

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"example.com/keyfirst/dal"
	"example.com/keyfirst/loaders"
	"example.com/keyfirst/plan"
)

// Table is what an operation reads from.
type Table interface {
	plan.Table
	loaders.Table
	// Shards is the number of shards of the index of open orders, which bounds what a read of it costs.
	Shards() int
}

// Extension plans and runs every operation of a gqlgen server.
type Extension struct {
	table  Table
	budget plan.Budget
	schema *ast.Schema
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
	graphql.OperationInterceptor
	graphql.ResponseInterceptor
} = (*Extension)(nil)

// New makes the extension over a table, without a budget.
func New(table Table) *Extension { return &Extension{table: table} }

// Within makes the extension refuse every operation that is planned to cost more than the budget.
func (e *Extension) Within(budget plan.Budget) *Extension {
	e.budget = budget
	return e
}

// ExtensionName names it to gqlgen.
func (*Extension) ExtensionName() string { return "Plan" }

// Validate takes the schema over. It fails when a field reads without saying so, or says so without reading.
func (e *Extension) Validate(schema graphql.ExecutableSchema) error {
	e.schema = schema.Schema()
	return plan.Check(e.schema)
}

// MutateOperationContext plans the operation; what cannot be planned is refused. What is over budget is planned all the
// same, to be explained: whoever runs it asks [Extension.Explain] first.
func (e *Extension) MutateOperationContext(_ context.Context, request *graphql.OperationContext) *gqlerror.Error {
	shards := e.table.Shards()
	priced, err := plan.Price(e.schema, request.Operation, request.Variables, shards, e.budget)
	if err != nil {
		return &gqlerror.Error{Err: err, Message: err.Error()}
	}
	if priced.Refusal != nil {
		priced.Cost.Steps = priced.Cost.Steps[:min(len(priced.Cost.Steps), maxRefusedSteps)]
	}
	request.Stats.SetExtension(planExtension, &planned{Priced: priced, shards: shards})
	return nil
}

// planned is a plan with its price, and the number of shards that both are for, as the operation context keeps it.
type planned struct {
	*plan.Priced

	shards int
}

// maxRefusedSteps is how many steps of a refused plan are told: each has its whole path, and a short document can have
// thousands.
const maxRefusedSteps = 100

const planExtension = "plan"

func planOf(request *graphql.OperationContext) (*planned, bool) {
	p, ok := request.Stats.GetExtension(planExtension).(*planned)
	return p, ok
}

// InterceptOperation reads what the plan foresees, then lets the resolvers find it.
func (e *Extension) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	request := graphql.GetOperationContext(ctx)
	bound, ok := planOf(request)
	switch {
	case !ok:
		return next(ctx)
	case bound.Refusal != nil: // whoever runs operations has asked before; nobody gets past a budget by forgetting to
		return graphql.OneShot(graphql.ErrorResponse(ctx, "%s", bound.Refusal.Error()))
	}
	ctx = dal.WithRecorder(ctx, dal.NewRecorder())
	unplanned := &meter{table: e.table, budget: e.budget, shards: bound.shards, spent: bound.Cost}
	if request.Operation.Operation == ast.Mutation {
		unplanned.budget = plan.Budget{} // nothing refuses a payload after a commit
	}
	var l *loaders.Loaders
	l = loaders.New(ctx, unplanned, bound.Consistency(), func(ctx context.Context, field string, wrote dal.Entity) {
		bound.RunBelow(ctx, e.table, l, field, wrote)
	})
	ctx = loaders.With(ctx, l)
	bound.Run(ctx, e.table, l)
	return next(ctx)
}

// explainHeader asks for the report.
const explainHeader = "X-Explain"

// InterceptResponse adds the report to the response of a client that asked for it.
func (*Extension) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	request := graphql.GetOperationContext(ctx)
	if request.Headers.Get(explainHeader) != "1" {
		return next(ctx)
	}
	response := next(ctx)
	p, ok := planOf(request)
	if response == nil || !ok {
		return response
	}
	if response.Extensions == nil {
		response.Extensions = map[string]any{}
	}
	response.Extensions["explain"] = Explain{
		Plan: p.Cost, Actual: report(dal.RecorderFrom(ctx).Calls(), started(ctx)),
	}
	return response
}

func started(ctx context.Context) time.Time {
	return graphql.GetOperationContext(ctx).Stats.OperationStart
}
