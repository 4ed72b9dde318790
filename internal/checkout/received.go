package checkout

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"checkout/internal/money"
	"checkout/internal/screen"
)

// Received is what has arrived of money that a payer sends from elsewhere,
// such as to a crypto address.
type Received struct {
	Currency string `json:"currency"`      // of both amounts
	Amount   string `json:"amount"`        // decimal text: all that has arrived, also what arrived too late
	Due      string `json:"due,omitempty"` // decimal text; "" where any amount is welcome
}

// receivedDecimals is how finely amounts are counted that do not fit the currency's own decimals.
const receivedDecimals = 18

// in reads the amounts in a currency. due has none where any amount is welcome.
func (r *Received) in(currency money.Currency) (arrived, due money.Amount, err error) {
	if arrived, err = money.Parse(r.Amount, currency); err != nil {
		return arrived, due, fmt.Errorf("amount that arrived: %w", err)
	}
	if r.Due != "" {
		if due, err = money.Parse(r.Due, currency); err != nil {
			return arrived, due, fmt.Errorf("amount that is due: %w", err)
		}
	}
	return arrived, due, nil
}

// receipt is a Received that was read. The zero value says that nothing arrived.
type receipt struct {
	arrived, due money.Amount
	news         money.Amount // what of arrived was not known before; zero: nothing
}

// reported is a provider's result with what has arrived, read.
type reported struct {
	Result
	receipt receipt
}

// read compares what a provider says has arrived with what is known of the
// payment. Where that can't be read, nothing has.
func (s *Service) read(ctx context.Context, p *Payment, result Result) reported {
	if result.Received == nil {
		return reported{Result: result}
	}
	r, err := receiptOf(result.Received, p.Received)
	if err != nil {
		s.Log.ErrorContext(ctx, "what arrived can't be read", "payment", p.ID, "connector", p.Connector, "error", err)
		return reported{Result: result}
	}
	return reported{result, r}
}

// receiptOf reads what arrived, known being what was known before, nil: nothing.
func receiptOf(said, known *Received) (receipt, error) {
	if utf8.RuneCountInString(said.Currency) > maxCode {
		return receipt{}, errTooLong
	}
	currency, ok := money.Find(said.Currency)
	if ok {
		if r, err := receiptIn(currency, said, known); err == nil {
			return r, nil
		}
	}
	return receiptIn(money.Currency{Code: said.Currency, Exponent: receivedDecimals}, said, known)
}

func receiptIn(currency money.Currency, said, known *Received) (receipt, error) {
	arrived, due, err := said.in(currency)
	if err != nil || known == nil {
		return receipt{arrived: arrived, due: due, news: arrived}, err
	}
	if known.Currency != said.Currency {
		return receipt{}, fmt.Errorf("in %s, and before in %s", said.Currency, known.Currency)
	}
	before, _, err := known.in(currency)
	if err != nil {
		return receipt{}, err
	}
	r := receipt{arrived: arrived, due: due}
	if arrived.Cmp(before) > 0 {
		r.news, err = arrived.Sub(before)
	}
	return r, err
}

// missing is what is still due of what has arrived in part.
func (r receipt) missing() money.Amount {
	missing, err := r.due.Sub(r.arrived)
	if err != nil {
		return money.Zero(r.due.Currency())
	}
	return missing
}

// short reports whether something arrived, and less than is due.
func (r receipt) short() bool {
	return !r.arrived.IsZero() && !r.due.IsZero() && r.arrived.Cmp(r.due) < 0
}

// excess is the reason of a payment that was overpaid, nil if it was not.
func (r receipt) excess() *screen.Reason {
	if r.arrived.IsZero() || r.due.IsZero() || r.arrived.Cmp(r.due) <= 0 {
		return nil
	}
	return arrivedReason(screen.ReasonPaidTooMuch, r.arrived, r.due)
}

// declined is the reason of a payment that was declined although money
// arrived, and what its payer has to know; nil if none arrived.
func (r receipt) declined() (*screen.Reason, screen.Text) {
	switch {
	case r.arrived.IsZero():
		return nil, ""
	case r.short():
		return arrivedReason(screen.ReasonPaidTooLittle, r.arrived, r.due), screen.TextPaidTooLittle
	}
	return arrivedReason(screen.ReasonPaidTooLate, r.arrived, money.Amount{}), screen.TextPaidTooLate
}

