package checkout

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/paymenttest"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/settings"
)

// The payments of tests, and what these have.
var (
	paidAt              = paymenttest.At
	usd, paid, job, did = paymenttest.USD, paymenttest.Paid, paymenttest.Job, paymenttest.Did
)

// What a merchant or an operator may ask of a payment: "-" is not allowed, else the amount of "" (all that is left).
func TestMayFollowUp(t *testing.T) {
	evening := time.Date(2030, 3, 4, 23, 59, 59, 999, time.UTC)
	with := func(p *payment.Payment, change func(p *payment.Payment)) *payment.Payment {
		change(p)
		return p
	}
	for name, test := range map[string]struct {
		p                     *payment.Payment
		capture, void, refund string
		now                   time.Time
	}{
		"authorised":          {p: paid(payment.StatusPending), capture: "10.00", void: "10.00"},
		"authorised long ago": {p: paid(payment.StatusPending), capture: "10.00", void: "10.00", now: evening.Add(1e15)},
		"capture under way":   {p: paid(payment.StatusPending, job(payment.JobCapture))},
		"void under way":      {p: paid(payment.StatusPending, job(payment.JobVoid))},
		"undecided":           {p: paid(payment.StatusPending, job(payment.JobCharge))},
		"a look-up beside it": {p: paid(payment.StatusPending, job(payment.JobLookUp)), capture: "10.00", void: "10.00"},
		"settled":             {p: paid(payment.StatusSettled), void: "10.00", refund: "10.00"},
		"settled yesterday":   {p: paid(payment.StatusSettled), refund: "10.00", now: evening.Add(time.Second)},
		"settled, void":       {p: paid(payment.StatusSettled, job(payment.JobVoid))},
		"settled, refund":     {p: paid(payment.StatusSettled, job(payment.JobRefund)), refund: "7.00"},
		"settled, contradiction": {p: paid(payment.StatusSettled, job(payment.JobContradiction)), void: "10.00",
			refund: "10.00"},
		"three refunds": {p: paid(payment.StatusSettled, job(payment.JobRefund), job(payment.JobRefund),
			job(payment.JobRefund)), refund: "1.00"},
		"refunded in part": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			did(p, payment.EventRefund, payment.Success, "4.00")
		}), refund: "6.00"},
		"a refund was declined": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			did(p, payment.EventRefund, payment.Fail, "4.00")
		}), void: "10.00", refund: "10.00"},
		"all refunds under way": {p: with(paid(payment.StatusSettled, job(payment.JobRefund)), func(p *payment.Payment) {
			p.Jobs[0].Amount = p.Amount
		}), refund: "Nothing is left to refund."},
		"captured in part, a day later": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			p.Captured = usd("7.00")
			did(p, payment.EventCapture, payment.Success, "7.00")
			p.Transactions[1].Date = paidAt.Add(24 * time.Hour)
		}), void: "7.00", refund: "7.00", now: evening.Add(24 * time.Hour)},
		"its second capture was declined": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			did(p, payment.EventCapture, payment.Fail, "7.00")
			p.Transactions[1].Date = paidAt.Add(24 * time.Hour)
		}), refund: "10.00", now: evening.Add(24 * time.Hour)},
		"payout": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			p.Operation, p.Transactions[0].Type = method.Credit, payment.EventCredit
		})},
		"199 refunds": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			for range 199 {
				did(p, payment.EventRefund, payment.Fail, "1.00")
			}
		}), void: "10.00", refund: "10.00"},
		"200 refunds": {p: with(paid(payment.StatusSettled), func(p *payment.Payment) {
			for range 200 {
				did(p, payment.EventRefund, payment.Fail, "1.00")
			}
		}), void: "10.00"},
		"at the bank": {p: paid(payment.StatusRedirect)}, "declined": {p: paid(payment.StatusDecline)},
		"refunded": {p: paid(payment.StatusRefund)}, "voided": {p: paid(payment.StatusVoid)},
		"charged back": {p: paid(payment.StatusChargeback)}, "reversed": {p: paid(payment.StatusReversal)},
	} {
		s := &Core{Declarations: settings.Declarations{"bank": {Capture: true, Void: true, Refund: true}, "none": {}}}
		if test.now.IsZero() {
			test.now = evening
		}
		for kind, want := range map[payment.JobKind]string{
			payment.JobCapture: test.capture, payment.JobVoid: test.void, payment.JobRefund: test.refund,
			payment.JobCharge: ""} {
			if got := follows(s, test.p, kind, "", test.now); got != want {
				t.Errorf("%s: %s is %q, want %q", name, kind, got, want)
			}
			if !strings.Contains(want, ".00") || kind == payment.JobVoid {
				continue
			}
			cent := usd("0.01")
			more, _ := usd(want).Add(cent)
			for text, want := range map[string]string{want: want, "0.01": "0.01",
				more.String(): "This value should be " + want + " or less.", "0.00": "This value should be greater than 0."} {
				if got := follows(s, test.p, kind, text, test.now); got != want {
					t.Errorf("%s: %s of %s is %q, want %q", name, kind, text, got, want)
				}
			}
		}
		test.p.Connector = "none"
		for _, kind := range []payment.JobKind{payment.JobCapture, payment.JobVoid, payment.JobRefund} {
			if got := follows(s, test.p, kind, "", test.now); got != "" {
				t.Errorf("%s: %s at a connector that can't: %s", name, kind, got)
			}
		}
	}
}

// follows returns the amount of a request that is allowed, the fault of its amount, or "" for what is not allowed.
func follows(s *Core, p *payment.Payment, kind payment.JobKind, amount string, now time.Time) string {
	allowed, err := s.MayFollowUp(p, kind, amount, now)
	switch {
	case fault.CodeOf(err) == fault.CodeNotAllowed:
		return ""
	case fault.CodeOf(err) == fault.CodeInvalid:
		var refused *fault.Error
		errors.As(err, &refused)
		wrong := refused.Faults[0]
		own := map[payment.JobKind]int{payment.JobCapture: fault.NumberCaptureAmount,
			payment.JobRefund: fault.NumberRefundAmount}[kind]
		if (wrong.Number == own) != strings.HasSuffix(wrong.Text, "or less.") && amount != "" {
			return fmt.Sprintf("%d of a %s: %s", wrong.Number, kind, wrong.Text)
		}
		return wrong.Text
	case err != nil:
		return err.Error()
	}
	return allowed.String()
}

// A capture, void or refund is refused with its own code.
func TestErrNotAllowed(t *testing.T) {
	for kind, want := range map[payment.JobKind]string{
		payment.JobCapture: fmt.Sprint(fault.NumberCaptureStatus, " Capture is not allowed."),
		payment.JobRefund:  fmt.Sprint(fault.NumberRefundStatus, " Refund is not allowed."),
		payment.JobVoid:    fmt.Sprint(fault.NumberInvalid, " Void is not allowed."),
		payment.JobCharge:  fmt.Sprint(fault.NumberInvalid, " It is not allowed."),
	} {
		fault := ErrNotAllowed(kind).Faults[0]
		if got := fmt.Sprint(fault.Number, " ", fault.Text); got != want {
			t.Errorf("%s: %s", kind, got)
		}
	}
}
