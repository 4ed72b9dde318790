package api

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
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

const sandboxStyle = `:root{color-scheme:light dark;--ground:#eef1f5;--card:#fff;--ink:#14202e;--soft:#526072;--line:#7d8a9b;--strong:#12507b;--on-strong:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#10161e;--card:#1a222d;--ink:#edf1f6;--soft:#aab6c5;--line:#7c8a9c;--strong:#8cc7f2;--on-strong:#0a1c2b}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;padding:1.5rem;background:var(--card);border-radius:.875rem;overflow-wrap:anywhere}
h1{margin:0;font-size:1.25rem}
p{margin:.5rem 0 1.25rem;color:var(--soft)}
form{display:flex;flex-wrap:wrap;gap:.75rem}
button{flex:1 1 8rem;min-height:44px;padding:.5rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:none;color:inherit;font:inherit;font-weight:600;cursor:pointer}
#confirm{border-color:transparent;background:var(--strong);color:var(--on-strong)}
:focus-visible{outline:3px solid var(--strong);outline-offset:2px}`

// sandboxPolicy allows that one style, and the form to lead to this origin.
var sandboxPolicy = "default-src 'none'; style-src 'sha256-" + sha256Text(sandboxStyle) +
	"'; form-action 'self'; base-uri 'none'"

func sha256Text(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// sandboxPage has no script and one style, which its policy knows by its hash.
// It is written without html/template, whose use of reflection would make
// every function of this package half as large again.
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
		`<meta name="viewport" content="width=device-width, initial-scale=1"><title>Sandbox</title><style>` + sandboxStyle + `</style></head>` +
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
	w.Header().Set("Content-Security-Policy", sandboxPolicy)
	w.Header().Set("Referrer-Policy", "no-referrer")
	_, err = io.WriteString(w, sandboxPage(kind, amount, currency))
	return err
}

// sandboxFinish is POST /sandbox/{reference}: the payer confirmed or refused.
func (a *API) sandboxFinish(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, checkout.MaxBody)
	action := r.FormValue("action")
	if action != "confirm" && action != "refuse" {
		return invalid("action", "The value you selected is not a valid choice.")
	}
	url, err := a.Sandbox.Finish(r.Context(), r.PathValue("reference"), action == "confirm")
	if err != nil {
		return err
	}
	http.Redirect(w, r, url, http.StatusSeeOther)
	return nil
}
