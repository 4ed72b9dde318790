package queues

import (
	"context"
	"encoding/json"

	"checkout/internal/api"
	"checkout/internal/app/function"
)

// parts are what a function is given beside the table.
type parts = []*function.Part

// The functions. They are variables of their own, so that the linker leaves out what only the others need.
var (
	Session = function.Function{ // the merchants' way to create sessions
		Name: "session", Parts: parts{&function.BaseURL, &Jobs, &function.Passwords},
		Entry: function.HTTP, Routes: &api.Session}
	Capture = function.Function{ // to take what was authorised
		Name: "capture", Parts: parts{&Jobs, &function.Passwords}, Entry: function.HTTP, Routes: &api.Capture}
	Refund = function.Function{ // to give back
		Name: "refund", Parts: parts{&Jobs, &function.Passwords}, Entry: function.HTTP, Routes: &api.Refund}
	Void = function.Function{ // to cancel a payment
		Name: "void", Parts: parts{&Jobs, &function.Passwords}, Entry: function.HTTP, Routes: &api.Void}
	Recurring = function.Function{ // to charge a chain
		Name: "recurring", Parts: parts{&Jobs, &function.Passwords}, Entry: function.HTTP, Routes: &api.Recurring}
	Retry = function.Function{ // to try a softly declined charge again
		Name: "retry", Parts: parts{&Jobs, &function.Passwords}, Entry: function.HTTP, Routes: &api.Retry}
	Page = function.Function{ // the checkout page's own API
		Name: "page", Parts: parts{&function.BaseURL, &Jobs, &function.VaultTable, &function.DayKeys, &function.Passwords},
		Entry: function.HTTP, Routes: &api.Page}
	Sweep = function.Function{ // every minute: whatever is due and was not done
		Name: "sweep", Parts: parts{&Jobs, &Callbacks, &function.VaultTable, &function.DayKeys}, Entry: sweep}
)

// sweep handles the schedule. What the schedule says with its event does not matter.
func sweep(a *function.App, _ function.Function) any {
	return func(ctx context.Context, _ json.RawMessage) error { return a.Service.Sweep(ctx) }
}
