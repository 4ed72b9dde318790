package faults

import (
	"context"
	"errors"
	"net/http"
	"time"

	"checkout/internal/connector"
	"checkout/internal/connector/stripe"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// bugs are those of a connector.
type bugs struct {
	charge   func(x *faultRun, s *stripe.Stripe, ctx context.Context, c connector.Charge) (connector.Result, error)
	notice   func(x *faultRun, s *stripe.Stripe, ctx context.Context, n connector.Notification) (connector.Notice, error)
	noLookUp bool

	refund func(s *stripe.Stripe, ctx context.Context, r connector.ProviderRequest) (connector.Result, error)

	refundsAgain, believesAmounts, looksUpFirst bool
}

// buggy has cards charged by a connector with bugs.
func buggy(b bugs) func(*faultRun) {
	return func(x *faultRun) {
		s := x.App.Runner.Connectors["stripe"].(*stripe.Stripe)
		x.App.Runner.Connectors["stripe"] = &buggyStripe{s, x, b}
	}
}

type buggyStripe struct {
	*stripe.Stripe
	x    *faultRun
	bugs bugs
}

// Begin does nothing where Charge has a bug, which begins by itself then.
func (b *buggyStripe) Begin(ctx context.Context, c connector.Charge) (connector.Result, error) {
	if b.bugs.charge == nil {
		return b.Stripe.Begin(ctx, c)
	}
	return connector.Result{}, nil
}

// believed is a result of which another amount than was asked for is no fault.
func (b *buggyStripe) believed(result connector.Result, err error) (connector.Result, error) {
	if b.bugs.believesAmounts && errors.Is(err, connector.ErrOtherAmount) {
		return connector.Result{Outcome: connector.OutcomeApproved}, nil
	}
	return result, err
}

func (b *buggyStripe) Charge(ctx context.Context, c connector.Charge) (connector.Result, error) {
	if b.bugs.charge == nil {
		return b.believed(b.Stripe.Charge(ctx, c))
	}
	return b.bugs.charge(b.x, b.Stripe, ctx, c)
}

func (b *buggyStripe) HandleNotification(ctx context.Context, n connector.Notification) (connector.Notice, error) {
	if b.bugs.notice == nil {
		return b.Stripe.HandleNotification(ctx, n)
	}
	return b.bugs.notice(b.x, b.Stripe, ctx, n)
}

func (b *buggyStripe) QueryStatus(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	if b.bugs.noLookUp {
		return connector.Result{}, nil
	}
	if b.bugs.looksUpFirst && r.Kind == connector.RequestCharge {
		if b.x.firstReference == "" {
			b.x.firstReference = r.Reference
		}
		r.Reference = b.x.firstReference
	}
	return b.believed(b.Stripe.QueryStatus(ctx, r))
}

func (b *buggyStripe) Refund(ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	if b.bugs.refund != nil {
		return b.bugs.refund(b.Stripe, ctx, r)
	}
	result, err := b.Stripe.Refund(ctx, r)
	if err == nil && b.bugs.refundsAgain {
		return b.Stripe.Refund(ctx, r)
	}
	return result, err
}

func chargesAgain(_ *faultRun, s *stripe.Stripe, ctx context.Context, c connector.Charge) (connector.Result, error) {
	result, err := s.Charge(ctx, c)
	if errors.Is(err, context.DeadlineExceeded) {
		c.Reference += "-again"
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return s.Charge(ctx, c)
	}
	return result, err
}

func declinesUnknown(_ *faultRun, s *stripe.Stripe, ctx context.Context, c connector.Charge) (connector.Result, error) {
	result, err := s.Charge(ctx, c)
	if err != nil && !errors.Is(err, connector.ErrNotSent) {
		return connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: reason.Declined}, nil
	}
	return result, err
}

func forgetsSent(_ *faultRun, s *stripe.Stripe, ctx context.Context, c connector.Charge) (connector.Result, error) {
	result, err := s.Charge(ctx, c)
	if err != nil && !errors.Is(err, connector.ErrNotSent) {
		err = errors.Join(connector.ErrNotSent, err)
	}
	return result, err
}

