package preview

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/paymenttest"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
	"checkout/internal/operator/operatortest"
	"checkout/internal/routing/routingtest"
	"checkout/internal/settings"
	"checkout/internal/settings/settingstest"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// visited is a service with sessions of the shop, and their rows.
type visited struct {
	*operatortest.Service
	docs []store.Record
}

// stores adds documents that are stored before the orders are listed.
func (v *visited) stores(records ...store.Record) { v.docs = append(v.docs, records...) }

// list stores the documents and lists their orders. A later document of the same key replaces an earlier one.
func (v *visited) list() {
	v.T.Helper()
	var orders []string
	for _, r := range v.docs {
		stored, err := v.Docs.Get(v.T.Context(), v.Now, r.Key)
		if err != nil {
			v.T.Fatal(err)
		}
		r.Version = stored[0].Version
		v.Save(r)
		orders = append(orders, r.Key.Partition)
	}
	indexer := listing.NewIndexer(v.Docs, v.Docs, func() time.Time { return v.Now }, 1000*day)
	if failed, err := indexer.Index(v.T.Context(), orders); err != nil {
		v.T.Fatal(failed, err)
	}
}

// previews returns what closing the MID a would have done.
func (v *visited) previews(mode grant.Mode) Result {
	v.T.Helper()
	p := New(v.Core.Store, func() time.Time { return v.Now })
	r, err := p.Preview(v.T.Context(), *shop(), *shop(mid("a", closed)), mode)
	if err != nil {
		v.T.Fatal(err)
	}
	return r
}

// pays returns the payment of an attempt to pay a session, which becomes its latest one.
func pays(sess *checkout.Session, after time.Duration) store.Record {
	at := sess.CreatedAt.Add(after)
	p, err := sess.NewPayment(at, &settings.Mapping{Name: "main"}, []settings.MID{{Name: "a"}})
	if err != nil {
		panic(err)
	}
	if p.Status = payment.StatusDecline; after > 0 {
		p.ID = store.NewPaymentID(orderOf(sess.PaymentID), at, make([]byte, 4))
	}
	sess.Begin(p, fmt.Sprint("attempt-", len(sess.Attempts)))
	return p.Record()
}

// later returns a session of the same order that is not its first one.
func later(n int, after time.Duration) *checkout.Session {
	sess := session(n)
	hash, at := orderOf(sess.FirstPaymentID), sess.CreatedAt.Add(after)
	sess.ID = store.NewSessionID(hash, at, make([]byte, 24))
	sess.FirstPaymentID = store.NewPaymentID(hash, at, make([]byte, 4))
	sess.CreatedAt, sess.ExpiresAt = at, at.Add(time.Hour)
	return sess
}

// made returns a session that was made at a time.
func made(at time.Time, n int) *checkout.Session {
	sess := session(n)
	return later(n, at.Sub(sess.CreatedAt))
}

