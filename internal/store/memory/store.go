// Package memory has the store of the embedded run, in maps of one process. It behaves as DynamoDB does, and its
// contents are lost when the process ends.
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

	"checkout/internal/store"
)

// Store is a store.Store with the documents of all tables in maps, for the embedded run and for tests. An expired
// document stays until it is replaced or removed by DropExpired.
type Store struct {
	mutex      sync.Mutex
	partitions map[string]map[string]store.Record // by Partition, then Sort
	due        store.DueListing
	changes    *Changes // nil: nobody follows
}

// NewStore makes an empty store.
func NewStore() *Store {
	return &Store{
		partitions: make(map[string]map[string]store.Record),
		due:        make(store.DueListing),
	}
}

var _ store.Store = (*Store)(nil)

// Get implements store.Store.
func (s *Store) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("memory: get %d documents: %w", len(keys), err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	records := make([]store.Record, len(keys))
	for i, key := range keys {
		if err := store.CheckKey(key); err != nil {
			return nil, fmt.Errorf("memory: get %d documents: %w", len(keys), err)
		}
		records[i] = s.live(now, key)
	}
	return records, nil
}

// Save implements store.Store.
func (s *Store) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	if err := errors.Join(ctx.Err(), store.CheckSave(records)); err != nil {
		return fmt.Errorf("memory: save %d documents: %w", len(records), err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var conflict store.ConflictError
	for _, record := range records {
		if !record.Delete && s.live(now, record.Key).Version != record.Version {
			conflict.Keys = append(conflict.Keys, record.Key)
		}
	}
	if len(conflict.Keys) > 0 {
		return &conflict
	}
	for _, record := range records {
		if record.Delete {
			s.drop(record.Key)
		} else {
			s.put(record)
		}
		if s.changes != nil {
			s.changes.Add(record.Key.Partition)
		}
	}
	return nil
}

// List implements store.Store.
func (s *Store) List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("memory: list: %w", err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var sorts []string
	for sort := range s.partitions[query.Partition] {
		if strings.HasPrefix(sort, query.Prefix) && (query.Before == "" || sort < query.Before) {
			sorts = append(sorts, sort)
		}
	}
	slices.Sort(sorts)
	var records []store.Record
	for _, sort := range slices.Backward(sorts) {
		if len(records) >= query.Limit {
			break
		}
		record := s.live(now, store.Key{Partition: query.Partition, Sort: sort})
		if record.Version > 0 {
			records = append(records, record)
		}
	}
	return records, nil
}

// Due implements store.Store. As with DynamoDB, a key may be that of a
// document that has expired.
func (s *Store) Due(ctx context.Context, now time.Time, query store.DueQuery) ([]store.DueEntry, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("memory: due: %w", err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.due.Due(now, query), nil
}

// AllDue implements store.Store.
func (s *Store) AllDue(ctx context.Context, limit int) (store.DueListing, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("memory: all that is due: %w", err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	all, count := store.DueListing{}, 0
	for shard, entries := range s.due {
		if count += len(entries); count > limit {
			return nil, nil
		}
		all[shard] = slices.Clone(entries)
	}
	return all, nil
}

// DropExpired removes expired documents, as DynamoDB does by its TTL.
func (s *Store) DropExpired(now time.Time) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for partition, records := range s.partitions {
		for sort, record := range records {
			if expired(record, now) {
				s.undue(record)
				delete(records, sort)
			}
		}
		if len(records) == 0 {
			delete(s.partitions, partition)
		}
	}
}

func expired(record store.Record, now time.Time) bool {
	return !record.ExpiresAt.IsZero() && record.ExpiresAt.UnixMilli() <= now.UnixMilli()
}

// Dump returns every stored document, also expired ones, so that a test can search all of them for what must not be
// stored.
func (s *Store) Dump() []store.Record {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var records []store.Record
	for _, partition := range slices.Sorted(maps.Keys(s.partitions)) {
		for _, sort := range slices.Sorted(maps.Keys(s.partitions[partition])) {
			record := s.partitions[partition][sort]
			record.Doc = slices.Clone(record.Doc)
			records = append(records, record)
		}
	}
	return records
}

// live returns a copy of the document if it has not expired at now.
func (s *Store) live(now time.Time, key store.Key) store.Record {
	record, found := s.partitions[key.Partition][key.Sort]
	if !found || expired(record, now) {
		return store.Record{Key: key}
	}
	record.Doc = slices.Clone(record.Doc)
	return record
}

func (s *Store) put(record store.Record) {
	key := record.Key
	record.Version++
	record.Doc = slices.Clone(record.Doc)
	record.ExpiresAt = wholeMilliseconds(record.ExpiresAt)
	record.DueAt = wholeMilliseconds(record.DueAt)
	if s.partitions[key.Partition] == nil {
		s.partitions[key.Partition] = make(map[string]store.Record)
	}
	s.undue(s.partitions[key.Partition][key.Sort])
	s.partitions[key.Partition][key.Sort] = record
	if record.DueKind != "" {
		s.due.Add(dueEntry(record))
	}
}

// undue removes a stored document from the due listing, if it is there.
func (s *Store) undue(record store.Record) {
	if record.DueKind != "" {
		s.due.Remove(dueEntry(record))
	}
}

// dueEntry is a document's entry in the due listing, and the name of its shard there.
func dueEntry(record store.Record) (shard string, entry store.DueEntry) {
	return store.ShardName(record.DueKind, store.DueShard(record.DueKind, record.Key)),
		store.DueEntry{Key: record.Key, At: record.DueAt}
}

func (s *Store) drop(key store.Key) {
	s.undue(s.partitions[key.Partition][key.Sort])
	delete(s.partitions[key.Partition], key.Sort)
	if len(s.partitions[key.Partition]) == 0 {
		delete(s.partitions, key.Partition)
	}
}

func wholeMilliseconds(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return time.UnixMilli(t.UnixMilli()).UTC()
}