func logsCard(x *faultRun, s *stripe.Stripe, ctx context.Context, c connector.Charge) (connector.Result, error) {
	x.App.Core.Log.InfoContext(ctx, "charge", "card", c.Card.Number)
	return s.Charge(ctx, c)
}

// believesAll takes the signature of a notice for right.
func believesAll(
	_ *faultRun, s *stripe.Stripe, ctx context.Context, n connector.Notification,
) (connector.Notice, error) {
	n.Header = http.Header(n.Header).Clone()
	signNotice(n)
	return s.HandleNotification(ctx, n)
}

func ignoresDisputes(
	_ *faultRun, s *stripe.Stripe, ctx context.Context, n connector.Notification,
) (connector.Notice, error) {
	notice, err := s.HandleNotification(ctx, n)
	if err == nil && notice.Result.Outcome == connector.OutcomeChargeback {
		return connector.Notice{Response: connector.NoticeResponse{Status: http.StatusOK}}, nil
	}
	return notice, err
}

func logsCode(x *faultRun, s *stripe.Stripe, ctx context.Context, c connector.Charge) (connector.Result, error) {
	x.App.Core.Log.InfoContext(ctx, "charge", "code", c.Card.SecurityCode)
	return s.Charge(ctx, c)
}

// mixesOrders charges what the first charge was about, as a function does that keeps it in a variable of its own.
func mixesOrders(x *faultRun, s *stripe.Stripe, ctx context.Context, c connector.Charge) (connector.Result, error) {
	if x.firstCharge == nil {
		x.firstCharge = &c
	}
	c.Amount = x.firstCharge.Amount
	return s.Charge(ctx, c)
}

// refundsLess refunds a minor unit less than it was asked for.
func refundsLess(s *stripe.Stripe, ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	one, _ := money.ParseMinor("1", r.Amount.Currency())
	r.Amount, _ = r.Amount.Sub(one)
	return s.Refund(ctx, r)
}

func refundsUnknownAgain(s *stripe.Stripe, ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	result, err := s.Refund(ctx, r)
	if err != nil && !errors.Is(err, connector.ErrNotSent) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return s.Refund(ctx, r)
	}
	return result, err
}

func refundsAlways(s *stripe.Stripe, ctx context.Context, r connector.ProviderRequest) (connector.Result, error) {
	result, err := s.Refund(ctx, r)
	if result.Outcome == connector.OutcomeDeclined {
		result = connector.Result{Outcome: connector.OutcomeApproved}
	}
	return result, err
}

// chargesUnits takes minor units for units.
func chargesUnits(_ *faultRun, s *stripe.Stripe, ctx context.Context, c connector.Charge) (connector.Result, error) {
	c.Amount, _ = money.ParseMinor(c.Amount.Minor()+"00", c.Amount.Currency())
	return s.Charge(ctx, c)
}

// cascadesUnknown takes an unknown outcome for a soft decline.
func cascadesUnknown(_ *faultRun, s *stripe.Stripe, ctx context.Context, c connector.Charge) (connector.Result, error) {
	result, err := s.Charge(ctx, c)
	if err != nil && !errors.Is(err, connector.ErrNotSent) {
		return connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: reason.TryAgainLater}, nil
	}
	return result, err
}

func capturesAtOnce(_ *faultRun, s *stripe.Stripe, ctx context.Context, c connector.Charge) (connector.Result, error) {
	c.Auth = false
	return s.Charge(ctx, c)
}

// disputesFirst takes every dispute for one of the payment that the first notice was about.
func disputesFirst(
	x *faultRun, s *stripe.Stripe, ctx context.Context, n connector.Notification,
) (connector.Notice, error) {
	notice, err := s.HandleNotification(ctx, n)
	if x.firstPayment == "" {
		x.firstPayment = notice.PaymentID
	}
	if err == nil && notice.Result.Outcome == connector.OutcomeChargeback {
		notice.PaymentID, notice.SessionID, notice.Reference = x.firstPayment, "", ""
	}
	return notice, err
}
