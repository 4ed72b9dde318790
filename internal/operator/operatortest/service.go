// Package operatortest has a service with stored payments in every situation, for tests of what operators ask for and
// do.
package operatortest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/paymenttest"
	"checkout/internal/operator/grant"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// Service is what operators look after.
type Service struct {
	T        *testing.T
	Core     *checkout.Core
	Docs     *memory.Store // what it has stored
	Now      time.Time
	Requests atomic.Int64 // to the store
}

// New returns a service without documents.
func New(t *testing.T) *Service {
	s := &Service{T: t, Docs: memory.NewStore(), Now: time.Date(2030, 3, 4, 13, 0, 0, 0, time.UTC)}
	counting := &countingStore{Store: s.Docs, requests: &s.Requests}
	s.Core = &checkout.Core{Store: counting, Now: func() time.Time { return s.Now }}
	return s
}

// SituatedAt is when requests that were sent may still be sent.
var SituatedAt = paymenttest.At.Add(payment.JobLease - time.Second)

// Situated returns a service with a payment at that time.
func Situated(t *testing.T, p *payment.Payment) *Service {
	s := New(t)
	s.Now = SituatedAt
	s.Core.Declarations = settings.Declarations{"bank": {Capture: true, Void: true, Refund: true}}
	s.Save(p.Record())
	return s
}

// Save stores documents, or fails the test.
func (s *Service) Save(records ...store.Record) {
	s.T.Helper()
	if err := s.Docs.Save(s.T.Context(), s.Now, records...); err != nil {
		s.T.Fatal(err)
	}
}

// Person is a person with a role for merchants, in both modes.
func Person(role grant.Role, merchants ...string) grant.Person {
	return grant.Person{Who: "ann", Grants: []grant.Grant{{Role: role, Merchants: merchants, Mode: grant.Both}}}
}

// AnyAct is a person who may do all that there is to do with payments.
func AnyAct() grant.Person {
	by := Person(grant.Support, grant.AllMerchants)
	by.Grants = append(by.Grants, Person(grant.Finance, grant.AllMerchants).Grants...)
	return by
}

// countingStore counts requests, and refuses those of more than 100 keys.
type countingStore struct {
	store.Store
	requests *atomic.Int64
}

func (c *countingStore) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	c.requests.Add(1)
	if len(keys) > 100 {
		return nil, fmt.Errorf("%d keys at once", len(keys))
	}
	return c.Store.Get(ctx, now, keys...)
}

func (c *countingStore) List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error) {
	c.requests.Add(1)
	return c.Store.List(ctx, now, query)
}

func (c *countingStore) AllDue(ctx context.Context, limit int) (store.DueListing, error) {
	c.requests.Add(1)
	return c.Store.AllDue(ctx, limit)
}

func (c *countingStore) Due(ctx context.Context, now time.Time, query store.DueQuery) ([]store.DueEntry, error) {
	c.requests.Add(1)
	return c.Store.Due(ctx, now, query)
}
