package store

import (
	"strings"
	"sync"
	"time"
)

// CacheLimit is how many entries a cache holds; a full one starts anew.
const CacheLimit = 10_000

// Cache holds values for a while after they were read, so that a warm function does not read them again.
type Cache[T any] struct {
	mu    sync.Mutex
	items map[string]cached[T]
}

type cached[T any] struct {
	value T
	until time.Time
}

// Get returns the value of name. If the cache does not hold it at now, Get loads it and caches it for ttl.
func (c *Cache[T]) Get(name string, now time.Time, ttl time.Duration, load func() (T, error)) (T, error) {
	c.mu.Lock()
	item, ok := c.items[name]
	c.mu.Unlock()
	if ok && now.Before(item.until) {
		return item.value, nil
	}
	value, err := load()
	if err != nil {
		return value, err
	}
	c.Put(name, value, now.Add(ttl))
	return value, nil
}

// Put caches a value. The name is copied: it may be a slice of a whole request, which would stay in memory with it.
func (c *Cache[T]) Put(name string, value T, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items == nil || len(c.items) >= CacheLimit {
		c.items = map[string]cached[T]{}
	}
	c.items[strings.Clone(name)] = cached[T]{value, until}
}

// Forget removes the value of a name.
func (c *Cache[T]) Forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.items, name)
}
