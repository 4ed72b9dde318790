package api

import (
	"strconv"

	"checkout/internal/grant"
	"checkout/internal/operator"
	"checkout/internal/payment"
	"checkout/internal/request"
)

// amountBody is that of a refund, capture or void. Without an amount it is for all that is left.
type amountBody struct {
	Amount string `json:"amount"`
	because
}

func (c *adminCall) refund(body amountBody) (any, error) { return c.followUp(payment.JobRefund, body) }
func (c *adminCall) capture(body amountBody) (any, error) {
	return c.followUp(payment.JobCapture, body)
}
func (c *adminCall) void(body amountBody) (any, error) { return c.followUp(payment.JobVoid, body) }

func (c *adminCall) followUp(kind payment.JobKind, body amountBody) (any, error) {
	id := c.PathValue("id")
	if err := c.mayChange(id, grant.Money); err != nil {
		return nil, err
	}
	return c.service.FollowUp(c.Context(), c.service.Act, operator.FollowUp{
		PaymentID: id, Kind: kind, Amount: body.Amount, IdempotencyKey: c.key,
	})
}

// mayChange checks that the person has a right for a payment. One that they may not even see does not exist for them.
// Errors: CodeNotFound, CodeDenied.
func (c *adminCall) mayChange(paymentID string, right grant.Right) error {
	owner, err := c.service.OwnerOf(c.Context(), paymentID)
	switch {
	case err != nil:
		return err
	case c.by.Level(grant.Find, owner) == grant.None:
		return payment.ErrNotFound()
	case c.by.Level(right, owner) < grant.Full:
		return errRight(right)
	}
	return nil
}

type lookUpBody struct {
	Reference string `json:"reference"`
	because
}

func (c *adminCall) lookUp(body lookUpBody) (any, error) {
	id := c.PathValue("id")
	if err := c.mayChange(id, grant.LookUp); err != nil {
		return nil, err
	}
	if err := c.service.LookUp(c.Context(), id, body.Reference); err != nil {
		return nil, err
	}
	return c.done(id, body.Reference)
}

type settleBody struct {
	Reference string          `json:"reference"`
	Verdict   payment.Verdict `json:"verdict"`
	Amount    string          `json:"amount"`
	because
}

func (c *adminCall) settle(body settleBody) (any, error) {
	id := c.PathValue("id")
	if err := c.mayChange(id, grant.Settle); err != nil {
		return nil, err
	}
	err := c.service.Settle(c.Context(), operator.Settlement{
		PaymentID: id, Reference: body.Reference, Verdict: body.Verdict, Amount: body.Amount,
		By: c.service.Act.By, Reason: c.service.Act.Reason,
	})
	if err != nil {
		return nil, err
	}
	return c.done(id, body.Reference)
}

func (c *adminCall) sendOne(because) (any, error) {
	id := c.PathValue("id")
	if err := c.mayChange(id, grant.Callbacks); err != nil {
		return nil, err
	}
	seq, err := strconv.Atoi(c.PathValue("seq"))
	if err != nil {
		return nil, request.Refuse(request.CodeNotFound, request.FaultInvalid, "Callback not found")
	}
	return operator.BulkSent{Sent: 1}, c.service.SendAgain(c.Context(), id, seq)
}

type sendBody struct {
	URL       string `json:"url"`
	From      string `json:"from"`
	Until     string `json:"until"`
	Merchant  string `json:"merchant"`
	Mode      string `json:"mode"`
	Callbacks string `json:"callbacks"`
	Expected  int    `json:"expected"`
	Cursor    string `json:"cursor"`
	because
}

func (c *adminCall) sendMany(body sendBody) (any, error) {
	return c.service.SendMany(c.Context(), c.by, c.service.Act, operator.BulkSend{
		URL: body.URL, Expected: body.Expected,
	})
}

type addressBody struct {
	Merchant string `json:"merchant"`
	Mode     string `json:"mode"`
	URL      string `json:"url"`
	because
}

func (c *adminCall) openAddress(body addressBody) (any, error) {
	o := request.Owner{Merchant: body.Merchant, Test: body.Mode == "test"}
	return struct{}{}, c.service.OpenAddress(c.Context(), c.service.Act, o, body.URL)
}

type circuitBody struct {
	Merchant string `json:"merchant"`
	Mode     string `json:"mode"`
	Mapping  string `json:"mapping"`
	MID      string `json:"mid"`
	because
}

func (c *adminCall) closeCircuit(body circuitBody) (any, error) {
	o := request.Owner{Merchant: body.Merchant, Test: body.Mode == "test"}
	closed, err := c.service.CloseCircuit(c.Context(), o, body.Mapping, body.MID)
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
	g := grant.Grant{Who: body.Who, Role: body.Role}
	if err := c.service.Revoke(c.Context(), c.by, c.service.Act, g); err != nil {
		return nil, err
	}
	return c.operators()
}

// done is what became of an act that the connector function executes.
func (c *adminCall) done(paymentID, reference string) (any, error) {
	p, err := c.service.Payment(c.Context(), c.service.Now(), paymentID)
	if err != nil {
		return nil, err
	}
	return operator.Done{
		PaymentID: paymentID, Reference: reference, Status: p.Status, Text: "It is executed within a minute.",
	}, nil
}
