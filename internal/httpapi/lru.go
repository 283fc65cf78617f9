package httpapi

import (
	"container/list"
	"context"
	"sync"
)

// lru is a cache of bounded size, by number of entries and by bytes of keys: what it keeps (documents, texts) grows
// with its key. It implements gqlgen's graphql.Cache.
type lru[T any] struct {
	maxEntries, maxBytes int

	mu    sync.Mutex
	bytes int
	order *list.List // of entry[T], most recently used first
	byKey map[string]*list.Element
}

// entry is one element of an lru.
type entry[T any] struct {
	key   string
	size  int
	value T
}

// newLRU makes an empty cache.
func newLRU[T any](maxEntries, maxBytes int) *lru[T] {
	return &lru[T]{
		maxEntries: maxEntries,
		maxBytes:   maxBytes,
		order:      list.New(),
		byKey:      make(map[string]*list.Element),
	}
}

// Get finds a value and marks it as used.
func (c *lru[T]) Get(_ context.Context, key string) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.byKey[key]
	if !ok {
		return value, false
	}
	c.order.MoveToFront(element)
	found, ok := element.Value.(entry[T])
	return found.value, ok
}

// Add keeps a value, at the cost of its key's length.
func (c *lru[T]) Add(_ context.Context, key string, value T) { c.add(key, len(key), value) }

// add keeps a value that costs size bytes.
func (c *lru[T]) add(key string, size int, value T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.byKey[key]; ok {
		c.remove(element)
	}
	c.byKey[key] = c.order.PushFront(entry[T]{key: key, size: size, value: value})
	c.bytes += size
	for c.order.Len() > c.maxEntries || c.bytes > c.maxBytes {
		c.remove(c.order.Back())
	}
}

// remove forgets an element.
func (c *lru[T]) remove(element *list.Element) {
	gone, ok := c.order.Remove(element).(entry[T])
	if !ok {
		return
	}
	c.bytes -= gone.size
	delete(c.byKey, gone.key)
}
