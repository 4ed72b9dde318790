// Package app builds the whole service: a list of all Lambda functions, the service in one process for a local run and
// for tests, and what an operator's commands need. The binary of a Lambda function imports the packages below
// this one instead, so that it holds no library that only other functions need.
package app

import (
	"io"
	"log/slog"

	"checkout/internal/app/acts"
	"checkout/internal/app/archives"
	"checkout/internal/app/callbacks"
	"checkout/internal/app/editors"
	"checkout/internal/app/function"
	"checkout/internal/app/guards"
	"checkout/internal/app/indexes"
	"checkout/internal/app/logins"
	"checkout/internal/app/pages"
	"checkout/internal/app/providers"
	"checkout/internal/app/queues"
	"checkout/internal/app/wallets"
)

// Env reads a variable of the environment, "" if it is not set.
type Env = function.Env

// Logger writes JSON lines, each with the id of the request that it belongs to.
func Logger(w io.Writer) *slog.Logger { return function.Logger(w) }

// Functions returns every function by its name.
func Functions() map[string]function.Function {
	all := map[string]function.Function{}
	for _, f := range []function.Function{
		queues.Session, queues.Status, queues.Capture, queues.Refund, queues.Void, queues.Recurring, queues.Retry,
		pages.Page, providers.Notify, wallets.Connector, callbacks.Callback, queues.Sweep, guards.Guard,
		indexes.Index, archives.Archive, archives.Adminread, acts.Adminact, logins.Adminlogin, editors.Adminsettings,
		function.Unknown,
	} {
		all[f.Name] = f
	}
	return all
}
