package demo

import (
	"context"
	"encoding/json"
)

// create sends a session request and stores its order.
func (s *Shop) create(ctx context.Context, r signed) (order, error) {
	var created json.RawMessage
	if err := s.post(ctx, "/api/v1/session", r.body, &created); err != nil {
		return order{}, err
	}
	return s.store(r.order, created), nil
}

// store stores the order of a session that was created.
func (s *Shop) store(o order, created json.RawMessage) order {
	var session struct {
		RedirectURL string `json:"redirect_url"`
	}
	_ = json.Unmarshal(created, &session) // a response without an address has none
	o.Page = session.RedirectURL
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orders.add(o.Number, o)
	return o
}

// bought returns the order of that number.
func (s *Shop) bought(number string) (order, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, found := s.orders.values[number]
	return o, found
}
