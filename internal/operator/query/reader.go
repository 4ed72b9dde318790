// Package query is what operators ask for: payments by whatever a person has in the hand, lists, the journal, all about
// one payment, what waits for a person or is under way, and undelivered callbacks. It changes nothing, but stores the
// sums of past days.
package query

import (
	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/store"
)

// Reader shows operators what happens. NewReader makes one.
type Reader struct {
	core    *checkout.Core
	scanned store.Store // nil: the due listing is read by queries
}

// NewReader makes a reader.
func NewReader(core *checkout.Core) *Reader { return &Reader{core: core} }

// waits is the store of the due listing, and of what waits in it.
func (s *Reader) waits() store.Store {
	if s.scanned != nil {
		return s.scanned
	}
	return s.core.Store
}

// Outbox has undelivered callbacks alone, and sends none.
func (s *Reader) Outbox() callback.Outbox {
	return callback.Outbox{
		Meter: s.core.Meter(), Store: s.waits(), Accounts: s.core.Accounts(), Breakers: &callback.BreakerCache{},
	}
}
