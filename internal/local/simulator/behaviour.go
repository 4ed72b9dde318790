package simulator

import "slices"

// isHidden reports whether the provider does not find an operation yet that it has executed. Stripe reads its objects
// by their ids, and so has them at once.
func (s *Simulator) isHidden(o *Operation) bool {
	return o.fault == FoundLate && o.Family != "stripe" && s.Now().Before(o.CreatedAt.Add(foundLate))
}

// behaviour is what happens to a new operation. The zero value: nothing special.
type behaviour struct {
	decline string // code of a decline
	waits   bool   // for the provider itself, which decides later
	fault   Fault
	settles bool // at once, without a step of the payer
}

// Next is a behaviour of the next operations, by a control call. An empty Family or Kind is any. Of kind Other, it has
// only a fault.
type Next struct {
	Family  string `json:"family,omitempty"`
	Kind    Kind   `json:"kind,omitempty"`
	Fault   Fault  `json:"fault,omitempty"`
	Decline string `json:"decline,omitempty"` // code of a row of declines
	Waits   bool   `json:"waits,omitempty"`
	Settles bool   `json:"settles,omitempty"` // at once, without a step of the payer
	Count   int    `json:"count,omitempty"`   // 0: one
}

// Expect chooses the behaviour of the next operations.
func (s *Simulator) Expect(n Next) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n.Count = max(n.Count, 1)
	s.next = append(s.next, n)
}

// takeNext returns the behaviour that was chosen for the next operation of a kind, and whether there is one. The
// caller has locked the ledger.
func (s *Simulator) takeNext(family string, kind Kind) (Next, bool) {
	i := slices.IndexFunc(s.next, func(n Next) bool {
		return (n.Family == "" || n.Family == family) && (n.Kind == kind || n.Kind == "" && kind != Other)
	})
	if i < 0 {
		return Next{}, false
	}
	n := s.next[i]
	if s.next[i].Count--; s.next[i].Count == 0 {
		s.next = slices.Delete(s.next, i, i+1)
	}
	return n, true
}
