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

// Payer is what the payer's browser sends with each request.
type Payer struct {
	IP           string
	UserAgent    string // the header
	AcceptHeader string // the header Accept
}

// Pay starts one attempt to pay a session and returns the next screen. It changes nothing and returns the
// present screen if this attempt was sent before, another one is in progress, the session has ended, or the
// merchant's settings no longer allow the payment. Of two concurrent requests only one starts an attempt,
// because both write the session on condition of its version.
// Errors: CodeInvalid with the page's field ids as paths, CodeNotFound.
func (s *Service) Pay(ctx context.Context, sessionID string, pay form.Request, payer Payer) (screen.Screen, error) {
	now := s.Now()
	sess, err := s.session(ctx, now, sessionID)
	if err != nil {
		return screen.Screen{}, err
	}
	if sess.stateAt(now) != sessionOpen || slices.Contains(sess.Attempts, pay.Attempt) {
		return s.screen(ctx, now, sess)
	}
	m, route, err := s.routeOf(ctx, now, sess)
	if err != nil {
		return screen.Screen{}, err
	}
	if route.Mapping == nil || m.Disabled {
		return s.screen(ctx, now, sess) // the settings have changed: a technical problem
	}
	payment, sealed, err := s.newAttempt(now, sess, route, pay)
	if err != nil {
		return screen.Screen{}, err
	}
	payment.PayerIP = payer.IP
	payment.Browser = request.Browser{
		UserAgent: payer.UserAgent, AcceptHeader: payer.AcceptHeader, Measures: pay.Browser.Measures,
	}.Bounded()
	payment.setCause(ctx)
	logPayment(ctx, payment)

	if sess.Amount = (money.Amount{}); sess.Request.Order.Amount.EnteredOnPage() {
		sess.Amount = payment.Amount
	}
	if err := sess.limitAttempts(route.Mapping, now); err != nil {
		return screen.Screen{}, err
	}
	sess.begin(payment, pay.Attempt)
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

// begin makes a payment the session's latest attempt, with the page's id of it.
func (s *Session) begin(p *Payment, attempt string) {
	s.State, s.Action, s.PayerReturned = sessionProcessing, nil, false
	s.Received, s.WithheldSeq, s.Ending, s.UnderWay = nil, 0, "", false
	s.PaymentID, s.FirstPaymentID, s.Method = p.ID, "", p.Method
	s.Attempts = append(s.Attempts, attempt)
}

// routeOf returns the merchant of a session, nil if it was removed, and the route of its payments. The route has no
// mapping if the merchant's settings have changed and no MID takes the request any more.
func (s *Service) routeOf(
	ctx context.Context, now time.Time, sess *Session,
) (*merchant.Merchant, merchant.Route, error) {
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

// newAttempt checks what the page sent and makes a payment of it. It also returns the data that the payer's
// browser sealed for the payment, nil if there is none.
func (s *Service) newAttempt(
	now time.Time, sess *Session, route merchant.Route, pay form.Request,
) (*Payment, *card.Sealed, error) {
	mids := route.Order(pay.Method, s.Random)
	if len(mids) == 0 {
		return nil, nil, errField("method", method.TextNotChoice)
	}
	if fault := request.IsUUID(pay.Attempt); fault != "" {
		return nil, nil, errField("attempt", fault)
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
		return nil, nil, errField(method.AmountField, method.NotValid("It is not within the limits."))
	}
	p, err := sess.payment(now, route.Mapping, mids)
	if err != nil {
		return nil, nil, err
	}
	p.Method, p.Parties, p.Parameters = pay.Method, filled.Parties, filled.Parameters
	p.Apart = slices.Contains(sess.Apart, p.Method)
	if saved != nil {
		p.SavedCard, p.InitialNetworkID = saved.Token, saved.NetworkTransactionID
		p.Customer.Name = cmp.Or(p.Customer.Name, saved.Holder)
	}
	if !entered.IsZero() {
		p.Order.Amount, p.Amount = request.Entered(entered), entered
	}
	if sess.Request.Consent {
		p.setConsent(filled.Consent == "true", s.Random)
	}
	if sess.Request.VATCalc {
		if p.VAT, err = route.Mapping.VAT(p.BillingAddress.Country, p.Amount); err != nil {
			return nil, nil, err
		}
	}
	if len(sess.Attempts) > 0 {
		p.ID = store.NewPaymentID(store.OrderHash(p.Owner.Text(), p.Order.Number), now, s.Random(4))
	}
	p.Jobs = []Job{{
		Kind: JobCharge, Reference: p.ID, CardName: p.cardName(), Sealed: filled.Sealed != nil,
		MIDs: merchant.MIDNames(mids[1:]), DueAt: now.Add(newJobGrace),
	}}
	return p, filled.Sealed, nil
}

// setConsent stores whether the payer agreed to later charges. Without consent the payment is a one-time
// purchase without a token, a chain or a schedule.
func (p *Payment) setConsent(given bool, random func(n int) []byte) {
	if given {
		p.ConsentID, p.ConsentState = store.NewUUID(random(16)), consentActive
		return
	}
	p.ReqToken, p.RecurringInit = false, false
	p.ScheduleID, p.ScheduleStart, p.ScheduleAmount = "", "", request.Amount{}
}

// cardName returns the name on the card: the payee's of a credit, else the customer's.
func (p *Payment) cardName() string {
	if p.Operation == method.Credit {
		return p.Payee.Name
	}
	return p.Customer.Name
}
