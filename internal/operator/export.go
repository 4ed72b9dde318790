package operator

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"checkout/internal/audit"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
)

// Export returns what Journal does. The audit log has who read lines: to read in bulk is an act, too.
func (s *Actor) Export(ctx context.Context, by grant.Person, f query.Filter) (query.Lines, error) {
	all, err := s.reader.Journal(ctx, by, f)
	if err != nil || len(all.Lines) == 0 {
		return all, err
	}
	text := fmt.Sprintf("%d lines of %s, mode %s", len(all.Lines), cmp.Or(f.Merchant, "all merchants"),
		cmp.Or(f.Mode, string(grant.Live)))
	for _, chosen := range [][2]string{
		{"from", momentText(f.From)}, {"until", momentText(f.Until)}, {"status", f.Status}, {"method", f.Method},
		{"mid", f.MID}, {"currency", f.Currency}, {"amount", f.Amount}, {"country", f.Country}, {"card", f.Card},
		{"approval code", f.ApprovalCode}, {"callbacks", string(f.Callbacks)}, {"reason code", f.ReasonCode},
	} {
		if chosen[1] != "" {
			text += ", " + chosen[0] + " " + chosen[1]
		}
	}
	err = s.act.Save(ctx, s.core.Store, s.core.Now(), audit.Change{What: "export", Changes: []string{text}})
	return all, err
}

func momentText(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}
