package simulator

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// collectionRoutes are those of collections by QR code, bank transfer, voucher and pull. A payer whose clientname
// begins with Widget pays in the provider's widget, and is shown nothing elsewhere. That of a pull chooses one of
// collectionAccounts, or enters RightCode.
func collectionRoutes(s *Simulator) map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"POST /payments": s.collectionPay, "GET /payments": s.collectionFind, "POST /payments/cancel": s.collectionCancel,
	}
}

// collectionTypes are the values of type, and whether the payer may use the widget, so that redirectUrl is required.
var collectionTypes = map[string]bool{
	"PIX": false, "OFFLINE": true, "OFFLINE_SERVICE_PAYMENT": true, "SPEI": true, "PULL": false,
}

const (
	collectionEmpty    = "Cuenta vacia 0303"
	collectionMaxWrong = 3
)

var collectionAccounts = []string{"Caja de ahorro 0101", "Cuenta corriente 0202", collectionEmpty}

// collectionSent is what a request to pay has beside its operation.
type collectionSent struct {
	operation    Operation
	account, otp string
}

// collectionPay is POST /payments. It begins a payment, or takes what the payer of a pull has entered since.
func (s *Simulator) collectionPay(w http.ResponseWriter, r *http.Request) {
	if !bearerKnown(w, r) {
		return
	}
	b := readBody(r)
	sent := collectionRead(b, s.Now())
	if b.refused(w) {
		return
	}
	o, err := s.execute(r, sent.operation)
	if err != nil {
		notExecuted(w, err)
		return
	}
	if o.State == Waiting && o.Step == StepCode {
		o = s.collectionEnter(o, sent)
	}
	writeJSON(w, http.StatusOK, s.collectionResponse(o))
}

// collectionRead reads the printed fields.
func collectionRead(b body, now time.Time) collectionSent {
	var sent collectionSent
	kind := b.text("type")
	widget, known := collectionTypes[kind]
	if !known {
		b.wrong("type is not known")
	}
	if market := b.matching("market", "[A-Z]{2}"); kind == "PIX" && market != "BR" {
		b.wrong("market is not BR, as it is for type PIX")
	}
	o := Operation{
		Family: "collection", Account: Key, Kind: Charge, Method: kind, Reference: b.text("reference"),
		Amount: b.amount("amount", b.text("currency")), NoticeURL: b.text("callbackUrl"), Step: StepSend,
		Values: map[string]string{},
	}
	for _, name := range []string{"merchantType", "merchantName", "accountId"} {
		b.text(name)
	}
	var err error
	if o.ExpiresAt, err = time.Parse(time.RFC3339, b.text("expiryDate")); err != nil || !o.ExpiresAt.After(now) {
		b.wrong("expiryDate is no time to come, such as 2030-01-02T03:04:05Z")
	}
	if widget {
		o.ReturnURL = b.text("redirectUrl")
	}
	switch kind {
	case "OFFLINE":
		collectionClient(b, &o)
	case "PULL":
		o.Step = StepCode
		sent.account, sent.otp = collectionBank(b.object("bankDetails"), &o)
	}
	sent.operation = o
	return sent
}

// collectionClient reads who pays by a transfer: by clientTaxId or by clientname, as the country asks for it.
func collectionClient(b body, o *Operation) {
	if b.has("clientTaxId") {
		b.matching("clientTaxId", "[0-9]{6,11}[0-9K]?")
		return
	}
	if strings.HasPrefix(b.text("clientname"), "Widget") {
		o.Step = StepPage
	}
}

// collectionBank reads where a pull takes the money from, and what the payer has entered.
func collectionBank(b body, o *Operation) (account, otp string) {
	otp = b.optional("otp")
	if b.has("phoneNumber") {
		b.matching("phoneNumber", `\+[0-9]{7,15}`)
		return "", otp
	}
	b.matching("cbu", "[0-9]{22}")
	b.matching("alias", "[A-Za-z0-9.-]{6,20}")
	o.Values["accounts"] = "yes"
	if account = b.optional("account"); account != "" && !slices.Contains(collectionAccounts, account) {
		b.wrong("bankDetails.account is none of those that were offered")
	}
	return account, otp
}

// collectionEnter decides a pull by what the payer has entered, if that is enough.
func (s *Simulator) collectionEnter(o Operation, sent collectionSent) Operation {
	wrong := sent.otp != "" && sent.otp != RightCode
	enough := sent.otp != "" || o.Values["accounts"] != "" && sent.account != ""
	switch {
	case wrong:
		return s.collectionWrong(o.ID)
	case !enough:
		return o
	case sent.account == collectionEmpty:
		return s.collectionDecline(o.ID, "insufficient_funds")
	}
	o, _ = s.Act(o.ID, Approve)
	return o
}

