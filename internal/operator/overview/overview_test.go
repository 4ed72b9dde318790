package overview

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
	"checkout/internal/operator/operatortest"
	"checkout/internal/operator/query"
	"checkout/internal/routing/circuit"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// service is a service of two merchants, with something of each kind.
type service struct {
	*operatortest.Service
	n int
}

func newService(t *testing.T) *service {
	s := &service{Service: operatortest.New(t)}
	for _, id := range []string{"pens", "cups"} {
		m := settings.Merchant{ID: id, NotificationURL: "https://" + id + ".example/paid?key=1"}
		m.Mappings = []settings.Mapping{{Name: "default", ClosedMethods: []string{"pix"}}}
		s.Save(store.Encode(store.SettingsKey(id), 0, m),
			store.Encode(store.MerchantIndexKey(id), 0, store.IndexedMerchant{ID: id}))
	}
	return s
}

// id returns the id of another payment that was made at a time.
func (s *service) id(o fault.Owner, at time.Time) string {
	s.n++
	return store.NewPaymentID(store.OrderHash(o.Text(), fmt.Sprint(s.n)), at, []byte(fmt.Sprintf("%08d", s.n)))
}

// person stores a payment that has waited for a person for a time.
func (s *service) person(o fault.Owner, since time.Duration) string {
	at := s.Now.Add(-since)
	p := operatortest.Charging(payment.StatusPrepare, operatortest.ForPerson, nil)
	p.ID, p.Owner, p.Jobs[0].UnknownSince, p.Jobs[0].DueAt = s.id(o, at), o, at, at
	s.Save(p.Record())
	return p.ID
}

// tells stores a callback that was tried for a time.
func (s *service) tells(o fault.Owner, state callback.State, since time.Duration, tries int) {
	at := s.Now.Add(-since)
	c := &callback.Callback{PaymentID: s.id(o, at), Seq: 1, Owner: o, CreatedAt: at, State: state, NextAt: s.Now,
		Tries: make([]callback.Try, tries), Fields: callback.Fields{{Name: "id"}}}
	s.Save(c.Record(at))
}

// line lists a line of the journal.
func (s *service) line(o fault.Owner, at time.Time, kind payment.EventType, status payment.TransactionStatus) {
	id := s.id(o, at)
	key, err := store.LineKey(o.Text(), id, at, 0)
	if err != nil {
		s.T.Fatal(err)
	}
	active := store.ActiveKey(o.Text(), at)
	records := []store.Record{store.Encode(key, 0, listing.Line{PaymentID: id, Type: kind, Status: status, At: at})}
	if stored, err := s.Docs.Get(s.T.Context(), s.Now, active); err != nil {
		s.T.Fatal(err)
	} else if stored[0].Version == 0 {
		records = append(records, store.Encode(active, 0, struct{}{}))
	}
	s.Save(records...)
}

// disputed lists a payment that was disputed some days ago.
func (s *service) disputed(o fault.Owner, status payment.Status, days ...int) string {
	id := s.id(o, s.Now.AddDate(0, -1, 0))
	row, err := store.RowKey(o.Text(), id)
	if err != nil {
		s.T.Fatal(err)
	}
	s.Save(store.Encode(row, 0, listing.Row{Status: status, ChangedAt: s.Now.AddDate(0, 0, -days[0])}))
	for _, days := range days {
		key, err := store.FindKey(listing.DisputeHandle(o.Test, s.Now.AddDate(0, 0, -days)), o.Text(), id)
		if err != nil {
			s.T.Fatal(err)
		}
		s.Save(store.Record{Key: key, Doc: []byte("{}")})
	}
	return id
}

func (s *service) approval(o fault.Owner, state operator.ApprovalState, since time.Duration) {
	at := s.Now.Add(-since)
	id := store.NewApprovalID(at, []byte(fmt.Sprintf("%08d", s.n)))
	s.Save(store.Encode(store.ApprovalKey(id), 0, operator.Approval{ID: id, Owner: o, PaymentID: s.id(o, at), At: at,
		Until: at.Add(7 * 24 * time.Hour), Decided: operator.Decided{State: state}}))
}

