package api

import (
	"context"
	"html/template"
	"net/http"
)

// Sandbox is the part of the sandbox connector that a payer sees.
type Sandbox interface {
	Step(ctx context.Context, reference string) (kind, amount, currency string, err error)
	Finish(ctx context.Context, reference string, confirmed bool) (returnURL string, err error)
}

// notify is POST /api/v1/notify/{connector}: a provider reports an outcome.
func (a *API) notify(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	if err := a.Service.TakeNotice(r.Context(), r.PathValue("connector"), body); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, struct{}{})
	return nil
}

// sandboxPage has no script and no style of its own, so that it needs none to be allowed.
var sandboxPage = template.Must(template.New("sandbox").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox</title></head><body><main>
{{if .Kind}}<h1>{{if eq .Kind "3ds"}}3-D Secure (sandbox){{else}}The provider's page (sandbox){{end}}</h1>
<p>Payment of {{.Amount}} {{.Currency}}. No real money moves.</p>
<form method="post"><button id="confirm" name="action" value="confirm">Confirm</button>
<button id="refuse" name="action" value="refuse">Refuse</button></form>
{{else}}<h1>Sandbox</h1><p>Nothing is left to do here.</p>
<form method="post"><button id="confirm" name="action" value="confirm">Back to the checkout</button></form>{{end}}
</main></body></html>`))

// sandboxStep is GET /sandbox/{reference}: stands for the page of a bank or provider.
func (a *API) sandboxStep(w http.ResponseWriter, r *http.Request) error {
	kind, amount, currency, err := a.Sandbox.Step(r.Context(), r.PathValue("reference"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'")
	w.Header().Set("Referrer-Policy", "no-referrer")
	return sandboxPage.Execute(w, struct{ Kind, Amount, Currency string }{kind, amount, currency})
}

// sandboxFinish is POST /sandbox/{reference}: the payer confirmed or refused.
func (a *API) sandboxFinish(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	url, err := a.Sandbox.Finish(r.Context(), r.PathValue("reference"), r.FormValue("action") == "confirm")
	if err != nil {
		return err
	}
	http.Redirect(w, r, url, http.StatusSeeOther)
	return nil
}
