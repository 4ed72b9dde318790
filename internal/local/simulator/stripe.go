package simulator

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"checkout/internal/money"
)

// stripe plays the part of Stripe's API that charges cards (docs.stripe.com/api, as of 2026); stripe_routes.go has its
// requests. Whatever moves money is an operation of the ledger.
type stripe struct {
	*Simulator
	mu      sync.Mutex
	intents []*stripeIntent
	things  []*stripeThing
	tokens  map[string]bool              // of wallets, that were used
	refunds map[string]map[string]string // metadata by the ids of operations
	closed  map[string]bool              // disputes that were lost, by the ids of operations
	repeats map[string]stripeReply
	events  []stripeEvent
	objects int // counts them
	handled int // counts requests
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

// stripeRequest is a request that was read. Its handlers return the object of the response.
type stripeRequest struct {
	*http.Request
	account string
	form    url.Values
}

// get returns a parameter, "" if it was not sent.
func (r stripeRequest) get(name string) string { return r.form.Get(name) }

type stripeHandler func(r stripeRequest) (any, *stripeError)

// object is a JSON object.
type object map[string]any

// newObject returns the id of a new object.
func (p *stripe) newObject(prefix string) string {
	p.objects++
	return fmt.Sprintf("%s_sim%08d", prefix, p.objects)
}

// stripeThing is an object of Stripe that moves no money, such as a customer.
type stripeThing struct {
	id, account string
	shown       object
	metadata    map[string]string
	card        string // the number, of a payment method
	deleted     bool
}

// stripeIntent is a PaymentIntent. Each card that is tried is a charge, an operation of the ledger.
type stripeIntent struct {
	id, account string
	created     int64
	amount      money.Amount
	units       int64
	set         object // the parameters of Stripe that were set
	metadata    map[string]string
	tries       []string // ids of its charges
	cancelled   string   // reason
	cancelledAt int64
	seen        string // status of the latest event
}

// stripeRoute is a request that Stripe takes: its parameters by name, those in brackets by what is before them. "*" are
// any.
type stripeRoute struct {
	pattern            string
	handler            stripeHandler
	required, optional string
}

// stripeError is an error as Stripe words it. One without a status is that nothing was executed.
type stripeError struct {
	status                                int
	Type, Code, DeclineCode, Message, Par string
	Charge                                string
	intent, setup                         any
}

// stripeEvent is an event of an account.
type stripeEvent struct {
	account, id string
	shown       object
}

// event writes an event down, once for each id. Its object is as it is now.
func (p *stripe) event(account, kind, id string, about func() object) {
	if slices.ContainsFunc(p.events, func(e stripeEvent) bool { return e.id == id }) {
		return
	}
	p.events = append(p.events, stripeEvent{account, id, object{
		"id": id, "object": "event", "livemode": false, "api_version": "2026-03-25.dahlia", "created": p.Now().Unix(),
		"pending_webhooks": 0, "type": kind, "data": object{"object": about()},
		"request": object{"id": fmt.Sprintf("req_sim%08d", p.handled), "idempotency_key": nil},
	}})
	if len(p.events) > p.Keep {
		p.events = p.events[1:]
	}
}
