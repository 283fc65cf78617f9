package httpapi

import (
	"context"
	"io"
	"log/slog"
	"net/http"
)

// health answers whether operations can be served. Why they cannot is for the log.
func health(ready func(context.Context) error, logger *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, body := http.StatusOK, `{"status":"ok"}`
		if err := ready(r.Context()); err != nil {
			logger.WarnContext(r.Context(), "not ready", "request_id", RequestID(r.Context()), "error", err)
			status, body = http.StatusServiceUnavailable, `{"status":"unavailable"}`
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}
