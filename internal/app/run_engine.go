package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"strings"

	"example.com/keyfirst/internal/config"
	"example.com/keyfirst/internal/engine"
)

// garbagePercent lets the heap grow to five times what is in use before it is collected. A table in memory is one large
// heap of which little changes: to go over it as often as Go does by default takes as long as the requests do.
const garbagePercent = 400

// runEngine serves an engine by itself, and its faults, until ctx ends.
func runEngine(ctx context.Context, c config.Engine, out io.Writer, logger *slog.Logger) (err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(garbagePercent))
	listener, err := listen(ctx, c.Addr)
	if err != nil {
		return err
	}
	e, err := engine.Open(engine.Config{Path: c.Path, Latency: c.Latency})
	if err != nil {
		return errors.Join(fmt.Errorf("the data cannot be opened: %w", err), listener.Close())
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	url := strings.TrimSuffix(urlOf(listener.Addr()), "/")
	if _, err := fmt.Fprintf(out, "The engine is at %s\n", url); err != nil {
		return errors.Join(err, listener.Close())
	}
	server := &engine.Server{Engine: e, Faults: true, Logger: logger}
	return server.Serve(ctx, listener)
}
