// Package checkout is what all sides of the service share: sessions, the payments made in them (package payment), what
// merchants are told of both, and the write that stores a change. It knows no AWS and no HTTP. Over it stand four
// packages, none of which imports another: payer, merchant, worker and operator.
//
// # The story
//
// A merchant's server creates a Session (merchant.CreateSession) and redirects its payer to the checkout page. The page
// gets what it has to show as a Screen (payer.NextScreen). To pay (payer.Pay) stores a payment with a job and sends
// their ids to a queue. A worker sends the job's request to a provider (worker.RunJob): it stores first that it is
// about to send, then sends, then stores the result. If providers fail, circuit breakers lead payments to other MIDs
// that take them (package circuit). If the provider needs more of the payer, such as a code, the page shows a second
// form (payer.SubmitSecondForm). A provider may report the outcome later by a notice (worker.HandleNotification), and
// what it did without a request. Every change that the merchant has to know of stores a Callback in the same write,
// which another worker sends to the merchant (worker.SendCallback) until it is delivered or parked. Sweep sends
// whatever is due and was not done to its queue again. A payer who closes the form ends the session (payer.Cancel). One
// who pays with a wallet sends its payment token, which the worker verifies, decrypts where the provider takes that,
// and uses once; for one wallet the page begins a merchant session first (payer.BeginMerchantSession). One who has to
// pay elsewhere may have the provider end that, to leave or to choose another way to pay (payer.ChooseAnother). The
// merchant may request the status at any time (merchant.Status), which first looks up what is unknown, and before it
// creates a session what that would lead to (merchant.Explain).
//
// A payment may later be captured, voided and refunded (merchant.Capture, Void, Refund): each is one more job of the
// payment. A card may be saved and charged again by its token, until its payer removes it (payer.RemoveCard). A
// recurring chain begins with a payment that the payer made, and continues without the payer, when the merchant
// requests a charge (merchant.Recurring, Retry) or its schedule is due.
//
// # The nouns
//
//	Merchant        keys, password, addresses, and its Mappings with their MIDs
//	Owner           whom all of the following belongs to: a merchant, in live or test mode
//	Session         one visit to the page: what the merchant requested, and how far the payer got; session_moves.go
//	Payment         one attempt to pay; its statuses and moves are in payment/payment.go
//	Job             one request to a provider, stored before it is sent; its states and moves are in payment/job_moves.go
//	Callback        one event that is reported to the merchant
//	Encrypted card  what the payer's browser encrypted (card.Sealed), until the provider has decided
//	Day key         the key pair of one day that browsers encrypt cards to
//	Saved card      a card that may be charged again by its token
//	Chain           what later payments are charged by, and when
//	Screen          what the page has to show now
//
// # What always holds
//
// Every change of a payment's status follows the table of moves, and every change of a payment is one conditional
// write, in which its session follows it. A session has at most one attempt in progress and at most one successful
// payment. A request is sent to a provider once per reference, and again only if the provider did not receive it; if
// its outcome is unknown, it is looked up, and after three days, or earlier, a person decides (operator.Settle). A
// person decides, too, where a provider has reported two outcomes. Only an explicit approval or decline ends a job. No
// capture exceeds what was authorised, and all refunds that were made or are in progress never exceed what was
// captured. Nothing is only in a queue. Time, ids and randomness are inputs.
package checkout
