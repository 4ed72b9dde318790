package checkout

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/card"
	"checkout/internal/form"
	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// Pay starts one attempt to pay a session and returns the next screen. The
// same attempt sent again, and any attempt while another one is under way,
// after the session's end, or where the merchant's settings allow none any
// more, changes nothing: it returns how things stand.
// Two requests at once can't both start: the session's version decides.
// Errors: CodeInvalid with the page's field ids as paths, CodeNotFound.
func (s *Service) Pay(ctx context.Context, sessionID string, pay form.Request, payerIP string) (screen.Screen, error) {
	now := s.Now()
	sess, err := s.session(ctx, now, sessionID)
	if err != nil {
		return screen.Screen{}, err
	}
	if sess.stateAt(now) != SessionOpen || slices.Contains(sess.Attempts, pay.Attempt) {
		return s.screen(ctx, now, sess)
	}
	m, route, err := s.routeOf(ctx, now, sess)
	if err != nil {
		return screen.Screen{}, err
	}
	if route.Mapping == nil || m.Disabled {
		return s.screen(ctx, now, sess) // the merchant's settings have changed: it says so
	}
	payment, sealed, err := s.newPayment(now, sess, route, pay)
	if err != nil {
		return screen.Screen{}, err
	}
	payment.PayerIP = payerIP
	payment.setCause(ctx)
	logPayment(ctx, payment)

	if sess.Amount = (money.Amount{}); sess.Request.Order.Amount.EnteredOnPage() {
		sess.Amount = payment.Amount
	}
	if err := sess.limitAttempts(route.Mapping, now); err != nil {
		return screen.Screen{}, err
	}
	sess.State, sess.Action, sess.PayerReturned, sess.Received, sess.WithheldSeq = SessionProcessing, nil, false, nil, 0
	sess.PaymentID, sess.FirstPaymentID, sess.Method = payment.ID, "", payment.Method
	sess.Attempts = append(sess.Attempts, pay.Attempt)
	records := []store.Record{sess.record(), payment.record()}
	if sealed != nil {
		records = append(records, sealedRecord(payment, sealed))
	}
	err = s.Store.Save(ctx, now, records...)
	if store.IsConflict(err) {
		return s.NextScreen(ctx, sessionID)
	}
	if err != nil {
		return screen.Screen{}, fmt.Errorf("store payment: %w", err)
	}
	s.sendJob(ctx, payment.message(payment.ID), 0)
	return s.screen(ctx, now, sess)
}

// routeOf returns where a session's payments can go now, nowhere if the
// merchant's settings have changed since it was made.
func (s *Service) routeOf(ctx context.Context, now time.Time, sess *Session) (*merchant.Merchant, merchant.Route, error) {
	m, err := s.merchant(ctx, sess.Request.Merchant, now)
	if err != nil || m == nil {
		return nil, merchant.Route{}, err
	}
	r, err := merchant.FindRoute(m, &sess.Request)
	if err != nil {
		return m, merchant.Route{}, nil
	}
	return m, r, nil
}

// newPayment checks what the page sent and makes the attempt of it, with what
// the payer sealed for it: nil for a payment without a card's data.
func (s *Service) newPayment(now time.Time, sess *Session, route merchant.Route, pay form.Request) (*Payment, *card.Sealed, error) {
	mids := route.Order(pay.Method, s.Random)
	if len(mids) == 0 {
		return nil, nil, request.Invalid([]request.Fault{{Code: request.FaultInvalid, Path: "method", Text: method.TextNotChoice}})
	}
	if fault := request.IsUUID(pay.Attempt); fault != "" {
		return nil, nil, request.Invalid([]request.Fault{{Code: request.FaultInvalid, Path: "attempt", Text: fault}})
	}
	fields, saved, err := form.Chosen(route, pay, &sess.Request, sess.Saved)
	if err != nil {
		return nil, nil, err
	}
	filled, err := form.FillIn(fields, &sess.Request, pay)
	if err != nil {
		return nil, nil, err
	}
	var entered money.Amount
	if filled.Amount != "" {
		order := sess.Request.Order
		order.Amount = request.ReadAmount(filled.Amount, request.CurrencyOf(order))
		if entered, err = orderAmount(order); err != nil {
			return nil, nil, err
		}
		mids = slices.DeleteFunc(mids, func(mid merchant.MID) bool { return mid.OutsideLimits(order) })
	}
	if len(mids) == 0 {
		return nil, nil, request.Invalid([]request.Fault{{Code: request.FaultInvalid, Path: method.AmountField, Text: method.NotValid("It is not within the limits.")}})
	}
	p, err := sess.payment(now, route.Mapping, mids)
	if err != nil {
		return nil, nil, err
	}
	p.Method, p.Parties, p.Parameters = pay.Method, filled.Parties, filled.Parameters
	if saved != nil {
		p.SavedCard = saved.Token
		p.Customer.Name = cmp.Or(p.Customer.Name, saved.Holder)
	}
	if !entered.IsZero() {
		p.Order.Amount, p.Amount = request.Entered(entered), entered
	}
	if sess.Request.Consent {
		p.consent(filled.Consent == "true", s.Random)
	}
	if sess.Request.VATCalc {
		if p.VAT, err = route.Mapping.VAT(p.BillingAddress.Country, p.Amount); err != nil {
			return nil, nil, err
		}
	}
	if len(sess.Attempts) > 0 {
		p.ID = store.NewPaymentID(store.OrderHash(p.Owner.Text(), p.Order.Number), now, s.Random(4))
	}
	p.Jobs = []Job{{Kind: JobCharge, Reference: p.ID, CardName: p.cardName(), Sealed: filled.Sealed != nil, MIDs: merchant.MIDNames(mids[1:]), DueAt: now.Add(newJobGrace)}}
	return p, filled.Sealed, nil
}

// consent notes whether the payer agreed to later charges. Without it the payment is a plain one-time
// purchase: no token, no chain and no schedule.
func (p *Payment) consent(given bool, random func(n int) []byte) {
	if given {
		p.ConsentID, p.ConsentState = store.NewUUID(random(16)), consentActive
		return
	}
	p.ReqToken, p.RecurringInit = false, false
	p.ScheduleID, p.ScheduleStart, p.ScheduleAmount = "", "", request.Amount{}
}

// cardName is the name on the card of a page's payment: who pays, or who is paid.
func (p *Payment) cardName() string {
	if p.Operation == method.Credit {
		return p.Payee.Name
	}
	return p.Customer.Name
}
