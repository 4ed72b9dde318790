package api

import (
	"cmp"
	"net/http"

	"checkout/internal/connector"
	"checkout/internal/settings"
)

// notify handles POST /api/v1/notify/{connector}/{mid}, by which the provider of a MID reports an outcome. The response
// is that of the connector.
func (a *API) notify(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	to := settings.NoticeAddress{Connector: r.PathValue("connector"), MID: r.PathValue("mid")}
	n := connector.Notification{Header: r.Header, Query: r.URL.Query(), Body: body}
	response, err := a.Worker.HandleNotification(r.Context(), to, n)
	if err != nil {
		return err
	}
	if response.Status == 0 && response.ContentType == "" && response.Body == nil {
		writeJSON(w, http.StatusOK, struct{}{})
		return nil
	}
	w.Header().Set("Content-Type", cmp.Or(response.ContentType, "application/json"))
	w.WriteHeader(cmp.Or(response.Status, http.StatusOK))
	_, err = w.Write(response.Body)
	return err
}

// notifyAgain handles POST /api/v1/notify/sandbox, by which the sandbox sends a notification again to the
// address of its MID. No other connector has an address without a MID.
func (a *API) notifyAgain(w http.ResponseWriter, r *http.Request) error {
	if r.PathValue("connector") != settings.SandboxConnector || a.Sandbox == nil {
		return a.notify(w, r)
	}
	body, err := readBody(r)
	if err != nil {
		return err
	}
	if err := a.Sandbox.Report(r.Context(), body); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct{}{})
	return nil
}
