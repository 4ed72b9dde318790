package api

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"io"
	"net/http"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/request"
)

// Sandbox is the part of the sandbox connector that has a page. On the page people act for a provider and its payer.
// Finish, Expire, Pay and Dispute return the URL to which the browser is redirected.
type Sandbox interface {
	Step(ctx context.Context, reference string) (kind, amount, currency string, err error)
	Finish(ctx context.Context, reference string, confirmed bool) (url string, err error)
	Expire(ctx context.Context, reference string) (url string, err error)
	Pay(ctx context.Context, reference, part, amount string) (url string, err error)
	Dispute(ctx context.Context, reference string, reversed bool) (url string, err error)
	Report(ctx context.Context, notice []byte) error // sends a notification again
	// Token returns a token of the test wallet. of is the session that the body names, nil for none.
	Token(ctx context.Context, of *request.Session, id string, body []byte) (token string, err error)
}

const sandboxStyle = `:root{
color-scheme:light dark;
--ground:#eef1f5;--card:#fff;--ink:#14202e;--soft:#526072;--line:#7d8a9b;--strong:#12507b;--on-strong:#fff
}
@media (prefers-color-scheme:dark){:root{
--ground:#10161e;--card:#1a222d;--ink:#edf1f6;--soft:#aab6c5;--line:#7c8a9c;--strong:#8cc7f2;--on-strong:#0a1c2b
}}
*{box-sizing:border-box}
body{
margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;
background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif
}
main{width:100%;max-width:26rem;padding:1.5rem;background:var(--card);border-radius:.875rem;overflow-wrap:anywhere}
h1{margin:0;font-size:1.25rem}
p{margin:.5rem 0 1.25rem;color:var(--soft)}
form{display:flex;flex-wrap:wrap;gap:.75rem}
label{flex:1 0 100%;font-weight:600}
input{display:block;width:100%;margin-top:.25rem}
button,input{
min-height:44px;padding:.5rem 1rem;border:1px solid var(--line);border-radius:.5rem;
background:none;color:inherit;font:inherit
}
button{flex:1 1 8rem;font-weight:600;cursor:pointer}
.main{border-color:transparent;background:var(--strong);color:var(--on-strong)}
:focus-visible{outline:3px solid var(--strong);outline-offset:2px}`

// sandboxPolicy returns the page's content security policy. It allows only sandboxStyle, and forms of this origin.
func sandboxPolicy() string {
	return "default-src 'none'; style-src 'sha256-" + sha256Text(sandboxStyle) + "'; " +
		"form-action 'self'; base-uri 'none'"
}

