package merchant

import (
	"reflect"
	"strings"
	"testing"
)

func TestCheckBranding(t *testing.T) {
	const valid = `"logo": "https://shop.example/logo.svg", "accent": "#0a7D4f", "legal_name": "The Pen Shop Ltd",
		"terms_url": "https://shop.example/terms", "privacy_url": "https://shop.example/privacy",
		"image_hosts": ["images.shop.example"]`
	const colour = " It should be a colour such as #0a7d4f."
	const host = " It should be the name of a host, such as images.shop.example."
	for _, test := range []struct {
		old, new string
		want     []string
	}{
		{``, ``, nil},
		{`"logo": "https:`, `"logo": "http:`, []string{"branding.logo: " + badURL}},
		{`#0a7D4f`, `green`, []string{"branding.accent: " + notValid + colour}},
		{`#0a7D4f`, `#0a7D4g`, []string{"branding.accent: " + notValid + colour}},
		{`The Pen Shop Ltd`, strings.Repeat("x", 256),
			[]string{"branding.legal_name: " + notValid + " It should have at most 255 characters."}},
		{`https://shop.example/terms`, `javascript:alert(1)`, []string{"branding.terms_url: " + badURL}},
		{`https://shop.example/privacy`, `/privacy`, []string{"branding.privacy_url: " + badURL}},
		{`"images.shop.example"`, `"https://images.shop.example", "", "a.example", "a.example"`, []string{
			"branding.image_hosts[0]: " + notValid + host,
			"branding.image_hosts[1]: " + blank,
			"branding.image_hosts[3]: " + textTwice,
		}},
	} {
		branding := `"branding": {` + strings.Replace(valid, test.old, test.new, 1) + `}`
		text := strings.Replace(validMerchant, `"rate_limit": 100`, branding, 1)
		if got := merchantFaults(t, text); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, want %q", test.new, got, test.want)
		}
	}
}
