package checkout

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"checkout/internal/method"
	"checkout/internal/store"
)

// ApartParameters are the parameters of a session that are too long to be written again with every change of the
// session and its payments, such as a file: by method and row. They are written once, with the session, and expire
// when it does. A deletion before that would cost as many write units as the write.
type ApartParameters map[string]map[string]any

// TakeApart moves the session's long parameters to a document of their own and returns that, nil if there are none.
func (s *Session) TakeApart() []store.Record {
	taken := ApartParameters(s.Request.TakeApart())
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

// SentParameters returns the parameters of the chosen method that the merchant sent or the payer typed, with those that
// were read by readApart. A digest that stands for a value is left out.
func (p *Payment) SentParameters() (map[string]any, error) {
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
	if p.ApartValues == nil {
		m, _ := method.Find(p.Method)
		for name := range m.ApartRows() {
			delete(own, name)
		}
	}
	maps.Copy(own, p.ApartValues)
	return own, nil
}
