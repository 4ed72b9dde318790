package worker

import (
	"context"
	"errors"
	"time"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/reason"
	"checkout/internal/store"
)

// RunJob executes a job of a payment: it sends the request to the provider once. If the outcome stays unknown, later
// runs only look it up, so that money never moves twice. A message that arrives twice, or while another worker runs
// the job, changes nothing. An error means that the message should arrive again.
func (s *Service) RunJob(ctx context.Context, message payment.JobMessage) error {
	ctx = fault.WithCause(ctx, message.Cause)
	if message.Chain {
		return s.chargeSchedule(ctx, message.PaymentID)
	}
	hasPlace := message.Slow
	for range store.ConflictTries {
		t, err := s.taskWithCard(ctx, s.Now(), message)
		p := t.Payment
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
				s.SendJob(ctx, next, 0)
			}
			message.Reference = p.Jobs[0].Reference
		}
		t.Reference, t.apart, t.hasPlace = message.Reference, message.Slow, hasPlace
		err = t.runJob(ctx, message.LookUp)
		switch {
		case errors.Is(err, errApart):
			s.moveApart(ctx, message, 0)
			return nil
		case errors.Is(err, errChanged):
			hasPlace = true
		case !errors.Is(err, errProbed): // else it has no place yet: a probe needs none
			return err
		}
	}
	return s.Conflicts(ctx, message.Test, "run job", message.PaymentID)
}

// moveApart sends the message of a job to the queue for slow providers.
func (s *Service) moveApart(ctx context.Context, message payment.JobMessage, delay time.Duration) {
	message.Slow = true
	s.SendJob(ctx, message, delay)
}

// errApart means that the job's request goes through the slow queue. Nothing is stored of it: the job stays due.
var errApart = errors.New("the provider may be slow")

// errNoConnectors is an error of the deployment, for which no payment is declined.
var errNoConnectors = errors.New("this function was not given the connectors")

// runJob runs a job once. With lookUp it only looks the job up, because a call asks for it.
func (t execution) runJob(ctx context.Context, lookUp bool) error {
	if t.Connectors == nil {
		return errNoConnectors
	}
	now, p, job := t.Now(), t.Payment, t.Job()
	if job == nil { // it has ended; a worker may have been killed after that
		return t.applyHeldDispute(ctx, t.Task)
	}
	if job.State(now) == payment.JobSending {
		return nil // another worker may be sending it; the job stays due
	}
	if fault.RequestID(ctx) == "" { // the message is from Sweep
		ctx = fault.WithCause(ctx, job.Cause)
	}
	var err error
	if t.merchant, err = t.Merchant(ctx, p.Merchant, now); err != nil {
		return err
	}
	if !lookUp && !job.Person { // else the MID matters that it may have been sent to
		t.avoidOpenCircuit(ctx)
	}
	name, connectorName := p.Requests().Place(job)
	mid, ok := t.merchant.MID(p.Mapping, name)
	ok = ok && mid.ConnectorFor(p.Owner) == connectorName // else the credentials are for another provider
	if t.connector = t.Connectors[connectorName]; !ok || t.connector == nil {
		t.Log.ErrorContext(ctx, "no such MID or connector", "payment", p.ID, "mid", name,
			"connector", connectorName)
		t.connector = nil
		return t.runWithoutMID(ctx, lookUp)
	}
	if t.charge, err = t.newCharge(ctx, mid); err != nil {
		return err
	}
	t.wallet = t.walletAt(mid)
	leave, ok := t.enter(ctx)
	if !ok {
		return errApart
	}
	defer leave()
	switch state := job.State(now); {
	case state == payment.JobDecided:
		return t.runDecision(ctx)
	case state == payment.JobForPerson || lookUp || job.Asked:
		return t.lookUpAgain(ctx)
	case state == payment.JobQueued:
		return t.send(ctx)
	}
	return t.runSent(ctx)
}

// runSent runs a job that was sent and has no outcome: it sends the payer's second form, ends the charge, or looks the
// request up, which is sent again if the provider never received it.
func (t execution) runSent(ctx context.Context) error {
	p, job := t.Payment, t.Job()
	if job.Continue && !p.Action.Expired(t.Now()) {
		if _, ok := t.connector.(connector.Continuer); ok {
			return t.continueCharge(ctx)
		}
		t.Log.ErrorContext(ctx, "a connector has asked for a second form that it can't take",
			"payment", p.ID, "connector", p.Connector)
	}
	if _, ok := t.connector.(connector.Canceller); ok && job.End {
		return t.cancelCharge(ctx)
	}
	neverReceived, err := t.lookUp(ctx)
	if err == nil && neverReceived {
		err = t.send(ctx)
	}
	return err
}

// runWithoutMID runs a job whose MID or connector the settings do not have any more.
func (t execution) runWithoutMID(ctx context.Context, lookUp bool) error {
	const gone = "its MID or connector is not in the settings any more"
	job := t.Job()
	switch state := job.State(t.Now()); {
	case state == payment.JobDecided:
		return t.runDecision(ctx)
	case job.Asked:
		t.Finding = noFinding(t.Now(), gone)
		return t.lookedUp(ctx, connector.Result{}, nil)
	case state == payment.JobQueued:
		return t.declineUnsent(ctx, reason.NotPossible)
	case lookUp || state == payment.JobForPerson:
		return nil
	}
	job.Tries++ // so that the next run is later
	job.Finding = noFinding(t.Now(), gone)
	return t.postpone(ctx, payment.Undefined)
}

// send stores that the request is being sent, sends it and stores the result. After a soft decline, or if nothing
// reached the provider, it continues with the next MID.
func (t execution) send(ctx context.Context) error {
	if reason := t.cardMissing(t.Now()); reason != "" {
		return t.declineWithoutCard(ctx, reason)
	}
	decrypted, why, err := t.decryptCard(ctx)
	if err == nil && why == "" {
		why, err = t.moveToAuthenticate(ctx, decrypted)
	}
	if err != nil {
		return err
	}
	if t.Payment.Disputed() && t.Job().Kind.OfPayment() { // since the merchant requested the operation
		why = reason.Disputed
	}
	if why != "" {
		return t.declineUnsent(ctx, why)
	}
	token, why, err := t.useToken(ctx, t.Payment, decrypted)
	if err != nil {
		return err
	}
	if why != "" {
		return t.declineUnsent(ctx, why)
	}
	t.setCard(decrypted)
	err = t.saveSending(ctx, token...)
	if store.IsConflict(err) { // another worker has the job, or another job was stored
		return errChanged
	}
	if err != nil {
		return err
	}
	stored := context.WithoutCancel(ctx) // the response is stored even if the time is up
	for notReached := []string(nil); ; {
		sentAt := t.Now()
		result, err := t.sendRequest(ctx)
		defer t.countCharge(stored, t.charge.Kind, t.circuitCharge(sentAt, result, err)) // after the result is stored
		next, ok, errNext := t, false, error(nil)
		switch timeLeft := t.timeLeft(ctx); {
		case timeLeft && err == nil:
			next, ok, errNext = t.cascade(stored, result)
		case timeLeft && errors.Is(err, connector.ErrNotSent):
			notReached = append(notReached, t.Payment.MID)
			next, ok, errNext = t.bypass(stored, err, notReached)
		}
		if !ok {
			return errors.Join(errNext, t.storeResult(stored, result, err))
		}
		t = next
	}
}
