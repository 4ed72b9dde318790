package settings

import (
	"cmp"
	"strings"
)

// FormNamed returns the merchant's form with an id, or an empty one if there is none.
func (m *Merchant) FormNamed(id string) Form {
	if m == nil {
		return Form{}
	}
	for _, form := range m.Forms {
		if strings.EqualFold(form.ID, id) {
			return form
		}
	}
	return Form{}
}

// HasForm reports whether the merchant has a form with an id.
func (m *Merchant) HasForm(id string) bool { return m.FormNamed(id).ID != "" }

// BrandingFor returns the branding of a custom form, member by member before that of the merchant.
func (m *Merchant) BrandingFor(formID string) Branding {
	own, all := m.FormNamed(formID).Branding, m.Branding
	branding := Branding{
		Logo:         cmp.Or(own.Logo, all.Logo),
		Accent:       cmp.Or(own.Accent, all.Accent),
		LegalName:    cmp.Or(own.LegalName, all.LegalName),
		TermsURL:     cmp.Or(own.TermsURL, all.TermsURL),
		PrivacyURL:   cmp.Or(own.PrivacyURL, all.PrivacyURL),
		Support:      cmp.Or(own.Support, all.Support),
		ImageHosts:   all.ImageHosts,
		FrameOrigins: all.FrameOrigins,
	}
	if len(own.ImageHosts) > 0 {
		branding.ImageHosts = own.ImageHosts
	}
	if len(own.FrameOrigins) > 0 {
		branding.FrameOrigins = own.FrameOrigins
	}
	return branding
}