func TestSessionsAreFound(t *testing.T) {
	for _, test := range []struct {
		name             string
		visit            func(v *visited)
		mode             grant.Mode
		sessions, unread int
	}{
		{"none", func(*visited) {}, grant.Both, 0, 0},
		{"one that nobody has paid", func(v *visited) { v.stores(session(1).Record()) }, "", 1, 0},
		{"one with two attempts, and another one", func(v *visited) {
			sess := session(1)
			v.stores(pays(sess, 0), pays(sess, time.Minute), sess.Record(), session(2).Record())
		}, grant.Both, 2, 0},
		{"later ones of an order", func(v *visited) {
			first, second := session(1), later(1, time.Minute)
			v.stores(pays(first, 0), first.Record(), pays(second, 0), pays(second, time.Second), second.Record(),
				later(1, time.Hour).Record(), later(1, 2*time.Hour).Record())
		}, grant.Live, 4, 0},
		{"two of an order at the same time, and a paid one", func(v *visited) {
			one, other, paid := later(1, time.Minute), later(1, time.Minute), later(1, time.Minute)
			for i, sess := range []*checkout.Session{one, other, paid} {
				random := []byte(strings.Repeat(string(rune('a'+i)), 24))
				sess.ID = store.NewSessionID(orderOf(sess.FirstPaymentID), sess.CreatedAt, random)
				sess.FirstPaymentID = store.NewPaymentID(orderOf(sess.FirstPaymentID), sess.CreatedAt, random)
			}
			v.stores(pays(paid, 0), one.Record(), other.Record(), paid.Record())
		}, grant.Both, 3, 0},
		{"a payment without a session", func(v *visited) {
			sess := session(1)
			sess.ID = ""
			v.stores(pays(sess, 0))
		}, grant.Both, 0, 0},
		{"live ones alone", inBothModes, grant.Live, 1, 0}, {"test ones alone", inBothModes, grant.Test, 2, 0},
		{"both modes", inBothModes, grant.Both, 3, 0},
		{"within seven days", func(v *visited) {
			from := v.Now.Add(-7 * day)
			v.stores(made(from, 1).Record(), made(from.Add(-time.Millisecond), 2).Record(), made(v.Now, 3).Record(),
				made(v.Now.Add(-3*day), 4).Record(), made(v.Now.Truncate(day), 5).Record())
		}, grant.Both, 4, 0},
		{"one whose document is gone since", func(v *visited) {
			v.stores(session(1).Record(), session(2).Record())
			v.list()
			v.docs = nil
			v.Save(store.Record{Key: session(1).Record().Key, Delete: true})
		}, grant.Both, 1, 1},
		{"paid ones whose documents are gone", func(v *visited) {
			first, second := session(1), later(1, time.Minute)
			v.stores(pays(first, 0), pays(first, time.Second), pays(second, 0), pays(second, time.Second))
		}, grant.Both, 0, 2},
		{"a payment of a session that is none, and one that can't be read", func(v *visited) {
			sess, other := session(1), session(2)
			sess.ID = "none"
			broken := pays(other, 0)
			v.stores(pays(sess, 0), broken)
			v.list()
			broken.Version, broken.Doc, v.docs = 1, []byte(`{"session_id": 1}`), nil
			v.Save(broken)
		}, grant.Both, 0, 2},
		{"one that can't be read", func(v *visited) {
			sess := session(1)
			v.stores(pays(sess, 0), sess.Record(), session(2).Record())
			v.list()
			broken := sess.Record()
			broken.Version, broken.Doc, v.docs = 1, []byte(`{"state": "open", "rest": 1}`), nil
			v.Save(broken)
		}, grant.Both, 1, 1},
	} {
		v := &visited{Service: operatortest.New(t)}
		test.visit(v)
		v.list()
		r := v.previews(test.mode)
		if r.Sessions != test.sessions || r.Unreadable != test.unread {
			t.Errorf("%s: %d sessions, %d that can't be read; want %d, %d", test.name, r.Sessions, r.Unreadable, test.sessions,
				test.unread)
		}
		if r.OtherFirstMID.Count != r.Sessions {
			t.Errorf("%s: %s", test.name, counts(r))
		}
		if !r.Until.Equal(v.Now) || !r.From.Equal(v.Now.Add(-7*day)) {
			t.Errorf("%s: from %s until %s", test.name, r.From, r.Until)
		}
	}
}

// ofTest makes a session one of the test key.
func ofTest(sess *checkout.Session) {
	sess.Request.Owner = fault.Owner{Merchant: "shop", Test: true}
	hash := store.OrderHash(sess.Request.Owner.Text(), sess.Request.Order.Number)
	sess.ID = store.FirstSessionID(store.NewSessionID(hash, sess.CreatedAt, make([]byte, 24)))
	sess.FirstPaymentID = store.NewPaymentID(hash, sess.CreatedAt, make([]byte, 4))
}

func inBothModes(v *visited) {
	v.stores(session(1).Record(), session(2, ofTest).Record(), session(3, ofTest).Record())
}

