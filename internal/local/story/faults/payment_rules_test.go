package faults

import (
	"slices"

	"checkout/internal/checkout/payment"
	"checkout/internal/money"
	"checkout/internal/store"
)

// paymentRule is what holds of a payment and its jobs at every write.
type paymentRule struct {
	says  string
	holds func(s saved, p paymentSaved) bool
}

// paymentRules are those of one payment. saveRules are those of all that is written with it.
var paymentRules = []paymentRule{
	{"a payment begins as prepared, with one charge that was not sent", beginsAsPrepared},
	{"a status changes by the table of moves alone", movesByTable},
	{"a dispute ends as it is won alone", endsAsWon},
	{"what a payment is of does not change", keepsTerms},
	{"what has happened stays as it was stored", keepsHistory},
	{"a capture or a void has no other request of the payment beside it", standsAlone},
	{"refunds, made and under way, stay within what was captured", refundsWithin},
	{"no more is captured than was authorised", capturesWithin},
	{"a request keeps its kind and its amount", keepsRequests},
	{"a request is sent only while no worker may be sending it", sendsUnderLease},
	{"a charge that was sent and is unknown stays at its MID", staysAtMID},
	{"a request that ends leaves one outcome", endsOnce},
	{"a success is of a request that was sent, once", succeedsOnce},
	{"a request has one decision, until that is executed", decidesOnce},
	{"a decline becomes a success only as a person accepts it, and if nothing was paid in its place", acceptsAlone},
	{"what has no outcome is due, or a person sees it, among those of its mode", isDue},
	{"a soft decline of a chain is retried once, by a payment of the same order", retriesOnce},
	{"a session has one attempt in progress, and one success", paysOnce},
	{"what an operator asks for is in the audit log", isAudited},
	{"callbacks are numbered without a gap, each stored with its change", numbersCallbacks},
	{"each outcome has a callback that says it", tellsOutcomes},
	{"a removed card is charged by its chains alone", leavesRemovedCard},
}

func beginsAsPrepared(_ saved, p paymentSaved) bool {
	missed := p.is.Status == payment.StatusDecline && len(p.is.Jobs) == 0 // a date of a schedule
	return !p.isNew() || missed || p.is.Status == payment.StatusPrepare && len(p.is.Jobs) == 1 &&
		p.is.Jobs[0].Kind == payment.JobCharge && p.is.Jobs[0].SentAt.IsZero() && p.is.Captured.IsZero()
}

func movesByTable(s saved, p paymentSaved) bool {
	at := payment.Payment{Status: payment.StatusPrepare}
	if !p.isNew() {
		at.Status = p.was.Status
	}
	for _, move := range p.is.Moves[min(len(p.was.Moves), len(p.is.Moves)):] {
		if at.Move(move.To, s.now) != nil {
			return false
		}
	}
	return at.Status == p.is.Status
}

func endsAsWon(_ saved, p paymentSaved) bool {
	won := func(i int) bool {
		was, is := p.was.Transactions[i], p.is.Transactions[i]
		return is.Type == payment.EventChargeback && was.Status == payment.Success && is.Status == payment.Fail
	}
	for i := range min(len(p.was.Transactions), len(p.is.Transactions)) {
		if won(i) {
			return true
		}
	}
	return !p.was.Disputed() || p.is.Status == p.was.Status
}

func keepsTerms(_ saved, p paymentSaved) bool {
	was, is := &p.was, &p.is
	byPerson := slices.ContainsFunc(is.Transactions, func(t payment.Transaction) bool { return t.Decision != nil })
	return p.isNew() || was.ID == is.ID && was.SessionID == is.SessionID && was.Owner == is.Owner &&
		was.Order.Number == is.Order.Number && was.CreatedAt.Equal(is.CreatedAt) && was.Operation == is.Operation &&
		was.Recurring == is.Recurring && (was.SavedCard == "" || was.SavedCard == is.SavedCard) &&
		(was.Chain == "" || was.Chain == is.Chain) && (was.RetriedBy == "" || was.RetriedBy == is.RetriedBy) &&
		(was.Amount.IsZero() || was.Amount == is.Amount || byPerson) &&
		(was.Captured.IsZero() || was.Captured == is.Captured)
}

