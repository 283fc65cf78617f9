package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
)

// panicError stands for a recovered panic. What was panicked with is in the log already, with the stack.
type panicError struct{}

// Error says no more than that it happened.
func (panicError) Error() string { return "recovered from a panic" }

// withRecovery turns a panic outside of any resolver into a 500.
func withRecovery(logger *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer recoverRequest(w, r, logger)
		next.ServeHTTP(w, r)
	})
}

// recoverRequest is to be deferred. It lets through the one panic that is meant for net/http.
func recoverRequest(w http.ResponseWriter, r *http.Request, logger *slog.Logger) {
	reason := recover()
	if reason == nil {
		return
	}
	if reason == http.ErrAbortHandler { //nolint:errorlint // net/http compares it the same way
		panic(reason)
	}
	logPanic(r.Context(), logger, reason)
	writeErrors(w, mediaJSON, http.StatusInternalServerError, internalError(r.Context()))
}

// logPanic writes a panic and its stack to the log.
func logPanic(ctx context.Context, logger *slog.Logger, reason any) {
	logger.ErrorContext(ctx, "recovered from a panic",
		"request_id", RequestID(ctx), "panic", reason, "stack", string(debug.Stack()))
}
