package connector

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"checkout/internal/card"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
)

// Connector talks to one family of providers. Every request has a Reference, and several requests with the same
// Reference have the effect of one. A decline is a Result, not an error. ErrNotSent means that nothing reached the
// provider; after any other error it is unknown what the provider did. What a connector can do beside charging is
// told by the interfaces that it implements.
type Connector interface {
	// Charge takes the payer's money, or pays money out if the operation is a credit.
	Charge(ctx context.Context, charge Charge) (Result, error)
}

// Beginner is a connector whose provider gives a charge an id before any money moves. The id is stored before Charge is
// called, so that a look-up finds the charge by it, however late it comes.
type Beginner interface {
	// Begin makes a charge known to the provider, without moving money. OutcomePending has its ProviderID, which Charge
	// gets; any other result is that of the charge. Errors as of Charge: ErrNotSent unless an earlier request may have
	// charged it. Several calls have the effect of one.
	Begin(ctx context.Context, charge Charge) (Result, error)
}

// Capturer is a connector that captures what was only authorised.
type Capturer interface {
	Capture(ctx context.Context, request ProviderRequest) (Result, error)
}

// Voider is a connector that cancels a whole payment.
type Voider interface {
	Void(ctx context.Context, request ProviderRequest) (Result, error)
}

// Refunder is a connector that refunds all or a part of a payment.
type Refunder interface {
	Refund(ctx context.Context, request ProviderRequest) (Result, error)
}

// StatusQuerier is a connector that can look up the outcome of an earlier request of any kind. OutcomeUnknown means
// that the provider knows no request with that Reference. That proves that it never received it once the time is over
// that the connector declares (settings.Declaration.FoundAfter, or Describer).
type StatusQuerier interface {
	QueryStatus(ctx context.Context, request ProviderRequest) (Result, error)
}

// Describer is a connector whose providers differ in how late they find a request. It is called after a look-up that
// found nothing.
type Describer interface {
	// FoundAfter returns how long after a request was sent a look-up that does not find it proves nothing, for the
	// provider of its MID. Any error: nobody knows, and nothing is proved.
	FoundAfter(ctx context.Context, request ProviderRequest) (time.Duration, error)
}

// Canceller is a connector that can end a charge whose payer still has to act, so that it can't be paid any more.
type Canceller interface {
	// Cancel ends a charge that waits for its payer, and returns what became of the charge, as QueryStatus does. A charge
	// that is decided stays as it is. OutcomeActionRequired means that it can't be ended, or not yet. Several calls have
	// the effect of one.
	Cancel(ctx context.Context, request ProviderRequest) (Result, error)
}

// NotificationHandler is a connector whose provider reports outcomes by itself.
type NotificationHandler interface {
	// HandleNotification reads a notification. It uses only what is signed with the MID's credentials, or what the
	// provider returns to a request of ours about it. Errors: ErrNotAuthentic; ErrTooManyNotices; ErrUnreadable. After
	// any other error the provider may send it again.
	HandleNotification(ctx context.Context, n Notification) (Notice, error)
}

// ErrNotSent marks a failed request of which nothing reached the provider.
var ErrNotSent = errors.New("nothing was sent to the provider")

// ErrOtherAmount marks a response by which another amount has moved than was asked for. The outcome is unknown then. A
// connector that knows the amount returns an OtherAmountError.
var ErrOtherAmount = errors.New("another amount than was asked for")

// RequestKind is the kind of a request to a provider.
type RequestKind string

// The kinds of requests.
const (
	RequestCharge  RequestKind = "charge"
	RequestCapture RequestKind = "capture"
	RequestVoid    RequestKind = "void"
	RequestRefund  RequestKind = "refund"
)

// ProviderRequest is the part that all requests to providers have.
type ProviderRequest struct {
	Kind              RequestKind
	Reference         string // ours, the same on every repeat
	OriginalReference string // of a capture, void or refund: the reference of the charge
	ProviderID        string // the provider's id of the payment, once known
	PaymentID         string
	SessionID         string            // the session's public part; "" for a payment without a page
	Amount            money.Amount      // zero, with its currency, where PayerEntersAmount
	PayerEntersAmount bool              // of a charge: at the provider; Result.Amount then is what they entered
	Credentials       map[string]string // of the MID
	NoticeURL         string            // where the provider may send notifications
}

// Charge is a request to take money, or of a credit to pay it out.
type Charge struct {
	ProviderRequest
	Operation          method.Operation
	Method             string
	Description        string
	Auth               bool   // authorise only
	Recurring          bool   // a later payment of a chain, without the payer
	InitialTransaction string // of a later payment: the provider's id of the initial one
	// InitialNetworkID is the card scheme's id of the payment that the card was stored with, of a later payment or one
	// with a saved card. It is good at every MID. "": that provider gave none.
	InitialNetworkID string
	StartsChain      bool      // the payer agrees to later payments
	SavesCard        bool      // the card is saved, to be charged again by its token
	SavedCard        bool      // Card is a saved one, and has no security code unless the payer entered it again
	Card             card.Card // zero for methods without one
	CardName         string
	Wallet           *Wallet // of a charge with a wallet's token, nil for any other
	request.Parties
	PayerIP    string          // measured
	Browser    request.Browser // the payer's, as far as known; zero without a page
	StatedIP   string          // as the merchant sent it: a hint, which may be wrong
	Network    string          // crypto.network
	Parameters json.RawMessage // of the chosen method: a JSON object, nil if none were sent
	ReturnURL  string          // where the payer returns to after 3-D Secure or a redirect
	ExpiresAt  time.Time       // the end of the payer's time, Payment.payUntil; zero for a payment without a page
	Language   string          // that the merchant requested for the page, a BCP 47 tag; "": not known
}

