package operator

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/store"
)

// Each day is compared once, by calls of at most 31 days, and of no other one after 5,000 entries. Days that have
// expired are left out. Where there are no copies nothing is compared, and the response says so.
func TestVerifyAudit(t *testing.T) {
	s := newStored(t)
	today := s.Now.Truncate(24 * time.Hour)
	for days, test := range map[int]struct{ entries, calls, compared int }{
		0: {1, 1, 1}, 30: {1, 1, 31}, 31: {1, 2, 32}, 70: {1, 3, 71}, 5: {2500, 3, 6}, 1000: {0, 13, 401},
	} {
		var compared []time.Time
		auditor := NewAuditor(s.Core, func(_ context.Context, since, until time.Time) (int, []string, error) {
			if until != since.AddDate(0, 0, 1) {
				t.Errorf("from %s until %s", since, until)
			}
			compared = append(compared, since)
			return test.entries, []string{since.Format(time.DateOnly) + ": differs from its copy"}, nil
		})
		calls, entries, cursor := 0, 0, ""
		var faults []string
		for ; calls == 0 || cursor != ""; calls++ {
			got, err := auditor.VerifyAudit(t.Context(), s.Now.AddDate(0, 0, -days), cursor)
			if err != nil || got.Copies != Compared {
				t.Fatal(got, err)
			}
			entries, faults, cursor = entries+got.Entries, append(faults, got.Faults...), got.Cursor
		}
		if calls != test.calls || len(compared) != test.compared || entries != test.compared*test.entries ||
			len(faults) != test.compared || compared[len(compared)-1] != today {
			t.Errorf("%d days: %d calls, %d compared, %d entries, %d faults", days, calls, len(compared), entries, len(faults))
		}
		if !slices.IsSortedFunc(compared, time.Time.Compare) || len(slices.Compact(compared)) != test.compared {
			t.Errorf("%d days: %v", days, compared)
		}
	}
	got, err := NewAuditor(s.Core, nil).VerifyAudit(t.Context(), s.Now.Add(-store.AuditTTL), "")
	if err != nil || fmt.Sprint(got) != fmt.Sprint(VerifiedAudit{Faults: []string{}, Copies: NoCopies}) {
		t.Errorf("without copies: %+v, %v", got, err)
	}
	none := func(context.Context, time.Time, time.Time) (int, []string, error) { return 0, nil, nil }
	if _, err := NewAuditor(s.Core, none).VerifyAudit(t.Context(), s.Now, "x"); fault.CodeOf(err) != fault.CodeInvalid {
		t.Errorf("a cursor of nobody: %v", err)
	}
}
