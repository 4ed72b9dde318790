package faults

import (
	"slices"
	"time"

	"checkout/internal/audit"
	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/store"
)

// saveRule is what holds of all that is written at once.
type saveRule struct {
	says  string
	holds func(s saved) bool
}

var saveRules = []saveRule{
	{"of all that is sent with an order number within 15 seconds one is carried out", carriesOutOnce},
	{"a session is complete if one of its payments has succeeded, and only then", completesPaid},
	{"a session keeps what it was made of, and its attempts", keepsSession},
	{"a callback keeps what it says, and is not sent again once it was taken", keepsCallbacks},
	{"callbacks and schedules are due among those of their mode", isDueInMode},
	{"an idempotency record is stored with what its call changes, and stays", keepsIdempotency},
	{"an entry of the audit log is only added", addsEntries},
	{"a removed card stays removed", staysRemoved},
	{"a chain charges each date of its schedule once, while it is not stopped", chargesDatesOnce},
}

// duplicateWindow is how long an order number can't be sent again.
const duplicateWindow = 15 * time.Second

func carriesOutOnce(s saved) bool {
	for i, r := range s.is {
		if s.was[i].Version > 0 || r.Delete || !store.IsPayment(r.Key) && !store.IsSession(r.Key) || string(r.Doc) == "{}" {
			continue
		}
		sessions, payments := s.ofOrder(r.Key)
		starts := map[string][]time.Time{} // by owner and order number
		for _, sess := range sessions {
			of := sess.Request.Owner.Text() + " " + sess.Request.Order.Number
			starts[of] = append(starts[of], sess.CreatedAt)
		}
		for _, p := range payments {
			if of := p.Owner.Text() + " " + p.Order.Number; !follows(p, payments) {
				starts[of] = append(starts[of], p.CreatedAt)
			}
		}
		for _, at := range starts {
			slices.SortFunc(at, time.Time.Compare)
			for j := 1; j < len(at); j++ {
				if at[j].Sub(at[j-1]) < duplicateWindow {
					return false
				}
			}
		}
	}
	return true
}

// follows reports whether a payment was made without a request with its order number: as an attempt of a session, by a
// schedule, or as the retry of another payment.
func follows(p payment.Payment, payments []payment.Payment) bool {
	return p.SessionID != "" || p.ScheduleID != "" && !p.StartsSchedule ||
		slices.ContainsFunc(payments, func(other payment.Payment) bool { return other.RetriedBy == p.ID })
}

func completesPaid(s saved) bool {
	for i, r := range s.is {
		if !store.IsSession(r.Key) || r.Delete || s.was[i].Version == 0 {
			continue
		}
		var was, sess checkout.Session
		s.read(s.was[i], &was)
		if s.read(r, &sess); was.State == sess.State {
			continue
		}
		_, payments := s.ofOrder(r.Key)
		paid := slices.ContainsFunc(payments, func(p payment.Payment) bool {
			return p.SessionID == sess.ID && p.Succeeded()
		})
		if paid != (sess.State == checkout.SessionComplete) {
			return false
		}
	}
	return true
}

func keepsSession(s saved) bool {
	for i, r := range s.is {
		if !store.IsSession(r.Key) || r.Delete || s.was[i].Version == 0 || string(s.was[i].Doc) == "{}" {
			continue
		}
		var was, is checkout.Session
		s.read(s.was[i], &was)
		s.read(r, &is)
		amount := was.Request.Order.Amount.Text
		if was.ID != is.ID || !was.CreatedAt.Equal(is.CreatedAt) || amount != is.Request.Order.Amount.Text ||
			was.Request.Order.Number != is.Request.Order.Number || was.Request.Owner != is.Request.Owner ||
			!isBeginOf(was.Attempts, is.Attempts, func(a, b string) bool { return a == b }) || is.Declines < was.Declines {
			return false
		}
	}
	return true
}