// collectionWrong counts a wrong code. The last one that is allowed ends the payment.
func (s *Simulator) collectionWrong(id string) Operation {
	s.mu.Lock()
	o := s.find(func(x *Operation) bool { return x.ID == id })
	n, _ := strconv.Atoi(o.Values["wrong"])
	o.Values = maps.Clone(o.Values) // copies of the operation have the old one
	o.Values["wrong"] = strconv.Itoa(n + 1)
	now := *o
	s.mu.Unlock()
	if n+1 == collectionMaxWrong {
		return s.collectionDecline(id, "too_many_pins")
	}
	return now
}

// collectionDecline declines a payment that waits and of which nothing has arrived.
func (s *Simulator) collectionDecline(id, reason string) Operation {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.find(func(x *Operation) bool { return x.ID == id })
	if o.State == Waiting && o.Moved.IsZero() {
		o.State, o.Reason = Declined, reason
		s.scheduleNotice(o)
	}
	return *o
}

// collectionFind is GET /payments?reference=.
func (s *Simulator) collectionFind(w http.ResponseWriter, r *http.Request) {
	if !bearerKnown(w, r) {
		return
	}
	if o, found := s.known(w, "collection", r.URL.Query().Get("reference")); found {
		writeJSON(w, http.StatusOK, s.collectionResponse(o))
	}
}

// collectionCancel is POST /payments/cancel. It ends a payment that waits for its payer and of which nothing has
// arrived; any other stays as it is.
func (s *Simulator) collectionCancel(w http.ResponseWriter, r *http.Request) {
	if !bearerKnown(w, r) {
		return
	}
	b := readBody(r)
	reference := b.text("reference")
	if b.refused(w) {
		return
	}
	o, found := s.known(w, "collection", reference)
	if !found {
		return
	}
	if o.Step != NoStep {
		o = s.collectionDecline(o.ID, "payer_refused")
	}
	writeJSON(w, http.StatusOK, s.collectionResponse(o))
}

// collectionStates are the states by their names in this family.
var collectionStates = map[State]string{
	Waiting: "PENDING", Approved: "PAID", Declined: "REJECTED", Expired: "EXPIRED", Reversed: "REVERSED",
}

// collectionResponse is what is known of a payment, and what its payer needs while it waits.
func (s *Simulator) collectionResponse(o Operation) map[string]any {
	all := map[string]any{
		"id": o.ID, "reference": o.Reference, "status": collectionStates[o.State], "currency": o.Amount.Currency().Code,
		"amount": json.RawMessage(o.Amount.String()), "type": o.Method, "expiryDate": o.ExpiresAt.UTC().Format(time.RFC3339),
	}
	if o.Step == StepSend && !o.Moved.IsZero() {
		all["received"] = json.RawMessage(o.Moved.String())
	} else if o.State == Approved {
		all["amount"] = json.RawMessage(o.Moved.String())
	}
	if o.Reason != "" {
		all["code"], all["message"] = o.Reason, cmp.Or(messages[o.Reason], "The payment was declined.")
	}
	if o.State == Waiting && o.Step != NoStep { // else the provider itself decides
		maps.Copy(all, s.collectionShown(o))
	}
	return all
}

// collectionShown is what the payer of a waiting payment needs. No bank has these numbers.
func (s *Simulator) collectionShown(o Operation) map[string]any {
	if o.Step == StepCode {
		form := map[string]any{"otp": "required", "otpWrong": o.Values["wrong"] != ""}
		if o.Values["accounts"] != "" {
			form["otp"], form["accounts"] = "optional", collectionAccounts
		}
		return map[string]any{"form": form}
	}
	shown := map[string]any{"paymentUrl": s.PayURL(o)}
	digits := collectionDigits(o.ID)
	switch {
	case o.Step == StepPage:
	case o.Method == "PIX":
		shown["qr"] = pixText(o)
	case o.Method == "OFFLINE_SERVICE_PAYMENT":
		shown["voucher"] = map[string]string{"number": digits, "barcode": digits + "00"}
	default:
		shown["transfer"] = map[string]string{
			"bankName": "Simulated Bank", "accountName": "Simulator, no real account", "accountNumber": "SIM" + digits,
			"concept": "T" + digits[:8],
		}
	}
	return shown
}

// collectionDigits derives 16 digits from an operation's id.
func collectionDigits(id string) string {
	digits := []byte(strings.TrimPrefix(id, "sim"))
	for i, c := range digits {
		digits[i] = '0' + c%10
	}
	return string(digits)
}

// collectionNotice is the notice about a payment, signed with the secret.
func collectionNotice(s *Simulator, o Operation) *http.Request {
	return hexSigned(o.NoticeURL, s.collectionResponse(o))
}
