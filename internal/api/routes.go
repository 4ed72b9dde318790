package api

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"checkout/internal/fault"
	"checkout/internal/merchant"
	"checkout/internal/request"
)

// Routes are the paths that one function serves.
type Routes []Route

// Route is a method and path of the service with its handler.
type Route struct {
	Method  string
	Path    string // as net/http and API Gateway write it, such as /page/v1/{session}
	handler handler
}

// Session returns the routes of sessions.
func Session(s *merchant.Creator) Routes {
	return Routes{
		{"POST", "/api/v1/session", change(s.CreateSession)},
		{"POST", "/api/v1/session/explain", inquiry(s.Explain)},
	}
}

// Status returns the route of statuses.
func Status(s *merchant.Statuses) Routes {
	return Routes{{"POST", "/api/v1/payment/status", inquiry(s.Status)}}
}

// Capture returns the route of captures.
func Capture(s *merchant.FollowUps) Routes {
	return Routes{{"POST", "/api/v1/payment/capture", change(s.Capture)}}
}

// Refund returns the route of refunds.
func Refund(s *merchant.FollowUps) Routes {
	return Routes{{"POST", "/api/v1/payment/refund", change(s.Refund)}}
}

// Void returns the route of voids.
func Void(s *merchant.FollowUps) Routes {
	return Routes{{"POST", "/api/v1/payment/void", change(s.Void)}}
}

// Recurring returns the routes of recurring payments.
func Recurring(s *merchant.Recurrer) Routes {
	return Routes{
		{"POST", "/api/v1/payment/recurring", change(s.Recurring)},
		{"POST", "/api/v1/payment/recurring/stop", change(s.Stop)},
	}
}

// Retry returns the route of retries.
func Retry(s *merchant.Recurrer) Routes {
	return Routes{{"POST", "/api/v1/payment/retry", change(s.Retry)}}
}

// handler handles the requests of a route.
type handler interface {
	handle(a *API, w http.ResponseWriter, r *http.Request) error
}

// raw handles the HTTP request itself.
type raw func(w http.ResponseWriter, r *http.Request) error

func (f raw) handle(_ *API, w http.ResponseWriter, r *http.Request) error { return f(w, r) }

// change handles a merchant's call that changes something. It can have an Idempotency-Key.
type change func(ctx context.Context, call merchant.Call) (merchant.Response, error)

func (f change) handle(_ *API, w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	call := merchant.Call{Path: r.URL.Path, Body: body, IdempotencyKey: r.Header.Get("Idempotency-Key")}
	ctx, wait := merchant.Beside(r.Context())
	defer wait()
	response, err := f(ctx, call)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, response)
	return nil
}

// inquiry handles a merchant's call that changes nothing. An Idempotency-Key is ignored.
type inquiry func(ctx context.Context, body []byte) (merchant.Response, error)

func (f inquiry) handle(_ *API, w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	ctx, wait := merchant.Beside(r.Context())
	defer wait()
	response, err := f(ctx, body)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, response)
	return nil
}

// readBody reads up to one byte more than a body may have. The check of the body rejects it then.
func readBody(r *http.Request) ([]byte, error) { return readBodyOf(r, request.MaxBody) }

// readBodyOf is readBody for a body that may have another number of bytes.
func readBodyOf(r *http.Request, most int) ([]byte, error) {
	var body bytes.Buffer
	body.Grow(int(min(max(r.ContentLength, 0), int64(most))) + bytes.MinRead)
	if _, err := body.ReadFrom(io.LimitReader(r.Body, int64(most)+1)); err != nil {
		return nil, fault.At("", "The body could not be read.")
	}
	return body.Bytes(), nil
}
