package api

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"

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

// The routes of each function. Each list is a variable of its own, and is made without a function call, so that the
// linker can remove it from the binaries of other functions.
var (
	Session = Routes{
		{"POST", "/api/v1/session", change((*merchant.Service).CreateSession)},
		{"POST", "/api/v1/session/explain", query((*merchant.Service).Explain)},
	}
	Status    = Routes{{"POST", "/api/v1/payment/status", query((*merchant.Service).Status)}}
	Capture   = Routes{{"POST", "/api/v1/payment/capture", change((*merchant.Service).Capture)}}
	Refund    = Routes{{"POST", "/api/v1/payment/refund", change((*merchant.Service).Refund)}}
	Void      = Routes{{"POST", "/api/v1/payment/void", change((*merchant.Service).Void)}}
	Recurring = Routes{{"POST", "/api/v1/payment/recurring", change((*merchant.Service).Recurring)}}
	Retry     = Routes{{"POST", "/api/v1/payment/retry", change((*merchant.Service).Retry)}}
	Page      = Routes{
		{"GET", "/page/v1/{session}", raw((*API).nextScreen)},
		{"POST", "/page/v1/{session}/pay", raw((*API).pay)},
		{"POST", "/page/v1/{session}/second-form", raw((*API).submitSecondForm)},
		{"POST", "/page/v1/{session}/another", raw((*API).chooseAnother)},
		{"POST", "/page/v1/{session}/cancel", raw((*API).cancel)},
		{"POST", "/page/v1/{session}/remove-card", raw((*API).removeCard)},
		{"POST", "/page/v1/{session}/applepay", raw((*API).merchantSession)},
		{"GET", "/page/v1/{session}/return", raw((*API).payerReturned)},
	}
	Notify = Routes{
		{"POST", "/api/v1/notify/{connector}/{mid}", raw((*API).notify)},
		{"POST", "/api/v1/notify/{connector}", raw((*API).notifyAgain)},
		{"GET", "/sandbox/{reference}", raw((*API).sandboxStep)},
		{"POST", "/sandbox/{reference}", raw((*API).sandboxFinish)},
		{"POST", "/sandbox/wallet", raw((*API).sandboxWallet)},
	}
	Reports = Routes{{"POST", "/page/reports", raw((*API).reports)}}
)

// All returns every route of the service, for tests, documents and the local run. No Lambda function calls it.
func All() Routes {
	return slices.Concat(Session, Status, Capture, Refund, Void, Recurring, Retry, Page, Notify, Reports)
}

// handler handles the requests of a route.
type handler interface {
	handle(a *API, w http.ResponseWriter, r *http.Request) error
}

// raw handles the HTTP request itself.
type raw func(a *API, w http.ResponseWriter, r *http.Request) error

func (f raw) handle(a *API, w http.ResponseWriter, r *http.Request) error { return f(a, w, r) }

// change handles a merchant's call that changes something. It can have an Idempotency-Key.
type change func(s *merchant.Service, ctx context.Context, call merchant.Call) (merchant.Response, error)

func (f change) handle(a *API, w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	call := merchant.Call{Path: r.URL.Path, Body: body, IdempotencyKey: r.Header.Get("Idempotency-Key")}
	response, err := f(a.Merchant, r.Context(), call)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, response)
	return nil
}

// query handles a merchant's call that changes nothing. An Idempotency-Key is ignored.
type query func(s *merchant.Service, ctx context.Context, body []byte) (merchant.Response, error)

func (f query) handle(a *API, w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	response, err := f(a.Merchant, r.Context(), body)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, response)
	return nil
}

// readBody reads up to one byte more than a body may have. The check of the body rejects it then.
func readBody(r *http.Request) ([]byte, error) {
	var body bytes.Buffer
	body.Grow(int(min(max(r.ContentLength, 0), request.MaxBody)) + bytes.MinRead)
	if _, err := body.ReadFrom(io.LimitReader(r.Body, request.MaxBody+1)); err != nil {
		return nil, invalid("", "The body could not be read.")
	}
	return body.Bytes(), nil
}
