package operator

import (
	"context"
	"fmt"
	"sync"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/store"
)

// VerifiedAudit is what a comparison of the audit log with its locked copies has found in some of its days.
type VerifiedAudit struct {
	Entries int      `json:"entries"`          // that the log has of these days
	Faults  []string `json:"faults"`           // one for each that was changed, is missing or was added, and where
	Cursor  string   `json:"cursor,omitempty"` // of the days after these; "": all were compared
	Copies  string   `json:"copies"`           // Compared or NoCopies
}

// Whether the audit log was compared with its locked copies.
const (
	Compared = "compared"
	NoCopies = "no copies are configured"
)

// What one call compares, so that it ends within seconds: at most 31 days, and no other one after 5,000 entries.
const (
	mostDays    = 31
	mostEntries = 5_000
)

// Auditor compares the audit log with its copies. NewAuditor makes one.
type Auditor struct {
	core *checkout.Core

	// CompareAudit compares the audit log of the days from a time until another with its locked copies, and returns how
	// many documents it has and a line for each fault. nil: no copies are configured.
	CompareAudit CompareAudit
}

// CompareAudit compares the audit log of some days with its copies.
type CompareAudit func(ctx context.Context, since, until time.Time) (documents int, faults []string, err error)

// NewAuditor makes an auditor. compare is nil where no copies are configured, as in a local run.
func NewAuditor(core *checkout.Core, compare CompareAudit) *Auditor { return &Auditor{core, compare} }

// VerifyAudit compares the audit log from a day until now with its locked copies, as archive.Copies does. Where there
// are none it compares nothing, and says so. Errors: CodeInvalid for a cursor.
func (s *Auditor) VerifyAudit(ctx context.Context, since time.Time, cursor string) (VerifiedAudit, error) {
	found, now := VerifiedAudit{Faults: []string{}, Copies: NoCopies}, s.core.Now()
	if s.CompareAudit == nil {
		return found, nil
	}
	next := struct {
		Day time.Time `json:"day"`
	}{since}
	if cursor != "" && store.ReadCursor(cursor, &next) != nil {
		return found, fault.Refuse(fault.CodeInvalid, "No page ends there.")
	}
	if oldest := now.Add(-store.AuditTTL); next.Day.Before(oldest) {
		next.Day = oldest
	}
	found.Copies, next.Day = Compared, next.Day.UTC().Truncate(24*time.Hour)
	for days := 0; !next.Day.After(now); days++ {
		if days == mostDays || found.Entries >= mostEntries {
			found.Cursor = store.Cursor(next)
			break
		}
		day := next.Day
		next.Day = day.AddDate(0, 0, 1)
		entries, faults, err := s.CompareAudit(ctx, day, next.Day)
		if err != nil {
			return VerifiedAudit{}, fmt.Errorf("compare the audit log with its copies: %w", err)
		}
		found.Entries, found.Faults = found.Entries+entries, append(found.Faults, faults...)
	}
	return found, nil
}

// readings are the entries of the audit log of an hour that are there, of who has read what.
type readings struct {
	mutex sync.Mutex
	hour  time.Time
	known map[string]bool
}

// has reports whether an entry of an hour is there, and forgets those of other hours.
func (r *readings) has(hour time.Time, id string) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !r.hour.Equal(hour) {
		r.hour, r.known = hour, map[string]bool{}
	}
	return r.known[id]
}

func (r *readings) add(hour time.Time, id string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.hour.Equal(hour) {
		r.known[id] = true
	}
}
