package stripe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/form"

	"checkout/internal/connector"
	"checkout/internal/connector/provider"
)

// call is a request to Stripe.
type call struct {
	method string
	path   string
	key    string // a repeat with the same key gets the response to the first request, for a day; "": none
	params any    // of stripe-go; nil: none
}

// refusal is the error of a request that Stripe refused. Nothing was done then, unless repeated says otherwise.
type refusal struct {
	status int
	cause  *stripe.Error
}

// Error says what was refused, without what was sent.
func (r *refusal) Error() string {
	return fmt.Sprintf("Stripe refused it: status %d, %s, %s, %s", r.status, r.cause.Type, r.cause.Code, r.cause.Param)
}

// repeated reports whether another request had the same key.
func (r *refusal) repeated() bool { return r.cause.Type == stripe.ErrorTypeIdempotency }

// missing reports whether the object of the request does not exist.
func (r *refusal) missing() bool {
	return r.status == http.StatusNotFound && r.cause.Code == stripe.ErrorCodeResourceMissing
}

// refused returns the refusal that an error is, nil if it is another one.
func refused(err error) *refusal {
	var r *refusal
	errors.As(err, &r)
	return r
}

// send sends a request and reads the response into a value. It reports whether the response is that of an earlier
// request with the same key. Errors: a refusal; ErrNotSent if nothing was done; after any other error nobody knows.
func (a account) send(ctx context.Context, c call, into any) (replayed bool, err error) {
	values := &form.Values{}
	if c.params != nil {
		form.AppendTo(values, c.params)
	}
	r := provider.Request{Method: c.method, URL: a.url + c.path, Header: map[string]string{
		"Authorization": "Bearer " + a.key, "Accept": "application/json", "Stripe-Version": stripe.APIVersion,
	}}
	switch text := values.Encode(); {
	case c.method == http.MethodPost:
		r.Body, r.Header["Content-Type"] = []byte(text), "application/x-www-form-urlencoded"
	case text != "":
		r.URL += "?" + text
	}
	if c.key != "" {
		r.Header["Idempotency-Key"] = c.key
	}
	response, err := a.client.Send(ctx, r)
	if err != nil {
		return false, err
	}
	if err := failure(response); err != nil {
		return false, err
	}
	return strings.EqualFold(response.Header.Get("Idempotent-Replayed"), "true"), response.JSON(into)
}

// failure is the error that a response tells of, nil for a success.
func failure(r provider.Response) error {
	switch r.Status {
	case http.StatusOK:
		return nil
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		return fmt.Errorf("%w: Stripe takes neither the key nor the request: status %d", connector.ErrNotSent, r.Status)
	case http.StatusBadRequest, http.StatusPaymentRequired, http.StatusNotFound:
		var body struct {
			Error *stripe.Error `json:"error"`
		}
		if err := r.JSON(&body); err != nil {
			return err
		}
		if body.Error != nil && body.Error.Type != "" {
			return &refusal{r.Status, body.Error}
		}
	}
	return fmt.Errorf("Stripe has a problem: status %d", r.Status)
}

// errAbout is the error of a response about something else than was asked for.
var errAbout = errors.New("Stripe responds about another object, or in another mode")

// withCharge has Stripe add the charge to a PaymentIntent.
func withCharge() []*string { return []*string{stripe.String("latest_charge")} }

// intent sends a request whose response is a PaymentIntent.
func (a account) intent(ctx context.Context, c call) (*stripe.PaymentIntent, bool, error) {
	p := &stripe.PaymentIntent{}
	replayed, err := a.send(ctx, c, p)
	if err != nil {
		return nil, false, err
	}
	if p.ID == "" || p.Object != "payment_intent" || p.Livemode != a.live {
		return nil, false, errAbout
	}
	return p, replayed, nil
}

// list is a page of a list, or what a search has found.
type list[T any] struct {
	Object  string `json:"object"`
	HasMore bool   `json:"has_more"`
	Data    []*T   `json:"data"`
}

const intents = "/v1/payment_intents"

// read reads a PaymentIntent, nil if there is none with that id.
func (a account) read(ctx context.Context, id string) (*stripe.PaymentIntent, error) {
	p, _, err := a.intent(ctx, call{
		method: http.MethodGet, path: intents + "/" + id, params: &stripe.PaymentIntentParams{Expand: withCharge()},
	})
	if r := refused(err); r != nil && r.missing() {
		return nil, nil
	}
	if err == nil && p.ID != id {
		return nil, errAbout
	}
	return p, err
}
