package api

import "net/http"

// status is POST /api/v1/payment/status.
func (a *API) status(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	found, err := a.Service.Status(r.Context(), body)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, found)
	return nil
}
