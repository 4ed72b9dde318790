package checkout

import (
	"sync"
	"time"
)

// cacheLimit is how many entries a cache holds; a full one starts anew.
const cacheLimit = 10_000

// cache keeps what was read for a while, so that a warm function does not
// read it again.
type cache[T any] struct {
	mu    sync.Mutex
	items map[string]cached[T]
}

type cached[T any] struct {
	value T
	until time.Time
}

// get answers the value of name, by load if it is not known at now.
func (c *cache[T]) get(name string, now time.Time, keep time.Duration, load func() (T, error)) (T, error) {
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
	c.put(name, value, now.Add(keep))
	return value, nil
}

// put remembers a value that was read by another way.
func (c *cache[T]) put(name string, value T, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items == nil || len(c.items) >= cacheLimit {
		c.items = map[string]cached[T]{}
	}
	c.items[name] = cached[T]{value, until}
}

func (c *cache[T]) forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.items, name)
}
