package merchant

import (
	"errors"
	"slices"
	"time"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/request"
	"checkout/internal/routing"
	"checkout/internal/settings"
)

// SessionRequest is an authentic session request, with its route.
type SessionRequest struct {
	*request.Session
	Merchant    *settings.Merchant
	FirstErrors bool // the text of a single fault is the top error_message, too

	draft *request.Draft
	found *foundRoute // nil: not searched yet
}

// foundRoute is what FindRoute returned.
type foundRoute struct {
	route routing.Route
	err   error
}

// ReadSession reads the body of a POST /api/v1/session. If its hash is valid, it checks every field by the rules of the
// mapping that the request is routed to. If not, it returns only those faults that are the same for all merchants, or
// else the hash's, so that whoever can't sign finds out nothing of a merchant's settings. m is nil if merchant_key is
// unknown; in has read that field.
// Errors: CodeInvalid with every fault in the order of the tables of protocol.md, Session request, CodeHash.
func ReadSession(in request.Reader, m *settings.Merchant, owner fault.Owner, now time.Time) (*SessionRequest, error) {
	draft := request.ReadSession(in, m, now)
	if !sessionHashIsValid(m, draft) {
		if err := draft.ErrForEverybody(); err != nil {
			return nil, err
		}
		return nil, settings.ErrHash(m, owner, draft.Hash, request.SignedSession(draft.Sent))
	}
	draft.Owner = owner
	r := &SessionRequest{Session: &draft.Session, Merchant: m, draft: draft}
	rules, routed := r.rules(), r.Methods
	if err := draft.Apply(rules); err != nil {
		return nil, fault.WithFirst(r.withHint(err, rules), rules.FirstErrors)
	}
	if rules.Name == request.NameOff {
		r.readTypedName()
	}
	if !slices.Equal(routed, r.Methods) {
		r.found = nil // the route was found without methods that this mapping does not leave out
	}
	r.FirstErrors = rules.FirstErrors
	return r, nil
}

// readTypedName replaces customer.name by what of it is a name.
func (r *SessionRequest) readTypedName() {
	name := typedName(r.Customer.Name)
	if r.Customer.Name != "" && name == "" {
		r.LeftOut = append(r.LeftOut, "customer.name: "+method.NotValid("It should be a name."))
	}
	r.Customer.Name = name
}

// withHint adds to the error of a request with a test key that the preset plugin accepts the request, if it does.
func (r *SessionRequest) withHint(err error, rules request.Rules) error {
	var refused *fault.Error
	if r.Test && errors.As(err, &refused) && r.draft.Accepts(settings.WithPlugin(rules)) {
		refused.Hint = settings.HintOfPlugin
	}
	return err
}

// rules returns the rules of the mapping that the request is routed to, or those of protocol.md, Session request, if no
// mapping takes it. It searches a route only if the merchant's mappings have different rules.
func (r *SessionRequest) rules() request.Rules {
	common, same := r.Merchant.CommonRules()
	if same {
		return common
	}
	route, err := r.Route()
	if err != nil {
		return request.Rules{}
	}
	return route.Mapping.RequestRules()
}

// Route returns the route of the request. It calls FindRoute once and stores what that returns, errors too.
func (r *SessionRequest) Route() (routing.Route, error) {
	if r.found == nil {
		route, err := routing.FindRoute(r.Merchant, r.Session)
		r.found = &foundRoute{route, err}
	}
	return r.found.route, r.found.err
}

// sessionHashIsValid reports whether the hash of a request is valid, also if other fields are not. If the amount was
// sent as a JSON number, it also tries the number's formatted text (protocol.md, Hashes). An unknown merchant, nil, has
// no valid hash, and takes as long as a known one.
func sessionHashIsValid(m *settings.Merchant, d *request.Draft) bool {
	known := m != nil
	if !known {
		m = settings.NoMerchant
	}
	verifies := func(o request.Order) bool {
		return settings.VerifyHash(d.Hash, m, request.SignedSession(o)...) && !request.ReadsAsReturn(o) && known
	}
	if verifies(d.Sent) {
		return true
	}
	if !d.AmountIsNumber || d.Order.Amount.ByPayer() {
		return false
	}
	formatted := d.Sent
	formatted.Amount.Text = d.Order.Amount.Value.String()
	return verifies(formatted)
}
