package words

import "checkout/internal/checkout/payment"

// ActWords explains an act. One with danger moves money or can't be undone.
type ActWords struct {
	Label  string `json:"label"`
	Does   string `json:"does"`
	Danger bool   `json:"danger,omitempty"`
}

// What people may ask for of a payment or callback, beside refund, capture and void.
const (
	actRefund  = string(payment.JobRefund)
	actCapture = string(payment.JobCapture)
	actVoid    = string(payment.JobVoid)
	ActLookUp  = "look-up"
	ActSettle  = "settle"
	ActSend    = "send"
	ActRetry   = "retry"

	ActEndSession = "end-session"
	ActNote       = "note"
)

// Acts are all that people may ask for.
var Acts = map[string]ActWords{
	actRefund:  {"Refund", "The payer gets all or a part of the money back.", true},
	actCapture: {"Capture", "The reserved amount, or a part of it, is taken. It can be done once.", true},
	actVoid:    {"Void", "The payment is cancelled as a whole, before the money goes to the merchant.", true},
	ActLookUp:  {"Look up now", "The provider is asked what became of a request. It can't charge anything.", false},
	ActSettle: {"Settle", "You decide what became of a request that the provider gives no outcome of, or two, or of " +
		"money that does not count. The provider is looked up once more before that. What it says of a request " +
		"counts.", true},
	ActRetry: {"Charge again", "The declined charge is made once more now, with the same card, as a new payment.", true},
	ActSend: {"Send the callback", "It is tried now, after those of the payment that wait before it. The shop sees one " +
		"that it has taken before marked as a redelivery.", false},
	ActEndSession: {"End the session", "The payer can't pay in it any more, and is led back to the shop. To the shop it " +
		"is a session whose time has run out.", true},
	ActNote: {"Add a note", "It stays in what happened, with your name. Nobody can change or remove it.", false},
}
