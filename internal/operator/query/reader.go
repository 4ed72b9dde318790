// Package query is what operators ask for: payments by whatever a person has in the hand, lists, the journal, all about
// one payment, what waits for a person or is under way, and undelivered callbacks. It changes nothing, but stores the
// sums of past days.
package query

import (
	"checkout/internal/callback"
	"checkout/internal/checkout"
)

// Reader shows operators what happens. NewReader makes one.
type Reader struct{ core *checkout.Core }

// NewReader makes a reader.
func NewReader(core *checkout.Core) *Reader { return &Reader{core} }

// outbox has undelivered callbacks alone, and sends none.
func (s *Reader) outbox() callback.Outbox {
	return callback.Outbox{
		Meter: s.core.Meter(), Store: s.core.Store, Accounts: s.core.Accounts(), Breakers: &callback.BreakerCache{},
	}
}