// Of more sessions than are looked at the latest count, with one request for each hundred of them and a few for rows.
func TestTheLatestSessionsCount(t *testing.T) {
	v := &visited{Service: operatortest.New(t)}
	for n := range mostSessions + 500 {
		v.stores(session(n).Record())
	}
	v.list()
	v.Requests.Store(0)
	r := v.previews(grant.Both)
	if oldest := session(500).CreatedAt; r.Sessions != mostSessions || !r.From.Equal(oldest) ||
		r.OtherFirstMID.Count != mostSessions || r.Unreadable != 0 {
		t.Errorf("%d sessions from %s, want %s: %s", r.Sessions, r.From, oldest, counts(r))
	}
	if r.OtherFirstMID.Examples[0].Order != fmt.Sprint("order-", mostSessions+499) {
		t.Errorf("the latest is %s", r.OtherFirstMID.Examples[0].Order)
	}
	if n := v.Requests.Load(); n > mostSessions/batch+10 {
		t.Errorf("%d requests", n)
	}
}

// Only what the first sessions of orders leave open takes more requests.
func TestRequests(t *testing.T) {
	const rows = 8 * store.ListingShards // of as many days
	for name, test := range map[string]struct {
		visit func(v *visited)
		want  int64
	}{
		"nothing": {func(*visited) {}, rows},
		"first sessions": {func(v *visited) {
			paid := session(2)
			v.stores(session(1).Record(), pays(paid, 0), paid.Record())
		}, rows + 1},
		"two attempts": {func(v *visited) {
			paid := session(2)
			v.stores(pays(paid, 0), pays(paid, time.Minute), paid.Record())
		}, rows + 1 + 1},
		"rows that are too old": {func(v *visited) {
			for n := range 3 * pageOfRows {
				key, err := store.RowKey("live/shop", made(v.Now.Add(-7*day-time.Second), n).FirstPaymentID)
				if err != nil {
					t.Fatal(err)
				}
				v.Save(store.Encode(key, 0, listing.Row{}))
			}
		}, rows},
	} {
		v := &visited{Service: operatortest.New(t)}
		test.visit(v)
		v.list()
		v.Requests.Store(0)
		if r := v.previews(grant.Live); v.Requests.Load() != test.want {
			t.Errorf("%s: %d requests for %d sessions, want %d", name, v.Requests.Load(), r.Sessions, test.want)
		}
	}
}

// A row whose key names no payment fails the preview, instead of being left out in silence.
func TestStrangeRow(t *testing.T) {
	v := &visited{Service: operatortest.New(t)}
	row := store.RowsOf("live/shop", v.Now, 0)
	v.Save(store.Encode(store.Key{Partition: row.Partition, Sort: store.RowsBefore(v.Now)}, 0, listing.Row{}))
	if r, err := New(v.Docs, v.Core.Now).Preview(t.Context(), *shop(), *shop(), grant.Live); err == nil {
		t.Errorf("%+v", r)
	}
}

// A certificate that has ended counts in both settings, which are not changed.
func TestEndedCertificate(t *testing.T) {
	v := &visited{Service: operatortest.New(t)}
	v.stores(session(1, names("applepay")).Record())
	v.list()
	until := func(end time.Time) settings.Merchant {
		m := shop(mid("b", func(mid *settings.MID) { mid.Methods = []string{"applepay"} }))
		can := routingtest.AllCapabilities
		can.Wallets = map[string]settings.WalletSupport{"applepay": {}}
		m.Connectors = settings.Declarations{"": can}
		m.Wallets.ApplePay = &settings.ApplePay{
			IdentityCertificate: settingstest.Identity(t, "merchant.example.pens", end).Certificate,
		}
		return *m
	}
	ended, good := until(v.Now), until(v.Now.Add(time.Second))
	for want, drafts := range map[string][2]settings.Merchant{"none 1": {good, ended}, "gained 1": {ended, good}} {
		r, err := New(v.Docs, v.Core.Now).Preview(t.Context(), drafts[0], drafts[1], grant.Live)
		if err != nil || counts(r) != want {
			t.Errorf("%s, %v, want %s", counts(r), err, want)
		}
	}
	if ended.Wallets.ApplePay.Ended {
		t.Error("the settings were changed")
	}
}

