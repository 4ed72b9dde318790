package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// Entries of several days and shards are listed in their order, from a time on, until they expire.
func TestList(t *testing.T) {
	docs, day := memory.NewStore(), time.Date(2030, 3, 4, 23, 59, 0, 0, time.UTC)
	var want []string
	for i := range 250 { // several pages of some shard
		at := day.Add(time.Duration(i) * 10 * time.Second)
		act := Act{ID: fmt.Sprint("act-", i%9), Who: "arn:aws:iam::1:user/ann", Command: "merchants put", Reason: "why"}
		what := fmt.Sprint("merchant/", i)
		change := Change{What: what, Changes: []string{"name: a becomes b"}}
		if err := act.Save(t.Context(), Log{docs, at}, change); err != nil {
			t.Fatal(err)
		}
		want = append(want, what)
	}
	list := func(since, until time.Time) (found []string) {
		all, err := List(t.Context(), docs, since, until)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			found = append(found, e.What)
		}
		return found
	}
	end := day.Add(time.Hour)
	if got := list(day, end); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := list(day.Add(95*time.Second), end); !slices.Equal(got, want[10:]) {
		t.Errorf("of 95 seconds later on: %q", got)
	}
	if got := list(day, day.Add(366*24*time.Hour)); !slices.Equal(got, want) {
		t.Errorf("after a year %d of them", len(got))
	}
	if got := list(time.Time{}, end); !slices.Equal(got, want) {
		t.Errorf("of all times %d of them", len(got))
	}
	if got := list(day, day.Add(402*24*time.Hour)); len(got) > 0 {
		t.Errorf("after 402 days: %q", got)
	}
}

func TestRecords(t *testing.T) {
	docs := memory.NewStore()
	in := Log{docs, time.Date(2030, 3, 4, 5, 6, 7, 0, time.UTC)}
	if got, err := (Act{Who: "ann", Reason: "why"}).Records(t.Context(), in, "merchant/pens"); got != nil || err != nil {
		t.Errorf("an act without an id: %v, %v", got, err)
	}
	changes := slices.Repeat([]string{strings.Repeat("x", 1000)}, 1000)
	written, err := Act{ID: "a", Key: "secret key"}.Records(t.Context(), in, strings.Repeat("ä", 2000), changes...)
	if err != nil || len(written) != 2 || len(written[0].Doc) > 40_000 ||
		!strings.Contains(string(written[0].Doc), "and 900 more") {
		t.Errorf("%v: %.300s", err, written[0].Doc)
	}
	if strings.Contains(string(written[0].Doc), "secret key") {
		t.Errorf("the document has the Idempotency-Key: %s", written[0].Doc)
	}
	if err := store.CheckSave(written); err != nil {
		t.Errorf("a long name: %v", err)
	}
}

func TestCheck(t *testing.T) {
	for text, good := range map[string]bool{
		"": true, "Ann, on the phone": true, "two\nlines": false, strings.Repeat("x", 121): false,
		"of card 4111 1111 1111 1111": false,
	} {
		for _, act := range []Act{{By: text}, {Reason: text}} {
			if err := act.Check(); (err == nil) != good {
				t.Errorf("%q: %v", act, err)
			}
		}
	}
}
