package payment

import (
	"checkout/internal/card"
	"checkout/internal/page/screen"
	"checkout/internal/store"
)

// Effects is what a change of a payment leads to, stored in the same write.
type Effects struct {
	Save        bool           // there is something to store
	Event       *Event         // the merchant gets a callback of it
	SaveSession bool           // the session changed beside what it follows of the payment
	Unapplied   screen.Text    // money has arrived that does not count: TextPaidTooLittle or TextPaidTooLate
	SavedCard   *card.Saved    // a card to store by its token
	StartChain  bool           // a recurring chain, or its schedule, begins with this payment
	StopChain   bool           // the chain that began with this payment is stopped, if there is one
	Measure     bool           // the outcome is measured; needs an event
	Deleted     []store.Record // deletions
	Records     []store.Record // other documents
	Once        *store.Record  // a document that is there if the change was made before: a conflict with it is an error
}
