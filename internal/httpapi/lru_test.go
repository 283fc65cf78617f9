package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLRU(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	c := newLRU[int](3, 10)
	c.Add(ctx, "a", 1)
	c.Add(ctx, "b", 2)
	c.Add(ctx, "c", 3)
	_, ok := c.Get(ctx, "a")
	require.True(t, ok)
	c.Add(ctx, "d", 4)
	_, ok = c.Get(ctx, "b")
	require.False(t, ok, "the least recently used goes first")
	c.Add(ctx, "a", 5)
	got, ok := c.Get(ctx, "a")
	require.True(t, ok)
	require.Equal(t, 5, got)
	c.Add(ctx, "12345678", 6)
	require.Equal(t, 10, c.bytes, "the long one, a and d")
	c.Add(ctx, "longer than the cache", 7)
	require.Zero(t, c.order.Len())
	require.Zero(t, c.bytes)
	require.Empty(t, c.byKey)
}
