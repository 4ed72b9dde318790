package sandbox

import (
	"time"

	"checkout/internal/connector"
	"checkout/internal/reason"
)

// outcome is what a test card leads to.
type outcome struct {
	outcome connector.Outcome
	reason  string
	code    reason.Code          // of a decline without a reason
	auth    bool                 // only authorised, even without auth in the request
	next    connector.ActionKind // the required action before it, "" for none
	fault   trouble
	ends    map[connector.RequestKind]ending // of captures, voids and refunds that do not simply succeed
	later   laterDeclines

	// Of a method without a card.
	scene    string        // of scenes, "" if the payer does not have to act
	limit    time.Duration // for the required action; 0: stepLimit
	pays     string        // what arrives by itself: payHalf at once, payLate when the time is over
	slow     bool          // the outcome is known lateBy after the charge
	returned bool          // the provider reverses the payment once it is settled
}

// ending is the outcome of a capture, void or refund. It is declined if it has a reason.
type ending struct {
	Reason string  `json:"reason,omitempty"`
	Fault  trouble `json:"fault,omitempty"`
}

// trouble is a way in which a provider's response can go wrong.
type trouble int

const (
	noFault        trouble = iota
	neverResponds          // done, but no response comes
	respondsLate           // done, but only after the time limit
	notifiesTwice          // two notices beside the response
	brokenResponse         // done, but the response can't be read
	requestLost            // the first request is lost on its way
)

// laterDeclines says which later charges of a recurring chain are softly declined.
type laterDeclines int

const (
	noLaterDecline laterDeclines = iota
	everyOne
	firstOne // of the chain; its retry and all others settle
)

var followUps = []connector.RequestKind{connector.RequestCapture, connector.RequestVoid, connector.RequestRefund}

// when returns the same ending for several kinds of operations.
func when(e ending, kinds ...connector.RequestKind) map[connector.RequestKind]ending {
	all := map[connector.RequestKind]ending{}
	for _, kind := range kinds {
		all[kind] = e
	}
	return all
}

var softDecline = outcome{outcome: connector.OutcomeDeclined, reason: insufficientFunds}
