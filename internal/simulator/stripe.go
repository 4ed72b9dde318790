package simulator

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"checkout/internal/money"
)

// stripe plays the part of Stripe's API that charges cards (docs.stripe.com/api, as of 2026): PaymentIntents, which are
// created, changed, confirmed, captured, cancelled and searched for, refunds, customers, payment methods, and endpoints
// for events.
type stripe struct {
	*Simulator
	mu        sync.Mutex
	intents   []*stripeIntent
	cards     map[string]string            // numbers by the ids of payment methods
	tokens    map[string]bool              // that were used
	refunds   map[string]map[string]string // metadata by the ids of operations
	repeats   map[string]stripeReply
	endpoints map[string]string // addresses for events by key
	objects   int
}

// stripeIntent is a PaymentIntent. Once it is confirmed, an operation of the ledger is its charge.
type stripeIntent struct {
	id, account string
	created     int64
	amount      money.Amount
	units       int64
	fields      map[string]string // those of Stripe that were set, by name
	metadata    map[string]string
	operation   string // id of its charge; "": not confirmed yet
	cancelled   string // reason
}

// stripeKeyLife is how long the response to a request with an Idempotency-Key is kept.
const stripeKeyLife = 24 * time.Hour

// stripeReply is the response to the first request with an Idempotency-Key.
type stripeReply struct {
	request [sha256.Size]byte
	status  int
	body    []byte
	at      time.Time
}

func stripeFamily() family {
	p := &stripe{
		cards: map[string]string{}, tokens: map[string]bool{}, refunds: map[string]map[string]string{},
		repeats: map[string]stripeReply{}, endpoints: map[string]string{},
	}
	return family{
		name: "stripe",
		routes: func(s *Simulator) map[string]http.HandlerFunc {
			p.Simulator = s
			return p.routes()
		},
		notice: func(_ *Simulator, o Operation) *http.Request { return p.notice(o) },
		spoil: func(r *http.Request) {
			r.Header.Set("Stripe-Signature", r.Header.Get("Stripe-Signature")[:20]+strings.Repeat("0", 64))
		},
	}
}

// stripeRequest is a request that was read. Its handlers return the object of the response.
type stripeRequest struct {
	*http.Request
	account string
	form    url.Values
}

type stripeHandler func(r stripeRequest) (any, *stripeError)

func (p *stripe) routes() map[string]http.HandlerFunc {
	const one = "/v1/payment_intents/{id}"
	return map[string]http.HandlerFunc{
		"POST /v1/payment_intents":       p.handle(p.createIntent, "amount currency"),
		"GET /v1/payment_intents/search": p.handle(p.search, "query"),
		"GET " + one:                     p.handle(p.readIntent, ""),
		"POST " + one:                    p.handle(p.updateIntent, ""),
		"POST " + one + "/confirm":       p.handle(p.confirmIntent, "payment_method"),
		"POST " + one + "/capture":       p.handle(p.captureIntent, ""),
		"POST " + one + "/cancel":        p.handle(p.cancelIntent, ""),
		"POST /v1/refunds":               p.handle(p.createRefund, "payment_intent"),
		"GET /v1/refunds":                p.handle(p.listRefunds, ""),
		"POST /v1/customers":             p.handle(p.createCustomer, ""),
		"POST /v1/payment_methods":       p.handle(p.createMethod, "type"),
		"POST /v1/webhook_endpoints":     p.handle(p.createEndpoint, "url enabled_events[0]"),
	}
}

// stripeError is an error as Stripe words it. One without a status is that nothing was executed.
type stripeError struct {
	status                                int
	Type, Code, DeclineCode, Message, Par string
	intent                                any
}

// wrong is the error of a request that Stripe does not take.
func wrong(code, parameter, message string) *stripeError {
	return &stripeError{
		status: http.StatusBadRequest, Type: "invalid_request_error", Code: code, Par: parameter, Message: message,
	}
}

// handle checks a request, and handles it once for each Idempotency-Key.
func (p *stripe) handle(handler stripeHandler, required string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		key, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if key != Key && !strings.HasPrefix(key, Key+"_") { // each such key is that of an account of its own
			e := wrong("", "", "Invalid API Key provided.")
			e.status = http.StatusUnauthorized
			writeStripe(w, e)
			return
		}
		if err := r.ParseForm(); err != nil {
			writeStripe(w, wrong("", "", "the form can't be read"))
			return
		}
		for _, name := range strings.Fields(required) {
			if r.Form.Get(name) == "" {
				writeStripe(w, wrong("parameter_missing", name, "Missing required param: "+name+"."))
				return
			}
		}
		p.once(w, stripeRequest{r, key, r.Form}, handler)
	}
}

