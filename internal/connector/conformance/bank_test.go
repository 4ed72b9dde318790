package conformance_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
	"checkout/internal/reason"
)

// bank is a minimal connector that speaks HTTP and conforms.
type bank struct {
	client *provider.Client
	url    string
}

// sent is the body of a request to the bank.
type sent struct {
	Kind      connector.RequestKind `json:"kind"`
	Reference string                `json:"reference"`
	Original  string                `json:"original,omitempty"`
	Payment   string                `json:"payment"`
	Amount    json.Number           `json:"amount"` // minor units
	Currency  string                `json:"currency"`
	Card      string                `json:"card,omitempty"`
	Hold      bool                  `json:"hold,omitempty"`
	End       bool                  `json:"end,omitempty"` // of a charge that waits for the payer
}

// response is the body of the bank's responses and notices.
type response struct {
	Kind      connector.RequestKind `json:"kind"`
	Reference string                `json:"reference"`
	Payment   string                `json:"payment"`
	Status    string                `json:"status"` // approved, declined, confirm, waiting, unknown
	ID        string                `json:"id,omitempty"`
	Reason    string                `json:"reason,omitempty"`
	Soft      bool                  `json:"soft,omitempty"`
	URL       string                `json:"url,omitempty"`
}

func (b bank) Charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
	body := bodyOf(c.ProviderRequest)
	body.Card, body.Hold = c.Card.Number, c.Auth
	return b.post(ctx, c.ProviderRequest, body)
}

func (b bank) Capture(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return b.post(ctx, r, bodyOf(r))
}

func (b bank) Void(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return b.post(ctx, r, bodyOf(r))
}

func (b bank) Refund(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	return b.post(ctx, r, bodyOf(r))
}

func (b bank) Cancel(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	body := bodyOf(r)
	body.End = true
	return b.post(ctx, r, body)
}

func (b bank) QueryStatus(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	query := url.Values{"kind": {string(r.Kind)}, "reference": {r.Reference}}
	return b.send(ctx, r, provider.Request{Method: "GET", URL: b.url + "/operations?" + query.Encode()})
}

func (b bank) HandleNotification(_ context.Context, n connector.Notification) (connector.Notice, error) {
	signature, err := hex.DecodeString(http.Header(n.Header).Get("X-Signature"))
	if err != nil || n.Credentials["secret"] == "" || !hmac.Equal(signature, sign(n.Credentials["secret"], n.Body)) {
		return connector.Notice{}, connector.ErrNotAuthentic
	}
	var a response
	if err := json.Unmarshal(n.Body, &a); err != nil {
		return connector.Notice{}, fmt.Errorf("the notice has %d bytes that are no JSON of the bank's", len(n.Body))
	}
	result, err := a.result()
	return connector.Notice{
		PaymentID: a.Payment, Reference: a.Reference, Result: result,
		Response: connector.NoticeResponse{ContentType: "text/plain", Body: []byte("OK")},
	}, err
}

func sign(secret string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return mac.Sum(nil)
}

func bodyOf(r connector.ProviderRequest) sent {
	amount := json.Number(r.Amount.Minor())
	if amount == "" {
		amount = "0"
	}
	return sent{
		Kind: r.Kind, Reference: r.Reference, Original: r.OriginalReference, Payment: r.PaymentID,
		Amount: amount, Currency: r.Amount.Currency().Code,
	}
}

func (b bank) post(ctx context.Context, r connector.ProviderRequest, body sent) (connector.Result, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return connector.Result{}, fmt.Errorf("%w: %s", connector.ErrNotSent, "the request can't be written")
	}
	return b.send(ctx, r, provider.Request{Method: "POST", URL: b.url + "/operations", Body: text})
}

// send sends a request and returns the result for r.
func (b bank) send(
	ctx context.Context, r connector.ProviderRequest, request provider.Request,
) (connector.Result, error) {
	request.Header = map[string]string{
		"Authorization": "Bearer " + r.Credentials["key"], "Content-Type": "application/json",
	}
	got, err := b.client.Send(ctx, request)
	if err != nil {
		return connector.Result{}, err
	}
	var a response
	if err := got.JSON(&a); err != nil {
		return connector.Result{}, err
	}
	if got.Status != http.StatusOK || a.Kind != r.Kind || a.Reference != r.Reference {
		return connector.Result{}, fmt.Errorf("the bank responds with status %d about something else", got.Status)
	}
	return a.result()
}

func (a response) result() (connector.Result, error) {
	r := connector.Result{ProviderData: connector.ProviderData{ProviderID: a.ID}, Reason: a.Reason}
	switch a.Status {
	case "approved":
		r.Outcome = connector.OutcomeApproved
	case "declined":
		if r.Outcome = connector.OutcomeDeclined; a.Soft {
			r.ReasonCode = reason.TryAgainLater
		}
	case "waiting": // which is what a Result says by itself
	case "chargeback":
		r.Outcome = connector.OutcomeChargeback
	case "confirm":
		r.Outcome = connector.OutcomeActionRequired
		r.RequiredAction = &connector.RequiredAction{Kind: connector.Action3DS, URL: a.URL}
	case "unknown":
		r.Outcome = connector.OutcomeUnknown
	default:
		return connector.Result{}, fmt.Errorf("the bank's status is unknown")
	}
	return r, nil
}
