package query

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/paymenttest"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
	"checkout/internal/operator/operatortest"
	"checkout/internal/store"

	"pgregory.net/rapid"
)

// The payments of tests, what these have, and who asks for them.
var (
	sentAt                  = paymenttest.At
	usd, paid, job          = paymenttest.USD, paymenttest.Paid, paymenttest.Job
	paymentID, with, person = operatortest.PaymentID, operatortest.With, operatortest.Person
	forPerson               = operatortest.ForPerson
)

// listed is a reader of a listing alone, and what that has.
type listed struct {
	*Reader
	*operatortest.Service
}

func newListed(t *testing.T) *listed {
	s := operatortest.New(t)
	return &listed{NewReader(s.Core), s}
}

// pays lists a payment of an owner that was made at a time, with a line of the journal, and returns its id.
func (l *listed) pays(owner string, at time.Time, n int) string {
	l.T.Helper()
	random := make([]byte, 16)
	for i := range random {
		random[i] = byte(rand.IntN(256))
	}
	id := store.NewPaymentID(store.OrderHash(owner, fmt.Sprint(n)), at, random)
	row := listing.Row{
		Order: fmt.Sprint(n), Amount: "10.00", Currency: "USD", Status: payment.StatusSettled, CreatedAt: at,
		Method: []string{"card", "pix"}[n%2],
	}
	line := listing.Line{
		PaymentID: id, Type: payment.EventSale, Status: payment.Success, At: at, Amount: "10.00", Currency: "USD",
		Moved: "10.00", Method: row.Method,
	}
	rowKey, err1 := store.RowKey(owner, id)
	lineKey, err2 := store.LineKey(owner, id, at, 0)
	active := store.ActiveKey(owner, at)
	if stored, err := l.Docs.Get(l.T.Context(), l.Now, active); err != nil || err1 != nil || err2 != nil {
		l.T.Fatal(err, err1, err2)
	} else if stored[0].Version == 0 {
		l.Save(store.Encode(active, 0, struct{}{}))
	}
	l.Save(store.Encode(rowKey, 0, row), store.Encode(lineKey, 0, line))
	return id
}

// pages reads all pages of a list and returns the ids, with the number of requests for the longest page.
func (l *listed) pages(by grant.Person, f Filter) (ids []string, most int64) {
	l.T.Helper()
	before := l.Now.Add(time.Hour)
	for range 10_000 {
		l.Requests.Store(0)
		list, err := l.Payments(l.T.Context(), by, f)
		if err != nil {
			l.T.Fatal(err)
		}
		most = max(most, l.Requests.Load())
		if list.SearchedTo.After(before) {
			l.T.Errorf("searched to %s after %s", list.SearchedTo, before)
		}
		before = list.SearchedTo
		for _, row := range list.Rows {
			ids = append(ids, row.ID)
		}
		if f.Cursor = list.Cursor; f.Cursor == "" {
			return ids, most
		}
	}
	l.T.Fatal("the list has no end")
	return nil, 0
}

// Every payment is in the list of all merchants once, and in that of its merchant, page by page, the latest first. No
// page takes more requests to the store than it may.
func TestPaymentsOfManyMerchants(t *testing.T) {
	l := newListed(t)
	ids, of := map[string][]string{}, map[string]string{}
	const payments = 3000
	const slot = 72 * time.Hour / payments
	for n, place := range rand.Perm(payments) {
		owner := fmt.Sprintf("live/m-%02d", rand.IntN(25))
		if n%100 == 0 {
			owner = "test/m-01"
		}
		// each at a moment of its own: those of one moment have no order
		at := l.Now.Add(-time.Duration(place)*slot - time.Duration(rand.IntN(int(slot/time.Millisecond)))*time.Millisecond)
		id := l.pays(owner, at, n)
		ids[owner], of[id] = append(ids[owner], id), owner
	}
	newest := func(all []string) []string {
		all = slices.Clone(all)
		slices.SortFunc(all, func(a, b string) int {
			at, _ := store.IDTime(a)
			bt, _ := store.IDTime(b)
			return bt.Compare(at)
		})
		return all
	}
	for owner, want := range ids {
		o := ownerOf(owner)
		for _, limit := range []int{0, 7, 500} {
			f := Filter{Merchant: o.Merchant, Mode: modeOf(o), Limit: limit}
			got, most := l.pages(person(grant.Support, "*"), f)
			if !slices.Equal(got, newest(want)) || most > mostRequests {
				t.Errorf("%s by %d: %d of %d payments, %d requests", owner, limit, len(got), len(want), most)
			}
		}
	}
	var live []string
	for id, owner := range of {
		if owner != "test/m-01" {
			live = append(live, id)
		}
	}
	all, most := l.pages(person(grant.Support, "*"), Filter{Limit: 33})
	if !slices.Equal(all, newest(live)) || most > mostRequests+2*groupOwners {
		t.Errorf("%d of %d payments in their order, %d requests", len(all), len(live), most)
	}
	some, _ := l.pages(person(grant.Viewer, "m-02", "m-03"), Filter{From: l.Now.Add(-30 * time.Hour), Method: "pix"})
	if len(some) == 0 || slices.ContainsFunc(some, func(id string) bool {
		made, _ := store.IDTime(id)
		return of[id] != "live/m-02" && of[id] != "live/m-03" || made.Before(l.Now.Add(-30*time.Hour))
	}) {
		t.Errorf("of two merchants: %d", len(some))
	}
	if none, _ := l.pages(person(grant.Admin, "m-99"), Filter{}); len(none) > 0 {
		t.Errorf("of a merchant without payments: %v", none)
	}
	if none, _ := l.pages(person(grant.Admin, "m-02"), Filter{Merchant: "m-03"}); len(none) > 0 {
		t.Errorf("of another merchant: %v", none)
	}
}