// once responds to a repeat with the same key as to the first request.
func (p *stripe) once(w http.ResponseWriter, r stripeRequest, handler stripeHandler) {
	key := r.Header.Get("Idempotency-Key")
	if r.Method != http.MethodPost {
		key = ""
	}
	request := sha256.Sum256([]byte(r.URL.Path + "?" + r.form.Encode()))
	if before, repeated := p.repeats[r.account+" "+key]; repeated && key != "" && p.Now().Sub(before.at) < stripeKeyLife {
		if before.request != request {
			writeStripe(w, &stripeError{status: http.StatusBadRequest, Type: "idempotency_error",
				Message: "Keys for idempotent requests can only be used with the same parameters they were first used with."})
			return
		}
		w.Header().Set("Idempotent-Replayed", "true")
		writeRaw(w, before.status, before.body)
		return
	}
	object, fault := handler(r)
	status := http.StatusOK
	if fault != nil {
		object, status = fault.body(), fault.status
	}
	if status == 0 { // not executed: a fault of the simulator decides what is sent
		return
	}
	body, err := json.Marshal(object)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if fault == nil || fault.Type != "invalid_request_error" || fault.Code == "payment_intent_unexpected_state" {
		p.repeats[r.account+" "+key] = stripeReply{request, status, body, p.Now()}
	}
	writeRaw(w, status, body)
}

func (e *stripeError) body() any {
	body := object{"type": e.Type, "message": e.Message}
	for name, value := range map[string]string{"code": e.Code, "decline_code": e.DeclineCode, "param": e.Par} {
		if value != "" {
			body[name] = value
		}
	}
	if e.intent != nil {
		body["payment_intent"] = e.intent
	}
	return object{"error": body}
}

func writeStripe(w http.ResponseWriter, e *stripeError) { writeJSON(w, e.status, e.body()) }

func writeRaw(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = bytes.NewReader(body).WriteTo(w)
}

// object is a JSON object.
type object map[string]any

// newObject returns the id of a new object.
func (p *stripe) newObject(prefix string) string {
	p.objects++
	return fmt.Sprintf("%s_sim%08d", prefix, p.objects)
}

// metadataOf reads metadata[name] of a request into a map.
func metadataOf(form url.Values, into map[string]string) {
	for name := range form {
		if key, is := strings.CutPrefix(name, "metadata["); is {
			into[strings.TrimSuffix(key, "]")] = form.Get(name)
		}
	}
}

// stripeDecimals are the decimals with which Stripe counts a currency, where ISO 4217 has others.
var stripeDecimals = map[string]int{"ISK": 2, "UGX": 2, "MGA": 0}

// stripeAmount reads an amount in Stripe's units.
func stripeAmount(text, code string) (money.Amount, int64, *stripeError) {
	currency, found := money.Find(strings.ToUpper(code))
	units, err := strconv.ParseInt(text, 10, 64)
	if !found || code != strings.ToLower(code) {
		return money.Amount{}, 0, wrong("", "currency", "Invalid currency: "+code)
	}
	if err != nil || units <= 0 {
		return money.Amount{}, 0, wrong("parameter_invalid_integer", "amount", "Invalid integer.")
	}
	ours := text
	if decimals, other := stripeDecimals[currency.Code]; other && decimals > currency.Exponent {
		ours, other = strings.CutSuffix(text, "00")
		if !other {
			return money.Amount{}, 0, wrong("invalid_charge_amount", "amount", "It must be a multiple of 100.")
		}
	} else if other {
		ours += "00"
	}
	if currency.Exponent == 3 && !strings.HasSuffix(text, "0") {
		return money.Amount{}, 0, wrong("invalid_charge_amount", "amount", "It must be a multiple of 10.")
	}
	amount, err := money.ParseMinor(ours, currency)
	if err != nil {
		return money.Amount{}, 0, wrong("amount_too_large", "amount", "Invalid amount.")
	}
	return amount, units, nil
}

// stripeUnits is an amount as Stripe counts it.
func stripeUnits(a money.Amount) int64 {
	minor := a.Minor()
	if decimals, other := stripeDecimals[a.Currency().Code]; other {
		if decimals > a.Currency().Exponent {
			minor += "00"
		} else {
			minor = strings.TrimSuffix(minor, "00")
		}
	}
	n, _ := strconv.ParseInt(minor, 10, 64)
	return n
}

// find returns the PaymentIntent of a request's path or of an id.
func (p *stripe) find(account, id string) (*stripeIntent, *stripeError) {
	i := slices.IndexFunc(p.intents, func(x *stripeIntent) bool { return x.id == id && x.account == account })
	if i < 0 {
		return nil, &stripeError{status: http.StatusNotFound, Type: "invalid_request_error", Code: "resource_missing",
			Par: "intent", Message: "No such payment_intent."}
	}
	return p.intents[i], nil
}
