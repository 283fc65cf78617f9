package engine

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"example.com/keyfirst/internal/engine/storage"
)

// Engine is one set of tables. All methods may be called at the same time; engines share nothing.
type Engine struct {
	config  Config
	store   storage.Store
	catalog catalog
	faults  faults
	history history
	sweepAt atomic.Int64 // Unix nanoseconds of the next deletion of expired items
}

// Open starts an engine. It starts no goroutine. It returns an error of Config.Validate, storage.ErrLocked when another
// process holds the file, storage.ErrDamaged when the file is no whole database, or that of the operating system.
func Open(cfg Config) (*Engine, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	e := &Engine{config: cfg.withDefaults()}
	if cfg.inMemory() {
		e.store = storage.NewMemory()
		return e, nil
	}
	store, err := storage.OpenBolt(cfg.Path)
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	e.store = store
	return e, nil
}

// Close ends the engine after the requests under way. Requests after it fail.
func (e *Engine) Close() error { return e.store.Close() }

func (e *Engine) now() time.Time { return e.config.Clock() }

// delay waits, or until the end of ctx and returns its error.
func delay(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