// The pages of the journal add up to all lines of the time, as the totals do.
func TestPagesOfTheJournal(t *testing.T) {
	l := newListed(t)
	day := l.Now.Truncate(24 * time.Hour)
	for n := range 6000 {
		l.pays(fmt.Sprintf("live/m-%02d", n%12), day.Add(-time.Duration(n)*10*time.Second), n)
	}
	f, lines, pages := Filter{From: day.Add(-13 * time.Hour), Until: day}, 0, 0
	seen := map[string]bool{}
	for {
		page, err := l.Journal(t.Context(), person(grant.Finance, "*"), f)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range page.Lines {
			seen[line.PaymentID] = true
			if line.Merchant == "" || line.At.Before(f.From) || !line.At.Before(f.Until) {
				t.Fatalf("%+v", line)
			}
		}
		lines, pages = lines+len(page.Lines), pages+1
		if f.Cursor = page.Cursor; f.Cursor == "" {
			break
		}
	}
	if lines != 13*360 || len(seen) != lines {
		t.Errorf("%d lines of %d payments in %d pages", lines, len(seen), pages)
	}
	totals, err := l.Totals(t.Context(), person(grant.Finance, "*"), f)
	if err != nil || totals.Lines != lines || totals.Cursor != "" {
		t.Errorf("%+v, %v", totals, err)
	}
	page, err := l.Journal(t.Context(), person(grant.Support, "*"), f)
	totals, errTotals := l.Totals(t.Context(), person(grant.Support, "*"), f)
	if len(page.Lines)+totals.Lines > 0 || err != nil || errTotals != nil {
		t.Errorf("support gets the journal, or totals: %v, %v", err, errTotals)
	}
}

// A merchant with many payments of a day is read on while the others of its group have some left, page by page and in
// one page: nothing is left out, and nothing comes before what is later.
func TestBusyMerchantBesideOthers(t *testing.T) {
	l, begin := newListed(t), time.Date(2030, 3, 4, 1, 0, 0, 0, time.UTC)
	for n := range 1200 {
		owner := "live/m-busy"
		if n%10 == 0 {
			owner = fmt.Sprintf("live/m-%d", n/10%9)
		}
		l.pays(owner, begin.Add(time.Duration(n)*time.Second), n)
	}
	for _, f := range []Filter{{Limit: 33}, {Method: "pix", Limit: 500}} {
		step, want := 1, 1200
		if f.Method != "" {
			step, want = 2, 600
		}
		got, _ := l.pages(person(grant.Support, "*"), f)
		for i, id := range got {
			made, _ := store.IDTime(id)
			if at := begin.Add(time.Duration(1199-i*step) * time.Second); !made.Equal(at) {
				t.Fatalf("%+v: the payment %d was made at %s, not at %s", f, i, made, at)
			}
		}
		if len(got) != want {
			t.Errorf("%+v: %d payments, want %d", f, len(got), want)
		}
	}
}