func (s *service) opens(o fault.Owner) {
	s.Save(store.Encode(store.CircuitsKey(o.Text()), 0, map[string]any{"breakers": []any{map[string]any{
		"mapping": "default", "mid": "bank", "connector": "bank", "reason": circuit.TimedOut,
		"since": s.Now.Add(-time.Minute), "open_until": s.Now.Add(time.Minute)}}}))
}

// of returns an overview as text: each count, "+" if there may be more, and since when.
func (s *service) of(by grant.Person, f query.Filter) (text string, all Overview) {
	s.T.Helper()
	all, err := Of(s.T.Context(), s.Core, by, f)
	if err != nil {
		s.T.Fatal(err)
	}
	for _, i := range all.Items {
		text += fmt.Sprintf("%s %d", i.Kind, i.Count)
		if i.More {
			text += "+"
		}
		if !i.Oldest.IsZero() {
			text += fmt.Sprintf(" %s", s.Now.Sub(i.Oldest))
		}
		text += "; "
	}
	return text, all
}

var (
	live = fault.Owner{Merchant: "pens"}
	cups = fault.Owner{Merchant: "cups"}
	test = fault.Owner{Merchant: "pens", Test: true}
)

// Of each kind all is counted that the person may see and the filter chooses, with what is oldest.
func TestOverview(t *testing.T) {
	s := newService(t)
	empty := "waiting 0; approvals 0; parked 0; addresses 0; circuits 0; closed 2; disputes 0; "
	admin := operatortest.Person(grant.Admin, grant.AllMerchants)
	if got, _ := s.of(admin, query.Filter{}); got != empty {
		t.Errorf("nothing: %s", got)
	}
	s.person(live, time.Hour)
	oldest := s.person(live, 2*time.Hour)
	s.person(cups, 3*time.Hour)
	s.person(test, 4*time.Hour)
	for _, o := range []fault.Owner{live, cups, test} {
		s.approval(o, operator.ApprovalWaiting, 5*time.Hour)
		s.approval(o, operator.ApprovalRejected, 6*time.Hour)
		s.approval(o, operator.ApprovalWaiting, 8*24*time.Hour) // which has expired
		s.tells(o, callback.Parked, 7*time.Hour, 9)
		s.tells(o, callback.Waiting, time.Minute, 0)
		s.tells(o, callback.Waiting, time.Hour, 1)
		s.tells(o, callback.Waiting, 8*time.Hour, 3)
		s.opens(o)
		s.disputed(o, payment.StatusChargeback, 1, 3)
		s.disputed(o, payment.StatusReversal, 6)
		s.disputed(o, payment.StatusSettled, 2) // it was won
		s.disputed(o, payment.StatusChargeback, 8)
	}
	const rest = "approvals 1 5h0m0s; parked 1 7h0m0s; addresses 1 8h0m0s; circuits 1 1m0s; closed 1; " +
		"disputes 2 144h0m0s; "
	for name, x := range map[string]struct {
		by   grant.Person
		f    query.Filter
		want string
	}{
		"all": {admin, query.Filter{}, "waiting 3 3h0m0s; approvals 2 5h0m0s; parked 2 7h0m0s; addresses 2 8h0m0s; " +
			"circuits 2 1m0s; closed 2; disputes 4 144h0m0s; "},
		"a merchant": {admin, query.Filter{Merchant: "pens"}, "waiting 2 2h0m0s; " + rest},
		"test":       {admin, query.Filter{Merchant: "pens", Mode: "test"}, "waiting 1 4h0m0s; " + rest},
		"of one":     {operatortest.Person(grant.Viewer, "pens"), query.Filter{}, "waiting 2 2h0m0s; " + rest},
		"of another": {operatortest.Person(grant.Support, "cups"), query.Filter{}, "waiting 1 3h0m0s; " + rest},
		"of one, the other": {operatortest.Person(grant.Viewer, "pens"), query.Filter{Merchant: "cups"},
			strings.Replace(empty, "closed 2", "closed 0", 1)},
	} {
		got, all := s.of(x.by, x.f)
		if got != x.want {
			t.Errorf("%s: %s\n  not %s", name, got, x.want)
		}
		if name == "of one" && all.Items[0].PaymentID != oldest {
			t.Errorf("the oldest that waits is %s", all.Items[0].PaymentID)
		}
		if address := all.Items[3]; address.Name != "" && address.Name != "https://"+address.Merchant+".example/paid?..." {
			t.Errorf("%s: an address is shown as %q", name, address.Name)
		}
	}
}

