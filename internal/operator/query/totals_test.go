package query

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
	"checkout/internal/store"

	"pgregory.net/rapid"
)

// addedUp adds the totals of all pages, as the page and the command do, and returns them as a text of what is compared.
func addedUp(t *rapid.T, l *listed, f Filter, meanwhile func()) (lines int, sums map[string]int) {
	sums = map[string]int{}
	for range 1000 {
		page, err := l.Totals(t.Context(), person(grant.Finance, "*"), f)
		if err != nil {
			t.Fatal(err)
		}
		lines += page.Lines
		addSums(sums, page)
		if f.Cursor = page.Cursor; f.Cursor == "" {
			return lines, sums
		}
		meanwhile()
	}
	t.Fatal("the totals have no end")
	return 0, nil
}

func addSums(sums map[string]int, page listing.Totals) {
	for _, g := range page.Groups {
		group := fmt.Sprint(g.Day, g.Currency, g.Method, g.MID, g.Type)
		sums[group+" moved"] += cents(g.Moved)
		sums[group+" amount"] += cents(g.Amount)
		sums[group+" succeeded"] += g.Succeeded
		sums[group+" failed"] += g.Failed
	}
	for _, s := range page.Sums {
		sums["net "+s.Currency] += cents(s.Net)
		sums["attempts "+s.Currency] += s.Attempts
	}
}

func cents(text string) (n int) {
	var whole, minor int
	fmt.Sscanf(text, "%d.%02d", &whole, &minor)
	return whole*100 + minor
}

// Totals are the sums of the lines that Journal returns, of any time, zone and filter: before days are stored, while
// that is going on from page to page, and after.
func TestTotalsAreTheirLines(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		l := newListed(outer)
		owners := rapid.SampledFrom([]int{1, 3, 30}).Draw(t, "owners")
		for n := range rapid.IntRange(0, 120).Draw(t, "lines") {
			at := l.Now.Add(-time.Duration(rapid.IntRange(0, 6*24*3600).Draw(t, "seconds ago")) * time.Second)
			l.pays(fmt.Sprintf("live/m-%02d", rapid.IntRange(1, owners).Draw(t, "owner")), at, n)
		}
		for range rapid.IntRange(0, 3).Draw(t, "late lines") {
			day := l.Now.Add(-time.Duration(rapid.IntRange(1, 6).Draw(t, "day")) * 24 * time.Hour)
			owner := fmt.Sprintf("live/m-%02d", rapid.IntRange(1, owners).Draw(t, "late owner"))
			key := store.SumsKey(owner, day)
			if stored, err := l.Docs.Get(t.Context(), l.Now, key); err != nil || stored[0].Version == 0 {
				l.Save(store.Encode(key, 0, listing.Day{From: l.Now.Add(10 * time.Minute)}))
			}
		}
		unit := rapid.SampledFrom([]time.Duration{time.Hour, 15 * time.Minute, time.Minute}).Draw(t, "unit")
		some := rapid.IntRange(0, int(6*24*time.Hour/unit))
		from := l.Now.Truncate(24 * time.Hour).Add(-unit * time.Duration(some.Draw(t, "from")))
		f := Filter{
			From: from, Until: from.Add(unit * time.Duration(some.Draw(t, "until"))),
			Zone: time.FixedZone("", 900*rapid.IntRange(-48, 56).Draw(t, "offset")),
		}
		if f.Until.After(l.Now) {
			f.Until = l.Now
		}
		if rapid.Bool().Draw(t, "one") {
			f.Merchant = "m-01"
		}
		f.Method = rapid.SampledFrom([]string{"", "", "pix"}).Draw(t, "method")
		var lines []listing.Line
		for all := f; ; {
			page, err := l.Journal(t.Context(), person(grant.Finance, "*"), all)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, page.Lines...)
			if all.Cursor = page.Cursor; all.Cursor == "" {
				break
			}
		}
		whole, err := listing.SumUp(lines, f.zone())
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{}
		addSums(want, whole)
		for range 3 {
			n, got := addedUp(t, l, f, func() { l.Now = l.Now.Add(20 * time.Minute) })
			if n != len(lines) || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%d lines: %v\nwant %d: %v", n, got, len(lines), want)
			}
		}
	})
}

