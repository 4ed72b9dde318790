package listing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/store"
	"checkout/internal/store/memory"

	"pgregory.net/rapid"
)

// faulty is a listing table of which one call fails, before or after it took effect, or before which something happens.
type faulty struct {
	*memory.Store
	left    int // calls until then; negative: never
	after   bool
	happens func() // in place of a failure
}

var errKilled = errors.New("killed")

func (f *faulty) call(do func() error) error {
	if f.left--; f.left != 0-1 {
		return do()
	}
	if f.happens != nil {
		f.happens()
		return do()
	}
	if f.after {
		_ = do()
	}
	return errKilled
}

func (f *faulty) Get(ctx context.Context, now time.Time, keys ...store.Key) (found []store.Record, err error) {
	err = f.call(func() (err error) { found, err = f.Store.Get(ctx, now, keys...); return err })
	return found, err
}

func (f *faulty) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	return f.call(func() error { return f.Store.Save(ctx, now, records...) })
}

// shop is a model of a few orders, whose documents it changes at random.
type shop struct {
	t        *rapid.T
	docs     *memory.Store
	now      time.Time
	payments []string
	sessions []string
	ids      int
	settled  bool // provider's ids stay as they are
}

var owner = fault.Owner{Merchant: "pens"}

func (s *shop) random() []byte {
	s.ids++
	return fmt.Appendf(nil, "%020d", s.ids)
}

func (s *shop) save(records ...store.Record) {
	if err := s.docs.Save(context.Background(), s.now, records...); err != nil && !store.IsConflict(err) {
		s.t.Fatal(err)
	}
}

// load reads a payment.
func (s *shop) load(id string) *payment.Payment {
	key, err := store.PaymentKey(id)
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := store.GetOne(context.Background(), s.docs, s.now, key)
	p := &payment.Payment{}
	if err := errors.Join(err, r.Decode(p)); err != nil {
		s.t.Fatal(err)
	}
	return p
}

func details(number string) request.Details {
	d := request.Details{Owner: owner, Operation: "purchase", Order: request.Order{Number: number, Currency: "USD"}}
	d.Order.Amount, d.Customer.Email = request.Amount{Text: "10.00"}, "Ann@Pens.example"
	return d
}

func usd(text string) money.Amount {
	currency, _ := money.Find("USD")
	amount, _ := money.Parse(text, currency)
	return amount
}

// happens changes one order in one of the ways that the service does, and returns its partition.
func (s *shop) happens() string {
	s.now = s.now.Add(time.Duration(rapid.IntRange(1, 40_000_000).Draw(s.t, "ms")) * time.Millisecond)
	number := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(s.t, "order")
	hash := store.OrderHash(owner.Text(), number)
	var p *payment.Payment
	if len(s.payments) > 0 {
		p = s.load(rapid.SampledFrom(s.payments).Draw(s.t, "payment"))
		if p.Version > 0 {
			hash, _, _ = store.SplitPaymentID(p.ID)
		}
	}
	switch what := rapid.IntRange(0, 7).Draw(s.t, "what"); {
	case what <= 1 || p == nil:
		return s.begins(number, what == 0)
	case what == 2 && p.Status == payment.StatusPrepare:
		p.Status, p.ProviderID, p.RRN, p.ApprovalCode = payment.StatusSettled, "provider-"+p.ID, "rrn-"+p.ID, "123456"
		p.Card = card.NewView(card.Card{Number: "4111111111111111"})
		p.Transactions = append(p.Transactions, payment.Transaction{
			Type: payment.EventSale, Status: payment.Success, Date: s.now, Amount: p.Amount, Reference: p.ID})
		s.save(p.Record())
	case what == 3 && p.Status == payment.StatusPrepare:
		p.Status, p.ReasonCode = payment.StatusDecline, "declined"
		if !s.settled {
			p.ProviderID = fmt.Sprint("provider-", s.now.UnixMilli())
		}
		p.Transactions = append(p.Transactions, payment.Transaction{
			Type: payment.EventSale, Status: payment.Fail, Date: s.now, Amount: p.Amount, Reference: p.ID})
		s.save(p.Record())
	case what == 4 && p.Status == payment.StatusSettled:
		p.Transactions = append(p.Transactions, payment.Transaction{
			Type: payment.EventRefund, Status: payment.Success, Date: s.now, Amount: usd("1.00"),
			Reference: fmt.Sprint(s.now.UnixMilli()), MID: p.MID, SentAt: s.now})
		s.save(p.Record())
	case what == 5: // a refund fails after its success
		for i, t := range p.Transactions {
			if t.Type == payment.EventRefund && t.Status == payment.Success {
				p.Transactions[i].Status, p.Transactions[i].SucceededAt = payment.Fail, t.Date
				p.Transactions[i].Date = s.now
			}
		}
		s.save(p.Record())
	case what == 6:
		p.Callbacks++
		c := callback.Callback{PaymentID: p.ID, Seq: p.Callbacks, Owner: owner, CreatedAt: s.now, State: callback.Waiting,
			Fields: callback.Fields{{Name: "id", Value: p.ID}, {Name: "type", Value: "refund"}},
			Cause:  fmt.Sprint("request-", s.now.UnixMilli())}
		s.save(p.Record(), c.Record(s.now))
	case p.Callbacks > 0:
		s.delivers(p)
	}
	return store.OrderPartition(hash)
}

