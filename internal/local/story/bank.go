package story

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/sandbox"
	"checkout/internal/reason"
	"checkout/internal/settings"
)

// provider is a connector whose results a story determines. Otherwise they come from the sandbox, if it is set; without
// it everything is approved and a look-up is undecided. Its notices are connector.Notice as JSON.
type provider struct {
	sandbox  *watchedSandbox
	charge   func(connector.Charge) (connector.Result, error)
	followUp func(connector.ProviderRequest) (connector.Result, error) // a capture, void or refund
	lookUp   func(connector.ProviderRequest) (connector.Result, error)
	proceed  func(connector.Charge) (connector.Result, error) // with a second form
	cancel   func(connector.ProviderRequest) (connector.Result, error)
	notice   func(connector.Notification) (connector.Notice, error)

	mu        sync.Mutex
	charges   []connector.Charge
	continued []connector.Charge
	followUps []connector.ProviderRequest
	lookUps   []connector.ProviderRequest
	cancels   []connector.ProviderRequest
}

var (
	approved = connector.Result{Outcome: connector.OutcomeApproved}
	declined = connector.Result{Outcome: connector.OutcomeDeclined}
	soft     = connector.Result{
		Outcome: connector.OutcomeDeclined, ReasonCode: reason.TryAgainLater, Reason: "Later.",
	}
	redirected = connector.Result{Outcome: connector.OutcomeActionRequired, RequiredAction: &connector.RequiredAction{
		Kind: connector.Action3DS, URL: "https://bank.example",
	}}
	undecided connector.Result
)

// noResponse is a charge whose outcome nobody knows.
func noResponse(connector.Charge) (connector.Result, error) {
	return connector.Result{}, errors.New("no response")
}

// onCharge is a provider's result r of every charge, onFollowUp that of every other request.
func onCharge(r connector.Result) func(connector.Charge) (connector.Result, error) {
	return func(connector.Charge) (connector.Result, error) { return r, nil }
}

func onFollowUp(r connector.Result) func(connector.ProviderRequest) (connector.Result, error) {
	return func(connector.ProviderRequest) (connector.Result, error) { return r, nil }
}

func (p *provider) Charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
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

func (p *provider) Continue(_ context.Context, c connector.Charge) (connector.Result, error) {
	p.mu.Lock()
	p.continued = append(p.continued, c)
	p.mu.Unlock()
	if p.proceed != nil {
		return p.proceed(c)
	}
	return approved, nil
}

func (p *provider) Cancel(ctx context.Context, q connector.ProviderRequest) (connector.Result, error) {
	p.mu.Lock()
	p.cancels = append(p.cancels, q)
	p.mu.Unlock()
	switch {
	case p.cancel != nil:
		return p.cancel(q)
	case p.sandbox != nil:
		return p.sandbox.Cancel(ctx, q)
	}
	return declined, nil
}

func (p *provider) Capture(ctx context.Context, q connector.ProviderRequest) (connector.Result, error) {
	return p.follow(q, func() (connector.Result, error) { return p.sandbox.Capture(ctx, q) })
}

func (p *provider) Void(ctx context.Context, q connector.ProviderRequest) (connector.Result, error) {
	return p.follow(q, func() (connector.Result, error) { return p.sandbox.Void(ctx, q) })
}

func (p *provider) Refund(ctx context.Context, q connector.ProviderRequest) (connector.Result, error) {
	return p.follow(q, func() (connector.Result, error) { return p.sandbox.Refund(ctx, q) })
}