func keepsCallbacks(s saved) bool {
	was, is := s.callbacks()
	for i, before := range was {
		after := is[i]
		ended := before.State == callback.Delivered || before.State == callback.Dropped
		if before.Seq > 0 && (after.State == "deleted" || ended && after.State != before.State ||
			!slices.Equal(before.Fields, after.Fields) || before.Owner != after.Owner || before.URL != after.URL) {
			return false
		}
	}
	return true
}

func isDueInMode(s saved) bool {
	chains := each(s, "chain/", func(_, is checkout.Chain, at int) bool {
		kind := s.is[at].DueKind
		return s.is[at].Delete || is.NextAt.IsZero() && kind == "" || kind == store.DueChain.Of(is.Test)
	})
	return chains && each(s, "callback/", func(_, is callback.Callback, at int) bool {
		kinds := map[callback.State]store.DueKind{
			callback.Waiting: store.DueCallback.Of(is.Test), callback.Parked: store.DueParked,
		}
		return s.is[at].Delete || s.is[at].DueKind == kinds[is.State]
	})
}

func keepsIdempotency(s saved) bool {
	return each(s, "idempotency/", func(was, is checkout.IdempotencyRecord, at int) bool {
		if s.was[at].Version == 0 {
			return len(s.is) > 1
		}
		kept := was.Response == nil || string(was.Response) == string(is.Response)
		return !s.is[at].Delete && was.Sum == is.Sum && kept &&
			(was.Awaited == nil) == (is.Awaited == nil) && (was.Awaited == nil || *was.Awaited == *is.Awaited)
	})
}

func addsEntries(s saved) bool {
	return each(s, "audit/", func(_, _ audit.Entry, at int) bool { return s.was[at].Version == 0 && !s.is[at].Delete })
}

func staysRemoved(s saved) bool {
	return each(s, "card/", func(was, is card.Saved, at int) bool {
		if s.is[at].Delete || !was.RemovedAt.IsZero() && !was.RemovedAt.Equal(is.RemovedAt) {
			return false
		}
		if was.RemovedAt.IsZero() && !is.RemovedAt.IsZero() {
			s.x.mu.Lock()
			s.x.removed[is.Token] = s.x.Clock.Now()
			s.x.mu.Unlock()
		}
		return true
	})
}

func chargesDatesOnce(s saved) bool {
	return each(s, "chain/", func(was, is checkout.Chain, at int) bool {
		made := 0
		for _, p := range s.paid {
			if p.isNew() && p.is.Recurring && p.is.Chain == is.PaymentID {
				if made++; p.is.Order.Amount.Text != was.Amount.Text {
					return false
				}
			}
		}
		due := !was.Cancelled && !was.NextAt.IsZero() && !s.now.Before(was.NextAt) && is.OrderSuffix == was.OrderSuffix+1
		return s.was[at].Version == 0 || was.Token == is.Token && (is.Cancelled || !was.Cancelled) &&
			(made == 0 && is.OrderSuffix == was.OrderSuffix || made == 1 && due)
	})
}

// numbersCallbacks: a payment counts its callbacks.
func numbersCallbacks(s saved, p paymentSaved) bool {
	made := s.newCallbacks(p.is.ID)
	for i, c := range made {
		if c.Seq != p.was.Callbacks+i+1 || c.Owner != p.is.Owner {
			return false
		}
	}
	return len(made) == p.is.Callbacks-p.was.Callbacks
}

// tellsOutcomes: of a charge that goes to its next MID, and of a contradiction, no merchant is told.
func tellsOutcomes(s saved, p paymentSaved) bool {
	made := s.newCallbacks(p.is.ID)
	for _, c := range made {
		if !saysTrue(c, &p.is) {
			return false
		}
	}
	changed := p.was.Status != p.is.Status && !p.isNew()
	for i, t := range p.is.Transactions {
		told := t.Type != payment.EventContradiction && t.Type != payment.EventGiveBack &&
			(t.Reference != "" || t.Elsewhere) && !p.is.Undecided()
		isNew := i >= len(p.was.Transactions)
		won := isNew && t.Type == payment.EventChargeback && t.Status == payment.Fail // before it was known
		changed = changed || told && !won && (isNew || p.was.Transactions[i].Status != t.Status)
	}
	return !changed || len(made) > 0
}
