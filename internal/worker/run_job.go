package worker

import (
	"context"
	"errors"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/reason"
	"checkout/internal/store"
)

// RunJob executes a job of a payment: it sends the request to the provider once. If the outcome stays unknown, later
// runs only look it up, so that money never moves twice. A message that arrives twice, or while another worker runs
// the job, changes nothing. An error means that the message should arrive again.
func (s *Runner) RunJob(ctx context.Context, message payment.JobMessage) error {
	ctx = fault.WithCause(ctx, message.Cause)
	if message.Chain {
		return s.chargeSchedule(ctx, message.PaymentID)
	}
	hasPlace := message.Slow
	for range store.ConflictTries {
		t, err := s.taskWithCard(ctx, s.core.Now(), message)
		p := t.task.Payment
		if err != nil || p == nil {
			return err
		}
		message.Test = p.Test
		if message.Reference == "" {
			if len(p.Jobs) == 0 {
				return nil
			}
			for _, other := range p.Jobs[1:] { // each gets a run, and so a time limit, of its own
				next := p.Message(other.Reference)
				next.LookUp, next.Slow = message.LookUp, message.Slow
				s.jobs.Send(ctx, next, 0)
			}
			message.Reference = p.Jobs[0].Reference
		}
		t.task.Reference, t.apart, t.hasPlace = message.Reference, message.Slow, hasPlace
		err = t.runJob(ctx, message.LookUp)
		switch {
		case errors.Is(err, errApart):
			moveApart(ctx, s.jobs, message, 0)
			return nil
		case errors.Is(err, errChanged):
			hasPlace = true
		case !errors.Is(err, errProbed): // else it has no place yet: a probe needs none
			return err
		}
	}
	return s.core.Conflicts(ctx, message.Test, "run job", message.PaymentID)
}

// errApart means that the job's request goes through the slow queue. Nothing is stored of it: the job stays due.
var errApart = errors.New("the provider may be slow")

// runJob runs a job once. With lookUp it only looks the job up, because a call asks for it.
func (x execution) runJob(ctx context.Context, lookUp bool) error {
	now, p, job := x.core.Now(), x.task.Payment, x.task.Job()
	if job == nil { // it has ended; a worker may have been killed after that
		return x.runner.results.applyHeldDispute(ctx, x.task)
	}
	if job.State(now) == payment.JobSending {
		return nil // another worker may be sending it; the job stays due
	}
	if fault.RequestID(ctx) == "" { // the message is from Sweep
		ctx = fault.WithCause(ctx, job.Cause)
	}
	var err error
	if x.merchant, err = x.core.Merchant(ctx, p.Merchant, now); err != nil {
		return err
	}
	if !lookUp && !job.Person { // else the MID matters that it may have been sent to
		x.avoidOpenCircuit(ctx)
	}
	name, connectorName := p.Requests().Place(job)
	mid, ok := x.merchant.MID(p.Mapping, name)
	ok = ok && mid.ConnectorFor(p.Owner) == connectorName // else the credentials are for another provider
	if x.connector = x.runner.Connectors[connectorName]; !ok || x.connector == nil {
		x.core.Log.ErrorContext(ctx, "no such MID or connector", "payment", p.ID, "mid", name,
			"connector", connectorName)
		x.connector = nil
		return x.runWithoutMID(ctx, lookUp)
	}
	if x.charge, err = x.newCharge(ctx, mid); err != nil {
		return err
	}
	x.wallet = x.walletAt(mid)
	leave, ok := x.enter(ctx)
	if !ok {
		return errApart
	}
	defer leave()
	switch state := job.State(now); {
	case state == payment.JobDecided:
		return x.runDecision(ctx)
	case state == payment.JobForPerson || lookUp || job.Asked:
		return x.lookUpAgain(ctx)
	case state == payment.JobQueued:
		return x.send(ctx)
	}
	return x.runSent(ctx)
}

// runSent runs a job that was sent and has no outcome: it sends the payer's second form, ends the charge, or looks the
// request up, which is sent again if the provider never received it.
func (x execution) runSent(ctx context.Context) error {
	p, job := x.task.Payment, x.task.Job()
	if job.Continue && !p.Action.Expired(x.core.Now()) {
		if _, ok := x.connector.(connector.Continuer); ok {
			return x.continueCharge(ctx)
		}
		x.core.Log.ErrorContext(ctx, "a connector has asked for a second form that it can't take",
			"payment", p.ID, "connector", p.Connector)
	}
	if _, ok := x.connector.(connector.Canceller); ok && job.End {
		return x.cancelCharge(ctx)
	}
	neverReceived, err := x.lookUp(ctx)
	if err == nil && neverReceived {
		err = x.send(ctx)
	}
	return err
}

// runWithoutMID runs a job whose MID or connector the settings do not have any more.
func (x execution) runWithoutMID(ctx context.Context, lookUp bool) error {
	const gone = "its MID or connector is not in the settings any more"
	job := x.task.Job()
	switch state := job.State(x.core.Now()); {
	case state == payment.JobDecided:
		return x.runDecision(ctx)
	case job.Asked:
		x.task.Finding = noFinding(x.core.Now(), gone)
		return x.recorder().lookedUp(ctx, connector.Result{}, nil)
	case state == payment.JobQueued:
		return x.recorder().declineUnsent(ctx, reason.NotPossible)
	case lookUp || state == payment.JobForPerson:
		return nil
	}
	job.Tries++ // so that the next run is later
	job.Finding = noFinding(x.core.Now(), gone)
	return x.recorder().postpone(ctx, payment.Undefined)
}

// send stores that the request is being sent, sends it and stores the result. After a soft decline, or if nothing
// reached the provider, it continues with the next MID.
func (x execution) send(ctx context.Context) error {
	if reason := x.cards().cardMissing(x.core.Now()); reason != "" {
		return x.declineWithoutCard(ctx, reason)
	}
	decrypted, why, err := x.cards().decryptCard(ctx)
	if err == nil && why == "" {
		why, err = x.blocked(ctx, decrypted)
	}
	if err == nil && why == "" {
		why, err = x.moveToAuthenticate(ctx, decrypted)
	}
	if err != nil {
		return err
	}
	if x.task.Payment.Disputed() && x.task.Job().Kind.OfPayment() { // since the merchant requested the operation
		why = reason.Disputed
	}
	if why != "" {
		return x.recorder().declineUnsent(ctx, why)
	}
	token, why, err := x.cards().useToken(ctx, decrypted)
	if err != nil {
		return err
	}
	if why != "" {
		return x.recorder().declineUnsent(ctx, why)
	}
	x.setCard(decrypted)
	err = x.saveSending(ctx, token...)
	if store.IsConflict(err) { // another worker has the job, or another job was stored
		return errChanged
	}
	if err != nil {
		return err
	}
	stored := context.WithoutCancel(ctx) // the response is stored even if the time is up
	for notReached := []string(nil); ; {
		sentAt := x.core.Now()
		result, err := x.sendRequest(ctx)
		defer x.runner.countCharge(stored, x.charge.Kind, x.circuitCharge(sentAt, result, err)) // after the result is stored
		next, ok, errNext := x, false, error(nil)
		switch timeLeft := x.runner.timeLeft(ctx); {
		case timeLeft && err == nil:
			next, ok, errNext = x.cascade(stored, result)
		case timeLeft && errors.Is(err, connector.ErrNotSent):
			notReached = append(notReached, x.task.Payment.MID)
			next, ok, errNext = x.bypass(stored, err, notReached)
		}
		if !ok {
			return errors.Join(errNext, x.recorder().storeResult(stored, result, err))
		}
		x = next
	}
}
