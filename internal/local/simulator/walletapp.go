package simulator

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"checkout/internal/money"
)

// walletRoutes are a provider of a wallet app.
func walletRoutes(s *Simulator) map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"POST /payments": s.chargeWallet, "GET /payments": s.lookUpWallet, "POST /payments/cancel": s.cancelWallet,
	}
}

// walletSign is the signature over a line for each field: the HMAC-SHA-256 with the secret.
func walletSign(lines []string) string {
	mac := hmac.New(sha256.New, []byte(Secret))
	for _, line := range lines {
		_, _ = io.WriteString(mac, line+"\n")
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// walletLines are the lines of a message's fields, in their order. A field that is absent has none.
func walletLines(message map[string]any, names ...string) (lines []string) {
	text, _ := json.Marshal(message)
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(text, &fields)
	for _, name := range names {
		object, from := name, fields
		if outer, inner, nested := strings.Cut(name, "."); nested {
			from, object = map[string]json.RawMessage{}, inner
			_ = json.Unmarshal(fields[outer], &from)
		}
		if value := from[object]; value != nil {
			var plain string
			if json.Unmarshal(value, &plain) != nil {
				plain = string(value)
			}
			lines = append(lines, name+"="+plain)
		}
	}
	return lines
}

// walletRequestFields are the fields of a request in the order in which the specification prints them.
var walletRequestFields = []string{
	"partnerId", "payerId", "transactionId", "order.amount", "order.currency", "payType", "payMethod", "callbackUrl",
	"returnUrl", "declineUrl", "cancelUrl", "service", "language",
}

func (s *Simulator) chargeWallet(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(text))
	b := readBody(r)
	o := walletCharge(b)
	o.ExpiresAt = s.Now().Add(timeToConfirm)
	signature := b.text("Signature")
	if b.refused(w) {
		return
	}
	var message map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	_ = decoder.Decode(&message) // readBody has read it
	if walletSign(walletLines(message, walletRequestFields...)) != signature {
		refuse(w, http.StatusUnauthorized, "unauthorized", "Signature is wrong")
		return
	}
	s.perform(w, r, o, s.walletResponse)
}

// walletCharge reads the printed fields (protocol.md, Requests to providers).
func walletCharge(b body) Operation {
	if b.text("partnerId") != Key {
		b.wrong("partnerId is not known")
	}
	order := b.object("order")
	number := order.number("currency")
	if !regexp.MustCompile("^[1-9][0-9]{0,2}$").MatchString(number) {
		b.wrong("order.currency is no integer code of ISO 4217")
	}
	currency, _ := money.FindNumeric(number)
	o := Operation{
		Family: "walletapp", Account: Key, Kind: Charge, Step: StepPage, Values: map[string]string{"number": number},
		Amount: order.amount("amount", currency.Code), Reference: b.text("transactionId"),
		NoticeURL: b.matching("callbackUrl", "https?://.+"),
	}
	b.matching("payerId", `\+[0-9]{7,15}`)
	if b.number("payType") != "0" {
		b.wrong("payType is not 0")
	}
	if b.number("payMethod") != "2" {
		b.wrong("payMethod is not 2")
	}
	o.ReturnURL, o.FailURL = b.optional("returnUrl"), b.optional("declineUrl")
	b.optional("cancelUrl")
	b.text("service")
	b.matching("language", "[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*") // RFC 3066
	return o
}

func (s *Simulator) lookUpWallet(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	o, found := s.signedWallet(w, query.Get("partnerId"), query.Get("transactionId"), query.Get("Signature"))
	if found {
		writeJSON(w, http.StatusOK, s.walletResponse(o))
	}
}

func (s *Simulator) cancelWallet(w http.ResponseWriter, r *http.Request) {
	b := readBody(r)
	partner, id, signature := b.text("partnerId"), b.text("transactionId"), b.text("Signature")
	if b.refused(w) {
		return
	}
	if o, found := s.signedWallet(w, partner, id, signature); found {
		writeJSON(w, http.StatusOK, s.walletResponse(s.end(o.ID)))
	}
}

// signedWallet finds the operation that a signed request is about, or refuses the request.
func (s *Simulator) signedWallet(w http.ResponseWriter, partner, id, signature string) (Operation, bool) {
	if walletSign([]string{"partnerId=" + partner, "transactionId=" + id}) != signature || partner != Key {
		refuse(w, http.StatusUnauthorized, "unauthorized", "Signature is wrong")
		return Operation{}, false
	}
	return s.known(w, "walletapp", id)
}

// walletStates are the states by their names in this family.
var walletStates = map[State]string{
	Waiting: "PENDING", Approved: "PAID", Declined: "DECLINED", Expired: "EXPIRED", Reversed: "REVERSED",
}

// walletResponse is the signed message about an operation, of responses and notices.
func (s *Simulator) walletResponse(o Operation) map[string]any {
	said := responseOf(o)
	delete(said, "id")
	said["partnerId"], said["transactionId"], said["paymentId"] = Key, o.Reference, o.ID
	said["status"] = walletStates[o.State]
	order := said["order"].(map[string]any)
	order["currency"] = json.Number(o.Values["number"])
	if o.State == Waiting && o.Step != NoStep {
		said["status"], said["payUrl"] = "CREATED", s.PayURL(o)
		said["expiresAt"] = o.ExpiresAt.UTC().Format(time.RFC3339)
	}
	said["Signature"] = walletSign(walletLines(said, "partnerId", "transactionId", "paymentId", "order.amount",
		"order.currency", "status", "payUrl", "expiresAt", "code", "message"))
	return said
}

// walletNotice is the notice about an operation.
func walletNotice(s *Simulator, o Operation) *http.Request {
	text, _ := json.Marshal(s.walletResponse(o))
	request, err := http.NewRequest(http.MethodPost, o.NoticeURL, bytes.NewReader(text))
	if err != nil {
		return nil
	}
	request.Header.Set("Content-Type", "application/json")
	return request
}

// spoilWalletNotice signs a notice as somebody without the secret would.
func spoilWalletNotice(r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	spoilt := regexp.MustCompile(`"Signature":"[0-9a-f]+"`).ReplaceAll(text, []byte(`"Signature":"00"`))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(spoilt)), int64(len(spoilt))
	r.GetBody = nil
}
