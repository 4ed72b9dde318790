package api

import "net/http"

// void is POST /api/v1/payment/void.
func (a *API) void(w http.ResponseWriter, r *http.Request) error {
	return change(w, r, a.Service.Void)
}