func (p *provider) follow(
	q connector.ProviderRequest, sandbox func() (connector.Result, error),
) (connector.Result, error) {
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

func (p *provider) QueryStatus(ctx context.Context, q connector.ProviderRequest) (connector.Result, error) {
	p.mu.Lock()
	p.lookUps = append(p.lookUps, q)
	p.mu.Unlock()
	switch {
	case p.lookUp != nil:
		return p.lookUp(q)
	case p.sandbox != nil:
		return p.sandbox.QueryStatus(ctx, q)
	}
	return connector.Result{}, nil
}

func (p *provider) HandleNotification(
	ctx context.Context, received connector.Notification,
) (connector.Notice, error) {
	if p.notice != nil {
		return p.notice(received)
	}
	var n connector.Notice
	if err := json.Unmarshal(received.Body, &n); err != nil || n.PaymentID != "" || p.sandbox == nil {
		return n, err
	}
	return p.sandbox.HandleNotification(ctx, received) // from the sandbox's pages
}

// Providers that have only some of the methods of a provider.
type (
	chargeOnly struct{ connector.Connector }
	noLookUps  struct {
		connector.Connector
		connector.Capturer
		connector.Voider
		connector.Refunder
		connector.NotificationHandler
	}
)

// bankCredentials are what MIDs of the banks may have.
var bankCredentials = []settings.Credential{
	{Name: "account", Kind: settings.KindText}, {Name: "secret", Kind: settings.KindText, Secret: true},
}

// withoutLookUps is a provider without status queries.
func withoutLookUps(p *provider) noLookUps { return noLookUps{p, p, p, p, p} }

// connects makes p the connector of that name: settings.SandboxConnector, which the test key uses, or one of the MIDs'.
func (w *World) connects(name string, p connector.Connector) { w.app.Runner.Connectors[name] = p }

// declares sets what a connector declares that it can do. By default it is what the sandbox declares.
func (w *World) declares(name string, can settings.Declaration) {
	w.app.Core.Declarations[name], w.app.Merchants.Connectors[name] = can, can
}

// goesLive makes the shop use its live key from now on, and p the connector of its MIDs.
func (w *World) goesLive(p connector.Connector) {
	w.connects(realBank, p)
	w.shop.live = true
}

// reports sends a notice from the provider behind a connector to the address of the shop's first MID, and returns the
// HTTP status.
func (w *World) reports(connector string, n connector.Notice) int {
	w.t.Helper()
	code, _ := w.call("POST", w.noticePath(connector, 0), n)
	return code
}

// noticePath returns the notice address of one of the shop's MIDs.
func (w *World) noticePath(connector string, mid int) string {
	w.t.Helper()
	found, err := w.app.Merchants.Read(context.Background(), w.shop.merchant.ID)
	if err != nil || len(found.Notices) <= mid {
		w.t.Fatalf("the shop's notice addresses: %v, %v", found.Notices, err)
	}
	return "/api/v1/notify/" + connector + found.Notices[mid].Path[strings.LastIndex(found.Notices[mid].Path, "/"):]
}

// reported sends a notice like reports, and expects a 200.
func (w *World) reported(connector string, n connector.Notice) {
	w.t.Helper()
	if code := w.reports(connector, n); code != http.StatusOK {
		w.t.Errorf("the notice returned %d", code)
	}
}

// watchedSandbox is the sandbox. It fails the story if it gets a second request with the same reference, unless a
// look-up found nothing at a time when the first request can't be on its way any more.
type watchedSandbox struct {
	*sandbox.Sandbox
	t Tester

	mu       sync.Mutex
	inFlight map[string]time.Time // by reference: when the request was sent that may still have an effect
	lookups  int
	hold     chan struct{} // if it is set: requests without a response end when it is closed

	charging func() // called when a charge arrives
}

func (w *watchedSandbox) Charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
	w.noteRequest(c.Reference)
	if w.charging != nil {
		w.charging()
	}
	return w.Sandbox.Charge(&hangingContext{Context: ctx, hold: w.hold}, c)
}

func (w *watchedSandbox) Capture(ctx context.Context, q connector.ProviderRequest) (connector.Result, error) {
	w.noteRequest(q.Reference)
	return w.Sandbox.Capture(&hangingContext{Context: ctx, hold: w.hold}, q)
}

func (w *watchedSandbox) Void(ctx context.Context, q connector.ProviderRequest) (connector.Result, error) {
	w.noteRequest(q.Reference)
	return w.Sandbox.Void(&hangingContext{Context: ctx, hold: w.hold}, q)
}

func (w *watchedSandbox) Refund(ctx context.Context, q connector.ProviderRequest) (connector.Result, error) {
	w.noteRequest(q.Reference)
	return w.Sandbox.Refund(&hangingContext{Context: ctx, hold: w.hold}, q)
}

func (w *watchedSandbox) QueryStatus(ctx context.Context, c connector.ProviderRequest) (connector.Result, error) {
	result, err := w.Sandbox.QueryStatus(ctx, c)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lookups++
	expired := w.Now().Sub(w.inFlight[c.Reference]) >= requestLifetime
	if err == nil && result.Outcome == connector.OutcomeUnknown && expired {
		delete(w.inFlight, c.Reference)
	}
	return result, err
}

// noteRequest records a provider request, and fails the story if it is a repeat.
func (w *watchedSandbox) noteRequest(reference string) {
	w.mu.Lock()
	at, again := w.inFlight[reference]
	w.inFlight[reference] = w.Now()
	w.mu.Unlock()
	if again {
		w.t.Errorf("the sandbox got a second request with reference %s, %s after the first", reference, w.Now().Sub(at))
	}
}

// requestLifetime is longer than a function that sends a provider request can run.
const requestLifetime = 40 * time.Second

// ends is the sandbox, with a function that is called as soon as a charge has its result.
func (w *watchedSandbox) ends(end func()) *provider {
	return &provider{sandbox: w, charge: func(c connector.Charge) (connector.Result, error) {
		defer end()
		return w.Charge(context.Background(), c)
	}}
}
