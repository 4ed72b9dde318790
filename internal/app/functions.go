package app

import (
	"context"
	"encoding/json"

	"checkout/internal/queue"
)

// Function is one Lambda function: the parts of the service that it is given, and what handles its events. What it needs of
// the environment follows from its parts. A test derives from the code which parts each function uses.
type Function struct {
	Name    string // of its folder
	parts   []*part
	handler func(*App) any // nil: its HTTP routes
}

// Every function, with all that it is given beside the table. They are variables of their own, so that a binary holds its own
// function alone and the linker leaves out what only the others need.
var (
	Session   = Function{"session", []*part{&baseURL, &jobQueue, &passwords}, nil}                                          // the merchants' way to create sessions
	Status    = Function{"status", []*part{&passwords}, nil}                                                                // and to ask
	Capture   = Function{"capture", []*part{&jobQueue, &passwords}, nil}                                                    // to take what was authorised
	Refund    = Function{"refund", []*part{&jobQueue, &passwords}, nil}                                                     // to give back
	Void      = Function{"void", []*part{&jobQueue, &passwords}, nil}                                                       // to cancel a payment
	Recurring = Function{"recurring", []*part{&jobQueue, &passwords}, nil}                                                  // to charge a chain
	Retry     = Function{"retry", []*part{&jobQueue, &passwords}, nil}                                                      // to try a softly declined charge again
	Page      = Function{"page", []*part{&baseURL, &jobQueue, &vaultTable, &dayKeys, &passwords}, nil}                      // the checkout page's own API
	Notify    = Function{"notify", []*part{&baseURL, &jobQueue, &callbackQueue, &vaultTable, &connectors, &passwords}, nil} // providers' reports, and the sandbox's pages
	Connector = Function{"connector", []*part{&baseURL, &jobQueue, &callbackQueue, &vaultTable, &openVault, &connectors, &passwords, &midCredentials}, runJobs}
	Callback  = Function{"callback", []*part{&callbackQueue, &sender, &callbackSecrets}, sendCallbacks}
	Sweep     = Function{"sweep", []*part{&jobQueue, &callbackQueue, &vaultTable, &dayKeys}, sweep}
)

// Functions returns every function by its name. The binaries don't call it: each names its own function alone.
func Functions() map[string]Function {
	all := map[string]Function{}
	for _, f := range []Function{Session, Status, Capture, Refund, Void, Recurring, Retry, Page, Notify, Connector, Callback, Sweep} {
		all[f.Name] = f
	}
	return all
}

// Handler returns the function's Lambda handler.
func (f Function) Handler(a *App) any {
	if f.handler == nil {
		return a.behindGateway(f.Name)
	}
	return f.handler(a)
}

// Parts names the parts that the function is given beside the table.
func (f Function) Parts() []string {
	var names []string
	for _, p := range f.parts {
		names = append(names, p.name)
	}
	return names
}

// Needs returns the variables of the environment that the function can't do without.
func (f Function) Needs() []string {
	needs := []string{"STACK", "TABLE", "PAYMENT_RETENTION_DAYS"}
	if f.handler == nil { // else anybody could call it past CloudFront
		needs = append(needs, "ORIGIN_SECRET")
	}
	for _, p := range f.parts {
		needs = append(needs, p.needs...)
	}
	return needs
}

// runJobs handles the jobs' queue.
func runJobs(a *App) any { return queue.Jobs(a.Service.Log, a.Service.RunJob) }

// sendCallbacks handles the callbacks' queue.
func sendCallbacks(a *App) any { return queue.Callbacks(a.Service.Log, a.Service.SendCallback) }

// sweep handles the schedule. What the schedule says with its event does not matter.
func sweep(a *App) any {
	return func(ctx context.Context, _ json.RawMessage) error { return a.Service.Sweep(ctx) }
}
