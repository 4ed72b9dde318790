package merchant

import (
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
)

// payments finds and makes the payments of merchants, and waits for their outcomes.
type payments struct {
	core *checkout.Core
	jobs checkout.Jobs
}

func newPayments(core *checkout.Core, queue payment.JobQueue) payments {
	return payments{core, checkout.NewJobs(core, queue)}
}
