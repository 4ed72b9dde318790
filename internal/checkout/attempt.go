package checkout

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/money"
	"checkout/internal/page/form"
	"checkout/internal/request"
	"checkout/internal/routing"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// NewAttempt checks what the page sent and makes a payment of it. It also returns the data that the payer's
// browser sealed for the payment, nil if there is none.
func (s *Core) NewAttempt(
	now time.Time, sess *Session, route routing.Route, pay form.Request,
) (*payment.Payment, *card.Sealed, error) {
	mids := route.Order(pay.Method, s.Random)
	if len(mids) == 0 {
		return nil, nil, fault.At("method", method.TextNotChoice)
	}
	if wrong := request.IsUUID(pay.Attempt); wrong != "" {
		return nil, nil, fault.At("attempt", wrong)
	}
	fields, saved, err := form.Chosen(route, pay, &sess.Request, sess.OfferedCards(now))
	if err != nil {
		return nil, nil, err
	}
	filled, err := form.FillIn(fields, &sess.Request, pay)
	if err != nil {
		return nil, nil, err
	}
	if slices.Contains(route.Mapping.ClosedCountries, filled.BillingAddress.Country) {
		return nil, nil, fault.At(method.PayerCountry, method.TextNotChoice)
	}
	var entered money.Amount
	if filled.Amount != "" {
		order := sess.Request.Order
		order.Amount = request.ReadAmount(filled.Amount, request.CurrencyOf(order))
		if entered, err = orderAmount(order); err != nil {
			return nil, nil, err
		}
		mids = slices.DeleteFunc(mids, func(mid settings.MID) bool { return mid.OutsideLimits(order) })
	}
	if len(mids) == 0 {
		return nil, nil, fault.At(method.AmountField, method.NotValid("It is not within the limits."))
	}
	p, err := sess.NewPayment(now, route.Mapping, mids)
	if err != nil {
		return nil, nil, err
	}
	p.Method, p.Parties, p.Parameters = pay.Method, filled.Parties, filled.Parameters
	if saved != nil {
		p.SavedCard, p.InitialNetworkID = saved.Token, saved.NetworkTransactionID
		p.Customer.Name = cmp.Or(p.Customer.Name, saved.Holder)
	}
	if !entered.IsZero() {
		p.Order.Amount, p.Amount = request.Entered(entered), entered
	}
	if sess.Request.Consent {
		p.SetConsent(filled.Consent == "true", s.Random)
	}
	if sess.Request.VATCalc {
		if p.VAT, err = route.Mapping.VAT(p.BillingAddress.Country, p.Amount); err != nil {
			return nil, nil, err
		}
	}
	if len(sess.Attempts) > 0 {
		p.ID = store.NewPaymentID(store.OrderHash(p.Owner.Text(), p.Order.Number), now, s.Random(4))
	}
	p.Jobs = []payment.Job{{
		Kind: payment.JobCharge, Reference: p.ID, DueAt: now.Add(payment.NewJobGrace),
		ChargeInput: payment.ChargeInput{
			CardName: p.CardName(), Sealed: filled.Sealed != nil, MIDs: routing.MIDNames(mids[1:]),
		},
	}}
	return p, filled.Sealed, nil
}

// NewPayment makes a payment of what the session requests, at the first of mids.
func (sess *Session) NewPayment(
	now time.Time, mapping *settings.Mapping, mids []settings.MID,
) (*payment.Payment, error) {
	req := &sess.Request
	p := &payment.Payment{
		ID: sess.FirstPaymentID, SessionID: sess.ID, Details: req.Details, Options: req.Options,
		ChargeTerms: payment.ChargeTerms{Mapping: mapping.Name, MID: mids[0].Name, Connector: mids[0].Connector},
		Status:      payment.StatusPrepare, Times: payment.Times{CreatedAt: now, ChangedAt: now},
	}
	if req.Order.Amount.ByPayer() {
		return p, nil
	}
	var err error
	p.Amount, err = orderAmount(req.Order)
	return p, err
}

// orderAmount returns the order's amount. It fails for a stored order in a currency that the service no longer knows.
func orderAmount(o request.Order) (money.Amount, error) {
	if o.Amount.Value.IsZero() {
		return money.Amount{}, fmt.Errorf("order has no amount of currency %q", o.Currency)
	}
	return o.Amount.Value, nil
}
