package simulator

import "strings"

// choose returns the behaviour of a new operation: of a control call, its card, its amount or chance.
func (s *Simulator) choose(o Operation) behaviour {
	if n, found := s.takeNext(o.Family, o.Kind); found {
		return behaviour{n.Decline, n.Waits, n.Fault, n.Settles}
	}
	if b, found := chosen(o); found {
		return s.unlessRefused(o, b)
	}
	if s.derive("chance", o, 0)%100 < uint64(s.Chance) {
		all := uint64(len(faultsExplained))
		return s.unlessRefused(o, behaviour{fault: faultsExplained[s.derive("fault", o, 0)%all].Fault})
	}
	return behaviour{}
}

// unlessRefused leaves out a fault that keeps a request from being executed, if it did so with the same reference just
// before: else no repeat would ever be executed.
func (s *Simulator) unlessRefused(o Operation, b behaviour) behaviour {
	if b.fault != TooManyRequests && b.fault != LosesRequest {
		return b
	}
	key := referenceOf(o)
	if s.refused[key] {
		delete(s.refused, key)
		return behaviour{}
	}
	if len(s.refused) >= s.Keep {
		clear(s.refused)
	}
	s.refused[key] = true
	return b
}

// chosen returns the behaviour that the amount or the card of an operation chooses, and whether it does.
func chosen(o Operation) (behaviour, bool) {
	for _, c := range choices {
		byAmount := o.Kind != Void && len(o.Amount.Minor()) >= 3 && strings.HasSuffix(o.Amount.Minor(), c.amount)
		if byAmount || c.card == o.Card {
			return c.behaviour, true
		}
	}
	return behaviour{}, false
}
