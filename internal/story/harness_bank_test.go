package story

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/connector/sandbox"
	"checkout/internal/merchant"
)

// watchedSandbox is the sandbox, and fails the story if it is asked for the same money
// twice: a second question needs a look-up that found nothing, at a time when
// the first one can't be on its way any more.
type watchedSandbox struct {
	*sandbox.Sandbox
	t tester

	mu       sync.Mutex
	inFlight map[string]time.Time // by reference: the question that may still be carried out
	lookups  int
	hold     chan struct{} // until it is closed, questions without an answer stay open

	charging func() // is called when a charge arrives
}

// requestLifetime is longer than a function that asks can live.
const requestLifetime = 40 * time.Second

func (w *watchedSandbox) Charge(ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	w.notes(c.Reference)
	if w.charging != nil {
		w.charging()
	}
	return w.Sandbox.Charge(&hangingContext{Context: ctx, hold: w.hold}, c)
}

func (w *watchedSandbox) Capture(ctx context.Context, q checkout.ProviderRequest) (checkout.Result, error) {
	w.notes(q.Reference)
	return w.Sandbox.Capture(&hangingContext{Context: ctx, hold: w.hold}, q)
}

func (w *watchedSandbox) Void(ctx context.Context, q checkout.ProviderRequest) (checkout.Result, error) {
	w.notes(q.Reference)
	return w.Sandbox.Void(&hangingContext{Context: ctx, hold: w.hold}, q)
}

func (w *watchedSandbox) Refund(ctx context.Context, q checkout.ProviderRequest) (checkout.Result, error) {
	w.notes(q.Reference)
	return w.Sandbox.Refund(&hangingContext{Context: ctx, hold: w.hold}, q)
}

func (w *watchedSandbox) QueryStatus(ctx context.Context, c checkout.ProviderRequest) (checkout.Result, error) {
	result, err := w.Sandbox.QueryStatus(ctx, c)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lookups++
	if err == nil && result.Outcome == checkout.OutcomeUnknown && w.Now().Sub(w.inFlight[c.Reference]) >= requestLifetime {
		delete(w.inFlight, c.Reference)
	}
	return result, err
}

// notes notes a question.
func (w *watchedSandbox) notes(reference string) {
	w.mu.Lock()
	at, again := w.inFlight[reference]
	w.inFlight[reference] = w.Now()
	w.mu.Unlock()
	if again {
		w.t.Errorf("the sandbox is asked about %s again, %s after the first question", reference, w.Now().Sub(at))
	}
}

// hangingContext is a context for a question that may never be answered. Whoever waits
// for its end has nothing else left to do, so that is at once, or when hold is closed.
type hangingContext struct {
	context.Context
	hold  chan struct{}
	ended atomic.Bool
}

func (h *hangingContext) Done() <-chan struct{} {
	h.ended.Store(true)
	if h.hold != nil {
		return h.hold
	}
	over := make(chan struct{})
	close(over)
	return over
}

func (h *hangingContext) Err() error {
	if h.ended.Load() {
		return context.DeadlineExceeded
	}
	return h.Context.Err()
}

// realBank is the connector that the shop's MIDs name, anotherBank one that they may name.
const (
	realBank    = "a-real-bank"
	anotherBank = "another-bank"
)

// provider is a connector that does what a story says. What the story does not say the sandbox does, if there is one;
// else it is approved, and a look-up says that nothing is decided. Its notices are checkout.Notice as JSON.
type provider struct {
	sandbox  *watchedSandbox
	charge   func(checkout.Charge) (checkout.Result, error)
	followUp func(checkout.ProviderRequest) (checkout.Result, error) // a capture, void or refund
	lookUp   func(checkout.ProviderRequest) (checkout.Result, error)
	proceed  func(checkout.Charge) (checkout.Result, error) // with a second form
	notice   func(checkout.Notification) (checkout.Notice, error)

	mu        sync.Mutex
	charges   []checkout.Charge
	continued []checkout.Charge
	followUps []checkout.ProviderRequest
	lookUps   []checkout.ProviderRequest
}

var (
	approved   = checkout.Result{Outcome: checkout.OutcomeApproved}
	declined   = checkout.Result{Outcome: checkout.OutcomeDeclined}
	soft       = checkout.Result{Outcome: checkout.OutcomeDeclined, Soft: true, Reason: "Later."}
	redirected = checkout.Result{Outcome: checkout.OutcomeActionRequired, RequiredAction: &checkout.RequiredAction{
		Kind: checkout.Status3DS, URL: "https://bank.example",
	}}
	undecided checkout.Result
)

// noResponse is a charge that nobody knows the outcome of.
func noResponse(checkout.Charge) (checkout.Result, error) {
	return checkout.Result{}, errors.New("no response")
}

// onCharge has a provider answer every charge with r, onQuestion every other question.
func onCharge(r checkout.Result) func(checkout.Charge) (checkout.Result, error) {
	return func(checkout.Charge) (checkout.Result, error) { return r, nil }
}