// However much is stored, an overview makes no more requests, and says that there is more.
func TestOverviewIsBounded(t *testing.T) {
	s := newService(t)
	by := operatortest.Person(grant.Admin, grant.AllMerchants)
	s.Requests.Store(0)
	s.of(by, query.Filter{})
	none := s.Requests.Load()
	for n := range 100 {
		s.tells(live, callback.Parked, time.Hour+time.Duration(n), 9)
		s.tells(live, callback.Waiting, time.Hour, 1)
	}
	s.of(by, query.Filter{}) // which may read a merchant several times at once
	s.Requests.Store(0)
	s.of(by, query.Filter{})
	few := s.Requests.Load()
	for n := range 5_000 {
		s.tells(live, callback.Parked, time.Hour+time.Duration(n), 9)
		s.tells(live, callback.Waiting, time.Hour, 1)
	}
	for n := range 130 {
		s.person(live, time.Hour+time.Duration(n)*time.Millisecond)
		s.approval(live, operator.ApprovalWaiting, time.Duration(n)*time.Minute)
		s.disputed(live, payment.StatusChargeback, 1)
		s.disputed(live, payment.StatusChargeback, 2)
	}
	s.Requests.Store(0)
	_, all := s.of(by, query.Filter{})
	for _, i := range all.Items[:7] {
		if fixed := i.Kind == Circuits || i.Kind == Closed; i.More == fixed || !fixed && i.Kind != Addresses && i.Count < 99 {
			t.Errorf("%s: %d, more: %v", i.Kind, i.Count, i.More)
		}
	}
	full := s.Requests.Load()
	t.Logf("%d requests of an empty service, %d of one where 200 callbacks wait, %d of a full one", none, few, full)
	if few > 30 || full > 200 {
		t.Error("too many requests")
	}
}

