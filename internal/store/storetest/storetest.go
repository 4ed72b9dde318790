// Package storetest is the suite that every store.Store passes. Time is an input: no test waits for a document to
// expire or to be due.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/internal/store"
)

type suite struct {
	*testing.T
	store store.Store
	ctx   context.Context
}

// noon is the time of most tests.
var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

const ms = time.Millisecond

func key(sort string) store.Key {
	return store.Key{Partition: "order/0123", Sort: sort}
}

func document(sort, doc string) store.Record {
	return store.Record{Key: key(sort), Doc: []byte(doc)}
}

// sealed is a document of the vault table.
func sealed(sort, doc string) store.Record {
	return store.Record{Key: store.Key{Partition: "vault/0123", Sort: sort}, Doc: []byte(doc)}
}

// deleted is a record that deletes what is stored under its key.
func deleted(r store.Record) store.Record {
	return store.Record{Key: r.Key, Delete: true}
}

// save saves records and returns them as they should be stored now.
func (s *suite) save(now time.Time, records ...store.Record) []store.Record {
	s.Helper()
	if err := s.store.Save(s.ctx, now, records...); err != nil {
		s.Fatal(err)
	}
	saved := append([]store.Record(nil), records...)
	for i := range saved {
		saved[i].Version++
	}
	return saved
}

func (s *suite) saveOne(now time.Time, record store.Record) store.Record {
	s.Helper()
	return s.save(now, record)[0]
}

// refused checks that a save is a conflict on exactly keys.
func (s *suite) refused(now time.Time, keys []store.Key, records ...store.Record) {
	s.Helper()
	err := s.store.Save(s.ctx, now, records...)
	var conflict *store.ConflictError
	if !errors.As(err, &conflict) {
		s.Fatalf("Save answered %v, want a conflict on %v", err, keys)
	}
	if !slices.Equal(conflict.Keys, keys) {
		s.Fatalf("conflict on %v, want %v", conflict.Keys, keys)
	}
}

// failed checks that a save is an error, but no conflict.
func (s *suite) failed(ctx context.Context, records ...store.Record) {
	s.Helper()
	err := s.store.Save(ctx, noon, records...)
	var conflict *store.ConflictError
	if err == nil || errors.As(err, &conflict) {
		s.Fatalf("Save answered %v, want an error that is no conflict", err)
	}
}

func (s *suite) get(now time.Time, keys ...store.Key) []store.Record {
	s.Helper()
	records, err := s.store.Get(s.ctx, now, keys...)
	if err != nil {
		s.Fatal(err)
	}
	return records
}

// stored checks that a document is stored as it is in want.
func (s *suite) stored(now time.Time, want store.Record) {
	s.Helper()
	s.same(s.get(now, want.Key), want)
}

func (s *suite) absent(now time.Time, key store.Key) {
	s.Helper()
	s.stored(now, store.Record{Key: key})
}

func (s *suite) list(now time.Time, query store.Query) []store.Record {
	s.Helper()
	records, err := s.store.List(s.ctx, now, query)
	if err != nil {
		s.Fatal(err)
	}
	return records
}

// same compares records without printing large documents.
func (s *suite) same(got []store.Record, want ...store.Record) {
	s.Helper()
	if len(got) != len(want) {
		s.Fatalf("%d records, want %d", len(got), len(want))
	}
	for i := range want {
		g, w := got[i], want[i]
		if g.Key != w.Key || g.Version != w.Version || !g.ExpiresAt.Equal(w.ExpiresAt) || !g.DueAt.Equal(w.DueAt) ||
			g.DueKind != w.DueKind {
			s.Fatalf("record %d is %s, want %s", i, describe(g), describe(w))
		}
		if !bytes.Equal(g.Doc, w.Doc) {
			s.Fatalf("record %d has another document: %.200q, want %.200q", i, g.Doc, w.Doc)
		}
	}
}

func describe(r store.Record) string {
	return fmt.Sprintf("%v version %d, expires %v, due %v %q, %d bytes", r.Key, r.Version, r.ExpiresAt, r.DueAt, r.DueKind,
		len(r.Doc))
}
