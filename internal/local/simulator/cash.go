package simulator

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"checkout/internal/money"
)

// The times of a provider of cash vouchers.
const (
	cashTokenLives = 10 * time.Minute
	timeToPayCash  = 3 * 24 * time.Hour
)

// cashProvider is a provider of vouchers that are paid in cash. Its gateways are called cash-MXN, cash-COP and so on,
// by the currency that they take.
type cashProvider struct {
	*Simulator
	mu         sync.Mutex
	tokens     map[string]time.Time // until when they are good
	references map[string]cashReference
}

// cashReference is a reference by which a payment can be made.
type cashReference struct {
	publicID, amount string
	single           bool
	expiresAt        time.Time
}

func cashRoutes(s *Simulator) map[string]http.HandlerFunc {
	c := &cashProvider{Simulator: s, tokens: map[string]time.Time{}, references: map[string]cashReference{}}
	return map[string]http.HandlerFunc{
		"POST /authorization": c.authorize,
		"POST /references":    c.withToken(c.makeReference),
		"POST /payments":      c.withToken(c.makePayment),
		"GET /payments":       c.withToken(c.findPayment),

		"POST /payments/cancel": c.withToken(c.cancelPayment),
	}
}

func (c *cashProvider) authorize(w http.ResponseWriter, r *http.Request) {
	b := readBody(r)
	key := b.text("private_key")
	if b.refused(w) {
		return
	}
	if key != Secret {
		refuse(w, http.StatusUnauthorized, "unauthorized", "private_key is wrong")
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	token := fmt.Sprintf("simulator-token-%d", len(c.tokens)+1)
	c.tokens[token] = c.Now().Add(cashTokenLives)
	writeJSON(w, http.StatusOK, map[string]string{"token": token})
}

// withToken handles requests with a good token alone.
func (c *cashProvider) withToken(handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		until := c.tokens[r.Header.Get("authorization")]
		c.mu.Unlock()
		if !c.Now().Before(until) {
			refuse(w, http.StatusUnauthorized, "unauthorized", "the token is wrong or too old")
			return
		}
		handle(w, r)
	}
}

func (c *cashProvider) makeReference(w http.ResponseWriter, r *http.Request) {
	b := readBody(r)
	made := cashReference{
		publicID: b.matching("public_id", ".{1,40}"), amount: b.object("order").number("amount"), single: b.truth("single"),
		expiresAt: c.Now().Add(timeToPayCash),
	}
	if b.refused(w) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if earlier, found := c.references[made.publicID]; found {
		if earlier.amount != made.amount || earlier.single != made.single {
			notExecuted(w, errReused)
			return
		}
		made = earlier
	}
	c.references[made.publicID] = made
	said := made.shown()
	said["order"] = map[string]any{"amount": json.Number(made.amount)}
	writeJSON(w, http.StatusOK, said)
}

// shown is what is known of a reference. The numbers are derived from its public id.
func (f cashReference) shown() map[string]any {
	sum := sha256.Sum256([]byte(f.publicID))
	digits := make([]byte, 24)
	for i := range digits {
		digits[i] = '0' + sum[i]%10
	}
	return map[string]any{
		"public_id": f.publicID, "number": string(digits[:12]), "barcode": string(digits),
		"expires_at": f.expiresAt.UTC().Format(time.RFC3339),
	}
}

func (c *cashProvider) makePayment(w http.ResponseWriter, r *http.Request) {
	b := readBody(r)
	id, gateway := b.text("public_id"), b.matching("gateway_id", "cash-[A-Z]{3}")
	if b.refused(w) {
		return
	}
	c.mu.Lock()
	reference, found := c.references[id]
	c.mu.Unlock()
	if !found {
		refuse(w, http.StatusUnprocessableEntity, "no_reference", "no reference has this public_id")
		return
	}
	currency, _ := money.Find(strings.TrimPrefix(gateway, "cash-"))
	amount, err := money.Parse(reference.amount, currency)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, "amount", "the gateway has no such amount")
		return
	}
	c.perform(w, r, Operation{
		Family: "cash", Account: Key, Kind: Charge, Reference: id, Amount: amount, Step: StepSend, Method: gateway,
		ExpiresAt: reference.expiresAt, NoticeURL: r.Header.Get("X-Callback-Url"),
	}, c.paymentResponse)
}

func (c *cashProvider) findPayment(w http.ResponseWriter, r *http.Request) {
	if o, found := c.known(w, "cash", r.URL.Query().Get("public_id")); found {
		writeJSON(w, http.StatusOK, c.paymentResponse(o))
	}
}

// cancelPayment ends a payment of which nothing has arrived.
func (c *cashProvider) cancelPayment(w http.ResponseWriter, r *http.Request) {
	b := readBody(r)
	id := b.text("public_id")
	if b.refused(w) {
		return
	}
	if o, found := c.known(w, "cash", id); found {
		writeJSON(w, http.StatusOK, c.paymentResponse(c.end(o.ID)))
	}
}

// cashStates are the states by their names in this family.
var cashStates = map[State]string{
	Waiting: "waiting", Approved: "paid", Declined: "declined", Expired: "expired", Reversed: "reversed",
}

func (c *cashProvider) paymentResponse(o Operation) map[string]any {
	c.mu.Lock()
	said := c.references[o.Reference].shown()
	c.mu.Unlock()
	said["id"], said["status"] = o.ID, cashStates[o.State]
	said["order"] = map[string]any{"amount": json.Number(o.Amount.String()), "currency": o.Amount.Currency().Code}
	said["voucher_url"] = c.PayURL(o)
	if o.State == Waiting && o.Step == NoStep {
		said["status"] = "pending"
	}
	if !o.Moved.IsZero() {
		said["received"] = json.Number(o.Moved.String())
	}
	if o.Reason != "" {
		said["code"] = o.Reason
	}
	if message := messages[o.Reason]; message != "" {
		said["message"] = message
	}
	return said
}
