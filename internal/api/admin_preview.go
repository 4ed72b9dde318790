package api

import (
	"checkout/internal/operator"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/preview"
	settingschange "checkout/internal/settings/change"
	"checkout/internal/settings/table"
)

// Previews say what drafts of settings would have done. They read settings and stored sessions, and no secret.
type Previews struct {
	Drafts    *settingschange.Merchants // has no sealer
	Previewer preview.Previewer
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
