package api

import "net/http"

// status is POST /api/v1/payment/status.
func (a *API) status(w http.ResponseWriter, r *http.Request) error {
	return query(w, r, a.Service.Status)
}
