package api

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/operator/grant"
)

// amountBody is that of a refund or capture. Without an amount it is for all that is left.
type amountBody struct {
	Amount string `json:"amount,omitempty"`
	because
}

func (c *adminCall) refund(body amountBody) (any, error) { return c.followUp(payment.JobRefund, body) }
func (c *adminCall) capture(body amountBody) (any, error) {
	return c.followUp(payment.JobCapture, body)
}

// void cancels all of a payment: no amount is a member of its body.
func (c *adminCall) void(because) (any, error) { return c.followUp(payment.JobVoid, amountBody{}) }

func (c *adminCall) followUp(kind payment.JobKind, body amountBody) (any, error) {
	return c.service.FollowUp(c.Context(), c.service.Act, operator.FollowUp{
		PaymentID: c.PathValue("id"), Kind: kind, Amount: body.Amount, IdempotencyKey: c.key,
	})
}

type lookUpBody struct {
	Reference string `json:"reference,omitempty"`
	because
}

func (c *adminCall) lookUp(body lookUpBody) (any, error) {
	return c.service.LookUp(c.Context(), c.PathValue("id"), body.Reference)
}

type settleBody struct {
	Reference string          `json:"reference,omitempty"`
	Verdict   payment.Verdict `json:"verdict"`
	Amount    string          `json:"amount,omitempty"`
	because
}

func (c *adminCall) settle(body settleBody) (any, error) {
	return c.service.Settle(c.Context(), operator.Settlement{
		PaymentID: c.PathValue("id"), Reference: body.Reference, Verdict: body.Verdict, Amount: body.Amount,
		By: c.service.Act.By, Reason: c.service.Act.Reason,
	})
}

func (c *adminCall) sendOne(because) (any, error) {
	seq, err := strconv.Atoi(c.PathValue("seq"))
	if err != nil {
		return nil, fault.Refuse(fault.CodeNotFound, "Callback not found")
	}
	return operator.BulkSent{Sent: 1}, c.service.SendAgain(c.Context(), c.PathValue("id"), seq)
}

type sendBody struct {
	URL       string `json:"url,omitempty"`
	From      string `json:"from,omitempty"`
	Until     string `json:"until,omitempty"`
	Merchant  string `json:"merchant,omitempty"`
	Mode      string `json:"mode,omitempty"`
	Callbacks string `json:"callbacks,omitempty"`
	Expected  int    `json:"expected"`
	Cursor    string `json:"cursor,omitempty"`
	because
}

func (c *adminCall) sendMany(body sendBody) (any, error) {
	q, err := readQuery(url.Values{
		"url": {body.URL}, "from": {body.From}, "until": {body.Until}, "merchant": {body.Merchant}, "mode": {body.Mode},
		"callbacks": {body.Callbacks}, "cursor": {body.Cursor},
	}, strings.Fields(callbackFilters))
	if err != nil {
		return nil, err
	}
	return c.service.SendMany(c.Context(), c.by, c.service.Act, operator.BulkSend{
		Filter: q.Filter, URL: q.url, Expected: body.Expected,
	})
}

type addressBody struct {
	of
	URL string `json:"url"`
	because
}

func (c *adminCall) closeAddress(body addressBody) (any, error) {
	return struct{}{}, c.service.CloseAddress(c.Context(), c.service.Act, c.owner, body.URL)
}

type circuitBody struct {
	of
	Mapping string `json:"mapping"`
	MID     string `json:"mid"`
	because
}

func (c *adminCall) closeCircuit(body circuitBody) (any, error) {
	closed, err := c.service.CloseCircuit(c.Context(), c.owner, body.Mapping, body.MID)
	return struct {
		Closed bool `json:"closed"`
	}{closed}, err
}

type grantBody struct {
	Who       string     `json:"who"`
	Role      grant.Role `json:"role"`
	Merchants []string   `json:"merchants"`
	Mode      grant.Mode `json:"mode"`
	because
}

func (c *adminCall) grant(body grantBody) (any, error) {
	g := grant.Grant{Who: body.Who, Role: body.Role, Merchants: body.Merchants, Mode: body.Mode}
	if err := c.service.Grant(c.Context(), c.by, c.service.Act, g); err != nil {
		return nil, err
	}
	return c.operators()
}

type revokeBody struct {
	Who  string     `json:"who"`
	Role grant.Role `json:"role"`
	because
}

func (c *adminCall) revoke(body revokeBody) (any, error) {
	if !slices.Contains(grant.Roles, body.Role) {
		return nil, invalid("role", "It should be a role.")
	}
	g := grant.Grant{Who: body.Who, Role: body.Role}
	if err := c.service.Revoke(c.Context(), c.by, c.service.Act, g); err != nil {
		return nil, err
	}
	return c.operators()
}
