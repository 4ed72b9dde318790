// Package operator is what operators do: settle requests without an outcome, refund, capture and void, send callbacks
// again, close circuit breakers, give roles, and check whether stored documents agree with one another.
package operator

import (
	"checkout/internal/audit"
	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/operator/query"
)

// maxDecision is the most characters of an act's name and of its reason.
const maxDecision = 120

// Actor does what operators ask for. NewActor makes one.
type Actor struct {
	core      *checkout.Core
	jobs      checkout.Jobs
	callbacks callback.Queue // gets those that are sent again
	reader    *query.Reader
	act       audit.Act
}

// NewActor makes an actor, whose changes By says the reason of.
func NewActor(core *checkout.Core, queue payment.JobQueue, callbacks callback.Queue) *Actor {
	return &Actor{core: core, jobs: checkout.NewJobs(core, queue), callbacks: callbacks, reader: query.NewReader(core)}
}

// By returns the actor for an act: by whom and why. Each change is stored with its document.
func (s *Actor) By(act audit.Act) *Actor {
	by := *s
	by.act = act
	return &by
}

// outbox sends undelivered callbacks again.
func (s *Actor) outbox() callback.Outbox {
	return callback.Outbox{
		Meter: s.core.Meter(), Store: s.core.Store, Accounts: s.core.Accounts(), Breakers: &callback.BreakerCache{},
		Queue: s.callbacks, Act: s.act,
	}
}
