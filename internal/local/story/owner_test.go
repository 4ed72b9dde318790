package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
	"checkout/internal/store"
)

// belongings is what one owner has that requests can name.
type belongings struct {
	authorised, settled string // payments
	promised            string // the id of a session's first payment, before any attempt
	chain               chain
	card                string
	session             string // with that payment's id
}

// named gives a shop a schedule, a form and a MID of a channel, whose names end in suffix.
func named(suffix string) func(*settings.Merchant) {
	return func(m *settings.Merchant) {
		m.Schedules[0].ID += suffix
		m.Forms = []settings.Form{{ID: clubForm[:len(clubForm)-1] + suffix, Name: "Club"}}
		m.Mappings[0].MIDs[0].ChannelID = "channel" + suffix
	}
}

func (s *Shop) owns(t *testing.T) (b belongings) {
	t.Helper()
	paid := s.visits("own-1", with("auth", true))
	paid.pays("01/38")
	b.authorised = paid.paymentID()
	paid = s.visits("own-2")
	paid.pays("01/38")
	b.settled = paid.paymentID()
	b.chain = s.begins("own-3", "01/38")
	b.card = s.saves("own-4", "01/38")
	s.w.skip(20 * time.Second)
	open := s.visits("own-5")
	b.promised, b.session = open.paymentID(), open.Session
	return b
}

// Whatever a request names by an id is compared with the one who asks: another merchant, and the same merchant with the
// other key, have what one of them has as little as anybody else.
func TestNothingOfAnotherOwner(t *testing.T) {
	const notFound, noChoice = "404 208001 Payment not found", ": The value you selected is not a valid choice."
	rows := []struct {
		id      string // that the request names
		asks    func(s *Shop, b belongings) string
		refused string
		live    bool // its owner is the merchant in one mode; else the merchant in both
	}{
		{"payment_id of status", (*Shop).statusByID, notFound, true},
		{"payment_id of a session's first payment", func(s *Shop, b belongings) string {
			return s.statusByID(belongings{settled: b.promised})
		}, notFound, true},
		{"order_id of status", func(s *Shop, _ belongings) string {
			return inWords(s.w.post("/api/v1/payment/status", s.Body(map[string]any{"order_id": "own-2"}, "own-2")))
		}, "404 100000 Order does not exist", true},
		{"payment_id of capture", func(s *Shop, b belongings) string { return s.captures(b.authorised, "") }, notFound, true},
		{"payment_id of void", func(s *Shop, b belongings) string { return s.voids(b.authorised) }, notFound, true},
		{"payment_id of refund", func(s *Shop, b belongings) string { return s.refunds(b.settled, "") }, notFound, true},
		{"payment_id of retry", func(s *Shop, b belongings) string { return s.retries(b.settled) }, notFound, true},
		{"recurring_init_trans_id", func(s *Shop, b belongings) string {
			return inWords(chain{s, b.chain.initial, b.chain.token}.charge("other-1", "1.00"))
		}, notFound, true},
		{"card_token", func(s *Shop, b belongings) string {
			return s.creates(with("card_token", []string{b.card}))
		}, "400 205007 card_token[0]: Card token belongs to another merchant.", true},
		{"card_token of a payout", func(s *Shop, b belongings) string {
			return s.creates(with("operation", "credit"), with("card_token", []string{b.card}))
		}, "400 205007 card_token[0]: Card token belongs to another merchant.", true},
		{"schedule_id", func(s *Shop, _ belongings) string {
			return s.creates(with("recurring_init", true), with("schedule_id", "monthly"))
		}, "400 100000 schedule_id" + noChoice, false},
		{"form_id", func(s *Shop, _ belongings) string { return s.creates(with("form_id", clubForm)) },
			"400 100000 form_id" + noChoice, false},
		{"channel_id", func(s *Shop, _ belongings) string { return s.creates(with("channel_id", "channel")) },
			"400 204002 Protocol mapping not found.", false},
	}
	w := open(t, monthly(nil), named(""), func(m *settings.Merchant) {
		m.Forms[0].ID = clubForm
	})
	w.connects(realBank, &provider{charge: onCharge(approved)})
	b := w.shop.owns(t)
	other := w.newShop("-2", monthly(nil), named("2"))
	for _, row := range rows {
		w.skip(20 * time.Second)
		if got := row.asks(other, b); got != row.refused {
			t.Errorf("%s of another merchant: %s, want %s", row.id, got, row.refused)
		}
		w.skip(20 * time.Second)
		w.shop.live = true
		if got := row.asks(w.shop, b); row.live && got != row.refused {
			t.Errorf("%s of the other mode: %s, want %s", row.id, got, row.refused)
		}
		w.shop.live = false
		w.skip(20 * time.Second)
		if got := row.asks(w.shop, b); got == row.refused {
			t.Errorf("%s of its owner: %s", row.id, got)
		}
	}
}

func (s *Shop) statusByID(b belongings) string {
	return inWords(s.w.post("/api/v1/payment/status", s.Body(map[string]any{"payment_id": b.settled}, b.settled)))
}

// creates asks for a session and returns the response in words.
func (s *Shop) creates(changes ...func(map[string]any)) string {
	number := store.NewUUID([]byte(strings.Repeat("1", 16)))
	return inWords(s.w.post("/api/v1/session", s.Sign(s.Order(number, changes...))))
}