// Rows of payments that have no session end a preview, too.
func TestRowsAreBounded(t *testing.T) {
	v := &visited{Service: operatortest.New(t)}
	var oldest time.Time
	for n := range mostRows + 10 {
		sess := session(n)
		if sess.ID = ""; n == 10 {
			oldest = sess.CreatedAt
		}
		v.stores(pays(sess, 0))
	}
	v.stores(session(0).Record())
	v.list()
	if r := v.previews(grant.Both); r.Sessions != 0 || !r.From.Equal(oldest) {
		t.Errorf("%d sessions from %s, want %s", r.Sessions, r.From, oldest)
	}
}

// failing is a store of which one request fails.
type failing struct {
	Documents
	after int64
	calls atomic.Int64
}

func (f *failing) fails() error {
	if f.calls.Add(1) == f.after+1 {
		return errors.New("the store fails")
	}
	return nil
}

func (f *failing) Get(ctx context.Context, now time.Time, keys ...store.Key) ([]store.Record, error) {
	if err := f.fails(); err != nil {
		return nil, err
	}
	return f.Documents.Get(ctx, now, keys...)
}

func (f *failing) List(ctx context.Context, now time.Time, query store.Query) ([]store.Record, error) {
	if err := f.fails(); err != nil {
		return nil, err
	}
	return f.Documents.List(ctx, now, query)
}

// A request that fails fails the preview, whichever it is.
func TestFailingStore(t *testing.T) {
	v := &visited{Service: operatortest.New(t)}
	paid := later(1, time.Hour)
	v.stores(session(1).Record(), later(1, time.Minute).Record(), pays(paid, 0), paid.Record())
	v.list()
	failures := 0
	for n := range int64(40) {
		docs := &failing{Documents: v.Core.Store, after: n}
		_, err := New(docs, func() time.Time { return v.Now }).Preview(t.Context(), *shop(), *shop(), grant.Live)
		if failed := docs.calls.Load() > n; (err != nil) != failed {
			t.Errorf("after %d of %d calls: %v", n, docs.calls.Load(), err)
		} else if failed {
			failures++
		}
	}
	if failures != 2*8+4 { // the rows of 8 days; first sessions, payments, a named session, one by its time
		t.Errorf("only %d requests could fail", failures)
	}
}

// BenchmarkPreview evaluates as many sessions as a preview does, for a merchant with 20 MIDs, with documents in memory.
func BenchmarkPreview(b *testing.B) {
	docs, sessions, now := memory.NewStore(), 0, paymenttest.At.Add(time.Hour)
	for ; sessions < mostSessions; sessions++ {
		sess := session(sessions, func(sess *checkout.Session) {
			sess.Request.CustomData = []byte(`{"cart": "` + strings.Repeat("1 pen, ", 150) + `"}`)
		})
		row, err := store.RowKey("live/shop", sess.FirstPaymentID)
		if err == nil {
			err = docs.Save(b.Context(), now, sess.Record(), store.Encode(row, 0, listing.Row{}))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	large := func(m *settings.Merchant) {
		mids := m.Mappings[0].MIDs
		for i := range 17 {
			mids = append(mids, settings.MID{Name: fmt.Sprint("more-", i), Weight: i, Limits: []settings.Limit{
				{Currency: "USD", Min: "1", Max: fmt.Sprint(i)}, {Currency: "EUR", Max: "100"},
			}, Methods: strings.Fields("card voucher bank_transfer mobile_money wallet_app crypto pix upi_address")})
		}
		m.Mappings[0].MIDs = mids
	}
	p, before, after := New(docs, func() time.Time { return now }), shop(large), shop(large, mid("a", closed))
	for b.Loop() {
		r, err := p.Preview(b.Context(), *before, *after, grant.Live)
		if err != nil || r.Sessions != sessions {
			b.Fatal(r.Sessions, err)
		}
	}
}