func keepsHistory(_ saved, p paymentSaved) bool {
	was, is := &p.was, &p.is
	acts := func(of *payment.Payment) []payment.Act {
		return slices.DeleteFunc(slices.Clone(of.Acts), func(a payment.Act) bool { return a.Do == payment.VerdictLookUp })
	}
	sameMove := func(a, b payment.StatusMove) bool { return a.To == b.To && a.At.Equal(b.At) }
	return isBeginOf(was.Moves, is.Moves, sameMove) &&
		isBeginOf(was.Transactions, is.Transactions, sameTransaction) &&
		isBeginOf(acts(was), acts(is), func(a, b payment.Act) bool {
			return a.Do == b.Do && a.By == b.By && a.Reference == b.Reference && a.Amount == b.Amount && a.At.Equal(b.At)
		}) && was.Callbacks <= is.Callbacks
}

// sameTransaction reports whether a transaction may be stored for another one: a success may have failed later, and a
// dispute may get its id.
func sameTransaction(a, b payment.Transaction) bool {
	failed := a.Status == payment.Success && b.Status == payment.Fail && b.SucceededAt.Equal(a.Date)
	return a.Type == b.Type && a.Amount == b.Amount && a.MID == b.MID && a.SentAt.Equal(b.SentAt) &&
		(a.Reference == b.Reference || a.Reference == "" || a.Elsewhere) &&
		(a.Status == b.Status && a.SucceededAt.Equal(b.SucceededAt) || failed)
}

func isBeginOf[T any](begin, all []T, same func(a, b T) bool) bool {
	return len(begin) <= len(all) && slices.EqualFunc(begin, all[:len(begin)], same)
}

func standsAlone(_ saved, p paymentSaved) bool {
	requests := slices.DeleteFunc(slices.Clone(p.is.Jobs), func(j payment.Job) bool { return !j.Kind.OfPayment() })
	return len(requests) < 2 || !requests.Has(payment.JobCapture) && !requests.Has(payment.JobVoid) &&
		!requests.Has(payment.JobCharge)
}

func refundsWithin(_ saved, p paymentSaved) bool {
	made, all, elsewhere := money.Zero(p.is.Captured.Currency()), []money.Amount{}, false
	for _, t := range p.is.Transactions {
		if t.Type == payment.EventRefund && t.Status == payment.Success {
			all, elsewhere = append(all, t.Amount), elsewhere || t.Elsewhere
		}
	}
	for _, j := range p.is.Jobs {
		if j.Kind == payment.JobRefund && !elsewhere { // else the provider declines it
			all = append(all, j.Amount)
		}
	}
	for _, amount := range all {
		var err error
		if made, err = made.Add(amount); err != nil {
			return false
		}
	}
	return made.Cmp(p.is.Captured) <= 0
}

func capturesWithin(_ saved, p paymentSaved) bool {
	return p.is.Captured.IsZero() || p.is.Captured.Cmp(p.is.Amount) <= 0
}

func keepsRequests(_ saved, p paymentSaved) bool {
	for _, is := range p.is.Jobs {
		was := p.was.Jobs.Find(is.Reference)
		replaced := was != nil && is.Kind.ForPerson() && was.Kind != is.Kind && !was.Kind.Sends()
		if was != nil && was.Kind == payment.JobCharge && is.Kind == payment.JobUnapplied {
			replaced = true // coins that its end has left: endsOnce holds of it
		}
		if was != nil && !replaced && (was.Kind != is.Kind || was.Amount != is.Amount || was.About != is.About) {
			return false
		}
	}
	return true
}

// sendsUnderLease: a lease is longer than a function runs, by more than clocks differ. Who holds it may send to another
// MID.
func sendsUnderLease(s saved, p paymentSaved) bool {
	for _, is := range p.is.Jobs {
		was := p.was.Jobs.Find(is.Reference)
		if was == nil || was.SentAt.IsZero() || is.SentAt.IsZero() || was.SentAt.Equal(is.SentAt) || was.Released {
			continue
		}
		s.x.mu.Lock()
		last := s.x.sent[is.Reference]
		s.x.mu.Unlock()
		if last.by != s.by && s.x.Clock.Now().Sub(last.at) < latestArrival {
			return false
		}
	}
	return true
}

func staysAtMID(s saved, p paymentSaved) bool {
	was, is := p.was.Jobs.Charge(), p.is.Jobs.Charge()
	return was == nil || is == nil || was.Reference != is.Reference || was.UnknownSince.IsZero() || p.was.MID == p.is.MID
}

