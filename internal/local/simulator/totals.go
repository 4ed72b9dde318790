package simulator

import (
	"slices"

	"checkout/internal/money"
)

// find returns the newest operation of which a condition is true, nil if there is none.
func (s *Simulator) find(is func(*Operation) bool) *Operation {
	for _, o := range slices.Backward(s.operations) {
		if is(o) {
			return o
		}
	}
	return nil
}

// lookUp is Find for a look-up of a caller, which does not find every operation at once.
func (s *Simulator) lookUp(family, reference string) (Operation, bool) {
	o, found := s.Find(family, reference)
	if !found || s.isHidden(&o) {
		return Operation{}, false
	}
	return o, true
}

// Find returns an operation of a family by its id or reference, and whether there is one.
func (s *Simulator) Find(family, idOrReference string) (Operation, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.named(family, idOrReference)
	if o == nil {
		return Operation{}, false
	}
	return *o, true
}

// named finds an operation by its id or reference. Accounts are few, and are looked through.
func (s *Simulator) named(family, idOrReference string) *Operation {
	if o := s.byID[idOrReference]; o != nil && o.Family == family {
		return o
	}
	for _, account := range []string{Key, ""} {
		if o := s.references[reference{family, account, idOrReference}]; o != nil {
			return o
		}
	}
	return s.find(func(x *Operation) bool { return x.Family == family && x.Reference == idOrReference })
}

// Totals are the sums of a charge or payout. Refunded and Disputed together are never more than Captured.
type Totals struct {
	Authorised money.Amount // what was asked for, unless it failed
	Captured   money.Amount // what was charged or paid out
	Refunded   money.Amount
	Disputed   money.Amount // what was charged, not refunded, and was reversed later
	Voided     bool
}

// Totals returns the sums of a charge or payout, and whether there is one.
func (s *Simulator) Totals(family, reference string) (Totals, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.named(family, reference)
	if o == nil || o.Kind != Charge && o.Kind != Payout {
		return Totals{}, false
	}
	none := zero(o.Amount)
	t := Totals{Authorised: none, Captured: none, Refunded: none, Disputed: none, Voided: o.Reason == "voided"}
	for _, refund := range o.refunds {
		if refund.State == Approved {
			t.Refunded, _ = t.Refunded.Add(refund.Moved)
		}
	}
	switch {
	case o.State == Authorised || t.Voided:
		t.Authorised = o.Amount
	case o.State == Approved || o.State == Reversed:
		t.Authorised, t.Captured = o.Amount, o.Moved
	}
	if o.State == Reversed && !t.Voided {
		t.Disputed, _ = o.Moved.Sub(t.Refunded)
		if !o.Disputed.IsZero() {
			t.Disputed = o.Disputed
		}
	}
	return t, true
}
