package api

import "net/http"

// recurring is POST /api/v1/payment/recurring.
func (a *API) recurring(w http.ResponseWriter, r *http.Request) error {
	return change(w, r, a.Service.Recurring)
}
