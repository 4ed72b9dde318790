package checkout

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/settings"
)

// Every condition of a capture, void or refund says why it refuses. A merchant gets one error, whatever the reason.
func TestWhyAFollowUpIsRefused(t *testing.T) {
	const (
		void, capture, refund = payment.JobVoid, payment.JobCapture, payment.JobRefund
		settled, pending      = payment.StatusSettled, payment.StatusPending
		out                   = "It was paid out, and no request brings that back."
		late                  = "Only a payment of the same day (UTC) without refunds can be voided: refund it."
		none                  = "Nothing is left to refund."
		rest                  = "A refund is in progress."
		lost                  = "The outcome of its refund has been unknown since 2030-03-04 10:00:00 UTC: look it up first."
	)
	unknown := job(void)
	unknown.UnknownSince = paidAt
	unknownRefund := job(refund)
	unknownRefund.UnknownSince = paidAt
	whole := job(refund)
	whole.Amount = usd("10.00")
	lostWhole := whole
	lostWhole.UnknownSince = paidAt
	refunds := func(n int, amount string) *payment.Payment {
		p := paid(settled)
		for range n {
			did(p, payment.EventRefund, payment.Success, amount)
		}
		return p
	}
	payout := paid(settled)
	payout.Operation, payout.Transactions[0].Type = method.Credit, payment.EventCredit
	unable := paid(settled)
	unable.Connector = "none"
	yesterday := paid(settled)
	yesterday.Transactions[0].Date = paidAt.Add(-24 * time.Hour)
	for i, test := range []struct {
		p    *payment.Payment
		kind payment.JobKind
		why  string
	}{
		{unable, capture, "Its provider takes no request for a capture."},
		{unable, void, "Its provider takes no request for a void."},
		{unable, refund, "Its provider takes no request for a refund."},
		{paid(pending, job(payment.JobCharge)), capture, whyUndecided},
		{paid(payment.StatusPrepare, job(payment.JobCharge)), void, whyUndecided},
		{paid(payment.Status3DS, job(payment.JobCharge)), refund, whyUndecided},
		{paid(payment.StatusRedirect), refund, whyUndecided},
		{paid(pending, job(capture)), capture, "A capture is in progress."},
		{paid(settled, job(void)), void, "A void is in progress."},
		{paid(pending, job(void)), capture, "A void is in progress."},
		{paid(settled, job(void)), refund, "A void is in progress."},
		{paid(settled, job(void)), capture, "It was captured already."},
		{paid(pending, job(capture)), void, "A capture is in progress."},
		{paid(pending, job(capture)), refund, "A capture is in progress."},
		{paid(settled, job(refund)), void, "A refund is in progress."},
		{paid(settled, unknown), refund,
			"The outcome of its void has been unknown since 2030-03-04 10:00:00 UTC: look it up first."},
		{paid(settled, unknownRefund, job(void)), refund, "A void is in progress."},
		{paid(settled), capture, "It was captured already."}, {paid(payment.StatusDecline), capture, "It was declined."},
		{paid(payment.StatusVoid), void, "It was voided."}, {paid(payment.StatusRefund), refund, "It was refunded in full."},
		{paid(payment.StatusChargeback), refund, "It was charged back."},
		{paid(payment.StatusReversal, job(refund)), void, "It was reversed."},
		{paid(pending), refund, "Nothing was captured yet: void it."},
		{payout, capture, out}, {payout, void, out}, {payout, refund, out},
		{yesterday, void, late}, {refunds(1, "1.00"), void, late},
		{refunds(maxRefunds, "0.01"), refund, "It has 200 refunds, and can have no more."},
		{refunds(1, "10.00"), refund, none}, {paid(settled, whole), refund, rest}, {paid(settled, lostWhole), refund, lost},
		{paid(settled), payment.JobCharge, "A payment takes no request for a charge."},
	} {
		s := &Core{Declarations: settings.Declarations{"bank": {Capture: true, Void: true, Refund: true}, "none": {}}}
		_, err := s.MayFollowUp(test.p, test.kind, "", paidAt)
		var refused *Refusal
		if !errors.As(err, &refused) || refused.Why != test.why {
			t.Errorf("%d: %s of a payment %s: %+v, want %q", i, test.kind, test.p.Status, err, test.why)
			continue
		}
		var told *fault.Error
		want := fmt.Sprint(ErrNotAllowed(test.kind))
		if test.kind == refund && slices.Contains([]string{none, rest, lost}, test.why) {
			want = "amount: Nothing is left to refund."
		}
		if !errors.As(err, &told) || told.Error() != want || err.Error() != want {
			t.Errorf("%d: a merchant gets %v, want %s", i, err, want)
		}
	}
}
