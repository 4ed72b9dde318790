package api

import (
	"slices"

	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/operator/chains"
	"checkout/internal/operator/forget"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/overview"
	"checkout/internal/operator/query"
	"checkout/internal/operator/uses"
	"checkout/internal/operator/words"
)

// adminReads handles the requests of operators that change nothing.
type adminReads struct {
	admission
	auditor *operator.Auditor
}

// AdminRead returns the routes of what operators read, which no function of the public API serves. Each names the right
// that its caller needs.
func AdminRead(people *operator.People, reader *query.Reader, auditor *operator.Auditor) Routes {
	a := adminReads{admission{people, reader}, auditor}
	may := a.admission
	return Routes{
		{"GET", "/admin/v1/me", read{may, AnyGrant, "", a.me}},
		{"GET", "/admin/v1/describe", read{may, AnyGrant, "", a.describe}},
		{"GET", "/admin/v1/overview", read{may, grant.Find, "zone merchant mode day", a.overview}},
		{"GET", "/admin/v1/find", read{may, grant.Find, "q zone merchant mode day cursor", a.recorded(a.find)}},
		{"GET", "/admin/v1/payments", read{may, grant.Find, filters + " zone cursor limit", a.recorded(a.payments)}},
		{"GET", "/admin/v1/payments/{id}", read{may, grant.Find, "", a.view}},
		{"GET", "/admin/v1/chains", read{may, grant.Find, "merchant mode cursor", a.chainList}},
		{"GET", "/admin/v1/chains/{id}", read{may, grant.Find, "", a.chain}},
		{"GET", "/admin/v1/totals", read{may, grant.Sums, filters + " zone cursor", a.totals}},
		{"GET", "/admin/v1/under-way", read{may, grant.Find, "merchant mode cursor", a.underWay}},
		{"GET", "/admin/v1/waiting", read{may, grant.Find, "cursor", a.waiting}},
		{"GET", "/admin/v1/unfinished/{merchant}", read{may, grant.Find, "mapping mid", a.unfinished}},
		{"GET", "/admin/v1/callbacks", read{may, grant.Find, callbackFilters, a.callbacks}},
		{"GET", "/admin/v1/addresses", read{may, grant.Find, "", a.addresses}},
		{"GET", "/admin/v1/circuits", read{may, grant.Find, "", a.circuits}},
		{"GET", "/admin/v1/blocks", read{may, grant.Find, "merchant mode", a.recorded(a.blocks)}},
		{"GET", "/admin/v1/uses/{merchant}", read{may, grant.Settings, "", a.uses}},
		{"GET", "/admin/v1/approvals", read{may, grant.Find, "cursor", a.approvals}},
		{"GET", "/admin/v1/operators", read{may, grant.Operators, "", a.operators}},
		{"GET", "/admin/v1/forget", read{may, grant.Operators, "email", a.lookForgotten}},
		{"GET", "/admin/v1/sessions", read{may, grant.Operators, "", a.sessions}},
		{"GET", "/admin/v1/audit", read{may, grant.OwnAudit, "zone from until cursor limit", a.audit}},
		{"GET", "/admin/v1/audit/verify", read{may, grant.AllAudit, "from cursor", a.verifyAudit}},
	}
}

// recorded records who reads a list, if payers' data in it are not masked for the person.
func (a adminReads) recorded(do func(c *adminCall) (any, error)) func(c *adminCall) (any, error) {
	return func(c *adminCall) (any, error) {
		if max(c.by.Most(grant.Find, false), c.by.Most(grant.Find, true)) < grant.Full {
			return do(c)
		}
		if err := a.people.RecordReading(c.Context(), c.auditAct("")); err != nil {
			return nil, err
		}
		return do(c)
	}
}

// me is what a caller may do.
type me struct {
	Who       string                `json:"who"`
	Name      string                `json:"name,omitempty"`
	Via       string                `json:"via"`
	Grants    []grant.Grant         `json:"grants"`
	Limits    []grant.Limit         `json:"limits"` // of the person's roles
	Rights    map[grant.Right]level `json:"rights"` // those that the person has anywhere
	Stack     string                `json:"stack"`
	Version   string                `json:"version"`
	Merchants []query.Merchant      `json:"merchants"` // whose payments the person may see
}

// level is how far a right goes at most: masked or full, "" for not at all.
type level struct {
	Live string `json:"live,omitempty"`
	Test string `json:"test,omitempty"`
}

func (a adminReads) me(c *adminCall) (any, error) {
	merchants, err := a.reader.Merchants(c.Context(), c.by)
	if err != nil {
		return nil, err
	}
	rights := map[grant.Right]level{}
	for _, right := range grant.Rights {
		if c.by.Has(right) {
			rights[right] = level{c.by.Most(right, false).String(), c.by.Most(right, true).String()}
		}
	}
	return me{
		c.by.Who, c.by.Name, c.by.Via, c.by.Grants, orEmpty(c.by.OwnLimits()), rights, c.api.Core.Stack, c.api.Version,
		merchants,
	}, nil
}

