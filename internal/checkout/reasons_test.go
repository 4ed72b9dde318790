package checkout

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkout/internal/checkout/payment"
	"checkout/internal/settings"
)

// followUps are the requests that are refused.
var followUps = []payment.JobKind{payment.JobCapture, payment.JobVoid, payment.JobRefund}

// reasons are all reasons, and of which payments each is true.
func reasons() map[string]func(p *payment.Payment) bool {
	is := func(all ...payment.Status) func(*payment.Payment) bool {
		return func(p *payment.Payment) bool { return slices.Contains(all, p.Status) }
	}
	all := map[string]func(*payment.Payment) bool{
		"It was captured already.":           is(payment.StatusSettled),
		"Nothing was captured yet: void it.": is(payment.StatusPending),
		"It was declined.":                   is(payment.StatusDecline),
		"It was refunded in full.":           is(payment.StatusRefund),
		"It was voided.":                     is(payment.StatusVoid),
		"It was charged back.":               is(payment.StatusChargeback),
		"It was reversed.":                   is(payment.StatusReversal),
		whyUndecided:                         is(payment.StatusPrepare, payment.Status3DS, payment.StatusRedirect),
	}
	has := func(kind payment.JobKind, is func(payment.Job) bool) func(*payment.Payment) bool {
		return func(p *payment.Payment) bool {
			return slices.ContainsFunc(p.Jobs, func(j payment.Job) bool { return j.Kind == kind && is(j) })
		}
	}
	known := func(j payment.Job) bool { return j.UnknownSince.IsZero() && j.Decision == nil }
	decided := func(j payment.Job) bool { return j.Decision != nil }
	unknown := func(j payment.Job) bool { return !j.UnknownSince.IsZero() && !j.Person && !decided(j) }
	person := func(j payment.Job) bool { return !j.UnknownSince.IsZero() && j.Person }
	for _, kind := range append(followUps, payment.JobCharge) {
		its, outcome := "its "+string(kind), "The outcome of its "+string(kind)
		if kind == payment.JobCharge {
			its, outcome = "it", "Its outcome"
		} else {
			all["A "+string(kind)+" is in progress."] = has(kind, known)
		}
		since := outcome + " has been unknown since 2030-03-04 10:00:00 UTC: "
		all[since+"look it up first."], all[since+"settle it first."] = has(kind, unknown), has(kind, person)
		all["A person's decision on "+its+" is being executed."] = has(kind, decided)
	}
	charge, before := has(payment.JobCharge, known), all[whyUndecided]
	all[whyUndecided] = func(p *payment.Payment) bool { return charge(p) || before(p) }
	return all
}

// combinations returns all lists of requests of a payment, each in each of its states, or absent.
func combinations() [][]payment.Job {
	states := []func(j *payment.Job){
		func(*payment.Job) {},
		func(j *payment.Job) { j.UnknownSince = paidAt },
		func(j *payment.Job) { j.UnknownSince, j.Person = paidAt, true },
		func(j *payment.Job) { j.UnknownSince, j.Decision = paidAt, &payment.Decision{By: "Ann"} },
	}
	all := [][]payment.Job{nil}
	for _, kind := range append(slices.Clone(followUps), payment.JobCharge, payment.JobContradiction) {
		for _, jobs := range slices.Clone(all) {
			for _, change := range states {
				j := job(kind)
				change(&j)
				all = append(all, append(slices.Clone(jobs), j))
			}
		}
	}
	return all
}

// Whatever a payment's status and requests are, a refusal has a reason that is true of it. A request in progress is
// the reason only where the payment may be captured, voided or refunded after that.
func TestReasonsAreTrue(t *testing.T) {
	s := &Core{Declarations: settings.Declarations{"bank": {Capture: true, Void: true, Refund: true}}}
	why := func(p *payment.Payment, kind payment.JobKind) (reason string, refused bool) {
		_, err := s.MayFollowUp(p, kind, "", paidAt)
		var r *Refusal
		if err != nil && !errors.As(err, &r) {
			t.Fatal(err)
		}
		if r == nil {
			return "", false
		}
		return r.Why, true
	}
	reasons, told := reasons(), map[string]bool{}
	for _, status := range []payment.Status{payment.StatusPrepare, payment.Status3DS, payment.StatusRedirect,
		payment.StatusPending, payment.StatusSettled, payment.StatusDecline, payment.StatusRefund,
		payment.StatusReversal, payment.StatusVoid, payment.StatusChargeback} {
		for _, jobs := range combinations() {
			for _, kind := range followUps {
				p := paid(status, jobs...)
				reason, refused := why(p, kind)
				if !refused {
					continue
				}
				told[reason] = true
				name := fmt.Sprintf("%s, with %s: %s: %q", status, requests(jobs), kind, reason)
				if isTrue := reasons[reason]; isTrue == nil || !isTrue(p) {
					t.Errorf("%s is not true", name)
				}
				later, refused := why(paid(status), kind)
				if refused && !strings.HasSuffix(later, " yet.") && !strings.Contains(later, " yet: ") && later != reason {
					t.Errorf("%s, and %q once nothing is in progress", name, later)
				}
			}
		}
	}
	for reason := range reasons {
		if !told[reason] {
			t.Errorf("%q is never told", reason)
		}
	}
}

// requests are the kinds and states of jobs.
func requests(jobs []payment.Job) (text string) {
	for _, j := range jobs {
		text += fmt.Sprintf(" %s(unknown %t, person %t, decided %t)", j.Kind, !j.UnknownSince.IsZero(), j.Person,
			j.Decision != nil)
	}
	return text
}
