package sandbox

import (
	"strings"
	"time"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/page/screen"
)

// scene is how the sandbox plays methods without a card that behave alike.
type scene struct {
	next  connector.ActionKind // the required action
	text  screen.Text          // for the payer who waits; "": what is shown tells enough
	limit time.Duration        // for the required action
	shows shownRows
	sends bool // the payer sends the money, which can be too little or too much
	asks  bool // the payer fills in a second form
}

// scenes are those that wait for the payer, by the names that the ledger has for them. A method without one is settled
// at once.
var scenes = map[string]scene{
	"address": {
		next: connector.ActionPending, limit: stepLimit, sends: true,
		shows: shownRows{coinAddress, coinType, coinNetwork, coinAmount, pageCode, sandboxLink},
	},
	"qr": {
		next: connector.ActionPending, text: screen.TextScanQR, limit: stepLimit, sends: true,
		shows: shownRows{pixCode, sandboxLink, amountDue},
	},
	"app": {
		next: connector.ActionPending, text: screen.TextConfirmInApp, limit: stepLimit,
		shows: shownRows{confirmNumber, sandboxLink},
	},
	"link": {
		next: connector.ActionPending, text: screen.TextOpenLink, limit: stepLimit,
		shows: shownRows{sandboxLink},
	},
	"transfer": {
		next: connector.ActionPending, text: screen.TextTransferDetails, limit: sendLimit, sends: true,
		shows: shownRows{accountName, accountNumber, bankName, paymentReference, amountDue, payUntil, sandboxLink},
	},
	"voucher": {
		next: connector.ActionPending, text: screen.TextVoucherIssued, limit: sendLimit, sends: true,
		shows: shownRows{voucherNumber, voucherBarcode, amountDue, payUntil, sandboxLink},
	},
	"code": {
		next: connector.ActionPending, text: screen.TextEnterCode, limit: stepLimit, asks: true,
	},
	"page": {next: connector.ActionRedirect, limit: stepLimit},
}

// sendLimit is how long a payer may take to send money from a bank or to pay it in cash.
const sendLimit = 3 * 24 * time.Hour

// behaviours are the scenes of the page's behaviours. Cards, and fields without a second form, have none.
var behaviours = map[method.Behaviour]string{
	method.Redirect: "page", method.ConfirmInApp: "app", method.ConfirmOnPhone: "app", method.QRCode: "qr",
	method.DataShown: "transfer", method.AddressShown: "address", method.LinkSent: "link",
}

// sceneOf returns the name of a method's scene for a billing country, "" if the payer does not have to act.
func sceneOf(m method.Method, operation method.Operation, country string) string {
	switch behaviour := m.BehaviourFor(country); {
	case behaviour == method.ExtraFields && len(m.SecondFields(operation)) > 0:
		return "code"
	case behaviour == method.DataShown && m.Group == cashGroup:
		return "voucher"
	default:
		return behaviours[behaviour]
	}
}

// cashGroup is the group of the methods that are paid in cash.
const cashGroup = "cash"

// testValue is what a documented e-mail address leads to, so that no page of the sandbox is needed. It waits if it has
// no outcome.
type testValue struct {
	outcome  connector.Outcome
	reason   string
	later    bool   // the outcome is known lateBy after the charge
	returned bool   // the provider reverses the payment once it is settled
	pays     string // what arrives by itself: payHalf at once, or payLate
}

// testValues are the values by the part of customer.email before @ and +.
var testValues = map[string]testValue{
	"settled":     {outcome: connector.OutcomeApproved},
	"declined":    {outcome: connector.OutcomeDeclined, reason: declined},
	"expires":     {},
	"late":        {pays: payLate},
	"too-little":  {pays: payHalf},
	"fails-later": {outcome: connector.OutcomeDeclined, reason: declined, later: true},
	"returned":    {outcome: connector.OutcomeApproved, returned: true},
}

// testValueOf returns the value of a charge, and whether it has one.
func testValueOf(c connector.Charge) (testValue, bool) {
	v, ok := testValues[localPart(c)]
	return v, ok
}

// withoutCard returns the outcome of a method without a card: that of a test value, or approved, after the required
// action of the method's scene.
func withoutCard(c connector.Charge, m method.Method) outcome {
	name := sceneOf(m, c.Operation, c.BillingAddress.Country)
	o := outcome{outcome: connector.OutcomeApproved, scene: name, next: scenes[name].next, limit: scenes[name].limit}
	v, ok := testValueOf(c)
	switch {
	case !ok:
	case c.PayerEntersAmount && (v.outcome == connector.OutcomeApproved || v.pays != ""):
		// There is no amount that could arrive by itself.
	case v.outcome != connector.OutcomePending:
		o.outcome, o.reason, o.next, o.slow, o.returned = v.outcome, v.reason, "", v.later, v.returned
	case v.pays != payHalf || scenes[name].sends:
		o.limit, o.pays = lateBy, v.pays
	}
	return o
}

// localPart returns the part of customer.email before @ and +.
func localPart(c connector.Charge) string {
	local, _, _ := strings.Cut(c.Customer.Email, "@")
	local, _, _ = strings.Cut(local, "+")
	return strings.ToLower(local)
}
