package worker

import (
	"context"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/reason"
)

// cancelCharge has the provider end a charge whose payer wants that or can't act, and stores what became of the charge.
// It needs no lease: to end a charge twice does no harm.
func (x execution) cancelCharge(ctx context.Context) error {
	job := x.task.Job()
	job.Tries++
	job.LookUps++
	began := x.core.Now()
	limited, cancel := context.WithTimeout(ctx, x.runner.ProviderTimeout)
	defer cancel()
	defer x.breaker().sending(ctx, x.apart)()
	result, err := x.connector.(connector.Canceller).Cancel(limited, x.charge.ProviderRequest)
	if err == nil {
		result, err = x.report().checkResult(ctx, result)
	}
	if err == nil {
		result, err = x.query().checkNotFound(limited, result, began)
	}
	err = x.report().laterError("end the charge", err)
	if err == nil && result.Outcome == connector.OutcomeUnknown {
		result = payment.DeclineFor(reason.PayerRefused) // the provider has no such charge, and will not get one
	}
	if job.Fault != "" && result.Outcome == connector.OutcomeDeclined && result.ReasonCode == reason.PayerRefused {
		result = connector.Result{Outcome: connector.OutcomeDeclined, ReasonCode: reason.ProviderProblem,
			ProviderData: result.ProviderData}
	}
	return x.recorder().storeResult(context.WithoutCancel(ctx), result, err)
}
