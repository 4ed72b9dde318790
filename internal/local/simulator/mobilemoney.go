package simulator

import (
	"cmp"
	"encoding/json"
	"net/http"
	"time"
)

// mobileMoneyRoutes are those of mobile money, whose payers confirm on their phones.
func mobileMoneyRoutes(s *Simulator) map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{"POST /charges": s.mobileMoneyCharge, "GET /charges": s.mobileMoneyFind}
}

// promptTime is how long the prompt stays on the payer's phone.
const promptTime = 3 * time.Minute

// mobileMoneyCharge is POST /charges.
func (s *Simulator) mobileMoneyCharge(w http.ResponseWriter, r *http.Request) {
	if !bearerKnown(w, r) {
		return
	}
	b := readBody(r)
	order, payer := b.object("order"), b.object("payer")
	o := Operation{
		Family: "mobilemoney", Account: Key, Kind: Charge, Reference: b.matching("reference", ".{8,}"),
		Amount: order.amount("amount", order.text("currency")), Step: StepConfirm,
		NoticeURL: b.optional("callback_url"), ReturnURL: b.optional("redirect_url"),
		ExpiresAt: s.Now().Add(promptTime),
	}
	order.optional("description")
	payer.optional("name")
	payer.matching("email", "[^@ ]+@[^@ ]+")
	payer.matching("phone", `\+[0-9]{7,15}`)
	b.truth("merchant_bears_fee")
	if !b.refused(w) {
		s.perform(w, r, o, mobileMoneyResponse)
	}
}

// mobileMoneyFind is GET /charges?reference=.
func (s *Simulator) mobileMoneyFind(w http.ResponseWriter, r *http.Request) {
	if !bearerKnown(w, r) {
		return
	}
	if o, found := s.known(w, "mobilemoney", r.URL.Query().Get("reference")); found {
		writeJSON(w, http.StatusOK, mobileMoneyResponse(o))
	}
}

// mobileMoneyStates are the states by their names in this family.
var mobileMoneyStates = map[State]string{
	Waiting: "pending", Approved: "successful", Declined: "failed", Expired: "failed", Reversed: "reversed",
}

// mobileMoneyResponse is what is known of a charge.
func mobileMoneyResponse(o Operation) map[string]any {
	amount := o.Amount
	if o.State == Approved {
		amount = o.Moved
	}
	all := map[string]any{
		"id": o.ID, "reference": o.Reference, "status": mobileMoneyStates[o.State],
		"amount": json.RawMessage(amount.String()), "currency": o.Amount.Currency().Code,
	}
	switch {
	case o.State == Waiting && o.Step == StepConfirm:
		all["auth_method"] = "STK_PROMPT"
		all["message"] = "Enter your PIN in the prompt on your phone to confirm the payment."
	case o.Reason != "":
		all["code"], all["message"] = o.Reason, cmp.Or(messages[o.Reason], "The payment was declined.")
	}
	return all
}

// mobileMoneyNotice is the notice about a charge, signed with the secret.
func mobileMoneyNotice(_ *Simulator, o Operation) *http.Request {
	return hexSigned(o.NoticeURL, mobileMoneyResponse(o))
}
