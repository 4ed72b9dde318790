// Package operator is what the people ask for who look after the service: what happened to a payment, what waits for a
// person and what they decide of it, undelivered callbacks, circuit breakers, and whether stored documents agree with
// one another.
package operator

import (
	"checkout/internal/audit"
	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
)

// Reader shows operators what happens. It changes nothing. NewReader makes one.
type Reader struct{ core *checkout.Core }

// NewReader makes a reader.
func NewReader(core *checkout.Core) *Reader { return &Reader{core} }

// outbox has undelivered callbacks alone, and sends none.
func (s *Reader) outbox() callback.Outbox {
	return callback.Outbox{
		Meter: s.core.Meter(), Store: s.core.Store, Accounts: s.core.Accounts(), Breakers: &callback.BreakerCache{},
	}
}

// Actor does what operators ask for. NewActor makes one.
type Actor struct {
	core      *checkout.Core
	jobs      checkout.Jobs
	callbacks callback.Queue // gets those that are sent again
	reader    *Reader
	act       audit.Act
}

// NewActor makes an actor, whose changes By says the reason of.
func NewActor(core *checkout.Core, queue payment.JobQueue, callbacks callback.Queue) *Actor {
	return &Actor{core: core, jobs: checkout.NewJobs(core, queue), callbacks: callbacks, reader: NewReader(core)}
}

// By returns the actor for an act: by whom and why. Each change is stored with its document.
func (s *Actor) By(act audit.Act) *Actor {
	by := *s
	by.act = act
	return &by
}

// outbox sends undelivered callbacks again.
func (s *Actor) outbox() callback.Outbox {
	outbox := s.reader.outbox()
	outbox.Queue, outbox.Act = s.callbacks, s.act
	return outbox
}
