package merchant

import (
	"context"
	"encoding/hex"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/routing"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Trial is a purchase with which an operator tries a merchant's settings.
type Trial struct {
	fault.Owner
	Amount   string
	Currency string
	Country  string // of the payer; "": not known

	ReturnURL string // where the payer is sent in the end, with payment_id; "": of a trial that is only explained
}

// Trials runs trials as if the merchant's own server had sent them, by functions that can't read the merchant's
// password. NewTrials makes one.
type Trials struct{ creator *Creator }

// NewTrials returns what runs trials. baseURL is the public address of the page, without a trailing slash.
func NewTrials(core *checkout.Core, baseURL string) *Trials {
	return &Trials{NewCreator(core, nil, nil, baseURL)} // a purchase without a token starts no job and seals no card
}

// BaseURL is the address of the service for merchants.
func (s *Trials) BaseURL() string { return s.creator.baseURL }

// Explain returns what a trial would lead to, and stores nothing. Errors: those of Start.
func (s *Trials) Explain(ctx context.Context, t Trial) (routing.Explanation, error) {
	now := s.creator.core.Now()
	t.ReturnURL = s.creator.baseURL
	r, err := s.read(ctx, now, t)
	if err != nil {
		return routing.Explanation{}, err
	}
	e, err := s.creator.explain(ctx, now, r)
	e.Hint = nil // of a hash that nobody else makes
	return e, err
}

// Start stores the session of a trial with what beside returns for its payment. Errors: CodeNotFound for an unknown
// merchant, CodeDenied for a disabled one, CodeTooMany, CodeInvalid with every fault of the session.
func (s *Trials) Start(
	ctx context.Context, t Trial, idem *checkout.IdempotencyRecord, beside func(paymentID string) []store.Record,
) (Created, error) {
	now := s.creator.core.Now()
	r, err := s.read(ctx, now, t)
	if err != nil {
		return Created{}, err
	}
	sess, err := s.creator.newSession(ctx, now, r)
	if err != nil {
		return Created{}, err
	}
	s.creator.nameSession(ctx, sess)
	back := withPaymentID(t.ReturnURL, sess.FirstPaymentID)
	sess.Request.SuccessURL, sess.Request.CancelURL = back, back
	sess.Request.ExpiryURL, sess.Request.ErrorURL = back, back
	return s.creator.storeSession(ctx, sess, idem, beside(sess.FirstPaymentID)...)
}

// withPaymentID adds the id of a trial's first payment to an address, within its fragment if it has one: the page of
// operators reads that alone.
func withPaymentID(address, id string) string {
	sep := "?"
	if strings.Contains(address, "?") {
		sep = "&"
	}
	return address + sep + "payment_id=" + id
}

// read checks the request that a trial is, by all rules of the merchant's own. It is signed with a password that nobody
// else knows: who calls is known already.
func (s *Trials) read(ctx context.Context, now time.Time, t Trial) (*SessionRequest, error) {
	known, err := s.creator.core.Merchant(ctx, t.Merchant, now)
	if err != nil {
		return nil, err
	}
	if known == nil {
		return nil, fault.Refuse(fault.CodeNotFound, "Merchant does not exist")
	}
	if err := s.creator.callers.admit(known); err != nil {
		return nil, err
	}
	m := known.Clone()
	m.Password = hex.EncodeToString(s.creator.core.Random(16))
	order := request.Order{
		Number: "trial-" + hex.EncodeToString(s.creator.core.Random(6)), Amount: request.Amount{Text: t.Amount},
		Currency: t.Currency, Description: "Trial of the settings",
	}
	body := map[string]any{
		"merchant_key": "trial", "operation": method.Purchase,
		"order": map[string]string{
			"number": order.Number, "amount": t.Amount, "currency": t.Currency, "description": order.Description,
		},
		"success_url": t.ReturnURL, "cancel_url": t.ReturnURL,
		"customer": map[string]string{"name": "Test Payer", "email": "test@example.com"},
		"hash":     settings.SignHash(&m, request.SignedSession(order)...),
	}
	if t.Country != "" {
		body["billing_address"] = map[string]string{"country": t.Country}
	}
	in, err := request.Read(store.CompactJSON(body))
	if err != nil {
		return nil, err
	}
	in.Required("merchant_key")
	return ReadSession(in, &m, t.Owner, now)
}
