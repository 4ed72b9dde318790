package story

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// stored returns the session.
func (v *Visit) stored() *checkout.Session {
	v.w.t.Helper()
	sess, err := v.w.app.Core.Session(context.Background(), v.w.clock.Now(), v.Session)
	if err != nil {
		v.w.t.Fatalf("read session: %v", err)
	}
	return sess
}

// reserved returns the id that the first payment of the session will have.
func (v *Visit) reserved() string {
	v.w.t.Helper()
	return v.stored().FirstPaymentID
}

// endsSession ends the session of a payment as an operator.
func (w *World) endsSession(id string) (operator.Done, error) {
	return w.app.Actor.By(actOf(ann, store.NewUUID(w.app.Core.Random(16)))).EndSession(context.Background(), id)
}

// An operator ends a session before anybody has paid, and after a decline. The payer is led back to the shop, who sees
// what it sees of a session whose time has run out; a decline that was withheld is told.
func TestOperatorEndsASession(t *testing.T) {
	for name, declines := range map[string]bool{"nobody has paid": false, "after a decline": true} {
		t.Run(name, func(t *testing.T) {
			w := open(t, withholding)
			payer := w.shop.visits("pen-1", with("expiry_url", "https://shop.example/late"))
			stale := payer.attempt("01/38")
			id := payer.reserved()
			status, told := "decline (Session expired.)", []string(nil)
			if declines {
				payer.pays("02/38")
				id, told = payer.paymentID(), []string{"sale fail decline"}
				status = payer.status()
				w.shop.told()
			}
			done, err := w.endsSession(id)
			if err != nil || !done.Decided || !strings.HasPrefix(done.Text, "The checkout session is over") {
				t.Errorf("%+v, %v", done, err)
			}
			payer.sees("go https://shop.example/late")
			if got := words(payer.send(stale)); got != "go https://shop.example/late" {
				t.Errorf("having paid too late, the payer sees %q", got)
			}
			payer.is(status)
			if _, err := w.endsSession(id); fault.CodeOf(err) != fault.CodeNotAllowed {
				t.Errorf("ended twice: %v", err)
			}
			w.pass(2 * time.Hour)
			w.shop.told(told...)
			const noted = "note      Ended the checkout session: The payer called. (by ann)"
			if text := payer.history(id); strings.Count(text, noted) != 1 {
				t.Errorf("history:\n%s", text)
			}
			if got := w.acted(); len(got) != 1 || !strings.HasSuffix(got[0], " is ended") {
				t.Errorf("audit log %q", got)
			}
		})
	}
}

// A session is not ended while an attempt to pay is in progress, after it was paid, and none that does not exist.
func TestSessionsThatAreNotEnded(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.send(payer.attempt("01/38"))
	for _, want := range []string{"in progress", "over already"} {
		if _, err := w.endsSession(payer.paymentID()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		w.work()
	}
	payer.is("settled")
	for _, id := range []string{"1", "5413edb6-d362-8b28-8329-b11cd803a7f1"} {
		if _, err := w.endsSession(id); fault.CodeOf(err) != fault.CodeNotFound {
			t.Errorf("%s: %v", id, err)
		}
	}
}

// Payers press Pay, from several tabs, at the moment in which operators end the session: it is paid or ended, never
// both, and nothing reaches the provider of one that is ended.
func TestPayAndEndAtOnce(t *testing.T) {
	paid, ended := 0, 0
	for round := range 60 {
		w := open(t)
		payer := w.shop.visits(fmt.Sprint("pen-", round))
		id, tabs := payer.reserved(), payer.attempts(3, "01/38")
		errs := make([]error, 3)
		w.atOnce(6, func(i int) {
			if i%2 == 0 {
				_, _ = payer.Post("pay", tabs[i/2])
				return
			}
			for range round % 6 { // a payment takes longer to be stored
				_, _ = payer.Screen()
			}
			_, errs[i/2] = w.endsSession(id)
		})
		accepted := 0
		for _, err := range errs {
			if err == nil {
				accepted++
			} else if code := fault.CodeOf(err); code != fault.CodeNotAllowed {
				t.Errorf("round %d: %v", round, err)
			}
		}
		w.pass(time.Minute)
		payments := 0
		for _, p := range w.Stored(t) {
			if p.SessionID == payer.Session {
				payments++
			}
		}
		if accepted+payments != 1 {
			t.Fatalf("round %d: ended %d times, %d payments", round, accepted, payments)
		}
		if accepted == 1 {
			ended++
			payer.is("decline (Session expired.)")
			w.ledgerIs()
			continue
		}
		paid++
		payer.is("settled")
	}
	if paid == 0 || ended == 0 {
		t.Errorf("%d paid, %d ended: the race was never won by the other side", paid, ended)
	}
}

// Notes stand in the timeline with their writers, in their order, without secrets; there are at most a hundred, also
// when several people write at once.
func TestNotes(t *testing.T) {
	w := open(t, operations)
	payer := w.shop.visits("pen-1")
	id := payer.reserved()
	writes := func(text, key string) error {
		act := actOf(ann, store.NewUUID(w.app.Core.Random(16)))
		act.Reason, act.Key = "A note.", key
		_, err := w.app.Actor.By(act).AddNote(context.Background(), id, text)
		return err
	}
	for _, wrong := range []string{"", " ", "two\nlines", strings.Repeat("x", 501), "card " + TestCard, "cvv 123"} {
		if err := writes(wrong, ""); fault.CodeOf(err) != fault.CodeInvalid {
			t.Errorf("%.20q: %v", wrong, err)
		}
	}
	for range 2 { // the second call is a repeat
		if err := writes("Asked before paying.", "one"); err != nil {
			t.Error(err)
		}
	}
	payer.pays("01/38")
	errs := make([]error, 120)
	w.atOnce(len(errs), func(i int) {
		for errs[i] = store.ErrConflicts; errors.Is(errs[i], store.ErrConflicts); {
			errs[i] = writes(fmt.Sprint("Note ", i, "."), "")
		}
	})
	refused := 0
	for _, err := range errs {
		if fault.CodeOf(err) == fault.CodeNotAllowed && strings.Contains(err.Error(), "100 notes already") {
			refused++
		} else if err != nil {
			t.Error(err)
		}
	}
	text := payer.history(id)
	if n := strings.Count(text, "  note  "); n != 100 || refused != 21 || len(w.acted()) != 100 {
		t.Errorf("%d notes, %d refused, %d in the audit log", n, refused, len(w.acted()))
	}
	if !strings.Contains(text, "note      Asked before paying. (by ann)") ||
		strings.Contains(fmt.Sprint(w.acted()), "Asked") {
		t.Errorf("history:\n%s", text)
	}
}

// withholding tells the shop only the last decline of a session.
func withholding(m *settings.Merchant) {
	m.Mappings[0].Compatibility = settings.Compatibility{settings.DeclinesSwitch: "last"}
}