// However many merchants and modes a search goes over, page by page, it has each payment once, in the order of their
// times, while others are made meanwhile; and it says how many it has looked at.
func TestFindGoesOn(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := newListed(t)
		owners, limit := rapid.IntRange(1, 30).Draw(rt, "owners"), rapid.IntRange(1, 40).Draw(rt, "limit")
		mode := rapid.SampledFrom([]string{"", "live", "test"}).Draw(rt, "mode")
		var want []string
		n, made := 0, map[int64]bool{}
		makes := func(at time.Time) {
			owner := rapid.SampledFrom([]string{"live", "test"}).Draw(rt, "mode of one") + "/m-" +
				fmt.Sprint(rapid.IntRange(1, owners).Draw(rt, "owner"))
			for made[at.UnixMilli()] {
				at = at.Add(-time.Millisecond)
			}
			made[at.UnixMilli()] = true
			id := l.pays(owner, at, n)
			if n++; at.Before(l.Now) && is(mode, owner[:4]) {
				want = append(want, id)
			}
		}
		for range rapid.IntRange(0, 150).Draw(rt, "payments") {
			makes(l.Now.Add(-time.Duration(rapid.IntRange(1, 100*3600_000).Draw(rt, "before")) * time.Millisecond))
		}
		slices.SortFunc(want, func(a, b string) int {
			at, _ := store.IDTime(a)
			bt, _ := store.IDTime(b)
			return bt.Compare(at)
		})
		text, begun := rapid.SampledFrom([]string{"10.00", "10 USD", "$10"}).Draw(rt, "text"), l.Now
		var got []string
		f, searched := Filter{Mode: mode, Limit: limit}, 0
		for {
			found, err := l.Find(t.Context(), person(grant.Support, "*"), text, f)
			if err != nil {
				rt.Fatal(err)
			}
			for _, row := range found.Rows {
				got = append(got, row.ID)
			}
			searched += found.Searched
			if f.Cursor = found.Cursor; f.Cursor == "" {
				break
			}
			l.Now = l.Now.Add(time.Second)
			makes(l.Now.Add(-time.Millisecond))
			want = slices.DeleteFunc(want, func(id string) bool { at, _ := store.IDTime(id); return !at.Before(begun) })
		}
		if !slices.Equal(got, want) || searched != len(want) {
			rt.Fatalf("%d found and %d searched of %d", len(got), searched, len(want))
		}
	})
}

// Of more merchants than are read at once each payment is there once, and the list says that some come first.
func TestMoreMerchantsThanAtOnce(t *testing.T) {
	l := newListed(t)
	for n := range groupOwners + 20 {
		l.pays(fmt.Sprintf("live/m-%03d", n), l.Now.Add(-time.Duration(n+1)*time.Minute), n)
		l.pays(fmt.Sprintf("live/m-%03d", n), l.Now.Add(-time.Duration(n+300)*time.Minute), n)
	}
	by := person(grant.Support, "*")
	ids, _ := l.pages(by, Filter{Limit: 100})
	list, err := l.Payments(t.Context(), by, Filter{})
	found, errFind := l.Find(t.Context(), by, "10.00 today", Filter{Mode: "live"})
	if slices.Sort(ids); len(slices.Compact(ids)) != 2*(groupOwners+20) || err != nil || errFind != nil ||
		list.Note == "" || found.Note != list.Note {
		t.Errorf("%d payments; %q, %v; %q, %v", len(ids), list.Note, err, found.Note, errFind)
	}
	if list, err = l.Payments(t.Context(), by, Filter{Merchant: "m-001"}); err != nil || list.Note != "" {
		t.Errorf("of one merchant: %q, %v", list.Note, err)
	}
}

// A day is that of the zone, also of 23 and of 25 hours, in lists and in totals; the days of a month have all lines of
// it once.
func TestDaysOfAZone(t *testing.T) {
	l := newListed(t)
	oslo, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		t.Fatal(err)
	}
	l.Now = time.Date(2030, 11, 1, 0, 0, 0, 0, time.UTC)
	begin := time.Date(2030, 3, 30, 23, 0, 0, 0, time.UTC) // midnight before the clocks are put forward
	for hour := range 48 {
		l.pays("live/m-1", begin.Add(time.Duration(hour)*time.Hour), hour)
	}
	end := time.Date(2030, 10, 26, 22, 0, 0, 0, time.UTC) // midnight before they are put back
	for hour := range 48 {
		l.pays("live/m-1", end.Add(time.Duration(hour)*time.Hour), 100+hour)
	}
	finance := person(grant.Finance, "*")
	for date, hours := range map[string]int{"2030-03-31": 23, "2030-04-01": 24, "2030-10-27": 25, "2030-10-28": 23} {
		from, _ := time.ParseInLocation(time.DateOnly, date, oslo)
		f := Filter{From: from, Until: from.AddDate(0, 0, 1), Zone: oslo}
		ids, _ := l.pages(finance, f)
		totals, err := l.Totals(t.Context(), finance, f)
		if err != nil || len(ids) != hours || totals.Lines != hours || len(totals.Groups) != 2 ||
			totals.Groups[0].Day != date || totals.Sums[0].Paid != fmt.Sprintf("%d.00", hours*10) {
			t.Errorf("%s: %d payments, %+v, %v", date, len(ids), totals, err)
		}
		found, err := l.Find(t.Context(), finance, "10.00 "+date, Filter{Zone: oslo})
		if err != nil || len(found.Rows) != hours || found.Searched != hours {
			t.Errorf("%s: %d found of %d, %v", date, len(found.Rows), found.Searched, err)
		}
	}
	l.Now = end.Add(30 * time.Minute) // the day of a zone without a beginning is the one that is now there
	for zone, lines := range map[*time.Location]int{nil: 1, oslo: 1} {
		totals, err := l.Totals(t.Context(), finance, Filter{Zone: zone})
		date := map[bool]string{true: "2030-10-26", false: "2030-10-27"}[zone == nil]
		if err != nil || totals.Lines != lines || totals.Groups[0].Day != date {
			t.Errorf("today in %v: %+v, %v", zone, totals, err)
		}
	}
}
