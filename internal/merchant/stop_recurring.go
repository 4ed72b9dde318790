package merchant

import (
	"context"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/request"
	"checkout/internal/store"
)

// Stop stops the schedule of a recurring chain: nothing is charged by it any more, and the payer's consent ends.
// Charges that the merchant requests stay possible. A schedule that is stopped already, or has ended, stays so, and a
// chain without one has nothing to be stopped: both are a success.
// Errors: CodeInvalid, CodeHash, CodeDenied, CodeTooMany, CodeNotFound.
func (s *Recurrer) Stop(ctx context.Context, call Call) (Response, error) {
	r, err := request.ReadStop(call.Body)
	if err != nil {
		return nil, err
	}
	now := s.core.Now()
	caller, err := s.callers.account(ctx, r.MerchantKey, now)
	if err != nil {
		return nil, err
	}
	if caller, err = s.callers.authenticate(ctx, caller, r.Hash, request.SignedStop(r.InitTransID, r.Token)); err != nil {
		return nil, err
	}
	named := chainName{r.InitTransID, r.Token}
	c, err := s.chainOfMerchant(ctx, now, caller.Owner, named)
	if err != nil {
		return nil, err
	}
	response, err := s.payments.idempotent(ctx, caller, call, func(idem *checkout.IdempotencyRecord) (Response, error) {
		if c == nil {
			return nil, payment.ErrNotFound()
		}
		return s.stop(ctx, caller.Owner, named, idem)
	})
	return response, fault.WithFirst(err, caller.Merchant.FirstErrors(c.MappingName()))
}

// stop stops the schedule of an authenticated request.
func (s *Recurrer) stop(
	ctx context.Context, o fault.Owner, named chainName, idem *checkout.IdempotencyRecord,
) (Response, error) {
	response := StopResponse{InitTransID: named.initTransID}
	stop := func(c *checkout.Chain, now time.Time) ([]store.Record, bool, error) {
		if !named.isOf(c, o) {
			return nil, false, payment.ErrNotFound()
		}
		change, stopped := c.StopSchedule(now)
		if response.Result = "stopped"; !stopped {
			response.Result = "already_stopped"
			return nil, false, nil
		}
		c.Add(checkout.ChainAct{At: now, Do: checkout.ChainStopped, Request: fault.RequestID(ctx), Change: change})
		return idem.With(nil, response), true, nil
	}
	if _, err := s.core.ChangeChain(ctx, named.initTransID, idem, stop); err != nil {
		return nil, err
	}
	return response, nil
}
