// Package operator is what the people ask for who look after the service: what happened to a payment, what waits for a
// person and what they decide of it, undelivered callbacks, circuit breakers, and whether stored documents agree with
// one another.
package operator

import (
	"context"
	"time"

	"checkout/internal/audit"
	"checkout/internal/callback"
	"checkout/internal/checkout"
)

// Service is what the people ask for who look after the service. Every exported field must be set, but for Act,
// Callbacks and CompareAudit.
type Service struct {
	*checkout.Core
	Act       audit.Act      // by whom and why; each change is stored with its document
	Callbacks callback.Queue // gets those that are sent again; nil: sweep sends them

	// CompareAudit compares the audit log of the days from a time until another with its locked copies, and returns how
	// many documents it has and a line for each fault. nil: there are no copies.
	CompareAudit func(ctx context.Context, since, until time.Time) (documents int, faults []string, err error)
}