func onFollowUp(r checkout.Result) func(checkout.ProviderRequest) (checkout.Result, error) {
	return func(checkout.ProviderRequest) (checkout.Result, error) { return r, nil }
}

func (p *provider) Charge(ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	p.mu.Lock()
	p.charges = append(p.charges, c)
	p.mu.Unlock()
	switch {
	case p.charge != nil:
		return p.charge(c)
	case p.sandbox != nil:
		return p.sandbox.Charge(ctx, c)
	}
	return approved, nil
}

func (p *provider) Continue(_ context.Context, c checkout.Charge) (checkout.Result, error) {
	p.mu.Lock()
	p.continued = append(p.continued, c)
	p.mu.Unlock()
	if p.proceed != nil {
		return p.proceed(c)
	}
	return approved, nil
}

func (p *provider) Capture(ctx context.Context, q checkout.ProviderRequest) (checkout.Result, error) {
	return p.follow(q, func() (checkout.Result, error) { return p.sandbox.Capture(ctx, q) })
}

func (p *provider) Void(ctx context.Context, q checkout.ProviderRequest) (checkout.Result, error) {
	return p.follow(q, func() (checkout.Result, error) { return p.sandbox.Void(ctx, q) })
}

func (p *provider) Refund(ctx context.Context, q checkout.ProviderRequest) (checkout.Result, error) {
	return p.follow(q, func() (checkout.Result, error) { return p.sandbox.Refund(ctx, q) })
}

func (p *provider) follow(q checkout.ProviderRequest, sandbox func() (checkout.Result, error)) (checkout.Result, error) {
	p.mu.Lock()
	p.followUps = append(p.followUps, q)
	p.mu.Unlock()
	switch {
	case p.followUp != nil:
		return p.followUp(q)
	case p.sandbox != nil:
		return sandbox()
	}
	return approved, nil
}

func (p *provider) QueryStatus(ctx context.Context, q checkout.ProviderRequest) (checkout.Result, error) {
	p.mu.Lock()
	p.lookUps = append(p.lookUps, q)
	p.mu.Unlock()
	switch {
	case p.lookUp != nil:
		return p.lookUp(q)
	case p.sandbox != nil:
		return p.sandbox.QueryStatus(ctx, q)
	}
	return checkout.Result{}, nil
}

func (p *provider) HandleNotification(ctx context.Context, received checkout.Notification) (checkout.Notice, error) {
	if p.notice != nil {
		return p.notice(received)
	}
	var n checkout.Notice
	if err := json.Unmarshal(received.Body, &n); err != nil || n.PaymentID != "" || p.sandbox == nil {
		return n, err
	}
	return p.sandbox.HandleNotification(ctx, received) // of the sandbox's own pages
}

// What providers can't do that have only these abilities of a provider's.
type (
	chargesOnly struct{ checkout.Connector }
	noLookUps   struct {
		checkout.Connector
		checkout.Capturer
		checkout.Voider
		checkout.Refunder
		checkout.NotificationHandler
	}
)

// withoutLookUps is a provider that can't be asked what became of a question.
func withoutLookUps(p *provider) noLookUps { return noLookUps{p, p, p, p, p} }

// connects has a connector talk to p: the sandbox, which the test key goes to, or the one of the shop's MIDs.
func (w *world) connects(name string, p checkout.Connector) { w.app.Service.Connectors[name] = p }

// declares has a connector declare what it can do: everything, unless the story says less.
func (w *world) declares(name string, can merchant.Declaration) {
	w.app.Service.Declarations[name], w.app.Merchants.Connectors[name] = can, can
}

// goesLive has the shop use its live key from now on, whose payments p gets.
func (w *world) goesLive(p checkout.Connector) {
	w.connects(realBank, p)
	w.shop.live = true
}

// reports has the provider behind a connector send a notice to the address of the shop's first MID, and returns the HTTP status.
func (w *world) reports(connector string, n checkout.Notice) int {
	w.t.Helper()
	code, _ := w.call("POST", w.noticePath(connector, 0), n)
	return code
}

// noticePath is the notice address of one of the shop's MIDs.
func (w *world) noticePath(connector string, mid int) string {
	w.t.Helper()
	found, err := w.app.Merchants.Find(context.Background(), w.shop.merchant.ID)
	if err != nil || len(found.Notices) <= mid {
		w.t.Fatalf("the shop's notice addresses: %v, %v", found.Notices, err)
	}
	return "/api/v1/notify/" + connector + found.Notices[mid].Path[strings.LastIndex(found.Notices[mid].Path, "/"):]
}

// reported is reports of what is taken.
func (w *world) reported(connector string, n checkout.Notice) {
	w.t.Helper()
	if code := w.reports(connector, n); code != http.StatusOK {
		w.t.Errorf("the notice returned %d", code)
	}
}

// ends calls end as soon as the provider has answered a charge.
func (w *watchedSandbox) ends(end func()) *provider {
	return &provider{sandbox: w, charge: func(c checkout.Charge) (checkout.Result, error) {
		defer end()
		return w.Charge(context.Background(), c)
	}}
}
