package tests

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// TestManyClients lets 64 clients ask one server for what the goldens ask of the demo, each in an order of its own.
// Every answer must be what it is when asked alone, and must have cost the same. In a bubble no operation runs into its
// deadline, however slow the machine is.
func TestManyClients(t *testing.T) {
	t.Parallel()
	var goldens []*golden
	for _, g := range readGoldens(t) {
		if g.demo() {
			goldens = append(goldens, g)
		}
	}
	table := demoTable(t)
	if externalEndpoint() != "" {
		askAtOnce(t, newServer(t, setup{table: table}), goldens)
		return
	}
	synctest.Test(t, func(t *testing.T) {
		askAtOnce(t, newServer(t, setup{table: table, latency: 4 * time.Millisecond}), goldens)
	})
}

func askAtOnce(t *testing.T, s *server, goldens []*golden) {
	t.Helper()
	const clients, each = 64, 30
	require.Greater(t, len(goldens), each)
	group, ctx := errgroup.WithContext(t.Context())
	for client := range clients {
		random := rand.New(rand.NewPCG(uint64(client), 0))
		group.Go(func() error {
			for _, i := range random.Perm(len(goldens))[:each] {
				if err := s.checkGolden(ctx, goldens[i]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
}

// checkGolden compares as the golden's own test does, but may be called on any goroutine. Like a good client it tries
// again where an external engine was too slow for an operation's deadline.
func (s *server) checkGolden(ctx context.Context, g *golden) (err error) {
	failed := &failure{}
	defer func() {
		if recover() == failed {
			err = failed
		}
	}()
	got := s.ask(ctx, failed, g.file("query.graphql"), g.variables(failed))
	for try := 0; externalEndpoint() != "" && try < 10 && slices.Contains(got.codes(), "TIMEOUT"); try++ {
		got = s.ask(ctx, failed, g.file("query.graphql"), g.variables(failed))
	}
	g.check(failed, got)
	return ctx.Err()
}
