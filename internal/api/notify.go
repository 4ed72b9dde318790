package api

import (
	"cmp"
	"net/http"

	"checkout/internal/checkout"
	"checkout/internal/connector"
	"checkout/internal/settings"
	"checkout/internal/worker"
)

// notices handles what providers report.
type notices struct {
	worker  *worker.Notices
	sandbox Sandbox // nil where its pages are not served
}

// Notify returns the routes of providers' notices and of the sandbox's pages.
func Notify(core *checkout.Core, to *worker.Notices, sandbox Sandbox) Routes {
	n, s := notices{to, sandbox}, sandboxPages{core, sandbox}
	return Routes{
		{"POST", "/api/v1/notify/{connector}/{mid}", raw(n.notify)},
		{"POST", "/api/v1/notify/{connector}", raw(n.notifyAgain)},
		{"GET", "/sandbox/{reference}", raw(s.step)},
		{"POST", "/sandbox/{reference}", raw(s.finish)},
		{"POST", "/sandbox/wallet", raw(s.wallet)},
	}
}

// notify handles POST /api/v1/notify/{connector}/{mid}, by which the provider of a MID reports an outcome. The response
// is that of the connector.
func (n notices) notify(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	to := settings.NoticeAddress{Connector: r.PathValue("connector"), MID: r.PathValue("mid")}
	sent := connector.Notification{Header: r.Header, Query: r.URL.Query(), Body: body}
	response, err := n.worker.HandleNotification(r.Context(), to, sent)
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
func (n notices) notifyAgain(w http.ResponseWriter, r *http.Request) error {
	if r.PathValue("connector") != settings.SandboxConnector || n.sandbox == nil {
		return n.notify(w, r)
	}
	body, err := readBody(r)
	if err != nil {
		return err
	}
	if err := n.sandbox.Report(r.Context(), body); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct{}{})
	return nil
}
