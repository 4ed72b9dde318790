package story

import (
	"fmt"
	"strings"

	"checkout/internal/method"
	"checkout/internal/settings"
)

// Body returns a request of the shop, with the hash over parts and the password.
func (s *Shop) Body(fields map[string]any, parts ...string) map[string]any {
	body := map[string]any{"merchant_key": s.key(), "hash": s.Hash(parts...)}
	for name, value := range fields {
		body[name] = value
	}
	return body
}

// asks posts a request and returns the response in words: "200 accepted", "200 SUCCESS settled",
// "400 208006 amount: ...".
func (s *Shop) asks(path string, body any) string {
	s.w.t.Helper()
	return inWords(s.w.post("/api/v1/payment/"+path, body))
}

func inWords(code int, response map[string]any) string {
	if errors, ok := response["errors"].([]any); ok {
		first := errors[0].(map[string]any)
		return fmt.Sprintf("%d %v %v", code, first["error_code"], first["error_message"])
	}
	text := fmt.Sprint(code)
	for _, name := range []string{"result", "trans_status", "status"} {
		if value, ok := response[name]; ok {
			text += " " + fmt.Sprint(value)
		}
	}
	return text
}

// captures, refunds, voids and retries send such a request for a payment of the shop; amount "" means all.
func (s *Shop) captures(id, amount string) string { return s.asks("capture", s.AmountBody(id, amount)) }

func (s *Shop) refunds(id, amount string) string { return s.asks("refund", s.AmountBody(id, amount)) }

func (s *Shop) voids(id string) string { return s.asks("void", s.AmountBody(id, "")) }

func (s *Shop) retries(id string) string { return s.asks("retry", s.AmountBody(id, "")) }

// AmountBody returns the request for a capture, refund, void or retry of a payment; amount "" means all.
func (s *Shop) AmountBody(id, amount string) map[string]any {
	return s.client().Payment(id, amount)
}

// RecurringBody returns the request for a recurring payment, with its order's number and amount.
func (s *Shop) RecurringBody(first, token, number, amount string) map[string]any {
	return s.client().Recurring(first, token,
		map[string]any{"number": number, "amount": amount, "description": "A pen again"})
}

// postWithKey posts a request with an Idempotency-Key.
func (w *World) postWithKey(key, path string, body any) (int, string) {
	w.t.Helper()
	code, text := w.Send(key, "POST", path, body)
	return code, string(text)
}

// last returns the latest callback of this type that the shop took, or fails the story.
func (s *Shop) last(kind string) Received {
	s.w.t.Helper()
	var found *Received
	for _, r := range s.Taken() {
		if r.Fields.Get("type") == kind {
			found = &r
		}
	}
	if found == nil {
		s.w.t.Fatalf("no callback of type %s", kind)
	}
	return *found
}

// operations allows the shop's MIDs every operation, and extended data in callbacks.
func operations(m *settings.Merchant) {
	m.Mappings[0].ExtendedData = true
	for i := range m.Mappings[0].MIDs {
		m.Mappings[0].MIDs[i].Operations = []method.Operation{"purchase", "debit", "credit", "transfer"}
	}
}

// does sends a capture, refund or void that is given by name and amount, such as "refund 3.00".
func (s *Shop) does(what, id string) string {
	s.w.t.Helper()
	kind, amount, _ := strings.Cut(what, " ")
	return s.asks(kind, s.AmountBody(id, amount))
}

// Order is a session request of the shop, signed when it is sent.
func (s *Shop) Order(number string, changes ...func(map[string]any)) map[string]any {
	body := s.client().Session(number,
		map[string]any{"expiry_url": "https://shop.example/late", "error_url": "https://shop.example/oops"})
	for _, change := range changes {
		change(body)
	}
	return body
}

// with sets a field of a request; nil removes it.
func with(name string, value any) func(map[string]any) {
	return func(body map[string]any) {
		body[name] = value
		if value == nil {
			delete(body, name)
		}
	}
}

// Sign returns the request with its hash.
func (s *Shop) Sign(body map[string]any) map[string]any { return s.client().Sign(body) }
