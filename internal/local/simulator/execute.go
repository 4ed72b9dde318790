package simulator

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"net/http"

	"checkout/internal/money"
)

// execute does what a request asks for, once per reference unless Twice is set, and returns the operation as it is now.
// A new one is decided by the behaviour that was chosen for it; else it waits if it has a step, and is approved if not.
// A capture, void or refund that its charge does not allow is declined. Errors: errReused, errNotExecuted, for which
// any response will do.
func (s *Simulator) execute(r *http.Request, o Operation) (Operation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := exchangeOf(r.Context())
	e.handled = true
	again := s.Twice && o.Step != StepCode // else the request is what the payer has entered since
	earlier := s.references[referenceOf(o)]
	if earlier != nil && o.Reference != "" && !again && !s.isHidden(earlier) {
		if earlier.Kind != o.Kind || earlier.Amount != o.Amount || earlier.Parent != o.Parent {
			return Operation{}, errReused
		}
		return *earlier, nil
	}
	b := s.choose(o)
	e.fault = b.fault
	if b.fault == TooManyRequests || b.fault == LosesRequest {
		return Operation{}, errNotExecuted
	}
	o.CreatedAt, o.fault = s.Now(), b.fault
	o.ChangedAt = o.CreatedAt
	o.ID = s.newID(o)
	s.decide(&o, b)
	s.add(&o)
	s.afterExecution(&o)
	done := o
	e.operation = &done
	return done, nil
}

// add adds a new operation, and forgets the oldest one if there are too many.
func (s *Simulator) add(o *Operation) {
	s.executed++
	if len(s.operations) == s.Keep {
		oldest := s.operations[0]
		delete(s.byID, oldest.ID)
		delete(s.references, referenceOf(*oldest))
	}
	s.operations = keep(s.operations, o, s.Keep)
	s.byID[o.ID], s.references[referenceOf(*o)] = o, o
	if charge := s.byID[o.Parent]; charge != nil && o.Kind == Refund {
		charge.refunds = append(charge.refunds, o)
	}
}

func (s *Simulator) newID(o Operation) string {
	for try := 0; ; try++ {
		if id := fmt.Sprintf("sim%016x", s.derive("id", o, try)); s.byID[id] == nil {
			return id
		}
	}
}

// derive is a number that the seed and an operation's reference lead to, so that it is the same in each run, whatever
// else is executed at the same time. Only operations without a reference depend on how many there were before.
func (s *Simulator) derive(use string, o Operation, try int) uint64 {
	count := 0
	if o.Reference == "" {
		count = s.executed
	}
	text := fmt.Sprintf("%d %s %d %d %q %q %q", s.Seed, use, try, count, o.Family, o.Account, o.Reference)
	sum := sha256.Sum256([]byte(text))
	return binary.BigEndian.Uint64(sum[:])
}

// decide sets the state of a new operation.
func (s *Simulator) decide(o *Operation, b behaviour) {
	o.State, o.Moved = Waiting, zero(o.Amount)
	if b.settles {
		o.Step = NoStep
	}
	if b.decline == "" && o.declines != nil {
		b.decline = o.declines()
	}
	switch {
	case b.decline != "":
		o.decline(b.decline)
	case !s.allowed(o):
		o.decline("not_allowed")
	case b.waits:
		o.Step = NoStep
	case o.Step == NoStep:
		s.approve(o)
	}
}

// approve lets an operation that waits succeed, with what it does to its charge.
func (s *Simulator) approve(o *Operation) {
	if !s.allowed(o) { // any more
		o.decline("not_allowed")
		return
	}
	o.State, o.Moved = Approved, o.Amount
	if o.fault == OtherAmount {
		o.Moved = less(o.Amount)
	}
	charge := s.byID[o.Parent]
	switch {
	case o.Kind == Charge && o.HoldOnly:
		o.State = Authorised
	case o.Kind == Capture:
		charge.State, charge.Moved = Approved, o.Moved
		s.failLater(charge)
	case o.Kind == Void:
		charge.State, charge.Reason, charge.Moved = Reversed, "voided", zero(charge.Amount)
		o.Moved = zero(o.Amount)
	}
}

// allowed reports whether the charge of a capture, void or refund allows it, and true for others.
func (s *Simulator) allowed(o *Operation) bool {
	if o.Kind == Charge || o.Kind == Payout {
		return true
	}
	charge := s.byID[o.Parent]
	if charge == nil || charge.Kind != Charge || o.Kind != Void && o.Amount.Currency() != charge.Amount.Currency() {
		return false
	}
	switch o.Kind {
	case Capture:
		return charge.State == Authorised && o.Amount.Cmp(charge.Moved) <= 0
	case Void:
		return charge.State == Authorised || charge.State == Approved && s.refunded(charge, o).IsZero()
	case Refund:
		left, err := charge.Moved.Sub(s.refunded(charge, o))
		return charge.State == Approved && err == nil && o.Amount.Cmp(left) <= 0
	}
	return false
}

// refunded is the sum of a charge's refunds, those that wait included, without one of them.
func (s *Simulator) refunded(charge, without *Operation) money.Amount {
	sum := zero(charge.Amount)
	for _, o := range charge.refunds {
		switch {
		case o == without:
		case o.State == Approved:
			sum, _ = sum.Add(o.Moved)
		case o.State == Waiting:
			sum, _ = sum.Add(o.Amount)
		}
	}
	return sum
}
