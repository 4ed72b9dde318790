// Package checkout is the service: sessions, the payments made in them, and
// what may happen to them. It knows no AWS and no HTTP; what it needs of the
// world stands as interfaces in store.go and ports.go.
//
// # The story
//
// A merchant creates a Session (CreateSession) and sends its payer to the
// page. The page asks what to show (NextScreen) and draws the answer. To pay
// (Pay) is to store a Payment with a Job and to put its ids on a queue; to
// close the form is Cancel, and to fill in what a provider needs later is
// Answer. A worker does the job with a provider (RunJob): it stores
// that it asks before it asks, and applies the answer. A provider that answers
// later does so by a notice (HandleNotification). Every change of a payment
// stores a Callback in the same write, which another worker
// sends to the merchant (SendCallback) until it is taken or parked. Sweep
// sends what is due and was not done to its queue again. The merchant may ask
// at any time (Status), and what would happen before it does (Explain).
//
// A payment that was made may be captured, voided and refunded (Capture, Void,
// Refund): each is one more job of the payment. A card may be saved and paid
// with by its token; a chain of payments begins with one that the payer made,
// and goes on without the payer, when the merchant asks (Recurring, Retry) or
// when its schedule says so.
//
// # The nouns
//
//	Merchant   keys, password, addresses, and its Mappings with their MIDs
//	Owner      whom all that follows belongs to: a merchant, in live or test mode
//	Session    one visit to the page: what was asked for, how far the payer got
//	Payment    one attempt to pay; its statuses and moves are in payment.go
//	Job        one question to a provider, stored before it is asked
//	Callback   one event that the merchant has to be told
//	Sealed     what the payer's browser sealed of a card, until the provider has decided
//	DayKey     the key pair that cards are sealed to on one day
//	SavedCard  a card that may be charged again by its token
//	Chain      what later payments are charged by, and when
//	Screen     what the page has to show now
//
// # What always holds
//
// Every change of a payment goes through the table of moves, whatever door it
// came in by, and is one conditional write. A session has one attempt under
// way at most, and one successful payment at most. A provider is asked once a
// reference; when nobody knows what became of it, it is looked up. Only an
// explicit yes or no ends a job. What is captured is never more than what was
// authorised, and what is refunded, or may be, never more than what was
// captured. Nothing is ever only in a queue. Time, ids and randomness are
// inputs.
package checkout
