package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"checkout/internal/store"
)

// Changes are the partitions in which documents were saved and that nobody has taken yet. They are not in the way of a
// save, and none is lost.
type Changes struct {
	prefix string
	ready  chan struct{}

	mutex      sync.Mutex
	partitions map[string]bool
}

// Follow returns the changes from now on, of partitions with a prefix. A store has at most one follower.
func (s *Store) Follow(prefix string) *Changes {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.changes = &Changes{prefix: prefix, ready: make(chan struct{}, 1), partitions: map[string]bool{}}
	return s.changes
}

// Ready receives after changes were added.
func (c *Changes) Ready() <-chan struct{} { return c.ready }

// Add adds partitions. Those without the prefix are left out.
func (c *Changes) Add(partitions ...string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, partition := range partitions {
		if strings.HasPrefix(partition, c.prefix) {
			c.partitions[partition] = true
		}
	}
	if len(c.partitions) == 0 {
		return
	}
	select {
	case c.ready <- struct{}{}:
	default: // it is to be received already
	}
}

// Take returns the changes, and forgets them.
func (c *Changes) Take() []string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	taken := slices.Sorted(maps.Keys(c.partitions))
	clear(c.partitions)
	return taken
}

// Scan calls take with the documents of each partition, expired ones included, as dynamo.Scan does.
func (s *Store) Scan(ctx context.Context, take func([]store.Record) error) error {
	var partition []store.Record
	for _, r := range append(s.Dump(), store.Record{}) {
		if len(partition) > 0 && partition[0].Key.Partition != r.Key.Partition {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("memory: scan: %w", err)
			}
			if err := take(partition); err != nil {
				return err
			}
			partition = nil
		}
		partition = append(partition, r)
	}
	return nil
}