func (a adminReads) describe(c *adminCall) (any, error) { return words.Describe(), nil }

func (a adminReads) overview(c *adminCall) (any, error) {
	return overview.Of(c.Context(), c.api.Core, c.by, c.query.Filter)
}

func (a adminReads) find(c *adminCall) (any, error) {
	if c.query.q == "" {
		return nil, fault.At("q", missingText)
	}
	return a.reader.Find(c.Context(), c.by, c.query.q, c.query.Filter)
}

func (a adminReads) payments(c *adminCall) (any, error) {
	return a.reader.Payments(c.Context(), c.by, c.query.Filter)
}

func (a adminReads) view(c *adminCall) (any, error) {
	return a.reader.View(c.Context(), c.by, c.PathValue("id"))
}

// chain shows a recurring chain, by the id of its initial payment.
func (a adminReads) chain(c *adminCall) (any, error) {
	return chains.NewReader(c.api.Core).View(c.Context(), c.by, c.PathValue("id"))
}

// chainList lists the chains whose schedule charges again.
func (a adminReads) chainList(c *adminCall) (any, error) {
	of := fault.Owner{Merchant: c.query.Merchant, Test: c.query.Mode == string(grant.Test)}
	return chains.NewReader(c.api.Core).List(c.Context(), c.by, of, c.query.Cursor)
}

func (a adminReads) totals(c *adminCall) (any, error) {
	return a.reader.Totals(c.Context(), c.by, c.query.Filter)
}

func (a adminReads) underWay(c *adminCall) (any, error) {
	requests, cursor, err := a.reader.UnderWay(c.Context(), c.by, c.query.Filter)
	return page[query.UnderWay]{orEmpty(requests), cursor}, err
}

func (a adminReads) waiting(c *adminCall) (any, error) {
	all, cursor, err := a.reader.Waiting(c.Context(), c.by, c.query.Cursor)
	return page[query.WaitingRequest]{orEmpty(all), cursor}, err
}

func (a adminReads) unfinished(c *adminCall) (any, error) {
	if c.query.mapping == "" {
		return nil, fault.At("mapping", missingText)
	}
	return a.reader.Unfinished(c.Context(), c.by, query.Account{
		Merchant: c.PathValue("merchant"), Mapping: c.query.mapping, MID: c.query.MID,
	})
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

func (a adminReads) callbacks(c *adminCall) (any, error) {
	return a.reader.Deliveries(c.Context(), c.by, c.query.Filter, c.query.url)
}

func (a adminReads) addresses(c *adminCall) (any, error) {
	all, err := a.reader.Addresses(c.Context(), c.by)
	return struct {
		Addresses []query.Address `json:"addresses"`
	}{orEmpty(all)}, err
}

func (a adminReads) circuits(c *adminCall) (any, error) {
	return a.reader.Circuits(c.Context(), c.by)
}

// uses returns what a merchant's keys and secrets are used for.
func (a adminReads) uses(c *adminCall) (any, error) {
	merchant := c.PathValue("merchant")
	if _, _, err := c.levels(grant.Settings, merchant); err != nil {
		return nil, err
	}
	return uses.Of(c.Context(), c.api.Core, merchant)
}

func (a adminReads) approvals(c *adminCall) (any, error) {
	return a.people.Approvals(c.Context(), c.by, c.query.Cursor)
}

// operators lists the grants that the person may give and take, and their own, and the limits of all roles.
func (d admission) operators(c *adminCall) (any, error) {
	all, limits, err := d.people.Grants(c.Context())
	all = slices.DeleteFunc(all, func(g grant.Grant) bool { return !c.by.MayGive(g) && !g.Fits(c.by.Who) })
	return grants{orEmpty(all), orEmpty(limits)}, err
}

type grants struct {
	Grants []grant.Grant `json:"grants"`
	Limits []grant.Limit `json:"limits"`
}

// lookForgotten says what is stored of a payer of any merchant.
func (a adminReads) lookForgotten(c *adminCall) (any, error) {
	if !c.by.May(grant.Operators) {
		return nil, errRight(grant.Operators)
	}
	return forget.New(c.api.Core).Look(c.Context(), c.query.email)
}

// sessions are those of all who have signed in.
type sessions struct {
	Sessions []operator.Session `json:"sessions"`
	More     bool               `json:"more,omitempty"`
}

// sessions lists the sessions of all people, which are no merchant's.
func (d admission) sessions(c *adminCall) (any, error) {
	if !c.by.May(grant.Operators) {
		return nil, errRight(grant.Operators)
	}
	all, more, err := d.people.Sessions(c.Context())
	return sessions{orEmpty(all), more}, err
}

func (a adminReads) audit(c *adminCall) (any, error) {
	return a.reader.Audit(c.Context(), c.by, c.query.Filter)
}

func (a adminReads) verifyAudit(c *adminCall) (any, error) {
	if !c.by.May(grant.AllAudit) {
		return nil, errRight(grant.AllAudit)
	}
	return a.auditor.VerifyAudit(c.Context(), c.query.From, c.query.Cursor)
}