// arrivedReason is a reason that names what arrived, and what was due unless that is zero.
func arrivedReason(code screen.ReasonCode, arrived, due money.Amount) *screen.Reason {
	reason := &screen.Reason{Code: code, Currency: arrived.Currency().Code, Arrived: arrived.String()}
	if !due.IsZero() {
		reason.Due = due.String()
	}
	return reason
}

func named(amount money.Amount) string { return amount.String() + " " + amount.Currency().Code }

// noteReceived stores what arrived, if that could be read.
func (p *Payment) noteReceived(result reported) {
	if !result.receipt.arrived.IsZero() {
		p.Received = result.Received
	}
}

// maxTold is how often a merchant is told of a payment's money that arrives bit by bit, in time and too late:
// anybody can send it, and what is stored has to stay small. What arrives afterwards is noted alone.
const maxTold = 100

// partlyPaid notes that a part of what is due has arrived: the payment waits for the rest.
func partlyPaid(t task, result reported) effects {
	t.payment.Received = result.Received
	if t.session != nil {
		t.session.Received = result.Received
	}
	if t.payment.Callbacks >= maxTold {
		return effects{save: true, session: true}
	}
	r := result.receipt
	reason := named(r.arrived) + " of " + named(r.due) + " arrived, " + named(r.missing()) + " are missing."
	return effects{save: true, session: true, event: &Event{Type: t.payment.EventType(JobCharge), Status: Waiting, Reason: reason}}
}

// paidLate notes money that arrived after the payment was declined. It stays
// declined (decisions.md 5 has no way back), and merchant and payer are told.
// No other payment is asked for in its session while nobody knows what the
// merchant does with the money, but one that was made counts.
func paidLate(t task, result reported, now time.Time) effects {
	p, sess := t.payment, t.session
	reason := arrivedReason(screen.ReasonPaidTooLate, result.receipt.news, money.Amount{})
	p.Received, p.Reason = result.Received, reason.Text()
	if p.tried() >= maxTold {
		return effects{save: true}
	}
	p.Transactions = append(p.Transactions, Transaction{
		Type: p.EventType(JobCharge), Status: Fail, Date: now, Amount: p.Amount, Reference: p.Charged, Reason: p.Reason,
	})
	if sess != nil && sess.State != SessionComplete {
		sess.Stray, sess.Reason = screen.TextPaidTooLate, reason
		if sess.State == SessionOpen {
			sess.State = SessionDeclined
		}
	}
	return effects{save: true, session: true, event: &Event{Type: p.EventType(JobCharge), Status: Fail, Reason: p.Reason}}
}

// payElsewhere adds to a wait screen what the payer has to pay with, and how long, until the time is over.
func payElsewhere(page *screen.Screen, now time.Time, sess *Session) {
	next := sess.Next
	if next.over(now) {
		page.Message.Text = screen.TextCheckingPayment
		return
	}
	if page.Show = next.Show; len(next.Show) > 0 {
		page.Message.Text, page.Actions = screen.TextPayElsewhere, []screen.Action{screen.ActionPaid}
	}
	if next.asks() {
		page.Message.Text, page.Step = screen.TextMoreNeeded, strconv.Itoa(next.Step)
		page.Fields = screenFields(secondFields(sess.Method, sess.Request.Operation, next.Fields), sess)
	}
	if next.Text != "" {
		page.Message.Text = next.Text
	}
	if next.Kind == StatusPending && !next.ExpiresAt.IsZero() {
		expires(page, now, next.ExpiresAt)
	}
	if sess.Received == nil {
		return
	}
	r, err := receiptOf(sess.Received, nil)
	if err != nil || !r.short() {
		return // is stored only if it can be read, and is short
	}
	page.Message.Text = screen.TextPartlyPaid
	page.Show = append(slices.Clone(next.Show), shownAs("amount_received", r.arrived), shownAs("amount_missing", r.missing()))
}

func shownAs(id string, amount money.Amount) screen.Shown {
	return screen.Shown{ID: id, Type: screen.ShownAmount, Value: amount.String(), Currency: amount.Currency().Code}
}

// lacksAmount fails for an approval of an amount that the payer entered at the provider, which the result does not name
// in the payment's currency: nobody knows then what was paid.
func (p *Payment) lacksAmount(r Result) error {
	if r.Outcome != OutcomeApproved || !p.Amount.IsZero() || !r.Amount.IsZero() && r.Amount.Currency().Code == p.Order.Currency {
		return nil
	}
	return fmt.Errorf("payment %s was approved without its amount", p.ID)
}
