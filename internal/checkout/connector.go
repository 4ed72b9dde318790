package checkout

import (
	"context"
	"encoding/json"
	"errors"

	"checkout/internal/card"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
)

// Connector talks to one family of providers. Every request has a Reference,
// and requests with the same Reference have the effect of one. A decline is a
// Result. An error that is ErrNotSent means that nothing reached the provider;
// after any other error nobody knows what the provider did. What a connector
// can do beside charging are the interfaces that it implements.
type Connector interface {
	// Charge takes the money, or of a credit pays it out.
	Charge(ctx context.Context, charge Charge) (Result, error)
}

// Capturer is a connector that takes money that was only authorised.
type Capturer interface {
	Capture(ctx context.Context, request ProviderRequest) (Result, error)
}

// Voider is a connector that cancels a payment as if it had never been.
type Voider interface {
	Void(ctx context.Context, request ProviderRequest) (Result, error)
}

// Refunder is a connector that gives money back.
type Refunder interface {
	Refund(ctx context.Context, request ProviderRequest) (Result, error)
}

// StatusQuerier is a connector that can look up what became of an earlier
// request, of whatever kind. OutcomeUnknown says that the provider never
// received a request with its Reference.
type StatusQuerier interface {
	QueryStatus(ctx context.Context, request ProviderRequest) (Result, error)
}

// NotificationHandler is a connector whose provider reports outcomes that come later.
type NotificationHandler interface {
	// HandleNotification reads what came in the provider's name. It believes what only somebody who has the
	// credentials can have sent, or what the provider says when it is asked. Errors: ErrNotAuthentic.
	HandleNotification(ctx context.Context, n Notification) (Notice, error)
}

// ErrNotSent marks a failed request of which nothing reached the provider.
var ErrNotSent = errors.New("nothing was sent to the provider")

// ProviderRequest is what every request to a provider carries.
type ProviderRequest struct {
	Kind              JobKind
	Reference         string // ours, the same on every repeat
	OriginalReference string // of a capture, void or refund: the reference of the charge
	ProviderID        string // the provider's own name of the payment, once known
	PaymentID         string
	SessionID         string            // "" for what needs no payer
	Amount            money.Amount      // zero, with its currency, where PayerEntersAmount
	PayerEntersAmount bool              // of a charge: at the provider; Result.Amount then says how much it was
	Credentials       map[string]string // of the MID
	NoticeURL         string            // where the provider may report to by itself
}

// Charge is a request for money.
type Charge struct {
	ProviderRequest
	Operation          method.Operation
	Method             string
	Description        string
	Auth               bool      // authorise only
	Recurring          bool      // a later payment of a chain, without the payer
	InitialTransaction string    // of such: the provider's own name of the payment that began the chain
	Card               card.Card // zero for methods without one; without a security code if it is a saved one
	CardName           string
	request.Parties
	PayerIP    string
	Network    string          // crypto.network
	Parameters json.RawMessage // of the chosen method: a JSON object, nil if none were sent
	ReturnURL  string          // where the payer comes back to after 3-D Secure or a redirect
}

// Notification is an HTTP request to the notice address of one MID: that of a
// provider, or of anybody else.
type Notification struct {
	Header      map[string][]string // by names as net/http has them: X-Signature
	Query       map[string][]string
	Body        []byte
	Credentials map[string]string // of the MID
}

// ErrNotAuthentic is what a NotificationHandler returns for a notification that
// the provider did not send, or not to this MID.
var ErrNotAuthentic = errors.New("the notification is not authentic")

// Notice is an outcome that a provider reports by itself. Without a PaymentID it
// is about no payment: status 404, unless Response has one.
type Notice struct {
	PaymentID string
	SessionID string // of the payment, "" if the provider does not say
	Reference string // of the request that it is about, "" for the charge
	Result    Result
	Response  NoticeResponse
}

// NoticeResponse is what the provider gets back once its notice is stored. The
// zero value is status 200 with an empty JSON object.
type NoticeResponse struct {
	Status      int // 0: 200
	ContentType string
	Body        []byte
}

// Continuer is a connector whose provider may need a second form.
type Continuer interface {
	// Continue goes on with a charge that waits for what the payer filled in, which is among its parameters.
	Continue(ctx context.Context, charge Charge) (Result, error)
}