func sha256Text(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// sandboxView is the content of the page.
type sandboxView struct {
	title, text string
	form        string // HTML
}

const (
	confirmOrRefuse = `<button class="main" id="confirm" name="action" value="confirm">Confirm</button> ` +
		`<button id="refuse" name="action" value="refuse">Refuse</button>`
	refuse    = `<button id="refuse" name="action" value="refuse" formnovalidate>Refuse</button> `
	pay       = `<button class="main" id="pay" name="action" value="pay">Pay</button> `
	payOthers = `<button id="pay_half" name="action" value="pay_half">Pay half</button> ` +
		`<button id="pay_double" name="action" value="pay_double">Pay double</button> `
	payRest = `<button class="main" id="pay_rest" name="action" value="pay_rest">Pay the rest</button> ` +
		`<button id="pay" name="action" value="pay">Pay all again</button> `
	expire      = `<button id="expire" name="action" value="expire" formnovalidate>Let the time pass</button> `
	payLate     = `<button id="pay_late" name="action" value="pay_late">Pay too late</button>`
	payOutFails = `<button id="reverse" name="action" value="reverse">Let it fail</button> `
	dispute     = `<button id="chargeback" name="action" value="chargeback">Charge back</button> ` +
		`<button id="reverse" name="action" value="reverse">Reverse</button> `
	backToCheckout = `<button class="main" id="confirm" name="action" value="confirm">Back to the checkout</button>`
)

// amountField returns the input of an amount. It accepts the same amounts as isAmount of the connector.
func amountField(currency string) string {
	return `<label for="amount">Amount in ` + html.EscapeString(currency) + ` ` +
		`<input id="amount" name="amount" required inputmode="decimal" autocomplete="off" maxlength="22" ` +
		`pattern="(0|[1-9][0-9]{0,14})([.][0-9]{1,6})?" title="Digits and a point, such as 10.50"></label> `
}

func viewOf(kind, amount, currency string) sandboxView {
	const noMoney = " No real money moves."
	payment := "Payment of " + amount + " " + currency
	switch kind {
	case "3ds":
		return sandboxView{"3-D Secure (sandbox)", payment + "." + noMoney, confirmOrRefuse}
	case "redirect":
		return sandboxView{"The provider's page (sandbox)", payment + "." + noMoney, confirmOrRefuse}
	case "confirm":
		return sandboxView{"Confirm the payment (sandbox)", payment + "." + noMoney, confirmOrRefuse + " " + expire + payLate}
	case "code":
		text := payment + ". The code is 123456." + noMoney
		return sandboxView{"A code for the payment (sandbox)", text, confirmOrRefuse + " " + expire + payLate}
	case "pending", "partly", "over":
		return sendView(kind, amount, currency, noMoney)
	case "paid_out":
		text := "Payout of " + amount + " " + currency + " is settled. It may still fail."
		return sandboxView{"Payout (sandbox)", text, payOutFails + backToCheckout}
	case "settled":
		text := payment + " is settled. The payer's bank may charge it back, the provider may reverse it."
		return sandboxView{"Settled payment (sandbox)", text, dispute + backToCheckout}
	case "chargeback":
		return sandboxView{"Chargeback (sandbox)", payment + " was charged back.", backToCheckout}
	case "reversal":
		return sandboxView{"Reversal (sandbox)", payment + " was reversed.", backToCheckout}
	}
	return sandboxView{"Sandbox", "Nothing is left to do here.", backToCheckout}
}

// sendView returns the page of a payment whose payer has to send money, or can send it too late.
func sendView(kind, amount, currency, noMoney string) sandboxView {
	v := sandboxView{title: "The payer's bank or wallet (sandbox)", text: "Payment of " + amount + " " + currency + "."}
	if amount == "" {
		v.text, v.form = "The payer chooses the amount.", amountField(currency)
	}
	switch {
	case kind == "over":
		v.text += " The time to pay is over."
		v.form += payLate
	case kind == "partly":
		v.text += " A part has arrived."
		v.form += payRest + expire + payLate
	case amount == "":
		v.form += pay + refuse + expire + payLate
	default:
		v.form += pay + payOthers + refuse + expire + payLate
	}
	v.text += noMoney
	return v
}

// html returns the page, which has no script. html/template is not used, since its use of reflection would make the
// binary of every HTTP function half as large again.
func (v sandboxView) html() string {
	return `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
		`<meta name="viewport" content="width=device-width, initial-scale=1">` +
		`<title>` + html.EscapeString(v.title) + `</title><style>` + sandboxStyle + `</style></head>` +
		`<body><main><h1>` + html.EscapeString(v.title) + `</h1><p>` + html.EscapeString(v.text) + `</p>` +
		`<form method="post">` + v.form + `</form></main></body></html>`
}

// sandboxPages handles the requests of the sandbox's pages.
type sandboxPages struct {
	core    *checkout.Core
	sandbox Sandbox // nil where they are not served
}

// step handles GET /sandbox/{reference}, which a live provider or a bank would have as a page of its own.
func (s sandboxPages) step(w http.ResponseWriter, r *http.Request) error {
	if s.sandbox == nil {
		return notFound(w, r)
	}
	kind, amount, currency, err := s.sandbox.Step(r.Context(), r.PathValue("reference"))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", sandboxPolicy())
	w.Header().Set("Referrer-Policy", "no-referrer")
	_, err = io.WriteString(w, viewOf(kind, amount, currency).html())
	return err
}

// finish handles POST /sandbox/{reference}, which is sent when a button of that page is pressed.
func (s sandboxPages) finish(w http.ResponseWriter, r *http.Request) error {
	if s.sandbox == nil {
		return notFound(w, r)
	}
	r.Body = http.MaxBytesReader(w, r.Body, request.MaxBody)
	url, err := s.press(r.Context(), r.PathValue("reference"), r.FormValue("action"), r.FormValue("amount"))
	if err != nil {
		return err
	}
	http.Redirect(w, r, url, http.StatusSeeOther)
	return nil
}

func (s sandboxPages) press(ctx context.Context, reference, action, amount string) (url string, err error) {
	switch action {
	case "confirm", "refuse":
		return s.sandbox.Finish(ctx, reference, action == "confirm")
	case "pay", "pay_half", "pay_rest", "pay_double", "pay_late":
		return s.sandbox.Pay(ctx, reference, action, amount)
	case "expire":
		return s.sandbox.Expire(ctx, reference)
	case "chargeback", "reverse":
		return s.sandbox.Dispute(ctx, reference, action == "reverse")
	}
	return "", fault.At("action", "The value you selected is not a valid choice.")
}

// testToken is the response to a request for a token of the test wallet.
type testToken struct {
	Token string `json:"token"` // JSON text, as a wallet gives it
}

// wallet handles POST /sandbox/wallet: the checkout page asks for a token in the place of a wallet, as do tests
// of merchants who send tokens themselves.
func (s sandboxPages) wallet(w http.ResponseWriter, r *http.Request) error {
	if s.sandbox == nil {
		return notFound(w, r)
	}
	body, err := readBody(r)
	if err != nil {
		return err
	}
	of, err := s.testSession(r.Context(), body)
	if err != nil {
		return err
	}
	token, err := s.sandbox.Token(r.Context(), of, hex.EncodeToString(s.core.Random(16)), body)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, testToken{token})
	return nil
}

// testSession reads the session that a request for a token names, nil for none.
// Errors: CodeInvalid; CodeNotFound, also for one with the live key.
func (s sandboxPages) testSession(ctx context.Context, body []byte) (*request.Session, error) {
	var asked struct {
		Session string `json:"session"`
	}
	if len(body) > request.MaxBody || json.Unmarshal(body, &asked) != nil {
		return nil, fault.At("", invalidData)
	}
	if asked.Session == "" {
		return nil, nil
	}
	sess, err := s.core.Session(ctx, s.core.Now(), asked.Session)
	if err == nil && !sess.Request.Test {
		err = checkout.ErrSessionNotFound()
	}
	if err != nil {
		return nil, err
	}
	return &sess.Request, nil
}
