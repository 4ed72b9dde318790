package simulator

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// card3DS is a card whose payer has to confirm on the bank's page.
const card3DS = "4000000000003220"

// timeToConfirm is how long a payer has for a provider's page.
const timeToConfirm = 20 * time.Minute

// brandRoutes are a provider of cards of a wallet brand.
func brandRoutes(s *Simulator) map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"POST /payments": withBearer(s.chargeBrand),
		"POST /refunds":  withBearer(s.refundBrand),
		"GET /payments":  withBearer(func(w http.ResponseWriter, r *http.Request) { s.lookUpBrand(w, r, Charge) }),
		"GET /refunds":   withBearer(func(w http.ResponseWriter, r *http.Request) { s.lookUpBrand(w, r, Refund) }),
	}
}

// withBearer handles requests with the right key alone.
func withBearer(handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if bearerKnown(w, r) {
			handle(w, r)
		}
	}
}

func (s *Simulator) chargeBrand(w http.ResponseWriter, r *http.Request) {
	b := readBody(r)
	order := b.object("order")
	currency := order.text("currency")
	o := Operation{
		Family: "brandcard", Account: Key, Kind: Charge,
		Amount: order.amount("amount", currency), Reference: b.text("transaction_id"),
		ReturnURL: b.matching("success_url", "https?://.+"), FailURL: b.matching("error_url", "https?://.+"),
		NoticeURL: r.Header.Get("X-Callback-Url"), ExpiresAt: s.Now().Add(timeToConfirm),
	}
	virtual := b.has("payment_type")
	if virtual {
		o.Method = b.text("payment_type")
		if wrong := wrongToken(o.Method, b.text("payment_token")); wrong != "" {
			b.wrong("payment_token: " + wrong)
		}
	} else {
		card := b.object("card")
		o.Card = card.matching("number", "[0-9]{12,19}")
		card.matching("expiry_month", "0[1-9]|1[0-2]")
		card.matching("expiry_year", "20[0-9]{2}")
		card.matching("cvv", "[0-9]{3,4}")
	}
	if o.Card == card3DS || virtual && strings.HasSuffix(o.Amount.Minor(), secureAmount) {
		o.Step = Step3DS
	}
	b.payerOfBrand(virtual)
	b.optional("subdomain")
	s.executeBrand(w, r, b, o)
}

// payerOfBrand checks what is said of the payer. With a wallet's token none of it is required, because the payer fills
// in no form.
func (b body) payerOfBrand(virtual bool) {
	customer, billing := b.object("customer"), b.object("billing_address")
	check := func(in body, name, form string) {
		if !virtual || in.has(name) {
			in.matching(name, form)
		}
	}
	check(customer, "name", ".+")
	check(customer, "email", ".+")
	check(billing, "address", ".+")
	check(billing, "city", ".+")
	check(billing, "zip", ".+")
	check(billing, "country", "[A-Z]{2}")
	check(b, "payer_ip", "[0-9a-f.:]{3,45}")
	billing.optional("state")
	billing.optional("phone")
}

func (s *Simulator) refundBrand(w http.ResponseWriter, r *http.Request) {
	b := readBody(r)
	order := b.object("order")
	o := Operation{
		Family: "brandcard", Account: Key, Kind: Refund, NoticeURL: r.Header.Get("X-Callback-Url"),
		Amount: order.amount("amount", order.text("currency")), Reference: b.text("transaction_id"),
	}
	charge, found := s.Find("brandcard", b.text("payment"))
	if o.Parent = charge.ID; !found {
		o.Parent = "none"
	}
	s.executeBrand(w, r, b, o)
}

func (s *Simulator) executeBrand(w http.ResponseWriter, r *http.Request, b body, o Operation) {
	if key := r.Header.Get("Idempotency-Key"); key != o.Reference {
		b.wrong("Idempotency-Key is not the transaction_id")
	}
	if !b.refused(w) {
		s.perform(w, r, o, s.brandResponse)
	}
}

func (s *Simulator) lookUpBrand(w http.ResponseWriter, r *http.Request, kind Kind) {
	o, found := s.lookUp("brandcard", r.URL.Query().Get("transaction_id"))
	if !found || o.Kind != kind {
		refuse(w, http.StatusNotFound, "unknown_reference", "no operation has this transaction_id")
		return
	}
	writeJSON(w, http.StatusOK, s.brandResponse(o))
}

func (s *Simulator) brandResponse(o Operation) map[string]any {
	said := responseOf(o)
	said["transaction_id"] = o.Reference
	switch {
	case o.State == Waiting && o.Step == Step3DS:
		said["status"], said["redirect_url"] = "3ds", s.PayURL(o)
	case o.State == Waiting && o.Step == StepPage:
		said["status"], said["redirect_url"] = "redirect", s.PayURL(o)
	case o.State == Approved && o.Kind == Charge:
		said["approval_code"] = o.ID[len(o.ID)-6:]
	}
	return said
}

// responseOf is what several families say of an operation.
func responseOf(o Operation) map[string]any {
	amount := o.Amount
	if o.fault == OtherAmount && o.State == Approved {
		amount = o.Moved
	}
	said := map[string]any{
		"id": o.ID, "status": statuses[o.State],
		"order": map[string]any{"amount": json.Number(amount.String()), "currency": amount.Currency().Code},
	}
	if o.Kind != Charge {
		said["id"] = ""
	}
	if o.Reason != "" {
		said["code"] = o.Reason
	}
	if message := messages[o.Reason]; message != "" {
		said["message"] = message
	}
	return said
}

// statuses are the words for states.
var statuses = map[State]string{
	Waiting: "pending", Authorised: "authorised", Approved: "approved", Declined: "declined", Expired: "declined",
	Reversed: "reversed",
}
