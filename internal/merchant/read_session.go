package merchant

import (
	"slices"
	"time"

	"checkout/internal/request"
)

// SessionRequest is an authentic session request, with where it can go.
type SessionRequest struct {
	*request.Session
	Merchant    *Merchant
	FirstErrors bool // a single fault is the top message, too

	found *foundRoute // nil: was not looked for yet
}

type foundRoute struct {
	route Route
	err   error
}

// ReadSession checks every field of a POST /api/v1/session, as the mapping has it that the request is routed to, and if
// all are sound, its hash. The merchant is nil if merchant_key is unknown, which in has read before.
// Errors: CodeInvalid with every fault in the order of core.md's tables, CodeHash.
func ReadSession(in request.Reader, m *Merchant, owner request.Owner, now time.Time) (*SessionRequest, error) {
	draft := request.ReadSession(in, m, now)
	draft.Owner = owner
	r := &SessionRequest{Session: &draft.Session, Merchant: m}
	rules, routed := r.rules(), r.Methods
	if err := draft.Apply(rules); err != nil {
		return nil, request.WithFirst(err, rules.FirstErrors)
	}
	if !slices.Equal(routed, r.Methods) {
		r.found = nil // was that of the request without methods which the mapping does not leave out
	}
	r.FirstErrors = rules.FirstErrors
	number := in.Inside("order").IsNumber("amount")
	if m == nil {
		m = NoMerchant
	}
	if !sessionHashIsGood(m, r.Session, number) || r.Merchant == nil {
		return nil, request.ErrHash()
	}
	return r, nil
}

// rules is how the mapping has requests read that this one is routed to. It is routed only where the merchant's mappings
// differ in that. What no mapping takes is read by the rules of core.md.
func (r *SessionRequest) rules() request.Rules {
	common, alike := r.Merchant.commonReading()
	if alike {
		return common
	}
	route, err := r.Route()
	if err != nil {
		return request.Rules{}
	}
	return route.Mapping.reading()
}

// Route returns where the request can go. It is found once. Errors: as of FindRoute, with the route's evaluations.
func (r *SessionRequest) Route() (Route, error) {
	if r.found == nil {
		route, err := FindRoute(r.Merchant, r.Session)
		r.found = &foundRoute{route, err}
	}
	return r.found.route, r.found.err
}

// sessionHashIsGood also tries the formatted text of an amount that came as a JSON number (decisions.md 3).
func sessionHashIsGood(m *Merchant, r *request.Session, number bool) bool {
	if VerifyHash(r.Hash, m, request.SignedSession(r.Order)...) {
		return true
	}
	if !number || r.Order.Amount.ByPayer() {
		return false
	}
	order := r.Order
	order.Amount.Text = order.Amount.Value.String()
	return !request.ReadsAsReturn(order) && VerifyHash(r.Hash, m, request.SignedSession(order)...)
}
