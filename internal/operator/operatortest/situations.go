package operatortest

import (
	"slices"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/checkout/payment/paymenttest"
	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// Situation is where a payment stands.
type Situation struct {
	Name    string
	Payment *payment.Payment
	Session *checkout.Session
}

// Situations returns payments with their jobs in each state, and with each outcome.
func Situations() []Situation {
	return slices.Concat(charges(), followUps(), outcomes(), contradictions(), unapplied())
}

const (
	prepare, pending, settled = payment.StatusPrepare, payment.StatusPending, payment.StatusSettled
	refund                    = payment.JobRefund
)

var usd, paid, job, did = paymenttest.USD, paymenttest.Paid, paymenttest.Job, paymenttest.Did

// payout makes a payment one to the payer.
func payout(p *payment.Payment) { p.Operation = method.Credit }

// charges have only the charge, without an outcome.
func charges() []Situation {
	pays := &connector.RequiredAction{Kind: connector.ActionPending, Text: "Pay."}
	inAnHour := paymenttest.At.Add(time.Hour)
	soon := &connector.RequiredAction{Kind: connector.ActionPending, Text: "Pay.", ExpiresAt: inAnHour}
	return []Situation{
		{Name: "a charge to be sent", Payment: Charging(prepare, Queued, nil)},
		{Name: "a charge that is being sent", Payment: Charging(prepare, Sending, nil)},
		{Name: "a charge that the provider has not decided", Payment: Charging(prepare, Undecided, nil)},
		{Name: "a charge of unknown outcome", Payment: Charging(prepare, Unknown, nil)},
		{Name: "a payout of unknown outcome", Payment: With(Charging(prepare, Unknown, nil), payout)},
		{Name: "a charge for a person", Payment: Charging(prepare, ForPerson, nil)},
		{Name: "a charge of an amount that the payer entered, for a person",
			Payment: With(Charging(prepare, ForPerson, nil), func(p *payment.Payment) { p.Amount = usd("") })},
		{Name: "a charge that a person has decided", Payment: Charging(prepare, Decided, nil)},
		{Name: "the payer confirms it at the bank", Payment: Charging(payment.Status3DS, Undecided, pays)},
		{Name: "the payer pays elsewhere, in an hour", Payment: Charging(payment.StatusRedirect, Undecided, soon)},
		{Name: "the payer was shown how to pay", Payment: Charging(pending, Undecided, pays)},
		{Name: "the payer was shown how to pay, in an hour", Payment: Charging(pending, Undecided, soon)},
		{Name: "the payer was shown how to pay, of unknown outcome", Payment: Charging(pending, Unknown, pays)},
		{Name: "pending at the provider", Payment: Charging(pending, Undecided, nil)},
	}
}

// followUps are authorised or settled, with requests of merchants or operators.
func followUps() []Situation {
	return []Situation{
		{Name: "authorised", Payment: With(paid(pending), Placed)},
		{Name: "a capture to be sent", Payment: paid(pending, Queued(job(payment.JobCapture)))},
		{Name: "a void of unknown outcome", Payment: paid(pending, Unknown(job(payment.JobVoid)))},
		{Name: "settled", Payment: With(paid(settled), Placed)},
		{Name: "settled, of a MID that is not known", Payment: With(paid(settled), Placed, func(p *payment.Payment) {
			p.Transactions[0].MID = ""
		})},
		{Name: "settled, and nothing is stored as captured", Payment: With(paid(settled), func(p *payment.Payment) {
			p.Captured = usd("")
		})},
		{Name: "a void of the settled payment for a person", Payment: paid(settled, ForPerson(job(payment.JobVoid)))},
		{Name: "a refund to be sent", Payment: paid(settled, Queued(job(refund)))},
		{Name: "a refund that the provider has not decided", Payment: paid(settled, Undecided(job(refund)))},
		{Name: "a refund for a person", Payment: paid(settled, ForPerson(job(refund)))},
		{Name: "a refund for a person after one to be sent",
			Payment: paid(settled, Queued(job(payment.JobCapture)), ForPerson(job(refund)), ForPerson(job(payment.JobVoid)))},
	}
}

// outcomes have ended.
func outcomes() []Situation {
	return []Situation{
		{Name: "refunded in part", Payment: With(paid(settled), func(p *payment.Payment) {
			did(p, payment.EventRefund, payment.Success, "4.00")
		})},
		{Name: "a refund of more than is left", Payment: With(paid(settled), func(p *payment.Payment) {
			did(p, payment.EventRefund, payment.Fail, "1.00")
		}, Reports("refund", connector.OutcomeApproved, "1.00"))},
		{Name: "refunded", Payment: paid(payment.StatusRefund)}, {Name: "voided", Payment: paid(payment.StatusVoid)},
		{Name: "charged back", Payment: paid(payment.StatusChargeback)},
		{Name: "reversed", Payment: paid(payment.StatusReversal)},
		{Name: "paid out", Payment: With(paid(settled), payout)},
		{Name: "declined softly", Payment: With(Declined(reason.InsufficientFunds), Placed)},
		{Name: "declined as stolen", Payment: Declined(reason.CardStolen)},
	}
}

// contradictions have a report of the provider against an outcome.
func contradictions() []Situation {
	const approved, failed = connector.OutcomeApproved, connector.OutcomeDeclined
	complete := &checkout.Session{State: checkout.SessionComplete}
	return []Situation{
		{Name: "approved after a decline", Payment: With(Declined(reason.TryAgainLater),
			Reports("charge", approved, ""))},
		{Name: "approved after a decline, and paid again", Session: complete, Payment: With(Declined(reason.Declined),
			Reports("charge", approved, ""))},
		{Name: "a payout approved after its decline", Payment: With(Declined(reason.Declined), payout,
			Reports("charge", approved, ""))},
		{Name: "declined after a person had approved it", Payment: With(paid(settled), Reports("charge", failed, ""))},
		{Name: "a charge at the next MID, and one for a person", Payment: With(Declined(reason.Declined),
			Reports("charge", approved, ""), func(p *payment.Payment) {
				p.Status, p.Jobs = prepare, append(p.Jobs, Undecided(job(payment.JobCharge)))
				p.Jobs[1].Reference = "next"
			})},
	}
}

// arrived has money arrive for a charge that has ended.
func arrived(currency, amount string) func(p *payment.Payment) {
	return func(p *payment.Payment) {
		p.ChargeReference, p.ReasonCode = "charge", reason.PaidTooLate
		p.Received = &connector.Received{Currency: currency, Amount: amount}
		p.Unapplied().Add(&money.Coins{Currency: currency, Amount: amount}, paymenttest.At)
	}
}

// unapplied have money that arrived and does not count.
func unapplied() []Situation {
	decided := func(p *payment.Payment) {
		p.Jobs[0].Decide(payment.Decision{Verdict: payment.VerdictClose, By: "Ann", Reason: "Seen.", At: paymenttest.At})
	}
	complete := &checkout.Session{State: checkout.SessionComplete}
	return []Situation{
		{Name: "a part arrived too late", Payment: With(Declined(""), arrived("USD", "4.00"))},
		{Name: "more than was asked for arrived too late", Payment: With(Declined(""), arrived("USD", "40.00"))},
		{Name: "coins arrived too late", Payment: With(Declined(""), arrived("BTC", "0.0004"))},
		{Name: "coins arrived too late, and the order was paid", Session: complete,
			Payment: With(Declined(""), arrived("BTC", "0.0004"))},
		{Name: "money arrived too late for a payment without an amount",
			Payment: With(Declined(""), func(p *payment.Payment) { p.Amount = usd("") }, arrived("USD", "4.00"))},
		{Name: "money that does not count, which a person has decided",
			Payment: With(Declined(""), arrived("USD", "4.00"), decided)},
		{Name: "money that does not count, which is looked up",
			Payment: With(Declined(""), arrived("USD", "4.00"), func(p *payment.Payment) { p.Jobs[0].Ask(paymenttest.At) })},
		{Name: "money arrived after the payment was settled", Payment: With(paid(settled), arrived("USD", "4.00"))},
		{Name: "coins arrived, and the charge was approved after its decline",
			Payment: With(Declined(""), arrived("USD", "4.00"), Reports("charge", connector.OutcomeApproved, ""))},
	}
}