// Wallet is what a charge has of a wallet's payment token (protocol.md, Flows of wallets). It is never stored.
type Wallet struct {
	Kind     string // method.ApplePay or method.GooglePay
	CardFlow bool   // Charge.Card was decrypted from the token; else the virtual flow
	// Token is the token as the wallet made it, JSON text. "" where the connector takes the decrypted card instead.
	Token string
	// Unauthenticated means that the wallet has only the card's own number, and that nobody has authenticated the payer:
	// 3-D Secure is due.
	Unauthenticated bool
}

// Notification is an HTTP request to the notice address of one MID. Anybody may have sent it.
type Notification struct {
	Header      map[string][]string // by canonical names as in net/http: X-Signature
	Query       map[string][]string
	Body        []byte
	Credentials map[string]string // of the MID
}

// ErrNotAuthentic is the error of a notification that the provider did not send, or sent to another MID.
var ErrNotAuthentic = errors.New("the notification is not authentic")

// ErrUnreadable is the error of an authentic notification that is no notice as the provider documents them, so that it
// would be read no better if it came again.
var ErrUnreadable = errors.New("the notification can't be read")

// Unreadable returns an ErrUnreadable that says why.
func Unreadable(why error) error { return fmt.Errorf("%w: %w", ErrUnreadable, why) }

// ErrTooManyNotices is the error of a notification about a request that was just looked up several times. The provider
// has to send it again.
var ErrTooManyNotices = errors.New("there are too many notices about the request")

// Notice is what a notification says: the outcome of a request. Without a PaymentID it is about no payment of ours, and
// the provider gets status 404, unless Response has a status.
type Notice struct {
	PaymentID string
	SessionID string      // as ProviderRequest has it, "" if the provider does not name it
	Kind      RequestKind // of the request, "" if the provider does not name it
	Reference string      // of the request, "" for the charge
	Result    Result
	Response  NoticeResponse

	// Requested is the amount of the request as an approval repeats it, zero if the payer entered it at the provider. Nil
	// if the connector knows by itself that the approval is of the right amount.
	Requested *money.Amount
	// OtherAmount is the OtherAmountError of an approval, nil if it is of the right amount, as far as the connector knows.
	OtherAmount error
}

// Telling returns the notice with what reading its result has led to. An approval of another amount is a notice, too,
// with what the result says beside its outcome. Errors: ErrUnreadable.
func (n Notice) Telling(result Result, err error) (Notice, error) {
	if err != nil && !ApprovesOther(err) {
		return Notice{}, Unreadable(err)
	}
	if n.Result, n.OtherAmount = result, err; err != nil {
		n.Result.Outcome = OutcomeApproved
	}
	return n, nil
}

// NoticeResponse is the response to the provider once its notice is stored. The zero value is status 200 with an empty
// JSON object.
type NoticeResponse struct {
	Status      int // 0: 200
	ContentType string
	Body        []byte
}

// Continuer is a connector whose provider may need a second form from the payer.
type Continuer interface {
	// Continue sends the provider of a begun charge what the payer filled in, which is among its Parameters.
	Continue(ctx context.Context, charge Charge) (Result, error)
}

// OtherAmountError is the ErrOtherAmount that knows the amounts.
type OtherAmountError struct {
	Moved, Requested money.Amount // zero: not known
	Approved         bool         // the provider says that the request was approved
}

func (e OtherAmountError) Error() string { return ErrOtherAmount.Error() + ": " + e.Text() }

// Text is "9.00 of 10.00 USD", or "10.00 EUR and not 10.00 USD".
func (e OtherAmountError) Text() string {
	if e.Moved.IsZero() || e.Requested.IsZero() {
		return ErrOtherAmount.Error()
	}
	if e.Moved.Currency() != e.Requested.Currency() {
		return WithCurrency(e.Moved) + " and not " + WithCurrency(e.Requested)
	}
	return e.Moved.String() + " of " + WithCurrency(e.Requested)
}

// Is makes it an ErrOtherAmount.
func (e OtherAmountError) Is(target error) bool { return target == ErrOtherAmount }

// ApprovesOther reports whether an error is that of an approval of another amount than was asked for.
func ApprovesOther(err error) bool {
	var other OtherAmountError
	return errors.As(err, &other) && other.Approved
}

// WithCurrency formats an amount with its currency.
func WithCurrency(amount money.Amount) string { return amount.String() + " " + amount.Currency().Code }
