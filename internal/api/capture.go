package api

import "net/http"

// capture is POST /api/v1/payment/capture.
func (a *API) capture(w http.ResponseWriter, r *http.Request) error {
	return change(w, r, a.Service.Capture)
}
