package operator

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"checkout/internal/audit"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/operator/operatortest"
	"checkout/internal/operator/query"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/storetest"
)

// What a view offers of look-ups and settlements can be done, and nothing else.
func TestOffersCanBeDone(t *testing.T) {
	for _, x := range operatortest.Situations() {
		if x.Session != nil {
			continue // it is not stored
		}
		x.Payment.ID = paymentID(1)
		v, err := query.NewReader(situated(t, x.Payment).Core).View(t.Context(), operatortest.AnyAct(), x.Payment.ID)
		if err != nil || len(v.Possible) == 0 {
			t.Fatalf("%s: %+v, %v", x.Name, v, err)
		}
		for _, act := range v.Possible {
			tryAct(t, x.Payment, act)
		}
	}
}

// tryAct does a look-up or settlement that is offered, and is refused one that is not.
func tryAct(t *testing.T, p *payment.Payment, act query.Possible) {
	t.Helper()
	if act.Act == "look-up" {
		_, err := situated(t, p).acts().lookUp(t.Context(), p.ID, act.Reference, nil)
		if (err == nil) != act.Allowed || err != nil && fault.CodeOf(err) != fault.CodeNotAllowed {
			t.Errorf("%+v: %v", act, err)
		}
		return
	}
	for _, verdict := range payment.Verdicts {
		if act.Act != "settle" {
			return
		}
		d := Settlement{PaymentID: p.ID, Reference: act.Reference, Verdict: verdict, By: "Ann", Reason: "Seen."}
		may := slices.Contains(act.Verdicts, string(verdict))
		if i := slices.Index(act.Verdicts, string(verdict)); may && act.Needs[i].Currency != "" && act.Needs[i].Amount == "" {
			if _, err := situated(t, p).acts().settle(t.Context(), d, unlimited); fault.CodeOf(err) != fault.CodeNotAllowed {
				t.Errorf("%s without its amount: %+v, %v", verdict, act, err)
			}
			d.Amount = cmp.Or(act.Needs[i].Most, "7.00") // if there is no limit, as the payer entered it
		}
		if verdict == payment.VerdictReturned {
			d.Transfer = "tx-1"
		}
		_, err := situated(t, p).acts().settle(t.Context(), d, unlimited)
		if (err == nil) != may || err != nil && fault.CodeOf(err) != fault.CodeNotAllowed {
			t.Errorf("%s: %+v, %v", verdict, act, err)
		}
	}
}

// What the store can't do is told to who has asked.
func TestStoreFails(t *testing.T) {
	acts := map[string]func(ctx context.Context, s *stored) error{
		"look-up": func(ctx context.Context, s *stored) error {
			_, err := s.acts().lookUp(ctx, paymentID(2), "", nil)
			return err
		},
		"settle": func(ctx context.Context, s *stored) error {
			d := Settlement{PaymentID: paymentID(3), Verdict: payment.VerdictClose, By: "Ann", Reason: "Seen."}
			_, err := s.acts().settle(ctx, d, unlimited)
			return err
		},
		"refund": func(ctx context.Context, s *stored) error {
			f := FollowUp{PaymentID: paymentID(1), Kind: payment.JobRefund}
			_, err := s.acts().By(audit.Act{ID: "act", Who: "ann"}).FollowUp(ctx, f)
			return err
		},
	}
	for name, do := range acts {
		t.Run(name, func(t *testing.T) {
			storetest.EachFails(t, func() (*storetest.Scripted, func() error) {
				s := failing(t)
				scripted := &storetest.Scripted{Store: s.Docs}
				s.Core.Store = scripted
				return scripted, func() error { return do(t.Context(), s) }
			})
		})
	}
}

// failing has a payment to refund, one to look up, and one to settle, which the first one retried.
func failing(t *testing.T) *stored {
	s := newStored(t)
	session := store.NewSessionID(store.OrderHash("live/shop", "1"), sentAt, make([]byte, 32))
	for n, p := range []*payment.Payment{
		paid(payment.StatusSettled),
		paid(payment.StatusSettled, job(payment.JobRefund)),
		contradicted(payment.StatusDecline, connector.OutcomeApproved, "10.00"),
	} {
		if p.ID = paymentID(byte(n + 1)); p.Status == payment.StatusDecline {
			p.SessionID, p.RetriedBy = session, paymentID(1)
		}
		s.Save(p.Record())
	}
	s.Core.Log = slog.New(slog.DiscardHandler)
	s.Core.Pause = func(context.Context, time.Duration) error { return errors.New("nobody waits in a test") }
	s.Core.Random = func(n int) []byte { return make([]byte, n) }
	s.Core.Declarations = settings.Declarations{"bank": {Refund: true}}
	return s
}
