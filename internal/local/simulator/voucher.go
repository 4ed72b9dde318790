package simulator

import (
	"net/http"
	"strings"
)

// pins are the vouchers that don't pay, by the last digits of their PINs. Every other one pays once.
var pins = map[string]string{"0000": "pin_unknown", "1111": "pin_used", "2222": "pin_value_too_low"}

// voucherRoutes are a provider of vouchers.
func voucherRoutes(s *Simulator) map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"POST /redemptions": withAPIKey(s.redeem),
		"GET /redemptions": withAPIKey(func(w http.ResponseWriter, r *http.Request) {
			if o, found := s.known(w, "voucher", r.URL.Query().Get("transaction_id")); found {
				writeJSON(w, http.StatusOK, voucherResponse(o))
			}
		}),
	}
}

// withAPIKey handles requests with both headers alone (protocol.md, Requests to providers).
func withAPIKey(handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-API-Key") != Key || r.Header.Get("X-API-Secret") != Secret {
			refuse(w, http.StatusUnauthorized, "unauthorized", "X-API-Key or X-API-Secret is wrong")
			return
		}
		handle(w, r)
	}
}

func (s *Simulator) redeem(w http.ResponseWriter, r *http.Request) {
	b := readBody(r)
	order := b.object("order")
	pin := b.matching("pin", "[0-9]{1,25}")
	o := Operation{
		Family: "voucher", Account: Key, Kind: Charge, Amount: order.amount("amount", order.text("currency")),
		Reference: b.text("transaction_id"), NoticeURL: r.Header.Get("X-Callback-Url"),
		Values: map[string]string{"pin": pin},
	}
	o.declines = func() string { return s.pinDecline(pin) }
	if key := r.Header.Get("Idempotency-Key"); key != o.Reference {
		b.wrong("Idempotency-Key is not the transaction_id")
	}
	if !b.refused(w) {
		s.perform(w, r, o, voucherResponse)
	}
}

// pinDecline is the code of the decline of a PIN, "" for one that pays. The caller has locked the ledger.
func (s *Simulator) pinDecline(pin string) string {
	for end, code := range pins {
		if strings.HasSuffix(pin, end) {
			return code
		}
	}
	used := s.find(func(x *Operation) bool {
		return x.Family == "voucher" && x.Values["pin"] == pin && (x.State == Approved || x.State == Waiting)
	})
	if used != nil {
		return "pin_used"
	}
	return ""
}

func voucherResponse(o Operation) map[string]any {
	said := responseOf(o)
	said["transaction_id"] = o.Reference
	return said
}
