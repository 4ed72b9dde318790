package operator

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/audit"
	"checkout/internal/operator/grant"
)

// Audit lists entries of the audit log from f.From until f.Until: those of all people, or without that right the
// person's own. Errors: CodeInvalid.
func (s *Service) Audit(ctx context.Context, by grant.Person, f Filter) (audit.Page, error) {
	q := audit.Query{Since: f.From, Until: f.Until, Cursor: f.Cursor, Limit: f.rows()}
	if now := s.Now(); q.Until.IsZero() || q.Until.After(now) {
		q.Until = now
	}
	if !by.May(grant.AllAudit) {
		q.Who = by.Who
	}
	return audit.List(ctx, s.Store, q)
}

// VerifiedAudit is what a check of the audit log has found in some of its days.
type VerifiedAudit struct {
	audit.Verified
	Copies string `json:"copies"` // Compared or NoCopies
}

// Whether the audit log was compared with its locked copies.
const (
	Compared = "compared"
	NoCopies = "no copies are configured"
)

// VerifyAudit checks the chain of the audit log as audit.Verify does, and compares the same days with their locked
// copies: whoever may write the log can compute its chain again. Errors: CodeInvalid for a cursor.
func (s *Service) VerifyAudit(ctx context.Context, since time.Time, cursor string) (VerifiedAudit, error) {
	found, err := audit.Verify(ctx, audit.Log{Store: s.Store, Now: s.Now()}, since, cursor)
	if err != nil || s.CompareAudit == nil {
		return VerifiedAudit{found, NoCopies}, err
	}
	faults, err := s.CompareAudit(ctx, found.From, found.Until)
	if err != nil {
		return VerifiedAudit{}, fmt.Errorf("compare the audit log with its copies: %w", err)
	}
	found.Faults = append(found.Faults, faults...)
	return VerifiedAudit{found, Compared}, nil
}
