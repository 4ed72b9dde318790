package checkout

import (
	"context"
	"errors"
	"time"
)

// MaxDelay is the longest delay of a message, which is SQS's. What is due later is sent by Sweep.
const MaxDelay = 15 * time.Minute

// Queue hands work to the connector and callback functions. A message may
// arrive more than once, late, or (after a crash) not at all: Sweep sends it
// again. Delay is at most MaxDelay.
type Queue interface {
	SendJob(ctx context.Context, message JobMessage, delay time.Duration) error
	SendCallback(ctx context.Context, message CallbackMessage, delay time.Duration) error
}

// JobMessage names a payment that has a job. It carries ids alone.
type JobMessage struct {
	PaymentID string `json:"payment_id"`
	SessionID string `json:"session_id"`
}

// CallbackMessage names a callback that is due: number Seq of the payment.
type CallbackMessage struct {
	PaymentID string `json:"payment_id"`
	Seq       int    `json:"seq"`
}

// Sealed is card data that only the connector function can open. Opened, it
// is the JSON of a Card.
type Sealed struct {
	KeyID      string `json:"key_id"`
	Enc        string `json:"enc"`        // encapsulated key, base64url without padding
	Ciphertext string `json:"ciphertext"` // base64url without padding
}

// Card is opened card data. It is never stored or logged.
type Card struct {
	Number       string `json:"number"`        // digits only
	ExpiryMonth  int    `json:"expiry_month"`  // 1..12
	ExpiryYear   int    `json:"expiry_year"`   // four digits
	SecurityCode string `json:"security_code"` // digits
}

// Vault opens sealed cards. The functions that only seal or pass on sealed
// bytes have a Vault whose Open always fails.
type Vault interface {
	// PublicKey answers the key's id and its uncompressed P-256 point (65 bytes).
	PublicKey(ctx context.Context) (id string, point []byte, err error)
	// Open opens a card sealed with info as both info and aad.
	Open(ctx context.Context, sealed Sealed, info string) (Card, error)
}

// ErrSealed is what Vault.Open answers for bytes that no key of ours opens:
// final, unlike a vault that could not be reached.
var ErrSealed = errors.New("the sealed card can't be opened")

// Connector talks to one family of providers.
type Connector interface {
	// Charge asks for the money. A declined payment is a Result. An error that
	// is ErrNotSent means that nothing reached the provider; any other error
	// means that nobody knows.
	Charge(ctx context.Context, charge Charge) (Result, error)
}

// Lookuper is a connector that can be asked what became of a reference. An
// OutcomeUnknown result says that the provider never saw it.
type Lookuper interface {
	Lookup(ctx context.Context, charge Charge) (Result, error)
}

// Noticer is a connector whose provider reports outcomes that come later.
type Noticer interface {
	// Notice reads what the provider sent and answers which payment it is about.
	Notice(ctx context.Context, body []byte) (Notice, error)
}

// ErrNotSent marks a failed question that never reached the provider.
var ErrNotSent = errors.New("nothing was sent to the provider")

// Charge is one question for money. Reference is ours and the same on every
// repeat; a provider is never charged twice for one reference.
type Charge struct {
	Reference   string
	PaymentID   string
	SessionID   string
	Amount      string // decimal text with the currency's digits
	Currency    string
	Description string
	Auth        bool // authorise only
	Card        Card // zero for a Lookup
	CardName    string
	Customer    Customer
	Address     Address
	PayerIP     string
	ReturnURL   string // where the payer comes back to after 3-D Secure or a redirect
	Credentials map[string]string
}

// Outcome is what a provider said.
type Outcome int

// The outcomes. The zero value means that nobody knows yet.
const (
	OutcomePending  Outcome = iota
	OutcomeApproved         // settled, or authorised when Charge.Auth was set
	OutcomeDeclined
	OutcomeNext    // the payer has to go somewhere first, see Result.Next
	OutcomeUnknown // of a Lookup: the provider has never seen the reference
)

// Result is a provider's answer.
type Result struct {
	Outcome      Outcome
	Reason       string // of a decline, in words for the payer
	Soft         bool   // of a decline: another try may succeed
	Authorised   bool   // of an approval: only authorised, whatever was asked for
	Next         *NextStep
	ProviderID   string
	RRN          string
	ApprovalCode string
}

// Notice is an outcome that a provider reports by itself.
type Notice struct {
	PaymentID string
	SessionID string
	Result    Result
}

// Outgoing is one HTTP POST to a merchant's notification_url.
type Outgoing struct {
	URL         string
	ContentType string
	Header      map[string]string
	Body        []byte
}

// ErrTimeout is what a Sender answers when the address did not answer within 10 seconds.
var ErrTimeout = errors.New("no answer in time")

// ErrAddress is what a Sender answers for an address that callbacks may never go to.
var ErrAddress = errors.New("callbacks may not be sent to this address")

// Sender posts callbacks. It follows no redirect and refuses addresses that
// are not https or not public (decisions.md 6). Any HTTP answer is a status
// and no error.
type Sender interface {
	Send(ctx context.Context, out Outgoing) (status int, err error)
}
