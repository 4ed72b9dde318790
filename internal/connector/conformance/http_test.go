package conformance_test

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"testing"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/connector/provider"
	"checkout/internal/method"
	"checkout/internal/settings"
)

// TestHTTP shows that a connector that speaks HTTP can conform.
func TestHTTP(t *testing.T) {
	conformance.Run(t, func(t *testing.T) conformance.Provider {
		p := &simulated{ledger: map[string]*operation{}}
		faults := conformance.NewFaults(t, p, func(r *http.Request) bool { return r.Method == "POST" })
		return conformance.Provider{
			Connector: bank{provider.NewClient(), faults.URL},
			Declaration: settings.Declaration{
				Operations: []method.Operation{"purchase", "debit"}, ThreeDSecure: true, SavedCards: true, Recurring: true,
			},
			Credentials: map[string]string{"key": "key-1", "secret": "secret-1"},
			Charge: func(b conformance.Behaviour) connector.Charge {
				return connector.Charge{Method: "card", Card: card.Card{Number: cards[b], SecurityCode: "123"}}
			},
			FollowedCharge: func(_ connector.RequestKind, b conformance.Behaviour) connector.Charge {
				number := cards[b]
				switch b {
				case conformance.Declines:
					number = declinesLater
				case conformance.Waits:
					number = waitsLater
				}
				return connector.Charge{Method: "card", Card: card.Card{Number: number, SecurityCode: "123"}}
			},
			Faults:  faults,
			Charges: func(_ *testing.T, reference string) int { return p.find(connector.RequestCharge, reference).times },
			Totals: func(_ *testing.T, reference string) conformance.Totals {
				return p.find(connector.RequestCharge, reference).totals
			},
			Confirm: func(_ *testing.T, reference string, confirmed bool) { p.confirm(reference, confirmed) },
			Decide:  func(_ *testing.T, reference string, approved bool) { p.confirm(reference, approved) },
			Notify: func(kind connector.RequestKind, reference string) connector.Notification {
				body, _ := json.Marshal(p.find(kind, reference).response)
				return signed("secret-1", body)
			},
			Forge: func(kind connector.RequestKind, reference, paymentID string,
				outcome connector.Outcome) connector.Notification {
				status := map[connector.Outcome]string{
					connector.OutcomeApproved: "approved", connector.OutcomeDeclined: "declined",
				}[outcome]
				body, _ := json.Marshal(response{
					Kind: kind, Reference: reference, Payment: paymentID, Status: cmp.Or(status, "chargeback"),
				})
				return signed("", body)
			},
		}
	})
}

// cards are the cards for which the bank has a behaviour.
var cards = map[conformance.Behaviour]string{
	conformance.Approves: "4000000000000002", conformance.Declines: "4000000000000010",
	conformance.DeclinesSoftly: "4000000000000036", conformance.Waits: "4000000000000044",
	conformance.RequiresAction: "4000000000000028",
}

// declinesLater is a card whose charge is approved, and whose captures, voids and refunds are declined.
const declinesLater = "4000000000000093"

// waitsLater is a card whose charge is approved, and whose refunds wait for the bank.
const waitsLater = "4000000000000101"

// signed is a notice that is signed with a secret.
func signed(secret string, body []byte) connector.Notification {
	return connector.Notification{Header: http.Header{"X-Signature": {hex.EncodeToString(sign(secret, body))}}, Body: body}
}

// simulated is the simulated bank with its operations, by kind and reference.
type simulated struct {
	mu     sync.Mutex
	ledger map[string]*operation
}

// operation is a request that the bank executed, or declined.
type operation struct {
	response
	card, currency string
	original       string // of a refund that waits
	refunds        int    // which that refund does
	times          int
	totals         conformance.Totals // of a charge
}

// find returns a copy of an operation.
func (p *simulated) find(kind connector.RequestKind, reference string) operation {
	p.mu.Lock()
	defer p.mu.Unlock()
	if o := p.ledger[string(kind)+reference]; o != nil {
		return *o
	}
	return operation{response: response{Kind: kind, Reference: reference, Status: "unknown"}}
}

