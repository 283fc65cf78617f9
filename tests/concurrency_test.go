package tests

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// TestManyClients lets 64 clients ask one server for everything that the goldens ask of the demo. Each answer must be
// what it is when asked alone, and must have cost the same.
func TestManyClients(t *testing.T) {
	t.Parallel()
	const clients, rounds = 64, 2
	var goldens []*golden
	for _, g := range readGoldens(t) {
		if g.demo() {
			goldens = append(goldens, g)
		}
	}
	require.NotEmpty(t, goldens)
	s := newServer(t, setup{})
	group, ctx := errgroup.WithContext(t.Context())
	for client := range clients {
		random := rand.New(rand.NewPCG(uint64(client), 0))
		group.Go(func() error {
			for range rounds {
				for _, i := range random.Perm(len(goldens)) {
					if err := s.checkGolden(ctx, goldens[i]); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
}

// checkGolden compares as the golden's own test does, but may be called on any goroutine.
func (s *server) checkGolden(ctx context.Context, g *golden) (err error) {
	failed := &failure{}
	defer func() {
		if recover() == failed {
			err = failed
		}
	}()
	g.check(failed, s.ask(ctx, failed, g.file("query.graphql"), g.variables(failed)))
	return ctx.Err()
}
