package api

import "net/http"

// retry is POST /api/v1/payment/retry.
func (a *API) retry(w http.ResponseWriter, r *http.Request) error {
	return change(w, r, a.Service.Retry)
}
