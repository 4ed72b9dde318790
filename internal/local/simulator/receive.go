package simulator

import "checkout/internal/money"

// Receive lets money of a payer arrive for an operation that waits for it, or whose time is over. It returns the
// operation, and whether there is such a one.
func (s *Simulator) Receive(id string, amount money.Amount) (Operation, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.find(func(x *Operation) bool { return x.ID == id && x.Step == StepSend })
	if o == nil || o.State != Waiting && o.State != Expired || amount.Currency() != o.Amount.Currency() {
		return Operation{}, false
	}
	sum, err := o.Moved.Add(amount)
	if err != nil {
		return *o, false
	}
	o.Moved = sum
	if o.State == Waiting && sum.Cmp(o.Amount) >= 0 { // the amount is zero if the payer chooses it
		o.State = Approved
		s.failLater(o)
	}
	s.scheduleNotice(o)
	return *o, true
}
