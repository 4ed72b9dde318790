package api

import (
	"slices"
	"strings"

	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/operator/grant"
	"checkout/internal/routing/circuit"
)

// me is what a caller may do.
type me struct {
	Who       string                `json:"who"`
	Via       string                `json:"via"`
	Grants    []grant.Grant         `json:"grants"`
	Rights    map[grant.Right]level `json:"rights"` // those that the person has anywhere
	Stack     string                `json:"stack"`
	Version   string                `json:"version"`
	Merchants []operator.Merchant   `json:"merchants"` // whose payments the person may see
}

// level is how far a right goes at most: masked or full, "" for not at all.
type level struct {
	Live string `json:"live,omitempty"`
	Test string `json:"test,omitempty"`
}

func (c *adminCall) me() (any, error) {
	merchants, err := c.service.Merchants(c.Context(), c.by)
	if err != nil {
		return nil, err
	}
	rights := map[grant.Right]level{}
	for _, right := range grant.Rights {
		if c.by.Has(right) {
			rights[right] = level{c.by.Most(right, false).String(), c.by.Most(right, true).String()}
		}
	}
	return me{c.by.Who, c.by.Via, c.by.Grants, rights, c.api.Core.Stack, c.api.Version, merchants}, nil
}

func (c *adminCall) describe() (any, error) { return operator.Describe(), nil }

func (c *adminCall) find() (any, error) {
	if c.query.q == "" {
		return nil, invalid("q", missingText)
	}
	return c.service.Find(c.Context(), c.by, c.query.q, c.query.Filter)
}

func (c *adminCall) payments() (any, error) {
	return c.service.Payments(c.Context(), c.by, c.query.Filter)
}

func (c *adminCall) view() (any, error) { return c.service.View(c.Context(), c.by, c.PathValue("id")) }

func (c *adminCall) totals() (any, error) { return c.service.Totals(c.Context(), c.by, c.query.Filter) }

func (c *adminCall) underWay() (any, error) {
	requests, cursor, err := c.service.UnderWay(c.Context(), c.by, c.query.Filter)
	return page[operator.UnderWay]{orEmpty(requests), cursor}, err
}

func (c *adminCall) waiting() (any, error) {
	all, cursor, err := c.service.Waiting(c.Context(), c.by, c.query.Cursor)
	return page[operator.WaitingRequest]{orEmpty(all), cursor}, err
}

// page is a part of a list of requests to providers.
type page[T any] struct {
	Requests []T    `json:"requests"`
	Cursor   string `json:"cursor,omitempty"`
}

// orEmpty returns a list that is [] in JSON, not null, if it is empty.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (c *adminCall) callbacks() (any, error) {
	return c.service.Deliveries(c.Context(), c.by, c.query.Filter, c.query.url)
}

func (c *adminCall) addresses() (any, error) {
	all, err := c.service.Addresses(c.Context(), c.by)
	return struct {
		Addresses []operator.Address `json:"addresses"`
	}{orEmpty(all)}, err
}

// openCircuit is a circuit breaker with its owner.
type openCircuit struct {
	Merchant string `json:"merchant"`
	Mode     string `json:"mode"`
	circuit.Listed
}

func (c *adminCall) circuits() (any, error) {
	merchants, err := c.service.Merchants(c.Context(), c.by)
	if err != nil {
		return nil, err
	}
	var owners []fault.Owner
	for _, m := range merchants {
		for _, test := range []bool{false, true} {
			o := fault.Owner{Merchant: m.ID, Test: test}
			if c.by.Level(grant.Find, o) > grant.None {
				owners = append(owners, o)
			}
		}
	}
	listed, err := c.service.OpenCircuits(c.Context(), owners...)
	open := make([]openCircuit, len(listed))
	for i, l := range listed {
		mode, merchant, _ := strings.Cut(l.Owner, "/") // as fault.Owner.Text has them
		open[i] = openCircuit{merchant, mode, l}
	}
	return struct {
		Circuits []openCircuit `json:"circuits"`
	}{open}, err
}

// operators lists the grants that the person may give and take, and their own.
func (c *adminCall) operators() (any, error) {
	all, err := c.service.Grants(c.Context())
	all = slices.DeleteFunc(all, func(g grant.Grant) bool { return !c.by.MayGive(g) && !g.Fits(c.by.Who) })
	return grants{orEmpty(all)}, err
}

type grants struct {
	Grants []grant.Grant `json:"grants"`
}

func (c *adminCall) audit() (any, error) { return c.service.Audit(c.Context(), c.by, c.query.Filter) }

func (c *adminCall) verifyAudit() (any, error) {
	if !c.by.May(grant.AllAudit) {
		return nil, errRight(grant.AllAudit)
	}
	return c.service.VerifyAudit(c.Context(), c.query.From, c.query.Cursor)
}
