package checkout

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"checkout/internal/method"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// apartParameters are the parameters of a session that are too long to be written again with every change of the
// session and its payments, such as a file: by method and row. They are written once, with the session, and expire
// when it does. A deletion before that would cost as many write units as the write.
type apartParameters map[string]map[string]any

// takeApart moves the session's long parameters to a document of their own and returns that, nil if there are none.
func (s *Session) takeApart() []store.Record {
	taken := apartParameters(s.Request.TakeApart())
	if taken == nil {
		return nil
	}
	s.Apart = slices.Sorted(maps.Keys(taken))
	key, err := store.ParametersKey(s.ID)
	if err != nil {
		panic("session without an id of ours: " + s.ID)
	}
	r := store.Encode(key, 0, taken)
	r.ExpiresAt = s.ExpiresAt.Add(sessionTTL)
	return []store.Record{r}
}

// readApart reads the parameters of a payment's method that are stored apart, if there are any.
func (s *Service) readApart(ctx context.Context, now time.Time, p *Payment) error {
	if !p.Apart {
		return nil
	}
	key, err := store.ParametersKey(p.SessionID)
	if err != nil {
		return fmt.Errorf("payment %s has no session for its parameters", p.ID)
	}
	var all apartParameters
	if _, err := s.load(ctx, now, key, &all); err != nil {
		return fmt.Errorf("read parameters of payment %s: %w", p.ID, err)
	}
	p.apart = all[p.Method]
	return nil
}

// sentParameters returns the parameters of the chosen method that the merchant sent or the payer typed, with those that
// were read by readApart. A digest that stands for a value is left out.
func (p *Payment) sentParameters() (map[string]any, error) {
	all := map[string]map[string]any{}
	if p.Parameters != nil {
		if err := json.Unmarshal(p.Parameters, &all); err != nil {
			return nil, fmt.Errorf("stored parameters of payment %s can't be read", p.ID)
		}
	}
	own := all[p.Method]
	if !p.Apart || own == nil {
		return own, nil
	}
	if p.apart == nil {
		m, _ := method.Find(p.Method)
		for name := range m.ApartRows() {
			delete(own, name)
		}
	}
	maps.Copy(own, p.apart)
	return own, nil
}

// apartMissing returns the reason to decline a charge whose long parameters are not stored any more, "" if they are.
func (t task) apartMissing() screen.ReasonCode {
	if t.job().Kind == JobCharge && t.payment.Apart && t.payment.apart == nil {
		return screen.ReasonNotSentInTime
	}
	return ""
}
