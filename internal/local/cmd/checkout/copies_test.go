package main

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/store"
)

// What has no copy is named, copied once, and then compared with its copy.
func TestCopiesOfChanges(t *testing.T) {
	s := newStackOfPeople(t)
	key := store.Key{Partition: store.AuditOf(time.Now(), 0, 1).Partition, Sort: "1"}
	document := store.Encode(key, 0, app.AuditEntry{At: time.Now().Add(-time.Hour)})
	if err := s.docs.Save(t.Context(), time.Now(), document); err != nil {
		t.Fatal(err)
	}
	since := " -since " + time.Now().AddDate(0, 0, 1).UTC().Format(time.RFC3339)
	for _, line := range []struct{ command, want string }{
		{"audit compare", "/0/1.json: has no copy\nerror: 1 faults"},
		{"audit compare" + since, "all changes are as their copies\n"},
		{"audit copy" + since, "0 changes copied\n"},
		{"audit copy", "1 changes copied\n"},
		{"audit compare", "all changes are as their copies\n"},
		{"audit copy", "0 changes copied\n"},
	} {
		if out := s.do("%s", line.command+" -bucket "+s.bucket); !strings.HasSuffix(out, line.want) {
			t.Errorf("%s: %q", line.command, out)
		}
	}
	if out := s.do("audit compare"); !strings.Contains(out, "the environment has no AUDIT_BUCKET") {
		t.Error(out)
	}
}
