package audit

import (
	"fmt"
	"slices"
	"strings"
	"sync"
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
		if err := act.Save(t.Context(), docs, at, change); err != nil {
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
	now := time.Date(2030, 3, 4, 5, 6, 7, 0, time.UTC)
	if got := (Act{Who: "ann", Reason: "why"}).Records(now, "merchant/pens"); got != nil {
		t.Errorf("an act without an id: %v", got)
	}
	changes := slices.Repeat([]string{strings.Repeat("x", 1000)}, 1000)
	written := Act{ID: "a", Key: "secret key"}.Records(now, strings.Repeat("ä", 2000), changes...)
	if len(written) != 1 || len(written[0].Doc) > 40_000 || !strings.Contains(string(written[0].Doc), "and 900 more") {
		t.Errorf("%.300s", written[0].Doc)
	}
	if strings.Contains(string(written[0].Doc), "secret key") {
		t.Errorf("the document has the Idempotency-Key: %s", written[0].Doc)
	}
	if err := store.CheckSave(written); err != nil {
		t.Errorf("a long name: %v", err)
	}
}

// Of many acts at once each is stored with its change, whatever the others do. A document that is there is never
// replaced.
func TestDocumentsAreOnlyAdded(t *testing.T) {
	docs, now := memory.NewStore(), time.Date(2030, 3, 4, 5, 6, 7, 0, time.UTC)
	const people, each = 100, 5
	var group sync.WaitGroup
	for i := range people {
		group.Go(func() {
			for j := range each {
				change := Change{What: fmt.Sprint("merchant/", j)}
				if err := (Act{ID: fmt.Sprint(i), Who: "ann"}).Save(t.Context(), docs, now, change); err != nil {
					t.Errorf("change %d of person %d: %v", j, i, err)
				}
			}
		})
	}
	group.Wait()
	before := docs.Dump()
	own := store.Encode(store.SettingsKey("pens"), 0, "x")
	again := Change{What: "merchant/0", Records: []store.Record{own}}
	err := Act{ID: "0", Who: "ann"}.Save(t.Context(), docs, now, again)
	if after := docs.Dump(); len(before) != people*each || len(after) != len(before) || !store.IsConflict(err) {
		t.Errorf("%d documents, then %d, %v", len(before), len(after), err)
	}
	own.Version = 7
	err = Act{ID: "another", Who: "ann"}.Save(t.Context(), docs, now, Change{Records: []store.Record{own}})
	if !store.ConflictOn(err, own.Key) || len(docs.Dump()) != len(before) {
		t.Errorf("a conflict of what is changed: %v", err)
	}
}

// On the day of a release the documents with numbers are listed before those with times, and none is left out.
func TestListOfOlderDocuments(t *testing.T) {
	docs, midnight := memory.NewStore(), time.Date(2030, 3, 4, 0, 0, 0, 0, time.UTC)
	act := Act{ID: "act", Who: "ann"}
	if err := act.Save(t.Context(), docs, midnight.Add(time.Minute), Change{What: "merchant/new"}); err != nil {
		t.Fatal(err)
	}
	partition := store.AuditKey(midnight, act.ID, nil).Partition
	for i := range 2 {
		text := fmt.Sprintf(`{"id":"act","who":"ann","command":"merchants put","at":"2030-03-04T00:00:0%dZ",`+
			`"what":"merchant/%d","number":%d,"before":"0f","before_at":"2030-03-03T23:00:00Z"}`, i, i, 41+i)
		old := store.Record{Key: store.Key{Partition: partition, Sort: fmt.Sprintf("%012d", 41+i)}, Doc: []byte(text)}
		if err := docs.Save(t.Context(), midnight, old); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for q := (Query{Until: midnight.Add(time.Hour), Limit: 1}); ; {
		page, err := List(t.Context(), docs, q)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Entries {
			got = append(got, e.Command+" "+e.What)
		}
		if q.Cursor = page.Cursor; len(got) > 2 || q.Cursor == "" {
			break
		}
	}
	want := []string{" merchant/new", "merchants put merchant/1", "merchants put merchant/0"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
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
