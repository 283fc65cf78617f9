package httpapi

import (
	"context"
	"log/slog"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// codeOK stands in the log where a failed operation has its code.
const codeOK = "OK"

// maxLoggedName bounds an operation's name in the log.
const maxLoggedName = 64

// logOperation writes the one line of an operation: never its text, nor its variables.
func logOperation(ctx context.Context, logger *slog.Logger, op *graphql.OperationContext, code string, start time.Time) {
	logger.InfoContext(ctx, "operation",
		"request_id", RequestID(ctx),
		"operation", operationName(op),
		"code", code,
		"duration", time.Since(start))
}

// operationName is the name of the operation that was chosen; empty when it has none or none was.
func operationName(op *graphql.OperationContext) string {
	if op == nil || op.Operation == nil {
		return ""
	}
	return op.Operation.Name[:min(len(op.Operation.Name), maxLoggedName)]
}

// codeOf is the code of the first error.
func codeOf(errs gqlerror.List) string {
	if len(errs) == 0 {
		return codeOK
	}
	code, ok := errs[0].Extensions["code"].(string)
	if !ok {
		return codeInternal
	}
	return code
}
