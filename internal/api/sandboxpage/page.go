// Package sandboxpage draws the page on which people act for a provider of the sandbox and its payer.
package sandboxpage

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
)

const style = `:root{
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

// Policy returns the page's content security policy. It allows only style, and forms of this origin.
func Policy() string {
	return "default-src 'none'; style-src 'sha256-" + sha256Text(style) + "'; " +
		"form-action 'self'; base-uri 'none'"
}

func sha256Text(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// HTML returns the page for a payment of the sandbox: by the kind of what its payer or provider does there, and its
// amount, "" if the payer chooses it.
func HTML(kind, amount, currency string) string { return viewOf(kind, amount, currency).html() }

// view is the content of the page.
type view struct {
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

func viewOf(kind, amount, currency string) view {
	const noMoney = " No real money moves."
	payment := "Payment of " + amount + " " + currency
	switch kind {
	case "3ds":
		return view{"3-D Secure (sandbox)", payment + "." + noMoney, confirmOrRefuse}
	case "redirect":
		return view{"The provider's page (sandbox)", payment + "." + noMoney, confirmOrRefuse}
	case "confirm":
		return view{"Confirm the payment (sandbox)", payment + "." + noMoney, confirmOrRefuse + " " + expire + payLate}
	case "code":
		text := payment + ". The code is 123456." + noMoney
		return view{"A code for the payment (sandbox)", text, confirmOrRefuse + " " + expire + payLate}
	case "pending", "partly", "over":
		return sendView(kind, amount, currency, noMoney)
	case "paid_out":
		text := "Payout of " + amount + " " + currency + " is settled. It may still fail."
		return view{"Payout (sandbox)", text, payOutFails + backToCheckout}
	case "settled":
		text := payment + " is settled. The payer's bank may charge it back, the provider may reverse it."
		return view{"Settled payment (sandbox)", text, dispute + backToCheckout}
	case "chargeback":
		return view{"Chargeback (sandbox)", payment + " was charged back.", backToCheckout}
	case "reversal":
		return view{"Reversal (sandbox)", payment + " was reversed.", backToCheckout}
	}
	return view{"Sandbox", "Nothing is left to do here.", backToCheckout}
}

// sendView returns the page of a payment whose payer has to send money, or can send it too late.
func sendView(kind, amount, currency, noMoney string) view {
	v := view{title: "The payer's bank or wallet (sandbox)", text: "Payment of " + amount + " " + currency + "."}
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
func (v view) html() string {
	return `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
		`<meta name="viewport" content="width=device-width, initial-scale=1">` +
		`<title>` + html.EscapeString(v.title) + `</title><style>` + style + `</style></head>` +
		`<body><main><h1>` + html.EscapeString(v.title) + `</h1><p>` + html.EscapeString(v.text) + `</p>` +
		`<form method="post">` + v.form + `</form></main></body></html>`
}
