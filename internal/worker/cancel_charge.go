package worker

import (
	"context"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/reason"
)

// endable returns a required action that says whether the payment's connector can end it.
func (s *Service) endable(p *payment.Payment, action *connector.RequiredAction) *connector.RequiredAction {
	if action == nil {
		return nil
	}
	told := *action
	told.CanEnd = s.Declarations[p.Connector].Cancel
	return &told
}

// cancelCharge has the provider end a charge whose payer wants that or can't act, and stores what became of the charge.
// It needs no lease: to end a charge twice does no harm.
func (t execution) cancelCharge(ctx context.Context) error {
	job := t.Job()
	job.Tries++
	job.LookUps++
	began := t.Now()
	limited, cancel := context.WithTimeout(ctx, t.ProviderTimeout)
	defer cancel()
	defer t.sending(ctx)()
	result, err := t.connector.(connector.Canceller).Cancel(limited, t.charge.ProviderRequest)
	if err == nil {
		result, err = t.checkResult(ctx, result)
	}
	if err == nil {
		result, err = t.checkNotFound(limited, result, began)
	}
	err = t.laterError("end the charge", err)
	if err == nil && result.Outcome == connector.OutcomeUnknown {
		result = payment.DeclineFor(reason.PayerRefused) // the provider has no such charge, and will not get one
	}
	if job.Fault != "" && result.Outcome == connector.OutcomeDeclined && result.ReasonCode == reason.PayerRefused {
		result = connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: reason.ProviderProblem,
			ProviderData: result.ProviderData}
	}
	return t.storeResult(context.WithoutCancel(ctx), result, err)
}