func endsOnce(_ saved, p paymentSaved) bool {
	ended := p.is.Transactions[min(len(p.was.Transactions), len(p.is.Transactions)):]
	for _, job := range p.was.Jobs {
		is := p.is.Jobs.Find(job.Reference)
		if !job.Kind.Sends() || is != nil && is.Kind != payment.JobUnapplied {
			continue
		}
		n := 0
		for _, t := range ended {
			if t.Reference == job.Reference && t.Type == p.is.EventType(job.Kind) {
				n++
			}
		}
		if n != 1 {
			return false
		}
	}
	return true
}

func succeedsOnce(_ saved, p paymentSaved) bool {
	successes := map[string]int{}
	for i, t := range p.is.Transactions {
		if t.Status != payment.Success || t.Elsewhere || t.Type == payment.EventContradiction {
			continue
		}
		if successes[t.Reference]++; successes[t.Reference] > 1 {
			return false
		}
		if job := p.was.Jobs.Find(t.Reference); i >= len(p.was.Transactions) && (job == nil || job.SentAt.IsZero()) {
			return false
		}
	}
	return true
}

func decidesOnce(_ saved, p paymentSaved) bool {
	for _, is := range p.is.Jobs {
		was := p.was.Jobs.Find(is.Reference)
		switch {
		case is.Decision == nil:
		case was == nil || was.SentAt.IsZero():
			return false
		case was.Decision != nil && *was.Decision != *is.Decision:
			return false
		}
	}
	return true
}

func acceptsAlone(s saved, p paymentSaved) bool {
	if p.was.Status != payment.StatusDecline || p.is.Status == payment.StatusDecline {
		return true
	}
	accepted := slices.ContainsFunc(p.was.Jobs, func(j payment.Job) bool {
		return j.Decision != nil && j.Decision.Verdict == payment.VerdictAccept
	})
	retry := s.payment(p.is.RetriedBy)
	return accepted && (retry == nil || retry.Status == payment.StatusDecline)
}

func isDue(_ saved, p paymentSaved) bool {
	want := store.DueKind("")
	for _, job := range p.is.Jobs {
		switch {
		case !job.Person:
			want = store.DuePayment.Of(p.is.Test)
		case want == "":
			want = store.DuePerson.Of(p.is.Test)
		}
	}
	return p.due == want
}

func retriesOnce(s saved, p paymentSaved) bool {
	if p.was.RetriedBy == p.is.RetriedBy {
		return true
	}
	i := slices.IndexFunc(s.paid, func(other paymentSaved) bool { return other.is.ID == p.is.RetriedBy })
	if i < 0 || p.was.Status != payment.StatusDecline || !p.was.Recurring || p.was.Contradictions().HasOpenApproval() {
		return false
	}
	retry := s.paid[i]
	return retry.isNew() && retry.is.Order.Number == p.is.Order.Number && retry.is.Chain == p.is.Chain &&
		retry.is.Amount == p.is.Amount && p.was.ReasonCode.Soft()
}

func paysOnce(s saved, p paymentSaved) bool {
	if p.is.SessionID == "" || !p.isNew() && p.was.Succeeded() == p.is.Succeeded() {
		return true
	}
	key, _ := store.PaymentKey(p.is.ID)
	_, payments := s.ofOrder(key)
	open, paid := 0, 0
	for _, other := range payments {
		if other.SessionID != p.is.SessionID {
			continue
		}
		if other.Undecided() {
			open++
		}
		if other.Succeeded() {
			paid++
		}
	}
	return open <= 1 && paid <= 1
}

func isAudited(s saved, p paymentSaved) bool {
	return len(p.was.Acts) >= len(p.is.Acts) || s.has("audit/")
}

// leavesRemovedCard is about the first time that a charge of a saved card is sent.
func leavesRemovedCard(s saved, p paymentSaved) bool {
	job := p.is.Jobs.Charge()
	if p.is.SavedCard == "" || p.is.Recurring || job == nil || job.SentAt.IsZero() || p.isNew() {
		return true
	}
	if was := p.was.Jobs.Charge(); was == nil || !was.SentAt.IsZero() {
		return true
	}
	at, known := s.removedBefore(p.is.SavedCard)
	return !known || !at.Before(p.is.CreatedAt)
}
