package queues

import (
	"checkout/internal/api"
	"checkout/internal/app/function"
	"checkout/internal/checkout"
	"checkout/internal/merchant"
	"checkout/internal/settings"
	"checkout/internal/worker"
)

// The functions. Each is a variable of its own, so that the linker can remove what only other functions need.
var (
	// Session creates sessions for merchants.
	Session = function.Function{Name: "session", Build: func(b *function.Builder) any {
		core := changes(b)
		b.VaultTable("GetItem PutItem")
		return b.HTTP(core, api.Session(merchant.NewCreator(core, Jobs(b), b.Sealer(core.Now), b.BaseURL())))
	}}
	// Status tells what became of payments. It has what is unknown looked up.
	Status = function.Function{Name: "status", Build: func(b *function.Builder) any {
		core := b.Core("GetItem BatchGetItem Query PutItem", settings.SecretPassword)
		return b.HTTP(core, api.Status(merchant.NewStatuses(core, Jobs(b))))
	}}
	// Capture captures authorised payments.
	Capture = function.Function{Name: "capture", Build: func(b *function.Builder) any {
		core := changes(b)
		return b.HTTP(core, api.Capture(merchant.NewFollowUps(core, Jobs(b))))
	}}
	// Refund refunds payments.
	Refund = function.Function{Name: "refund", Build: func(b *function.Builder) any {
		core := changes(b)
		return b.HTTP(core, api.Refund(merchant.NewFollowUps(core, Jobs(b))))
	}}
	// Void cancels payments.
	Void = function.Function{Name: "void", Build: func(b *function.Builder) any {
		core := changes(b)
		return b.HTTP(core, api.Void(merchant.NewFollowUps(core, Jobs(b))))
	}}
	// Recurring charges recurring payments.
	Recurring = function.Function{Name: "recurring", Build: func(b *function.Builder) any {
		core := b.Core("GetItem BatchGetItem PutItem", settings.SecretPassword)
		return b.HTTP(core, api.Recurring(merchant.NewRecurrer(core, Jobs(b))))
	}}
	// Retry repeats softly declined recurring payments.
	Retry = function.Function{Name: "retry", Build: func(b *function.Builder) any {
		core := changes(b)
		return b.HTTP(core, api.Retry(merchant.NewRecurrer(core, Jobs(b))))
	}}
	// Sweep runs every minute, and sends all that is due and was not sent.
	Sweep = function.Function{Name: "sweep", Build: func(b *function.Builder) any {
		core := b.Core("GetItem BatchGetItem PutItem")
		b.Due("Query Scan")
		b.VaultTable("BatchGetItem PutItem DeleteItem")
		sweeper := worker.NewSweeper(core, AllJobs(b), Callbacks(b), b.KeyMaker(core.Now))
		return function.Scheduled(sweeper.Sweep)
	}}
)

// changes returns the core of a function that changes orders for merchants.
func changes(b *function.Builder) *checkout.Core {
	return b.Core("GetItem BatchGetItem PutItem Query", settings.SecretPassword)
}
