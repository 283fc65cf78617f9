package app

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/keyfirst/dal"
)

// fakeTable answers with err, and counts.
type fakeTable struct {
	err   error
	reads int
}

func (f *fakeTable) RefreshSettings(ctx context.Context) (dal.Settings, error) {
	f.reads++
	if ctx.Err() != nil {
		return dal.Settings{}, ctx.Err()
	}
	return dal.Settings{Format: 1, Shards: 1}, f.err
}

var errDown = errors.New("it is down")

func settingsOf(table *fakeTable) (*settings, *bytes.Buffer) {
	var log bytes.Buffer
	return &settings{table: table, timeout: refreshTimeout, logger: slog.New(slog.NewTextHandler(&log, nil))}, &log
}

func TestSettingsAreReadEveryMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		table := &fakeTable{}
		s, _ := settingsOf(table)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute+time.Second)
		defer cancel()
		s.run(ctx)
		require.Equal(t, 5, table.reads)
	})
}

func TestChecksAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		table := &fakeTable{}
		s, _ := settingsOf(table)
		for range 100 {
			require.NoError(t, s.check(t.Context()))
		}
		require.Equal(t, 1, table.reads, "checks of one second share a read")

		<-time.After(freshFor)
		table.err = errDown
		require.ErrorIs(t, s.check(t.Context()), errDown)
		require.ErrorIs(t, s.check(t.Context()), errDown)
		require.Equal(t, 2, table.reads)
	})
}

// TestACheckOutlivesItsRequest makes sure that a client that goes away does not make the server look unavailable.
func TestACheckOutlivesItsRequest(t *testing.T) {
	t.Parallel()
	s, _ := settingsOf(&fakeTable{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, s.check(ctx))
}

func TestOnlyChangesAreLogged(t *testing.T) {
	t.Parallel()
	table := &fakeTable{err: errDown}
	s, log := settingsOf(table)
	for range 3 {
		s.refresh(t.Context())
	}
	table.err = nil
	for range 3 {
		s.refresh(t.Context())
	}
	require.Equal(t, 1, strings.Count(log.String(), "the table cannot be used"), log)
	require.Equal(t, 1, strings.Count(log.String(), "the table can be used again"), log)
	require.Contains(t, log.String(), errDown.Error())
}

func TestReadyOnceIsReady(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		table := &fakeTable{err: errDown}
		s, _ := settingsOf(table)
		require.ErrorIs(t, s.ready(t.Context()), errDown)

		<-time.After(freshFor)
		table.err = nil
		require.NoError(t, s.ready(t.Context()))

		<-time.After(freshFor)
		table.err = errDown
		require.NoError(t, s.ready(t.Context()), "each operation finds out for itself")
		require.ErrorIs(t, s.check(t.Context()), errDown)
	})
}
