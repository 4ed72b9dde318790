package checkout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"checkout/internal/method"
	"checkout/internal/money"
)

// Pay starts one attempt to pay a session and answers the next screen. The
// same attempt sent again, and any attempt while another one is under way,
// after the session's end, or where the merchant's settings allow none any
// more, changes nothing: it answers how things stand.
// Two requests at once can't both start: the session's version decides.
// Errors: CodeInvalid with the page's field ids as paths, CodeNotFound.
func (s *Service) Pay(ctx context.Context, sessionID string, pay PayRequest, payerIP string) (Screen, error) {
	now := s.Now()
	sess, err := s.session(ctx, now, sessionID)
	if err != nil {
		return Screen{}, err
	}
	if sess.StateAt(now) != SessionOpen || slices.Contains(sess.Attempts, pay.Attempt) {
		return s.screen(ctx, now, sess)
	}
	payment, err := s.newPayment(ctx, now, sess, pay)
	if errors.Is(err, errNoRoute) {
		return s.screen(ctx, now, sess)
	}
	if err != nil {
		return Screen{}, err
	}
	payment.PayerIP = payerIP

	sess.State, sess.Next, sess.Returned = SessionProcessing, nil, false
	sess.PaymentID, sess.PaidAt = payment.ID, now
	sess.Attempts = append(sess.Attempts, pay.Attempt)
	err = s.Store.Save(ctx, now, sess.record(), payment.record(now.Add(jobGrace)))
	if isConflict(err) {
		return s.NextScreen(ctx, sessionID)
	}
	if err != nil {
		return Screen{}, fmt.Errorf("store payment: %w", err)
	}
	s.sendJob(ctx, JobMessage{PaymentID: payment.ID, SessionID: sess.ID}, 0)
	return s.screen(ctx, now, sess)
}

// jobGrace is how long after its message a job is due: Sweep then sends it again.
const jobGrace = 30 * time.Second

// sendJob puts a job on its queue. A failure is only logged: the job is stored and due, and Sweep sends it.
func (s *Service) sendJob(ctx context.Context, message JobMessage, delay time.Duration) {
	if err := s.Queue.SendJob(ctx, message, delay); err != nil {
		s.Log.WarnContext(ctx, "job not sent, left to sweep", "payment", message.PaymentID, "error", err)
	}
}

// errNoRoute means that the merchant's settings have changed since the session
// was made, so that nothing can be paid: the screen says so.
var errNoRoute = errors.New("the session can't be paid any more")

// newPayment checks what the page sent and makes the attempt of it.
func (s *Service) newPayment(ctx context.Context, now time.Time, sess *Session, pay PayRequest) (*Payment, error) {
	m, err := s.merchant(ctx, sess.Request.MerchantKey, now)
	if err != nil {
		return nil, err
	}
	if m == nil || m.Disabled {
		return nil, errNoRoute
	}
	route, err := findRoute(m, &sess.Request)
	if err != nil {
		return nil, errNoRoute
	}
	mid, ok := route.mid(pay.Method)
	if !ok {
		return nil, invalid([]Fault{{FaultInvalid, "method", method.TextNotChoice}})
	}
	if !isUUID(pay.Attempt) {
		return nil, invalid([]Fault{{FaultInvalid, "attempt", method.TextNotValid}})
	}
	customer, address, err := payerFields(pageFields(pay.Method, route.mapping, &sess.Request), sess, pay)
	if err != nil {
		return nil, err
	}
	amount, err := amountOf(sess.Request.Order)
	if err != nil {
		return nil, err
	}
	p := &Payment{
		ID: sess.FirstPaymentID, SessionID: sess.ID, MerchantKey: sess.Request.MerchantKey, Mapping: route.mapping.Name,
		Attempt: pay.Attempt, Operation: sess.Request.Operation, Auth: sess.Request.Auth,
		Order: sess.Request.Order, Amount: amount, Method: pay.Method, Connector: mid.Connector, MID: mid.Name,
		CustomData: sess.Request.CustomData, Status: StatusPrepare, CreatedAt: now, ChangedAt: now, Customer: customer, BillingAddress: address,
	}
	if len(sess.Attempts) > 0 {
		p.ID = newPaymentID(orderHash(p.MerchantKey, p.Order.Number), now, s.Random(4))
	}
	p.Job = &Job{Reference: p.ID, CardName: customer.Name, Sealed: pay.Sealed}
	return p, nil
}

// amountOf is the order's amount as core.md's Amount format writes it.
func amountOf(o Order) (string, error) {
	currency, ok := money.Find(o.Currency)
	if !ok {
		return "", fmt.Errorf("stored order has the unknown currency %q", o.Currency)
	}
	amount, err := money.Parse(o.Amount, currency)
	if err != nil {
		return "", fmt.Errorf("stored order's amount: %w", err)
	}
	return amount.String(), nil
}

// payerFields checks what the payer filled in and joins it with what the merchant sent.
func payerFields(fields []ScreenField, sess *Session, pay PayRequest) (Customer, Address, error) {
	customer, address := sess.Request.Customer, sess.Request.BillingAddress
	var faults []Fault
	sealed := false
	for _, f := range fields {
		if f.Sealed {
			sealed = true
			continue
		}
		value := pay.Fields[f.ID]
		country := address.Country // asked before the state, so it is known by now
		switch {
		case value == "" && (!f.Required || f.Kind == "state" && !method.HasStates(country)):
			continue
		case value == "":
			faults = append(faults, Fault{FaultInvalid, f.ID, method.TextBlank})
			continue
		case f.Kind == "state" && !method.HasStates(country):
			continue // core.md, billing_address: ignored for other countries
		case !method.CheckPageField(f.ID, value, country):
			faults = append(faults, Fault{FaultInvalid, f.ID, method.TextNotValid})
			continue
		}
		*payerField(f.ID, &customer, &address) = value
	}
	if sealed && (pay.Sealed == nil || pay.Sealed.Ciphertext == "" || len(pay.Sealed.Ciphertext) > sealedLimit || len(pay.Sealed.Enc) > sealedLimit || len(pay.Sealed.KeyID) > sealedLimit) {
		faults = append(faults, Fault{FaultInvalid, "payer_card", method.TextNotValid})
	}
	if len(faults) > 0 {
		return customer, address, invalid(faults)
	}
	return customer, address, nil
}

// sealedLimit bounds each text of a sealed card; a real one has about 200 characters.
const sealedLimit = 2048
