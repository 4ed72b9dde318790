package store

import (
	"strings"
	"sync"
	"time"
)

// CacheLimit is how many entries a cache holds; a full one starts anew.
const CacheLimit = 10_000

// Cache keeps what was read for a while, so that a warm function does not
// read it again.
type Cache[T any] struct {
	mu    sync.Mutex
	items map[string]cached[T]
}

type cached[T any] struct {
	value T
	until time.Time
}

// Get returns the value of name, by load if it is not known at now.
func (c *Cache[T]) Get(name string, now time.Time, keep time.Duration, load func() (T, error)) (T, error) {
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
	c.Put(name, value, now.Add(keep))
	return value, nil
}

// Put remembers a value that was read by another way. The name is copied, since it may be a part of a whole request.
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
