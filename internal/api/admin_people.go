package api

import (
	"context"
	"slices"

	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/operator/forget"
	"checkout/internal/operator/grant"
)

func (a adminActs) approve(c *adminCall, _ because) (any, error) {
	return a.decide(c, a.actor.By(c.act).Approve)
}

func (a adminActs) reject(c *adminCall, _ because) (any, error) {
	return a.decide(c, a.actor.By(c.act).Reject)
}

// decide decides an approval of a payment that the person may act on.
func (a adminActs) decide(
	c *adminCall, do func(ctx context.Context, by grant.Person, id string) (operator.Done, error),
) (any, error) {
	id := c.PathValue("approval")
	owner, err := a.people.ApprovalOwner(c.Context(), id)
	if err != nil {
		return nil, err
	}
	c.owner = owner
	if err := c.may(grant.Money, operator.ErrNoApproval()); err != nil {
		return nil, err
	}
	return do(c.Context(), c.by, id)
}

// changed returns all operators and limits after a change of them.
func (a adminActs) changed(c *adminCall, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return a.operators(c)
}

type grantBody struct {
	Who       string     `json:"who"`
	Role      grant.Role `json:"role"`
	Merchants []string   `json:"merchants"`
	Mode      grant.Mode `json:"mode"`
	because
}

func (a adminActs) grant(c *adminCall, body grantBody) (any, error) {
	g := grant.Grant{Who: body.Who, Role: body.Role, Merchants: body.Merchants, Mode: body.Mode}
	return a.changed(c, a.people.Grant(c.Context(), c.by, c.act, g))
}

// limitBody is a limit. Without amounts it is taken away.
type limitBody struct {
	Role     grant.Role `json:"role"`
	Currency string     `json:"currency"`
	One      string     `json:"one,omitempty"`
	Day      string     `json:"day,omitempty"`
	because
}

func (a adminActs) limit(c *adminCall, body limitBody) (any, error) {
	l := grant.Limit{Role: body.Role, Currency: body.Currency, One: body.One, Day: body.Day}
	return a.changed(c, a.people.SetLimit(c.Context(), c.by, c.act, l))
}

// revokeBody names a role of a person, and with merchants or a mode one grant of it.
type revokeBody struct {
	Who       string     `json:"who"`
	Role      grant.Role `json:"role"`
	Merchants []string   `json:"merchants,omitempty"`
	Mode      grant.Mode `json:"mode,omitempty"`
	because
}

func (a adminActs) revoke(c *adminCall, body revokeBody) (any, error) {
	if !slices.Contains(grant.Roles, body.Role) {
		return nil, fault.At("role", "It should be a role.")
	}
	if body.Mode != "" && !slices.Contains(grant.Modes, body.Mode) {
		return nil, fault.At("mode", "It should be one of live, test, both.")
	}
	g := grant.Grant{Who: body.Who, Role: body.Role, Merchants: body.Merchants, Mode: body.Mode}
	return a.changed(c, a.people.Revoke(c.Context(), c.by, c.act, g))
}

// forgetBody names a payer by the e-mail address, and how many payments were seen to be theirs.
type forgetBody struct {
	Email    string `json:"email"`
	Expected int    `json:"expected"`
	because
}

func (a adminActs) forget(c *adminCall, body forgetBody) (any, error) {
	if !c.by.May(grant.Operators) {
		return nil, errRight(grant.Operators)
	}
	return forget.New(c.api.Core).Forget(c.Context(), c.act, body.Email, body.Expected)
}

type sessionBody struct {
	ID string `json:"id"`
	because
}

func (a adminActs) endSession(c *adminCall, body sessionBody) (any, error) {
	if !c.by.May(grant.Operators) {
		return nil, errRight(grant.Operators)
	}
	if err := a.people.EndSession(c.Context(), c.act, body.ID); err != nil {
		return nil, err
	}
	return a.sessions(c)
}
