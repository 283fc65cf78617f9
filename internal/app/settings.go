package app

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"example.com/keyfirst/dal"
)

// When the settings are read.
const (
	refreshEvery   = time.Minute
	refreshTimeout = 2 * time.Second
	// freshFor is how long a check is good for: it bounds what health checks cost the table.
	freshFor = time.Second
)

// settings keeps the table's settings up to date, and so knows whether the table can be used. Before they have been
// read once nothing may be read: with too few shards an answer would be short, and nobody would notice.
type settings struct {
	table interface {
		RefreshSettings(ctx context.Context) (dal.Settings, error)
	}
	logger  *slog.Logger
	timeout time.Duration
	known   atomic.Bool

	mu      sync.Mutex
	checked time.Time
	err     error
}

// newSettings makes the settings of a table that takes the latency to answer anything.
func newSettings(table *dal.Table, latency time.Duration, logger *slog.Logger) *settings {
	return &settings{table: table, logger: logger, timeout: refreshTimeout + latency}
}

// run reads the settings again and again until ctx ends.
func (s *settings) run(ctx context.Context) {
	ticker := time.NewTicker(refreshEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.refresh(ctx)
		}
	}
}

// check says whether the table can be used now.
func (s *settings) check(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.checked.IsZero() || time.Since(s.checked) >= freshFor {
		s.read(ctx)
	}
	return s.err
}

// refresh reads the settings; a failure is kept for the next check.
func (s *settings) refresh(ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read(ctx)
}

// read logs when the table stops or starts to be usable, not each time. It does not end with the request that asked.
func (s *settings) read(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.timeout)
	defer cancel()
	before := s.err
	_, s.err = s.table.RefreshSettings(ctx)
	s.checked = time.Now()
	switch {
	case s.err == nil:
		s.known.Store(true)
		if before != nil {
			s.logger.InfoContext(ctx, "the table can be used again")
		}
	case before == nil:
		s.logger.WarnContext(ctx, "the table cannot be used", "error", s.err)
	}
}

// ready is nil as soon as the settings have been read once: whatever is wrong later, each operation finds out for
// itself.
func (s *settings) ready(ctx context.Context) error {
	if s.known.Load() {
		return nil
	}
	return s.check(ctx)
}
