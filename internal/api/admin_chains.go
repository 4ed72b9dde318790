package api

import (
	"time"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/operator"
)

func (a adminActs) changeChain(c *adminCall, ch operator.ChainChange) (any, error) {
	ch.ID = c.PathValue("id")
	return a.actor.By(c.act).ChangeChain(c.Context(), ch)
}

func (a adminActs) stopChain(c *adminCall, _ because) (any, error) {
	return a.changeChain(c, operator.ChainChange{Do: checkout.ChainStopped})
}

func (a adminActs) resumeChain(c *adminCall, _ because) (any, error) {
	return a.changeChain(c, operator.ChainChange{Do: checkout.ChainResumed})
}

// dayBody is that of a moved charge.
type dayBody struct {
	Day string `json:"day"` // such as 2026-11-23
	because
}

func (a adminActs) moveChain(c *adminCall, body dayBody) (any, error) {
	day, err := time.Parse(time.DateOnly, body.Day)
	if err != nil {
		return nil, fault.At("day", "It should be a day such as 2026-11-23.")
	}
	return a.changeChain(c, operator.ChainChange{Do: checkout.ChainMoved, Day: day})
}

// lowerBody is that of charges that take less.
type lowerBody struct {
	Amount string `json:"amount"`
	because
}

func (a adminActs) lowerChain(c *adminCall, body lowerBody) (any, error) {
	return a.changeChain(c, operator.ChainChange{Do: checkout.ChainLowered, Amount: body.Amount})
}

// retry charges again for a declined later payment.
func (a adminActs) retry(c *adminCall, _ because) (any, error) {
	return a.actor.By(c.act).Retry(c.Context(), c.PathValue("id"))
}
