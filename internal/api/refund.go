package api

import "net/http"

// refund is POST /api/v1/payment/refund.
func (a *API) refund(w http.ResponseWriter, r *http.Request) error {
	return change(w, r, a.Service.Refund)
}
