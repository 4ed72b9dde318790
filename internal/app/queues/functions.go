package queues

import (
	"context"
	"encoding/json"

	"checkout/internal/api"
	"checkout/internal/app/function"
)

// parts are the parts of a function.
type parts = []*function.Part

// The functions. Each is a variable of its own, so that the linker can remove what only other functions need.
var (
	// Session creates sessions for merchants.
	Session = function.Function{
		Name:  "session",
		Parts: parts{&function.BaseURL, &Jobs, &function.VaultTable, &function.SealCards, &function.Passwords},
		Entry: function.HTTP, Routes: &api.Session,
	}
	// Status tells what became of payments. It has what is unknown looked up.
	Status = function.Function{
		Name: "status", Parts: parts{&Jobs, &function.Passwords}, Entry: function.HTTP, Routes: &api.Status,
	}
	// Capture captures authorised payments.
	Capture = function.Function{
		Name: "capture", Parts: parts{&Jobs, &function.Passwords}, Entry: function.HTTP, Routes: &api.Capture,
	}
	// Refund refunds payments.
	Refund = function.Function{
		Name: "refund", Parts: parts{&Jobs, &function.Passwords}, Entry: function.HTTP, Routes: &api.Refund,
	}
	// Void cancels payments.
	Void = function.Function{
		Name: "void", Parts: parts{&Jobs, &function.Passwords}, Entry: function.HTTP, Routes: &api.Void,
	}
	// Recurring charges recurring payments.
	Recurring = function.Function{
		Name: "recurring", Parts: parts{&Jobs, &function.Passwords}, Entry: function.HTTP, Routes: &api.Recurring,
	}
	// Retry repeats softly declined recurring payments.
	Retry = function.Function{
		Name: "retry", Parts: parts{&Jobs, &function.Passwords}, Entry: function.HTTP, Routes: &api.Retry,
	}
	// Adminact does what operators ask for.
	Adminact = function.Function{
		Name: "adminact", Parts: parts{&Jobs, &Callbacks, &function.ListingTable}, Entry: function.AdminHTTP,
		Routes: &api.AdminAct, Open: true,
	}
	// Sweep runs every minute, and sends all that is due and was not sent.
	Sweep = function.Function{
		Name: "sweep", Parts: parts{&Jobs, &SlowJobs, &Callbacks, &function.VaultTable, &function.DayKeys}, Entry: sweep,
	}
)

// sweep handles the events of the schedule, whose content is not used.
func sweep(a *function.App, _ function.Function) any {
	return func(ctx context.Context, _ json.RawMessage) error { return a.Worker.Sweep(ctx) }
}
