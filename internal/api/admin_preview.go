package api

import (
	"checkout/internal/fault"
	"checkout/internal/merchant"
	"checkout/internal/operator"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/preview"
	"checkout/internal/routing"
	settingschange "checkout/internal/settings/change"
	"checkout/internal/settings/table"
)

// Previews say what settings, and drafts of them, lead to. They read settings and stored sessions, and no secret.
type Previews struct {
	Drafts    *settingschange.Merchants // has no sealer
	Previewer preview.Previewer
	Trials    *merchant.Trials
}

// adminPreviews handles what people ask about settings and drafts of them.
type adminPreviews struct {
	admission
	Previews
}

// AdminPreview returns the routes of what people ask about settings, as AdminRead does.
func AdminPreview(people *operator.People, previews Previews) Routes {
	a := adminPreviews{admission{people: people}, previews}
	return Routes{
		{"GET", "/admin/v1/settings", read{a.admission, grant.Settings, "", a.describe}},
		{"GET", "/admin/v1/offer", read{a.admission, grant.Settings, "merchant mode amount currency country", a.offer}},
		{"POST", "/admin/v1/preview/{merchant}", settingsCheck{a.admission, a.preview}},
	}
}

func (a adminPreviews) describe(*adminCall) (any, error) {
	return table.Describe(a.Drafts.Connectors), nil
}

// preview evaluates stored sessions of the modes in which the person may see payments.
func (a adminPreviews) preview(c *adminCall, body draftBody) (any, error) {
	live, test, err := c.levels(grant.Find, c.PathValue("merchant"))
	if err != nil {
		return nil, err
	}
	before, after, err := a.Drafts.Drafted(c.Context(), body.draft(c))
	if err != nil {
		return nil, err
	}
	mode := grant.Both
	switch {
	case live == grant.None:
		mode = grant.Test
	case test == grant.None:
		mode = grant.Live
	}
	return a.Previewer.Preview(c.Context(), before, after, mode)
}

// offer is what a payer would be offered.
type offer struct {
	BaseURL string `json:"base_url"` // of the API for merchants
	routing.Explanation
}

// offer explains a purchase, in mode live unless the query has another one.
func (a adminPreviews) offer(c *adminCall) (any, error) {
	live, test, err := c.levels(grant.Settings, c.query.Merchant)
	if err != nil {
		return nil, err
	}
	t := merchant.Trial{
		Owner:  fault.Owner{Merchant: c.query.Merchant, Test: c.query.Mode == string(grant.Test)},
		Amount: c.query.Amount, Currency: c.query.Currency, Country: c.query.Country,
	}
	if level := map[bool]grant.Level{false: live, true: test}[t.Test]; level < grant.Full {
		return nil, errRight(grant.Settings)
	}
	e, err := a.Trials.Explain(c.Context(), t)
	return offer{a.Trials.BaseURL(), e}, err
}
