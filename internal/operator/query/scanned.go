package query

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"checkout/internal/store"
)

const (
	// maxScanned is the most entries of the due listing that one scan reads, as a sweep does.
	maxScanned = 1000
	docsAtOnce = 100 // of one Get
)

// scanned is a store whose due listing was read in one request, with the documents that operators count of it.
type scanned struct {
	store.Store
	due  store.DueListing
	docs map[store.Key]store.Record
}

// Scanned returns a reader that reads the due listing, and what waits in it, once for all its lists. While there are
// few entries it makes one request, and one for each 100 documents; or else one for each shard, as every reader does.
func (s *Reader) Scanned(ctx context.Context) (*Reader, error) {
	due, err := s.core.Store.AllDue(ctx, maxScanned)
	if err != nil {
		return nil, fmt.Errorf("scan what waits: %w", err)
	}
	if due == nil {
		return s, nil
	}
	of := &scanned{s.core.Store, due, map[store.Key]store.Record{}}
	var keys []store.Key
	for shard, entries := range due {
		switch store.ShardKind(shard) {
		case store.DueParked, store.DueCallback, store.DueCallback.Of(true), store.DuePerson, store.DuePerson.Of(true):
			for _, entry := range entries {
				keys = append(keys, entry.Key)
			}
		}
	}
	chunks := slices.Collect(slices.Chunk(keys, docsAtOnce))
	parts := make([]map[store.Key]store.Record, len(chunks))
	err = store.Concurrently(len(chunks), func(i int) error {
		records, err := s.core.Store.Get(ctx, s.core.Now(), chunks[i]...)
		parts[i] = map[store.Key]store.Record{}
		for j, record := range records {
			parts[i][chunks[i][j]] = record
		}
		return err
	})
	for _, part := range parts {
		maps.Copy(of.docs, part)
	}
	return &Reader{s.core, of}, err
}

// Due implements store.Store.
func (s *scanned) Due(_ context.Context, now time.Time, query store.DueQuery) ([]store.DueEntry, error) {
	return s.due.Due(now, query), nil
}

// Get implements store.Store.
func (s *scanned) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	records := make([]store.Record, len(keys))
	for i, key := range keys {
		record, known := s.docs[key]
		if !known {
			return s.Store.Get(ctx, now, keys...)
		}
		records[i] = record
	}
	return records, nil
}
