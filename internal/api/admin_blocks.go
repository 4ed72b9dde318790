package api

import (
	"checkout/internal/checkout"
	"checkout/internal/checkout/blocklist"
	"checkout/internal/operator/blocks"
)

func (a adminReads) blocks(c *adminCall) (any, error) {
	return blocks.New(c.api.Core).Of(c.Context(), a.reader, c.by, c.query.Filter)
}

// ofAll is of with * for all merchants.
type ofAll struct{ of }

func (ofAll) forAll() {}

// blockBody is that of what is to be blocked.
type blockBody struct {
	ofAll
	Kind      blocklist.Kind `json:"kind"`
	Value     string         `json:"value,omitempty"`
	PaymentID string         `json:"payment_id,omitempty"`
	Until     string         `json:"until"`
	because
}

func (a adminActs) block(c *adminCall, body blockBody) (any, error) {
	b := blocks.Request{
		Owner: c.owner, Kind: body.Kind, Value: body.Value, PaymentID: body.PaymentID, Until: body.Until,
	}
	return a.actor.By(c.act).Once(c.Context(), "block", b, func(idem *checkout.IdempotencyRecord) (any, error) {
		return blocks.New(c.api.Core).Add(c.Context(), c.act, b, idem)
	})
}

// unblockBody is that of an entry that is removed.
type unblockBody struct {
	ofAll
	ID string `json:"id"`
	because
}

func (a adminActs) unblock(c *adminCall, body unblockBody) (any, error) {
	e := blocks.EntryID{Owner: c.owner, ID: body.ID}
	return a.actor.By(c.act).Once(c.Context(), "unblock", e, func(idem *checkout.IdempotencyRecord) (any, error) {
		return blocks.New(c.api.Core).Remove(c.Context(), c.act, e, idem)
	})
}
