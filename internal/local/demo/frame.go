package demo

import "net/http"

// frame is GET /demo/frame: the checkout page of an order inside the shop.
func (s *Shop) frame(w http.ResponseWriter, r *http.Request) {
	o, bought := s.bought(r.FormValue("order"))
	if !bought || o.Page == "" {
		s.lost(w)
		return
	}
	show(w, http.StatusOK, "frame.html", struct {
		top
		Order order
	}{s.top(""), o})
}