// confirm takes or refuses the payer's required action at the bank.
func (p *simulated) confirm(reference string, confirmed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o := p.ledger[string(connector.RequestCharge)+reference]
	if o == nil {
		p.decideRefund(p.ledger[string(connector.RequestRefund)+reference], confirmed)
		return
	}
	if o.Status != "confirm" && o.Status != "waiting" {
		return
	}
	o.URL, o.Status, o.Reason = "", "declined", "The payer refused."
	if confirmed {
		o.Status, o.Reason = "approved", ""
	}
}

func (p *simulated) decideRefund(o *operation, approved bool) {
	o.Status, o.Reason = "declined", "No."
	if approved {
		o.Status, o.Reason = "approved", ""
		p.ledger[string(connector.RequestCharge)+o.original].totals.Refunded += o.refunds
	}
}

// ServeHTTP is POST /operations, once for each reference, and GET /operations.
func (p *simulated) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer key-1" || r.URL.Path != "/operations" {
		http.Error(w, "{}", http.StatusForbidden)
		return
	}
	found := p.find(connector.RequestKind(r.FormValue("kind")), r.FormValue("reference"))
	if r.Method == "POST" {
		var s sent
		if err := json.NewDecoder(r.Body).Decode(&s); err != nil {
			http.Error(w, "{}", http.StatusBadRequest)
			return
		}
		found = p.execute(s)
	}
	_ = json.NewEncoder(w).Encode(found.response)
}

func (p *simulated) execute(s sent) operation {
	p.mu.Lock()
	defer p.mu.Unlock()
	if o := p.ledger[string(s.Kind)+s.Reference]; o != nil {
		if s.End && o.Status == "confirm" {
			o.URL, o.Status, o.Reason = "", "declined", "The payer ended it."
		}
		return *o
	}
	if s.End {
		return operation{response: response{Kind: s.Kind, Reference: s.Reference, Status: "unknown"}}
	}
	o := &operation{
		response: response{Kind: s.Kind, Reference: s.Reference, Payment: s.Payment, Status: "approved"},
		card:     s.Card, currency: s.Currency, times: 1,
	}
	p.ledger[string(s.Kind)+s.Reference] = o
	amount, _ := strconv.Atoi(s.Amount.String())
	if charge := p.ledger[string(connector.RequestCharge)+s.Original]; s.Kind == connector.RequestRefund &&
		charge != nil &&
		charge.card == waitsLater {
		o.Status, o.original, o.refunds = "waiting", s.Original, amount
		return *o
	}
	if s.Kind != connector.RequestCharge {
		if !o.follows(p.ledger[string(connector.RequestCharge)+s.Original], amount) {
			o.Status, o.Reason = "declined", "Not possible."
		}
		return *o
	}
	o.ID = "bank-" + s.Reference
	switch {
	case s.Card == cards[conformance.Declines]:
		o.Status, o.Reason = "declined", "No funds."
		return *o
	case s.Card == cards[conformance.DeclinesSoftly]:
		o.Status, o.Reason, o.Soft = "declined", "Later, maybe.", true
		return *o
	case s.Card == cards[conformance.Waits]:
		o.Status = "waiting"
	case s.Card == cards[conformance.RequiresAction]:
		o.Status, o.URL = "confirm", "https://bank.example/confirm"
	}
	o.totals.Authorised = amount
	if !s.Hold {
		o.totals.Captured = amount
	}
	return *o
}

// follows changes the totals of a charge if they allow the operation.
func (o *operation) follows(charge *operation, amount int) bool {
	if charge == nil || charge.card == declinesLater || charge.totals.Voided {
		return false
	}
	t := &charge.totals
	switch money := amount > 0 && o.currency == charge.currency; {
	case o.Kind == connector.RequestVoid && t.Refunded == 0:
		t.Voided = true
	case o.Kind == connector.RequestCapture && money && t.Captured == 0 && amount <= t.Authorised:
		t.Captured = amount
	case o.Kind == connector.RequestRefund && money && amount <= t.Captured-t.Refunded:
		t.Refunded += amount
	default:
		return false
	}
	return true
}
