package merchant

import (
	"encoding/binary"
	"slices"
	"time"

	"checkout/internal/method"
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
	if !sessionHashIsValid(m, r.Session, number) || r.Merchant == nil {
		return nil, request.ErrHash()
	}
	return r, nil
}

// rules is how the mapping has requests read that this one is routed to. It is routed only where the merchant's
// mappings differ in that. What no mapping takes is read by the rules of core.md.
func (r *SessionRequest) rules() request.Rules {
	common, alike := r.Merchant.commonRules()
	if alike {
		return common
	}
	route, err := r.Route()
	if err != nil {
		return request.Rules{}
	}
	return route.Mapping.requestRules()
}

// Route returns where the request can go. It is found once. Errors: as of FindRoute, with the route's evaluations.
func (r *SessionRequest) Route() (Route, error) {
	if r.found == nil {
		route, err := FindRoute(r.Merchant, r.Session)
		r.found = &foundRoute{route, err}
	}
	return r.found.route, r.found.err
}

// sessionHashIsValid also tries the formatted text of an amount that came as a JSON number (decisions.md 3).
func sessionHashIsValid(m *Merchant, r *request.Session, number bool) bool {
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

// Route is where a session's payments can go: the mapping that governs it and
// the MIDs that take it, in the mapping's order.
type Route struct {
	Mapping     *Mapping
	MIDs        []MID        // with the methods that each takes of this request
	Evaluations []Evaluation // of all MIDs of the merchant
	shown       []string     // methods that the request or a pre-routing rule names, in that order; nil: all
	Required    []string     // page field ids that the mapping and the form require
}

// FindRoute picks the first enabled mapping with a MID that takes the request. Where there is none, the route has
// evaluations alone. Errors: CodeDenied if only a disabled mapping has one; CodeInvalid.
func FindRoute(m *Merchant, req *request.Session) (Route, error) {
	r := Route{Evaluations: evaluate(m, req)}
	for _, e := range r.Evaluations {
		if len(e.Reasons) == 0 {
			r.Mapping, r.MIDs = e.Mapping, append(r.MIDs, e.MID)
		}
	}
	if r.Mapping == nil {
		return r, refusal(m, req, r.Evaluations)
	}
	r.shown, _ = r.Mapping.Shown(req)
	r.Required = slices.Concat(r.Mapping.RequiredFields, m.formNamed(req.FormID).RequiredFields)
	if req.VATCalc && len(r.Mapping.VATRates) > 0 {
		r.Required = append(r.Required, method.PayerCountry) // asked for unless it was sent
	}
	return r, nil
}

// refusal says the most that can be said of why no MID takes a request.
func refusal(m *Merchant, req *request.Session, evaluations []Evaluation) error {
	if faults := notOnChannel(m, req); len(faults) > 0 {
		return request.Invalid(faults)
	}
	meant, able := 0, 0 // MIDs that may be meant, and those of them that can do the operation
	for _, e := range evaluations {
		switch {
		case len(e.Reasons) == 1 && e.has("mapping_disabled"):
			return request.ErrDenied()
		case e.has("mapping_disabled") || e.has("disabled") || e.has("channel_id"):
		case e.has("operation"), e.has("connector_operation"):
			meant++
		default:
			meant, able = meant+1, able+1
		}
	}
	if meant > 0 && able == 0 {
		return request.Invalid([]request.Fault{{Code: request.FaultOperation, Path: "operation",
			Text: "This operation is not supported."}})
	}
	return ErrNoMapping()
}

// ErrNoMapping refuses a request that no mapping takes.
func ErrNoMapping() *request.Error {
	return request.Refuse(request.CodeInvalid, request.FaultNoMapping, "Protocol mapping not found.")
}

// Methods returns what the payer can choose from, each method once, in the order in which it is shown.
func (r Route) Methods() []string {
	var taken []string
	for _, mid := range r.MIDs {
		taken = append(taken, mid.Methods...)
	}
	if r.shown == nil {
		return distinct(taken)
	}
	return distinct(slices.DeleteFunc(slices.Clone(r.shown),
		func(name string) bool { return !slices.Contains(taken, name) }))
}

// distinct returns the same in the same order, each once.
func distinct[T comparable](all []T) []T {
	var once []T
	for _, one := range all {
		if !slices.Contains(once, one) {
			once = append(once, one)
		}
	}
	return once
}

// Order returns the MIDs that take the method, in the order in which they are
// tried: those with a weight are drawn one after the other, each by its share
// of the weights that are left; then the others in the mapping's order.
func (r Route) Order(name string, random func(n int) []byte) []MID {
	drawn, rest := r.ByWeight(name)
	for i := range drawn {
		j := i + draw(drawn[i:], random)
		drawn[i], drawn[j] = drawn[j], drawn[i]
	}
	return append(drawn, rest...)
}

// ByWeight returns the MIDs that take the method: those with a weight, and those without.
func (r Route) ByWeight(name string) (weighted, rest []MID) {
	for _, mid := range r.MIDs {
		switch {
		case !slices.Contains(mid.Methods, name):
		case mid.Weight > 0:
			weighted = append(weighted, mid)
		default:
			rest = append(rest, mid)
		}
	}
	return weighted, rest
}

// draw returns the index of one MID, each with the chance weight / sum of
// weights. 64 random bits are so many more than the sum that no share differs
// by more than one part in a billion.
func draw(mids []MID, random func(n int) []byte) int {
	if len(mids) == 1 {
		return 0
	}
	sum := uint64(0)
	for _, mid := range mids {
		sum += uint64(mid.Weight)
	}
	at := binary.BigEndian.Uint64(random(8)) % sum
	for i, mid := range mids {
		if at < uint64(mid.Weight) {
			return i
		}
		at -= uint64(mid.Weight)
	}
	panic("draw: the weights do not add up to their sum")
}

// MIDNames are the names of MIDs, in their order.
func MIDNames(mids []MID) []string {
	var all []string
	for _, mid := range mids {
		all = append(all, mid.Name)
	}
	return all
}
