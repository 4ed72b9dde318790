package faults

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"checkout/internal/callback"
	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/store"
)

// saved is one Save of the service that has succeeded: its documents as they are stored now, and as they were before.
type saved struct {
	x    *faultRun
	now  time.Time   // by the clock of the instance that has saved it
	by   *invocation // nil: no function
	was  []store.Record
	is   []store.Record
	paid []paymentSaved
}

// paymentSaved is a payment before and after a Save. One that is new was nothing: it had no id.
type paymentSaved struct {
	was, is payment.Payment
	due     store.DueKind
}

func (p paymentSaved) isNew() bool { return p.was.ID == "" }

// saves stores documents, and compares what that has changed with all rules.
func (x *faultRun) saves(ctx context.Context, now time.Time, records []store.Record) error {
	keys := make([]store.Key, len(records))
	for i, r := range records {
		keys[i] = r.Key
	}
	was, err := x.App.Store.Get(ctx, now, keys...)
	if err != nil {
		return err
	}
	if err := x.App.Store.Save(ctx, now, records...); err != nil {
		return err
	}
	s := saved{x: x, now: now, was: was, is: slices.Clone(records)}
	s.by, _ = ctx.Value(invocationKey{}).(*invocation)
	for i := range s.is {
		s.is[i].Version++
		if !store.IsPayment(s.is[i].Key) || s.is[i].Delete {
			continue
		}
		p := paymentSaved{due: s.is[i].DueKind}
		s.read(s.was[i], &p.was)
		s.read(s.is[i], &p.is)
		s.paid = append(s.paid, p)
	}
	s.keepsRules()
	return nil
}

// keepsRules names each rule that a Save has broken, once of each payment.
func (s saved) keepsRules() {
	for _, p := range s.paid {
		for _, rule := range paymentRules {
			if !rule.holds(s, p) {
				s.x.breaks("payment "+p.is.ID+": "+rule.says, p)
			}
		}
		s.x.noteSent(s, p)
	}
	for _, rule := range saveRules {
		if !rule.holds(s) {
			s.x.breaks(rule.says, s.is[0].Key.Partition)
		}
	}
}

// breaks reports a broken rule once.
func (x *faultRun) breaks(says string, what any) {
	x.mu.Lock()
	known := x.broken[says]
	x.broken[says] = true
	x.mu.Unlock()
	if known {
		return
	}
	if p, ok := what.(paymentSaved); ok {
		what = fmt.Sprintf("%s to %s; %+v, then %+v", p.was.Status, p.is.Status, p.was.Jobs, p.is.Jobs)
	}
	x.Errorf("%s (%v)", says, what)
}

// read decodes a document of the service, which always can be.
func (s saved) read(r store.Record, doc any) {
	if err := r.Decode(doc); err != nil {
		s.x.Errorf("what was stored can't be read: %v", err)
	}
}

// has reports whether the Save has a document whose partition begins so.
func (s saved) has(prefix string) bool {
	return slices.ContainsFunc(s.is, func(r store.Record) bool { return strings.HasPrefix(r.Key.Partition, prefix) })
}

// payment returns a payment of the Save, or as it is stored, nil if there is none.
func (s saved) payment(id string) *payment.Payment {
	key, err := store.PaymentKey(id)
	if err != nil {
		return nil
	}
	p := &payment.Payment{}
	record, _ := store.GetOne(context.Background(), s.x.App.Store, s.now, key)
	s.read(record, p)
	if p.ID == "" {
		return nil
	}
	return p
}

// ofOrder returns the sessions and payments that are stored of the order of a document, or of any other with its hash.
func (s saved) ofOrder(key store.Key) (sessions []checkout.Session, payments []payment.Payment) {
	records, _ := s.x.App.Store.List(context.Background(), s.now, store.Query{
		Partition: key.Partition, Prefix: "o/", Limit: 1000,
	})
	for _, r := range records {
		switch {
		case store.IsPayment(r.Key):
			var p payment.Payment
			s.read(r, &p)
			payments = append(payments, p)
		case store.IsSession(r.Key) && string(r.Doc) != "{}":
			var sess checkout.Session
			s.read(r, &sess)
			sessions = append(sessions, sess)
		}
	}
	return sessions, payments
}

// callbacks returns the callbacks of the Save with what was stored of them.
func (s saved) callbacks() (was, is []callback.Callback) {
	for i, r := range s.is {
		if strings.HasPrefix(r.Key.Sort, "callback/") {
			var before, after callback.Callback
			s.read(s.was[i], &before)
			s.read(r, &after)
			if r.Delete {
				after.State = "deleted"
			}
			was, is = append(was, before), append(is, after)
		}
	}
	return was, is
}

// newCallbacks returns the callbacks of a payment that the Save has made.
func (s saved) newCallbacks(id string) (made []callback.Callback) {
	was, is := s.callbacks()
	for i, c := range is {
		if was[i].Seq == 0 && c.PaymentID == id {
			made = append(made, c)
		}
	}
	slices.SortFunc(made, func(a, b callback.Callback) int { return cmp.Compare(a.Seq, b.Seq) })
	return made
}

// each calls holds with what was and is stored of each document of a kind, until one does not hold.
func each[T any](s saved, prefix string, holds func(was, is T, at int) bool) bool {
	for i, r := range s.is {
		if !strings.HasPrefix(r.Key.Partition, prefix) && !strings.HasPrefix(r.Key.Sort, prefix) {
			continue
		}
		var was, is T
		s.read(s.was[i], &was)
		s.read(r, &is)
		if !holds(was, is, i) {
			return false
		}
	}
	return true
}

// sending is who has sent a request last, and when.
type sending struct {
	at time.Time // the right time
	by *invocation
}

// noteSent notes who sends requests of a payment. Who has stood still since it read the clock does not send.
func (x *faultRun) noteSent(s saved, p paymentSaved) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, job := range p.is.Jobs {
		was := p.was.Jobs.Find(job.Reference)
		isSent := !job.SentAt.IsZero() && (was == nil || !was.SentAt.Equal(job.SentAt))
		if isSent && x.Clock.Now().Sub(job.SentAt) < payment.JobLease {
			x.sent[job.Reference] = sending{x.Clock.Now(), s.by}
		}
	}
}

// removedBefore reports whether a card was removed before a function began that charges it.
func (s saved) removedBefore(token string) (at time.Time, known bool) {
	var c card.Saved
	record, _ := store.GetOne(context.Background(), s.x.App.Store, s.now, store.SavedCardKey(token))
	s.read(record, &c)
	s.x.mu.Lock()
	defer s.x.mu.Unlock()
	removed, known := s.x.removed[token]
	return c.RemovedAt, known && s.by != nil && removed.Before(s.by.began)
}
