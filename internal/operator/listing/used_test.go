package listing

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// What each kind of payment tells of the secrets that it was made with, and on which day: the session on the 4th, the
// payment on the 5th, its requests to the provider on the 6th, its callback on the 7th.
func TestUsesOfPayments(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2030, 3, day, 23, 59, 59, 0, time.UTC) }
	hash := store.OrderHash("live/pens", "a")
	session := store.NewSessionID(hash, at(4), make([]byte, 24))
	card := payment.Cards{Card: &card.View{PANType: card.PANOfDevice}}
	const request, told, credentials = "live_key 4, password 4, ", "callback_secret 7, ",
		"mappings[default].mids[one].credentials 6, mappings[default].mids[two].credentials 6, "
	for name, test := range map[string]struct {
		of   payment.Payment
		want string
	}{
		"card": {payment.Payment{SessionID: session}, told + request + credentials},
		"test key": {payment.Payment{SessionID: session, Details: ofOwner(true)},
			told + "password 4, test_key 4, "},
		"later payment": {payment.Payment{}, told + "live_key 5, password 5, " + credentials},
		"by schedule":   {payment.Payment{Options: withSchedule}, told + credentials},
		"with which a schedule begins": {payment.Payment{
			Options: withSchedule, ChainLink: payment.ChainLink{StartsSchedule: true},
		}, told + "live_key 5, password 5, " + credentials},
		"wallet, token passed on": {payment.Payment{SessionID: session, ChargeTerms: of(method.ApplePay)},
			told + request + credentials + "mappings[default].mids[two].wallets.applepay.identity_key 5, "},
		"wallet, token sent by the shop": {payment.Payment{
			SessionID: session, ChargeTerms: of(method.ApplePay), TokenSent: true, Cards: card,
		}, told + request + credentials + "mappings[default].mids[two].wallets.applepay.processing 5, "},
		"wallet, token decrypted": {payment.Payment{SessionID: session, ChargeTerms: of(method.GooglePay), Cards: card},
			told + request + credentials + "mappings[default].mids[two].wallets.googlepay.private_keys 5, "},
	} {
		p := test.of
		p.ID, p.Mapping, p.MID = store.NewPaymentID(hash, at(4), make([]byte, 4)), "default", "two"
		p.Merchant, p.Amount, p.CreatedAt, p.Callbacks = "pens", usd("10.00"), at(5), 1
		p.Transactions = payment.Transactions{
			{MID: "one", SentAt: at(6), Amount: p.Amount}, {MID: "two", SentAt: at(6), Amount: p.Amount},
			{MID: "never sent", Amount: p.Amount},
		}
		c := callback.Callback{PaymentID: p.ID, Seq: 1, Owner: p.Owner, State: callback.Delivered,
			Fields: callback.Fields{{Name: "id", Value: p.ID}}, Tries: []callback.Try{{At: at(6)}, {At: at(7)}}}
		docs, listing := memory.NewStore(), memory.NewStore()
		x := NewIndexer(docs, listing, func() time.Time { return at(8) }, 761*24*time.Hour)
		if err := docs.Save(t.Context(), at(8), p.Record(), c.Record(at(8))); err != nil {
			t.Fatal(err)
		}
		if _, err := x.Index(t.Context(), []string{store.OrderPartition(hash)}); err != nil {
			t.Fatal(err)
		}
		if got := lastUses(t, listing, at(8)); got != sorted(test.want) {
			t.Errorf("%s: %s\nwant %s", name, got, test.want)
		}
	}
}

// sorted sorts what is separated by commas.
func sorted(list string) string {
	all := strings.SplitAfter(list, ", ")
	slices.Sort(all)
	return strings.Join(all, "")
}

func ofOwner(test bool) (d request.Details) {
	d.Owner = fault.Owner{Test: test}
	return d
}

func of(wallet string) payment.ChargeTerms { return payment.ChargeTerms{Method: wallet} }

var withSchedule = request.Options{ScheduleID: "monthly"}

// lastUses returns the places with the days of the month of their last uses.
func lastUses(t *testing.T, listing *memory.Store, now time.Time) string {
	t.Helper()
	records, err := listing.List(t.Context(), now, store.UsedOf("pens", 100))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range records {
		r := records[len(records)-1-i]
		var used Used
		if err := r.Decode(&used); err != nil {
			t.Fatal(err)
		}
		text.WriteString(r.Key.Sort + " " + strings.TrimPrefix(used.Day, "2030-03-0") + ", ")
	}
	return text.String()
}

// Of all orders the last day counts, in whatever order they are listed. A day is written once.
func TestLastUseOfAllOrders(t *testing.T) {
	docs, listing := memory.NewStore(), &countedSaves{Store: memory.NewStore()}
	now := time.Date(2030, 3, 9, 12, 0, 0, 0, time.UTC)
	x := NewIndexer(docs, listing, func() time.Time { return now }, 761*24*time.Hour)
	for i, day := range []int{6, 8, 7, 8} {
		hash := store.OrderHash("live/pens", string(rune('a'+i)))
		at := time.Date(2030, 3, day, 12, 0, 0, 0, time.UTC)
		p := payment.Payment{ID: store.NewPaymentID(hash, at, make([]byte, 4)), Amount: usd("10.00")}
		p.Merchant, p.CreatedAt = "pens", at
		if err := docs.Save(t.Context(), now, p.Record()); err != nil {
			t.Fatal(err)
		}
		if _, err := x.Index(t.Context(), []string{store.OrderPartition(hash)}); err != nil {
			t.Fatal(err)
		}
		want := []string{"live_key 6, password 6, ", "live_key 8, password 8, "}[min(i, 1)]
		if got := lastUses(t, listing.Store, now); got != want {
			t.Errorf("after %d orders: %s", i+1, got)
		}
	}
	if listing.used != 4 { // two places, on the 6th and on the 8th
		t.Errorf("%d saves of last uses", listing.used)
	}
}

// countedSaves counts what is stored of last uses.
type countedSaves struct {
	*memory.Store
	used int
}

func (s *countedSaves) Save(ctx context.Context, now time.Time, records ...store.Record) error {
	err := s.Store.Save(ctx, now, records...)
	if err == nil && store.IsUsed(records[0].Key) {
		s.used++
	}
	return err
}