// begins stores a session, or the first payment of the latest one, and returns the partition of the order.
func (s *shop) begins(number string, paid bool) string {
	hash := store.OrderHash(owner.Text(), number)
	id := store.NewPaymentID(hash, s.now, s.random())
	sess := &checkout.Session{ID: store.NewSessionID(hash, s.now, s.random()), State: checkout.SessionOpen,
		Request: request.Session{Details: details(number)}, FirstPaymentID: id, CreatedAt: s.now,
		ExpiresAt: s.now.Add(9999 * time.Hour)}
	if len(s.sessions) > 0 && paid {
		r, err := store.GetOne(context.Background(), s.docs, s.now, sessionKey(s.sessions[len(s.sessions)-1]))
		if err != nil {
			s.t.Fatal(err)
		}
		if sess, err = checkout.ReadSession(r, s.now); err != nil || sess == nil || sess.FirstPaymentID == "" {
			return store.OrderPartition(hash)
		}
	}
	if paid {
		p := &payment.Payment{ID: sess.FirstPaymentID, SessionID: sess.ID, Details: sess.Request.Details,
			Amount: usd("10.00"), Status: payment.StatusPrepare, Times: payment.Times{CreatedAt: s.now, ChangedAt: s.now}}
		p.Method, p.MID = "card", "mid-1"
		if !s.settled {
			p.ProviderID = "begun-" + p.ID
		}
		sess.FirstPaymentID, sess.State = "", checkout.SessionProcessing
		s.payments = append(s.payments, p.ID)
		s.save(p.Record(), sess.Record())
		return sessionKey(sess.ID).Partition
	}
	s.sessions = append(s.sessions, sess.ID)
	s.save(sess.Record())
	return store.OrderPartition(hash)
}

func sessionKey(id string) store.Key {
	key, err := store.SessionKey(id)
	if err != nil {
		panic(err)
	}
	return key
}

// delivers delivers or parks the latest callback of a payment.
func (s *shop) delivers(p *payment.Payment) {
	key, _ := store.CallbackKey(p.ID, p.Callbacks)
	r, err := store.GetOne(context.Background(), s.docs, s.now, key)
	var c callback.Callback
	if err := errors.Join(err, r.Decode(&c)); err != nil {
		s.t.Fatal(err)
	}
	c.State = rapid.SampledFrom([]callback.State{callback.Delivered, callback.Parked}).Draw(s.t, "state")
	c.Tries = append(c.Tries, callback.Try{At: s.now})
	s.save(c.Record(s.now))
}

// contents are the documents of a listing, without their versions and without sums of days.
func contents(from *memory.Store) (all []string) {
	for _, r := range from.Dump() {
		if store.IsSums(r.Key) {
			continue
		}
		all = append(all, fmt.Sprint(r.Key, string(r.Doc), r.ExpiresAt.UnixMilli()))
	}
	return all
}

// The listing is that of a fresh rebuild whenever the reader has read all changes, in whatever order they came and how
// often, although it was killed within calls and other readers and changes came between. Where changes were lost, a
// rebuild makes it so. A value that changes between a kill and the repeat leaves a find entry until a rebuild.
func TestListingIsThatOfARebuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kills, loses := rapid.Bool().Draw(t, "kills"), rapid.Bool().Draw(t, "loses")
		s := &shop{t: t, docs: memory.NewStore(), now: time.Date(2030, 3, 4, 10, 0, 0, 0, time.UTC), settled: kills && !loses}
		listing := &faulty{Store: memory.NewStore(), left: -1}
		now := func() time.Time { return s.now }
		x := NewIndexer(s.docs, listing, now, 761*24*time.Hour)
		var waiting []string
		deliver := func() {
			if len(waiting) == 0 {
				return
			}
			order := rapid.SampledFrom(waiting).Draw(t, "delivered")
			repeated := rapid.Bool().Draw(t, "repeated")
			listing.left, listing.happens = -1, nil
			switch rapid.IntRange(0, 2).Draw(t, "fault") {
			case 0:
				if kills {
					listing.left, listing.after = rapid.IntRange(0, 9).Draw(t, "call"), rapid.Bool().Draw(t, "after")
				}
			case 1:
				listing.left = rapid.IntRange(0, 9).Draw(t, "call")
				listing.happens = func() { // another reader is faster
					waiting = append(waiting, s.happens())
					other := waiting[len(waiting)-1]
					faster := NewIndexer(s.docs, listing.Store, now, x.ttl)
					if err := errors.Join(faster.index(t.Context(), order), faster.index(t.Context(), other)); err != nil {
						t.Fatal(err)
					}
				}
			}
			err := x.index(t.Context(), order) // in this goroutine, since what happens is drawn
			if err != nil && !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			if err == nil && !repeated {
				waiting = slices.DeleteFunc(waiting, func(o string) bool { return o == order })
			}
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			waiting = append(waiting, s.happens())
			if loses && rapid.Bool().Draw(t, "lost") {
				waiting = waiting[:len(waiting)-1]
			}
			for range rapid.IntRange(0, 2).Draw(t, "deliveries") {
				deliver()
			}
		}
		listing.left = -1
		if _, err := x.Index(t.Context(), waiting); err != nil {
			t.Fatal(err)
		}
		rebuilder := Rebuilder{x, s.docs.Scan, listing.Scan}
		if loses {
			if _, err := rebuilder.Rebuild(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		fresh := memory.NewStore()
		_, err := Rebuilder{NewIndexer(s.docs, fresh, now, x.ttl), s.docs.Scan, fresh.Scan}.Rebuild(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, want := contents(listing.Store), contents(fresh)
		if !slices.Equal(got, want) {
			t.Fatalf("%d documents:\n%s\nwant %d:\n%s", len(got), lines(got), len(want), lines(want))
		}
		if _, err := rebuilder.Check(t.Context(), func(line string) { t.Errorf("%s", line) }); err != nil {
			t.Fatal(err)
		}
	})
}

func lines(all []string) (text string) {
	for _, one := range all {
		text += one + "\n"
	}
	return text
}
