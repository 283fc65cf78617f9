package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// explain serves /explain: it takes what /graphql takes, by POST, and answers with the plan. Nothing is executed.
type explain struct{ *transport }

// explanation is the body of the answer. An operation over budget has a plan, and the refusal beside it.
type explanation struct {
	Plan   any           `json:"plan,omitempty"`
	Errors gqlerror.List `json:"errors,omitempty"`
}

// ServeHTTP explains one operation.
func (e explain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	if r.Method != http.MethodPost {
		e.refuse(w, r, mediaJSON, notAllowed(http.MethodPost, "Plans are explained by POST."), start)
		return
	}
	params, refused := readParams(w, r, e.maxBytes)
	if refused != nil {
		e.refuse(w, r, mediaJSON, refused, start)
		return
	}
	ctx, cancel := context.WithTimeout(graphql.StartOperationTrace(r.Context()), e.timeout)
	defer cancel()
	answer, status := e.explain(ctx, params)
	body, err := json.Marshal(answer)
	if err != nil {
		writeErrors(w, mediaJSON, http.StatusInternalServerError, e.present.present(ctx, err))
		return
	}
	send(w, mediaJSON, status, body)
}

// explain parses, validates and plans, and leaves it at that.
func (e explain) explain(ctx context.Context, params *graphql.RawParams) (explanation, int) {
	op, errs := e.exec.CreateOperationContext(ctx, params)
	errs = firstErrors(errs)
	if len(errs) > 0 {
		response := e.exec.DispatchError(graphql.WithOperationContext(ctx, op), errs)
		return explanation{Errors: response.Errors}, refusalStatus(codeOf(response.Errors))
	}
	plan, refusal := e.planner.Explain(op)
	answer := explanation{Plan: plan}
	if refusal != nil {
		answer.Errors = gqlerror.List{e.present.present(graphql.WithOperationContext(ctx, op), refusal)}
	}
	return answer, http.StatusOK
}
