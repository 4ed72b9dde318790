package api

import (
	"net/http"

	"checkout/internal/checkout"
)

// notify is POST /api/v1/notify/{connector}: a provider reports an outcome.
func (a *API) notify(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	if err := a.Service.HandleNotification(r.Context(), r.PathValue("connector"), checkout.Notification{Header: r.Header, Query: r.URL.Query(), Body: body}); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct{}{})
	return nil
}
