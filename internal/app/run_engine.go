package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"example.com/keyfirst/internal/config"
	"example.com/keyfirst/internal/engine"
)

// runEngine serves an engine by itself until ctx ends.
func runEngine(ctx context.Context, c config.Engine, out io.Writer, logger *slog.Logger) (err error) {
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
	return serve(ctx, listener, e, logger)
}
