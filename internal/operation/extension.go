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
	schema *ast.Schema
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
	graphql.OperationInterceptor
	graphql.ResponseInterceptor
} = (*Extension)(nil)

// New makes the extension over a table.
func New(table Table) *Extension { return &Extension{table: table} }

// ExtensionName names it to gqlgen.
func (*Extension) ExtensionName() string { return "Plan" }

// Validate takes the schema over. It fails when a field reads without saying so, or says so without reading.
func (e *Extension) Validate(schema graphql.ExecutableSchema) error {
	e.schema = schema.Schema()
	return plan.Check(e.schema)
}

// planned is where the operation context keeps the plan.
const planned = "plan"

// MutateOperationContext plans the operation. What cannot be planned is refused before anything runs.
func (e *Extension) MutateOperationContext(_ context.Context, request *graphql.OperationContext) *gqlerror.Error {
	compiled, err := plan.Compile(e.schema, request.Operation)
	if err != nil {
		return &gqlerror.Error{Err: err, Message: err.Error()}
	}
	request.Stats.SetExtension(planned, compiled.Bind(request.Variables))
	return nil
}

// InterceptOperation reads what the plan foresees, then lets the resolvers find it.
func (e *Extension) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	bound, ok := graphql.GetOperationContext(ctx).Stats.GetExtension(planned).(*plan.Plan)
	if !ok {
		return next(ctx)
	}
	ctx = dal.WithRecorder(ctx, dal.NewRecorder())
	var l *loaders.Loaders
	l = loaders.New(ctx, e.table, bound.Consistency(), func(ctx context.Context, field string, wrote dal.Entity) {
		bound.RunBelow(ctx, e.table, l, field, wrote)
	})
	ctx = loaders.With(ctx, l)
	bound.Run(ctx, e.table, l)
	return next(ctx)
}

// explainHeader asks for the report.
const explainHeader = "X-Explain"

// InterceptResponse adds the report to the response of a client that asked for it.
func (e *Extension) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	request := graphql.GetOperationContext(ctx)
	if request.Headers.Get(explainHeader) != "1" {
		return next(ctx)
	}
	response := next(ctx)
	bound, ok := request.Stats.GetExtension(planned).(*plan.Plan)
	if response == nil || !ok {
		return response
	}
	if response.Extensions == nil {
		response.Extensions = map[string]any{}
	}
	response.Extensions["explain"] = Explain{
		Plan: bound.Figures(e.table.Shards()), Actual: report(dal.RecorderFrom(ctx).Calls(), started(ctx)),
	}
	return response
}

func started(ctx context.Context) time.Time {
	return graphql.GetOperationContext(ctx).Stats.OperationStart
}
