package main

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/audit"
)

// What has no copy is named, copied once, and then compared with its copy.
func TestCopiesOfChanges(t *testing.T) {
	s := newStackOfPeople(t)
	act := app.Act{ID: "a", Who: "ann"}
	log := audit.Log{Store: s.docs, Now: time.Now().Add(-time.Hour)}
	if err := act.Save(t.Context(), log, audit.Change{What: "merchant/pens"}); err != nil {
		t.Fatal(err)
	}
	from := " --from " + time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	for _, line := range []struct{ command, want string }{
		{"audit compare", "/000000000001.json: has no copy\nerror: 1 faults"},
		{"audit compare" + from, "all changes are as their copies\n"},
		{"audit copy" + from, "0 changes copied\n"},
		{"audit copy", "1 changes copied\n"},
		{"audit compare --from 2020-01-01", "all changes are as their copies\n"},
		{"audit copy", "0 changes copied\n"},
		{"audit copy --from yesterday", "no time such as 2026-11-23T15:04:05Z"},
		{"audit copy --bucket none --table none", "error: "},
	} {
		if out := s.do(line.command); !strings.Contains(out, line.want) {
			t.Errorf("%s: %q", line.command, out)
		}
	}
	if out, err := typed(t, s.atTable.env, "audit", "compare"); exitCode(err) != exitMisused {
		t.Errorf("without a bucket: %s %v", out, err)
	}
}
