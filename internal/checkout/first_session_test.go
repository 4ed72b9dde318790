package checkout

import (
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// The first session of an order may be followed by another under the same key. What is done for a payment of the former
// doesn't see the latter.
func TestPaymentOfAFormerFirstSession(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	core := &Core{Store: memory.NewStore()}
	owner := fault.Owner{Merchant: "m"}
	hash := store.OrderHash(owner.Text(), "order-1")
	session := func(random string) *Session {
		sess := &Session{State: SessionOpen, CreatedAt: at, ExpiresAt: at.Add(time.Hour)}
		sess.ID, sess.Request.Owner = store.FirstSessionID(store.NewSessionID(hash, at, []byte(random))), owner
		return sess
	}
	former, stored := session("0123456789abcdefghijklmn"), session("nmlkjihgfedcba9876543210")
	p := &payment.Payment{ID: store.NewPaymentID(hash, at, []byte("abcd")),
		Times: payment.Times{CreatedAt: at, ChangedAt: at}}
	p.Owner = owner
	for _, of := range []*Session{former, stored} {
		p.SessionID = of.ID
		r := p.Record()
		if err := core.Store.Save(t.Context(), at, r); err != nil {
			t.Fatal(err)
		}
		if p.Version++; p.Version == 1 {
			if err := core.Store.Save(t.Context(), at, stored.Record()); err != nil {
				t.Fatal(err)
			}
		}
		got, sess, err := core.PaymentAndSession(t.Context(), at, p.ID, of.ID)
		if err != nil || got == nil || (sess != nil) != (of == stored) {
			t.Errorf("%v, %v, %v", got, sess, err)
		}
		until := of.storedUntil()
		if _, sess, err := core.PaymentAndSession(t.Context(), until, p.ID, of.ID); err != nil || sess != nil {
			t.Errorf("a session that is gone: %v, %v", sess, err)
		}
	}
}
