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

// Entries of several days and shards are listed page by page, the latest first, until they expire.
func TestList(t *testing.T) {
	docs, day := memory.NewStore(), time.Date(2030, 3, 4, 23, 59, 0, 0, time.UTC)
	var want []string
	for i := range 250 { // several pages of some shard
		at := day.Add(time.Duration(i) * 10 * time.Second)
		act := Act{ID: fmt.Sprint("act-", i%9), Who: "arn:aws:iam::1:user/ann", Command: "merchants put", Reason: "why"}
		if i == 200 {
			act.Who = "arn:aws:iam::1:user/bob"
		}
		what := fmt.Sprint("merchant/", i)
		change := Change{What: what, Changes: []string{"name: a becomes b"}}
		if err := act.Save(t.Context(), Log{docs, at}, change); err != nil {
			t.Fatal(err)
		}
		want = append(want, what)
	}
	slices.Reverse(want)
	list := func(q Query) (found []string) {
		for {
			page, err := List(t.Context(), docs, q)
			if err != nil || len(page.Entries) > q.Limit || page.Cursor != "" && page.Cursor == q.Cursor {
				t.Fatalf("%d entries, %v", len(page.Entries), err)
			}
			for _, e := range page.Entries {
				found = append(found, e.What)
			}
			if q.Cursor = page.Cursor; q.Cursor == "" {
				return found
			}
		}
	}
	end := day.Add(time.Hour)
	for _, limit := range []int{1, 7, 50, 250, 500} {
		if got := list(Query{Since: day, Until: end, Limit: limit}); !slices.Equal(got, want) {
			t.Errorf("pages of %d: %q", limit, got)
		}
	}
	for name, test := range map[string]struct {
		Query
		want []string
	}{
		"of 95 seconds later on": {Query{Since: day.Add(95 * time.Second), Until: end}, want[:240]},
		"until 95 seconds":       {Query{Since: day, Until: day.Add(95 * time.Second)}, want[240:]},
		"after a year":           {Query{Since: day, Until: day.Add(366 * 24 * time.Hour)}, want},
		"of all times":           {Query{Until: end}, want},
		"after 402 days":         {Query{Since: day, Until: day.Add(402 * 24 * time.Hour)}, nil},
		"of one person":          {Query{Since: day, Until: end, Who: "arn:aws:iam::1:user/bob"}, want[49:50]},
		"of nobody":              {Query{Since: day, Until: end, Who: "bob"}, nil},
	} {
		test.Limit = 50
		if got := list(test.Query); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	// What was read is told, also where there is nothing.
	page, err := List(t.Context(), docs, Query{Until: day.AddDate(0, 0, 100), Limit: 50})
	if err != nil || page.Cursor == "" || len(page.Entries) > 0 ||
		!page.SearchedTo.Equal(dayOf(day).AddDate(0, 0, 100-mostDays+1)) {
		t.Errorf("%+v, %v", page, err)
	}
	for _, cursor := range []string{"x", "eyJ4IjoxfQ", "bnVsbA."} {
		if _, err := List(t.Context(), docs, Query{Until: end, Cursor: cursor}); err == nil {
			t.Errorf("the cursor %q is read", cursor)
		}
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