// A past day takes one request once it was summed up, however many lines it has. A day that a filter splits within a
// quarter of an hour, or a filter of what sums don't know, reads the lines.
func TestPastDaysAreReadOnce(t *testing.T) {
	l := newListed(t)
	l.Now = time.Date(2030, 3, 20, 12, 0, 0, 0, time.UTC)
	begin := time.Date(2030, 3, 10, 0, 0, 0, 0, time.UTC)
	for n := range 7 * 288 {
		l.pays("live/m-1", begin.Add(time.Duration(n)*5*time.Minute), n)
	}
	month := Filter{Merchant: "m-1", From: begin, Until: begin.AddDate(0, 0, 7)}
	requests := func(f Filter) int64 {
		l.Requests.Store(0)
		totals, err := l.Totals(t.Context(), person(grant.Finance, "*"), f)
		if n := int(f.Until.Sub(f.From) / (5 * time.Minute)); err != nil || totals.Lines != n && f.ReasonCode == "" {
			t.Errorf("%+v: %d lines, %v", f, totals.Lines, err)
		}
		return l.Requests.Load()
	}
	first := requests(month)
	if again := requests(month); first < 14 || again > 2 {
		t.Errorf("%d requests, then %d", first, again)
	}
	parts := month
	parts.From, parts.Until = begin.Add(45*time.Minute), begin.Add(50*time.Hour+15*time.Minute)
	if n := requests(parts); n > 2 {
		t.Errorf("by quarters of an hour: %d requests", n)
	}
	split := month
	split.From = begin.Add(50 * time.Minute)
	if n := requests(split); n != 4 {
		t.Errorf("of a split day: %d requests", n)
	}
	coded := month
	coded.ReasonCode = "declined"
	if n := requests(coded); n < 14 {
		t.Errorf("by reason: %d requests", n)
	}
	keys := slices.DeleteFunc(l.Docs.Dump(), func(r store.Record) bool { return !store.IsSums(r.Key) })
	if len(keys) != 7 {
		t.Errorf("%d days are stored", len(keys))
	}
}

// A page that ends within a day goes on with the lines of the same merchants: those whose sums were added are not added
// again, and the lines of one that could be summed up meanwhile are read to the end.
func TestTotalsGoOnWithinADay(t *testing.T) {
	begin := time.Date(2030, 3, 10, 0, 0, 0, 0, time.UTC)
	for now, late := range map[time.Time]bool{begin.AddDate(0, 0, 5): true, begin.Add(25 * time.Hour): false} {
		l := newListed(t)
		l.Now = now
		const busy = 6000
		for n := range busy {
			l.pays("live/m-050", begin.Add(time.Duration(n)*10*time.Second), n)
		}
		for n := range groupOwners {
			l.pays(fmt.Sprintf("live/m-%03d", n), begin.Add(time.Duration(n)*time.Minute), busy+n)
		}
		if late {
			l.Save(store.Encode(store.SumsKey("live/m-050", begin), 0, listing.Day{From: l.Now.Add(time.Minute)}))
		}
		f := Filter{From: begin, Until: begin.AddDate(0, 0, 1)}
		for run := range 3 {
			lines, pages := 0, 0
			for ; pages == 0 || f.Cursor != ""; pages++ {
				totals, err := l.Totals(t.Context(), person(grant.Finance, "*"), f)
				if err != nil {
					t.Fatal(err)
				}
				lines, f.Cursor, l.Now = lines+totals.Lines, totals.Cursor, l.Now.Add(2*time.Hour)
			}
			if lines != busy+groupOwners || (pages > 1) != (run == 0) {
				t.Errorf("run %d: %d lines in %d pages", run, lines, pages)
			}
		}
	}
}