// Charges are counted by the hour of the day in its zone, without payouts and whatever follows a charge, and a week
// before until the same time.
func TestHours(t *testing.T) {
	s := newService(t)
	india, err := time.LoadLocation("Asia/Kolkata")
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2030, 3, 4, 0, 0, 0, 0, india) // it is 18:30 there
	at := func(days, hour, minute int) time.Time {
		return day.AddDate(0, 0, days).Add(time.Duration(60*hour+minute) * time.Minute)
	}
	const ok, no = payment.Success, payment.Fail
	s.line(live, at(0, 0, 0), payment.EventSale, ok)
	s.line(live, at(0, 0, 59), payment.EventSale, no)
	s.line(live, at(0, 0, -1), payment.EventSale, ok) // the day before
	s.line(cups, at(0, 18, 20), payment.EventRecurring, ok)
	s.line(live, at(0, 18, 10), payment.EventCredit, no)
	s.line(live, at(0, 18, 10), payment.EventRefund, ok)
	s.line(test, at(0, 18, 10), payment.EventSale, ok)
	s.line(live, at(-7, 18, 20), payment.EventDebit, no)
	s.line(live, at(-7, 18, 40), payment.EventSale, ok) // later than now
	s.line(live, at(-7, 0, 30), payment.EventSale, ok)
	f := query.Filter{From: day, Until: day.AddDate(0, 0, 1), Zone: india}
	for name, x := range map[string]struct {
		by   grant.Person
		f    query.Filter
		want string
	}{
		"all":           {operatortest.Person(grant.Admin, grant.AllMerchants), f, "0: 2 1, 1 1; 18: 1 1, 1 0; of 19"},
		"one":           {operatortest.Person(grant.Finance, "cups"), f, "18: 1 1, 0 0; of 19"},
		"no totals":     {operatortest.Person(grant.Support, grant.AllMerchants), f, "none"},
		"without a day": {operatortest.Person(grant.Admin, grant.AllMerchants), query.Filter{}, "none"},
		"a day that comes": {operatortest.Person(grant.Admin, grant.AllMerchants),
			query.Filter{From: day.AddDate(0, 0, 1), Until: day.AddDate(0, 0, 2)}, "of 0"},
	} {
		_, all := s.of(x.by, x.f)
		got := "none"
		if all.Hours != nil {
			got = ""
			for i, h := range all.Hours.Hours {
				if want := at(0, i, 0); !h.At.Equal(want) {
					t.Errorf("%s: hour %d begins at %s", name, i, h.At)
				}
				if h.Charges.Ended+h.WeekBefore.Ended > 0 {
					got += fmt.Sprintf("%d: %d %d, %d %d; ", i, h.Charges.Ended, h.Charges.Accepted, h.WeekBefore.Ended,
						h.WeekBefore.Accepted)
				}
			}
			got += fmt.Sprintf("of %d", len(all.Hours.Hours))
		}
		if got != x.want || all.Hours != nil && !all.Hours.CountedFrom.IsZero() {
			t.Errorf("%s: %s, not %s; %+v", name, got, x.want, all.Hours)
		}
	}
}

// Of a day with more charges than are read only the later hours are told, those that were read as a whole.
func TestHoursOfTooManyCharges(t *testing.T) {
	s := newService(t)
	day := s.Now.Truncate(24 * time.Hour)
	for n := range 26_000 { // 2,000 an hour
		s.line(live, day.Add(time.Duration(n)*1800*time.Millisecond), payment.EventSale, payment.Success)
	}
	_, all := s.of(operatortest.Person(grant.Admin, "pens"), query.Filter{From: day, Until: day.Add(24 * time.Hour)})
	h := all.Hours
	if len(h.Hours) == 0 || len(h.Hours) == 13 || !h.CountedFrom.Equal(h.Hours[0].At) {
		t.Fatalf("%d hours, counted from %s", len(h.Hours), h.CountedFrom)
	}
	for _, hour := range h.Hours {
		if hour.Charges.Accepted != 2000 {
			t.Errorf("%s: %d", hour.At, hour.Charges.Accepted)
		}
	}
}

// The digest has a line for each of which there is something, and of live payments alone.
func TestDigest(t *testing.T) {
	s := newService(t)
	s.Core.Stack = "shop"
	s.person(test, time.Hour)
	s.Save(store.Encode(store.SettingsKey("pens"), 1, settings.Merchant{ID: "pens"}),
		store.Encode(store.SettingsKey("cups"), 1, settings.Merchant{ID: "cups"}))
	digest := func() string {
		lines, err := Digest(t.Context(), s.Core)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(lines, "\n")
	}
	if got, want := digest(), "shop, 4 March 2030 13:00 UTC\nNothing waits, and nothing fails."; got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
	for n := range 101 {
		s.person(live, time.Hour+time.Duration(n)*time.Minute)
	}
	s.opens(cups)
	want := "shop, 4 March 2030 13:00 UTC\nWaiting for a person: at least 100, the oldest since 4 March 10:20 UTC\n" +
		"Provider outages: 1, the oldest since 4 March 12:59 UTC"
	if got := digest(); got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
}
