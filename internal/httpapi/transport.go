package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// transport serves /graphql.
type transport struct {
	exec     graphql.GraphExecutor
	present  *presenter
	logger   *slog.Logger
	maxBytes int64
	timeout  time.Duration
	planner  Planner // nil without one
}

// ServeHTTP runs one operation, or says why there is none.
func (t *transport) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	media, acceptable := negotiate(r.Header)
	params, refused := t.admit(w, r, acceptable)
	if refused != nil {
		t.refuse(w, r, media, refused, start)
		return
	}
	ctx, cancel := context.WithTimeout(graphql.StartOperationTrace(r.Context()), t.timeout)
	defer cancel()
	answer := t.run(ctx, r.Method, params)
	if answer.refused != nil {
		t.refuse(w, r, media, answer.refused, start)
		return
	}
	status := http.StatusOK
	if answer.response.Data == nil {
		status = statusOf(media, codeOf(answer.response.Errors))
	}
	if err := writeResponse(w, media, status, answer.response); err != nil {
		writeErrors(w, media, http.StatusInternalServerError, t.present.present(ctx, err))
	}
	logOperation(ctx, t.logger, answer.op, codeOf(answer.response.Errors), start)
}

// admit checks what HTTP says about the request, and reads the parameters.
func (t *transport) admit(w http.ResponseWriter, r *http.Request, acceptable bool) (*graphql.RawParams, *refusal) {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodPost:
		return nil, notAllowed(allowGraphQL, "GraphQL is served by POST, and for queries by GET.")
	case !acceptable:
		return nil, refuse(http.StatusNotAcceptable, "The answer is "+mediaGraphQL+" or "+mediaJSON+".")
	}
	return readParams(w, r, t.maxBytes)
}

// answer is what came of an operation: a response, or a refusal.
type answer struct {
	op       *graphql.OperationContext
	response *graphql.Response
	refused  *refusal
}

// run parses, validates and executes.
func (t *transport) run(ctx context.Context, method string, params *graphql.RawParams) answer {
	op, errs := t.exec.CreateOperationContext(ctx, params)
	errs = firstErrors(errs)
	if len(errs) > 0 {
		return answer{op: op, response: t.exec.DispatchError(graphql.WithOperationContext(ctx, op), errs)}
	}
	if method == http.MethodGet && op.Operation.Operation != ast.Query {
		return answer{op: op, refused: notAllowed(http.MethodPost, "By GET there are only queries.")}
	}
	if refusal := t.refusal(op); refusal != nil {
		errs := gqlerror.List{{Err: refusal, Message: refusal.Error()}}
		return answer{op: op, response: t.exec.DispatchError(graphql.WithOperationContext(ctx, op), errs)}
	}
	next, ctx := t.exec.DispatchOperation(ctx, op)
	response := next(ctx)
	if response == nil { // the executor's way to say that the context ended before it began
		cause := t.present.present(ctx, context.Cause(ctx))
		response = &graphql.Response{Errors: gqlerror.List{cause}}
	}
	return answer{op: op, response: response}
}

// refusal is why an operation must not run; nil when it may.
func (t *transport) refusal(op *graphql.OperationContext) error {
	if t.planner == nil {
		return nil
	}
	_, refusal := t.planner.Explain(op)
	return refusal
}

// refuse answers and logs a request that was no operation.
func (t *transport) refuse(w http.ResponseWriter, r *http.Request, media string, refused *refusal, start time.Time) {
	if refused.allow != "" {
		w.Header().Set("Allow", refused.allow)
	}
	writeErrors(w, media, refused.status, newError(codeBadUserInput, refused.message))
	logOperation(r.Context(), t.logger, nil, codeBadUserInput, start)
}
