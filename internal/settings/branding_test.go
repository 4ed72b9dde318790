package settings

import (
	"reflect"
	"strings"
	"testing"
)

// A form's own branding goes before the merchant's, member by member.
func TestBrandingForAForm(t *testing.T) {
	const id = "0f8fad5b-d9cb-469f-a165-70867728950e"
	m := Merchant{
		Branding: Branding{
			Logo: "shop.svg", Accent: "#0a7d4f", LegalName: "The Pen Shop Ltd", TermsURL: "https://shop.example/terms",
			PrivacyURL: "https://shop.example/privacy", ImageHosts: []string{"shop.example"},
			FrameOrigins: []string{"https://shop.example"}, Support: Support{Email: "help@shop.example", Phone: "+4930123"},
		},
		Forms: []Form{{ID: id, Branding: Branding{
			Logo: "https://club.example/logo.png", LegalName: "The Pen Club", FrameOrigins: []string{"https://club.example"},
			Support: Support{Phone: "+4940456"},
		}}},
	}
	want := m.Branding
	want.Logo, want.LegalName = "https://club.example/logo.png", "The Pen Club"
	want.FrameOrigins = []string{"https://club.example"}
	want.Support = Support{Phone: "+4940456"}
	if got := m.BrandingFor(strings.ToUpper(id)); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := m.BrandingFor(""); !reflect.DeepEqual(got, m.Branding) {
		t.Errorf("without a form: %+v", got)
	}
	for logo, want := range map[string]string{
		"shop.svg": "/logos/shop.svg", "https://shop.example/a.svg": "https://shop.example/a.svg", "": "",
	} {
		if got := (Branding{Logo: logo}).LogoAddress(); got != want {
			t.Errorf("%q has the address %q", logo, got)
		}
	}
}
