package query

import (
	"context"

	"checkout/internal/audit"
	"checkout/internal/operator/grant"
)

// Audit lists entries of the audit log from f.From until f.Until: those of all people, or without that right the
// person's own. Errors: CodeInvalid.
func (s *Reader) Audit(ctx context.Context, by grant.Person, f Filter) (audit.Page, error) {
	q := audit.Query{Since: f.From, Until: f.Until, Cursor: f.Cursor, Limit: f.rows()}
	if now := s.core.Now(); q.Until.IsZero() || q.Until.After(now) {
		q.Until = now
	}
	if !by.May(grant.AllAudit) {
		q.Who = by.Who
	}
	return audit.List(ctx, s.core.Store, q)
}
