package merchant

import (
	"cmp"
	"context"
	"crypto/subtle"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/routing"
	"checkout/internal/settings"
)

// Recurrer charges the cards of recurring chains. NewRecurrer makes it.
type Recurrer struct {
	core     *checkout.Core
	callers  callers
	payments payments
}

// NewRecurrer makes what charges the cards of recurring chains.
func NewRecurrer(core *checkout.Core, queue payment.JobQueue) *Recurrer {
	return &Recurrer{core, callers{core: core}, newPayments(core, queue)}
}

// Recurring charges the card of a recurring chain without the payer and returns the payment: with its outcome, if
// the provider responds within AwaitTimeout.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeDuplicate, CodeNotFound.
func (s *Recurrer) Recurring(ctx context.Context, call Call) (Response, error) {
	now := s.core.Now()
	in, err := request.Read(call.Body)
	if err != nil {
		return nil, err
	}
	caller, err := s.callers.account(ctx, in.Required("merchant_key"), now)
	if err != nil {
		return nil, err
	}
	req, err := request.ReadRecurring(in, now)
	if err != nil {
		return nil, err
	}
	if caller, err = s.callers.authenticate(ctx, caller, req.Hash, signedRecurring(req)...); err != nil {
		return nil, err
	}
	c, err := s.chainOfMerchant(ctx, now, caller.Owner, chainName{req.InitTransID, req.Token})
	if err != nil {
		return nil, err
	}
	if err := req.Check(caller.Merchant.AnyNumber(c.MappingName())); err != nil {
		return nil, fault.WithFirst(err, caller.Merchant.FirstErrors(c.MappingName()))
	}
	response, err := s.payments.idempotent(ctx, caller, call, func(idem *checkout.IdempotencyRecord) (Response, error) {
		p, err := s.newRecurring(now, caller.Merchant, req, c)
		if err != nil {
			return nil, err
		}
		return s.payments.startPayment(ctx, directPayment{Payment: p, merchant: caller.Merchant}, idem)
	})
	return response, fault.WithFirst(err, caller.Merchant.FirstErrors(c.MappingName()))
}

// chainName is how a request names a chain.
type chainName struct{ initTransID, token string }

// isOf reports whether a chain is the named one of an owner.
func (n chainName) isOf(c *checkout.Chain, o fault.Owner) bool {
	return c != nil && c.Owner == o && subtle.ConstantTimeCompare([]byte(c.Token), []byte(n.token)) == 1
}

// chainOfMerchant reads the chain that a request names, nil if the merchant has none with that id and token. It
// reads for an unknown merchant, too, so that response times do not reveal which merchants exist.
func (s *Recurrer) chainOfMerchant(
	ctx context.Context, now time.Time, o fault.Owner, named chainName,
) (*checkout.Chain, error) {
	c, err := s.core.Chain(ctx, now, named.initTransID)
	if err != nil || !named.isOf(c, o) {
		return nil, err
	}
	return c, nil
}

// signedRecurring returns the texts that may be signed: one, and more for an amount that is a JSON number, behind its
// literal text (protocol.md, Hashes).
func signedRecurring(r request.Recurring) (texts []request.Signed) {
	texts = append(texts, request.SignedRecurring(r.InitTransID, r.Token, r.Order))
	if !r.Number {
		return texts
	}
	for _, amount := range formattedAmounts(r.Order.Amount.Text) {
		r.Order.Amount.Text = amount
		texts = append(texts, request.SignedRecurring(r.InitTransID, r.Token, r.Order))
	}
	return texts
}

// newRecurring makes the payment of an authenticated request.
func (s *Recurrer) newRecurring(
	now time.Time, m *settings.Merchant, req request.Recurring, c *checkout.Chain,
) (*payment.Payment, error) {
	if c == nil {
		return nil, payment.ErrNotFound()
	}
	if c.Disabled(m) {
		return nil, fault.ErrDenied()
	}
	req.Order.Currency = c.Order.Currency
	currency := request.CurrencyOf(c.Order)
	if wrong := request.AmountIn(currency)(req.Order.Amount.Text); wrong != "" {
		return nil, fault.At("order.amount", wrong)
	}
	req.Order.Amount = req.Order.Amount.In(currency)
	if mid, _ := m.MID(c.Mapping, c.MID); mid.OutsideLimits(req.Order) || !s.core.Declarations[c.Connector].Recurring {
		return nil, routing.ErrNoMapping()
	}
	if req.ScheduleID != "" && m.ScheduleNamed(req.ScheduleID) == nil {
		return nil, fault.At("schedule_id", method.TextNotChoice)
	}
	details := c.Details
	details.Order = req.Order
	if req.CustomData != nil {
		details.CustomData = req.CustomData
	}
	details.Customer.Name = cmp.Or(req.Customer.Name, details.Customer.Name)
	details.Customer.Email = cmp.Or(req.Customer.Email, details.Customer.Email)
	p, err := s.core.LaterPayment(now, c, details)
	if err != nil {
		return nil, err
	}
	p.ScheduleID, p.StartsSchedule = req.ScheduleID, req.ScheduleID != ""
	return p, nil
}
