package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/store"
)

// ErrFails is the error of a request that EachFails has fail.
var ErrFails = errors.New("the store fails")

// Scripted is a store before whose requests a test does something: it has one fail, or another process write first.
// A request is named as in "save callback", by the first word of its first key's Sort.
type Scripted struct {
	store.Store
	Before func(request string) error // nil for nothing

	mu       sync.Mutex
	requests []string
}

// Requests returns the requests so far, and forgets them.
func (s *Scripted) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.requests
	s.requests = nil
	return all
}

func (s *Scripted) hear(what, sort string) error {
	kind, _, _ := strings.Cut(sort, "/")
	s.mu.Lock()
	s.requests = append(s.requests, what+" "+kind)
	s.mu.Unlock()
	if s.Before == nil {
		return nil
	}
	return s.Before(what + " " + kind)
}

// Get implements store.Store.
func (s *Scripted) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	if err := s.hear("get", keys[0].Sort); err != nil {
		return nil, err
	}
	return s.Store.Get(ctx, now, keys...)
}

// Save implements store.Store.
func (s *Scripted) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	if err := s.hear("save", records[0].Key.Sort); err != nil {
		return err
	}
	return s.Store.Save(ctx, now, records...)
}

// List implements store.Store.
func (s *Scripted) List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error) {
	if err := s.hear("list", query.Prefix); err != nil {
		return nil, err
	}
	return s.Store.List(ctx, now, query)
}

// Due implements store.Store.
func (s *Scripted) Due(ctx context.Context, now time.Time, query store.DueQuery) ([]store.DueEntry, error) {
	if err := s.hear("due", string(query.Kind)); err != nil {
		return nil, err
	}
	return s.Store.Due(ctx, now, query)
}

// AllDue implements store.Store.
func (s *Scripted) AllDue(ctx context.Context, limit int) (store.DueListing, error) {
	if err := s.hear("due", "all"); err != nil {
		return nil, err
	}
	return s.Store.AllDue(ctx, limit)
}

// EachFails does something once for each request to the store that it takes, anew each time, with that request failing.
// It fails the test where the error is not returned. harmless are requests that may fail unnoticed, such as
// "2 save callback".
func EachFails(t *testing.T, anew func() (*Scripted, func() error), harmless ...string) {
	t.Helper()
	for n := 0; ; n++ {
		s, do := anew()
		count, failed := 0, ""
		s.Before = func(request string) error {
			s.mu.Lock()
			defer s.mu.Unlock()
			if count++; count != n+1 {
				return nil
			}
			failed = fmt.Sprint(count, " ", request)
			return ErrFails
		}
		err := do()
		if failed == "" {
			if n == 0 || err != nil {
				t.Errorf("%d requests failed, and without them: %v", n, err)
			}
			return
		}
		if !errors.Is(err, ErrFails) && !slices.Contains(harmless, failed) {
			t.Errorf("request %s fails: %v", failed, err)
		}
	}
}
