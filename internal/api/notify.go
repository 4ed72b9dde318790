package api

import (
	"context"
	"html"
	"io"
	"net/http"

	"checkout/internal/checkout"
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

// sandboxPage has no script and no style of its own, so that it needs none to
// be allowed. It is written without html/template, whose use of reflection
// would make every function of this package half as large again.
func sandboxPage(kind, amount, currency string) string {
	title, text := "The provider's page (sandbox)", "Payment of "+amount+" "+currency+". No real money moves."
	buttons := `<button id="confirm" name="action" value="confirm">Confirm</button> ` +
		`<button id="refuse" name="action" value="refuse">Refuse</button>`
	switch kind {
	case "3ds":
		title = "3-D Secure (sandbox)"
	case "":
		title, text = "Sandbox", "Nothing is left to do here."
		buttons = `<button id="confirm" name="action" value="confirm">Back to the checkout</button>`
	}
	return `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
		`<meta name="viewport" content="width=device-width, initial-scale=1"><title>Sandbox</title></head>` +
		`<body><main><h1>` + html.EscapeString(title) + `</h1><p>` + html.EscapeString(text) + `</p>` +
		`<form method="post">` + buttons + `</form></main></body></html>`
}

// sandboxStep is GET /sandbox/{reference}: stands for the page of a bank or provider.
func (a *API) sandboxStep(w http.ResponseWriter, r *http.Request) error {
	kind, amount, currency, err := a.Sandbox.Step(r.Context(), r.PathValue("reference"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'")
	w.Header().Set("Referrer-Policy", "no-referrer")
	_, err = io.WriteString(w, sandboxPage(kind, amount, currency))
	return err
}

// sandboxFinish is POST /sandbox/{reference}: the payer confirmed or refused.
func (a *API) sandboxFinish(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, checkout.MaxBody)
	url, err := a.Sandbox.Finish(r.Context(), r.PathValue("reference"), r.FormValue("action") == "confirm")
	if err != nil {
		return err
	}
	http.Redirect(w, r, url, http.StatusSeeOther)
	return nil
}
