// Package memory is the store and the queue of the embedded run, in maps of one
// process. Both promise and refuse what DynamoDB and SQS do, and forget
// everything when the process ends.
package memory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"checkout/internal/checkout"
)

// Store is a checkout.Store that keeps its documents in maps, for the embedded
// run and for tests. An expired document takes its place until it is replaced.
type Store struct {
	mutex      sync.Mutex
	partitions map[string]map[string]checkout.Record // by Partition, then Sort
	due        map[int]map[checkout.Key]time.Time    // by shard
}

// NewStore makes an empty store.
func NewStore() *Store {
	return &Store{
		partitions: make(map[string]map[string]checkout.Record),
		due:        make(map[int]map[checkout.Key]time.Time),
	}
}

var _ checkout.Store = (*Store)(nil)

// Get implements checkout.Store.
func (s *Store) Get(ctx context.Context, now time.Time, keys ...checkout.Key) ([]checkout.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("memory: get %d documents: %w", len(keys), err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	records := make([]checkout.Record, len(keys))
	for i, key := range keys {
		if err := checkout.CheckKey(key); err != nil {
			return nil, fmt.Errorf("memory: get %d documents: %w", len(keys), err)
		}
		records[i] = s.live(now, key)
	}
	return records, nil
}

// Save implements checkout.Store.
func (s *Store) Save(ctx context.Context, now time.Time, records ...checkout.Record) error {
	if err := errors.Join(ctx.Err(), checkout.CheckSave(records)); err != nil {
		return fmt.Errorf("memory: save %d documents: %w", len(records), err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var conflict checkout.ConflictError
	for _, record := range records {
		if s.live(now, record.Key).Version != record.Version {
			conflict.Keys = append(conflict.Keys, record.Key)
		}
	}
	if len(conflict.Keys) > 0 {
		return &conflict
	}
	for _, record := range records {
		s.put(record)
	}
	return nil
}

// List implements checkout.Store.
func (s *Store) List(ctx context.Context, now time.Time, query checkout.Query) ([]checkout.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("memory: list: %w", err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var records []checkout.Record
	sorts := slices.Sorted(maps.Keys(s.partitions[query.Partition]))
	for _, sort := range slices.Backward(sorts) {
		if len(records) >= query.Limit {
			break
		}
		if !strings.HasPrefix(sort, query.Prefix) {
			continue
		}
		record := s.live(now, checkout.Key{Partition: query.Partition, Sort: sort})
		if record.Version > 0 {
			records = append(records, record)
		}
	}
	return records, nil
}

// Due implements checkout.Store. As with DynamoDB, a key may be that of a
// document that has expired.
func (s *Store) Due(ctx context.Context, now time.Time, shard, limit int) ([]checkout.Key, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("memory: due: %w", err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	due := s.due[shard]
	var keys []checkout.Key
	for key, at := range due {
		if at.UnixMilli() <= now.UnixMilli() {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b checkout.Key) int { return due[a].Compare(due[b]) })
	return keys[:min(len(keys), max(limit, 0))], nil
}

// Dump answers every document that is stored, the expired ones too, so that a
// test can look through all of them for what must not be there.
func (s *Store) Dump() []checkout.Record {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var records []checkout.Record
	for _, partition := range slices.Sorted(maps.Keys(s.partitions)) {
		for _, sort := range slices.Sorted(maps.Keys(s.partitions[partition])) {
			record := s.partitions[partition][sort]
			record.Doc = slices.Clone(record.Doc)
			records = append(records, record)
		}
	}
	return records
}

// live is the document as a reader at now sees it, with bytes of its own.
func (s *Store) live(now time.Time, key checkout.Key) checkout.Record {
	record, found := s.partitions[key.Partition][key.Sort]
	if !found || !record.ExpiresAt.IsZero() && record.ExpiresAt.UnixMilli() <= now.UnixMilli() {
		return checkout.Record{Key: key}
	}
	record.Doc = slices.Clone(record.Doc)
	return record
}

func (s *Store) put(record checkout.Record) {
	key, shard := record.Key, checkout.DueShard(record.Key)
	record.Version++
	record.Doc = slices.Clone(record.Doc)
	record.ExpiresAt = wholeMilliseconds(record.ExpiresAt)
	record.DueAt = wholeMilliseconds(record.DueAt)
	if s.partitions[key.Partition] == nil {
		s.partitions[key.Partition] = make(map[string]checkout.Record)
	}
	s.partitions[key.Partition][key.Sort] = record
	if s.due[shard] == nil {
		s.due[shard] = make(map[checkout.Key]time.Time)
	}
	delete(s.due[shard], key)
	if !record.DueAt.IsZero() {
		s.due[shard][key] = record.DueAt
	}
}

func wholeMilliseconds(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return time.UnixMilli(t.UnixMilli()).UTC()
}
