package checkout

import (
	"context"
	"errors"
	"time"
)

// MaxDelay is the longest delay of a message, which is SQS's. What is due later is sent by Sweep.
const MaxDelay = 15 * time.Minute

// MaxBatch is the most messages of one request, which is SQS's.
const MaxBatch = 10

// Queue hands work to the connector and callback functions. A message may
// arrive more than once, late, or (after a crash) not at all: Sweep sends it
// again. Delay is at most MaxDelay.
type Queue interface {
	SendJob(ctx context.Context, message JobMessage, delay time.Duration) error
	SendCallback(ctx context.Context, message CallbackMessage, delay time.Duration) error

	// SendJobs and SendCallbacks send at most MaxBatch messages in one request,
	// without a delay. refused is how many of them the queue did not take.
	SendJobs(ctx context.Context, messages []JobMessage) (refused int, err error)
	SendCallbacks(ctx context.Context, messages []CallbackMessage) (refused int, err error)
}

// JobMessage names a job of a payment by its Reference, or without one
// whatever of the payment is due. Chain instead names a recurring chain by its
// first payment. It carries ids alone.
type JobMessage struct {
	PaymentID string `json:"payment_id"`
	SessionID string `json:"session_id"`
	Reference string `json:"reference,omitempty"`
	Chain     bool   `json:"chain,omitempty"`
	Cause     string `json:"cause,omitempty"` // id of the API call that led to it, if known
}

// CallbackMessage names a callback that is due: number Seq of the payment.
type CallbackMessage struct {
	PaymentID string `json:"payment_id"`
	Seq       int    `json:"seq"`
	Cause     string `json:"cause,omitempty"` // as in JobMessage
}

// DayKey is the key pair that cards are sealed to on one day.
type DayKey struct {
	ID      string `json:"id"`      // begins with the day and a dot
	Day     string `json:"day"`     // yyyy-mm-dd, UTC
	Point   string `json:"point"`   // the public half: an uncompressed P-256 point (65 bytes), base64url without padding
	Wrapped string `json:"wrapped"` // the private half, which the vault alone can unwrap, base64url without padding
}

// PrivateKey is the private half of a DayKey, unwrapped.
type PrivateKey interface {
	// Open opens a card sealed with info as both info and aad. Every failure is ErrSealed.
	Open(sealed Sealed, info string) (Card, error)
}

// Sealed is card data that only the connector function can open. Opened, it
// is the JSON of a Card.
type Sealed struct {
	KeyID      string `json:"key_id"`     // of a DayKey
	Enc        string `json:"enc"`        // encapsulated key, base64url without padding
	Ciphertext string `json:"ciphertext"` // base64url without padding
}

// Card is opened card data. It is never stored or logged.
type Card struct {
	Number       string `json:"number"`                 // digits only
	ExpiryMonth  int    `json:"expiry_month"`           // 1..12
	ExpiryYear   int    `json:"expiry_year"`            // four digits
	SecurityCode string `json:"security_code"`          // digits
	PayeeNumber  string `json:"payee_number,omitempty"` // of a transfer: the card that it goes to
}

// Kept is a card's number and expiry as they are stored, encrypted under a
// data key of their own. All three are base64url without padding.
type Kept struct {
	Key        string `json:"key"`        // the data key, wrapped by a key that never leaves the vault
	Nonce      string `json:"nonce"`      // 12 bytes
	Ciphertext string `json:"ciphertext"` // AES-256-GCM
}

// Vault makes and opens the keys that cards are sealed to, and keeps saved
// cards. A function can do with it what it has permission for: to make keys is
// not to open them.
type Vault interface {
	// NewDayKey makes the key pair of a day (yyyy-mm-dd).
	NewDayKey(ctx context.Context, day string) (DayKey, error)
	// OpenDayKey unwraps the private half of what NewDayKey made.
	OpenDayKey(ctx context.Context, key DayKey) (PrivateKey, error)
	// Keep encrypts a card's number and expiry, and nothing else of it, bound
	// to a text (the associated data) that OpenKept has to be given again.
	Keep(ctx context.Context, card Card, bound string) (Kept, error)
	// OpenKept opens what Keep made, also after the keys were rotated.
	OpenKept(ctx context.Context, kept Kept, bound string) (Card, error)
}

// Secrets encrypts merchants' secrets, bound to their use and merchant. A function's has the uses alone that the
// function needs, and fails for all others.
type Secrets interface {
	Encrypt(ctx context.Context, use SecretUse, merchant string, plain []byte) ([]byte, error)
	Decrypt(ctx context.Context, use SecretUse, merchant string, encrypted []byte) ([]byte, error)
	// Uses names the uses that this one has.
	Uses() []SecretUse
}

// ErrSealed is what a Vault and a PrivateKey answer for bytes that no key of ours opens:
// final, unlike a vault that could not be reached.
var ErrSealed = errors.New("the sealed card can't be opened")

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
