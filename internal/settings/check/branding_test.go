package check

import (
	"reflect"
	"strings"
	"testing"

	"checkout/internal/request/requesttest"
)

func TestCheckBranding(t *testing.T) {
	const valid = `"logo": "https://shop.example/logo.svg", "accent": "#0a7D4f", "legal_name": "The Pen Shop Ltd",
		"terms_url": "https://shop.example/terms", "privacy_url": "https://shop.example/privacy",
		"support": {"email": "help@shop.example", "phone": "+49 30 1234567", "address": "1 Pen Road, Inktown"},
		"image_hosts": ["images.shop.example"],
		"frame_origins": ["https://shop.example", "https://shop.example:8443", "http://localhost:3000"]`
	const logo = " It should be an https address, or the name of an uploaded logo such as shop.svg."
	const origin = " It should be an origin such as https://shop.example or https://shop.example:8443."
	const colour = " It should be a colour such as #0a7d4f."
	const host = " It should be the name of a host, such as images.shop.example."
	for _, test := range []struct {
		old, new string
		want     []string
	}{
		{``, ``, nil},
		{`https://shop.example/logo.svg`, `shop-2.webp`, nil},
		{`https://shop.example/logo.svg`, `Shop.svg`, []string{"branding.logo: " + requesttest.NotValid + logo}},
		{`https://shop.example/logo.svg`, `../shop.svg`, []string{"branding.logo: " + requesttest.NotValid + logo}},
		{`https://shop.example/logo.svg`, `shop.html`, []string{"branding.logo: " + requesttest.NotValid + logo}},
		{`"logo": "https:`, `"logo": "http:`, []string{"branding.logo: " + requesttest.NotValid + logo}},
		{`#0a7D4f`, `green`, []string{"branding.accent: " + requesttest.NotValid + colour}},
		{`#0a7D4f`, `#0a7D4g`, []string{"branding.accent: " + requesttest.NotValid + colour}},
		{`The Pen Shop Ltd`, strings.Repeat("x", 256),
			[]string{"branding.legal_name: " + requesttest.NotValid + " It should have at most 255 characters."}},
		{`https://shop.example/terms`, `javascript:alert(1)`, []string{"branding.terms_url: " + requesttest.BadURL}},
		{`https://shop.example/privacy`, `/privacy`, []string{"branding.privacy_url: " + requesttest.BadURL}},
		{`help@shop.example`, `help@`, []string{"branding.support.email: " + requesttest.NotValid +
			" It should be an e-mail address, such as name@example.com."}},
		{`+49 30 1234567`, `call us`, []string{"branding.support.phone: " + requesttest.NotValid +
			" It should be a phone number such as +49 30 1234567."}},
		{`1 Pen Road, Inktown`, `1 Pen Road\nInktown`, []string{"branding.support.address: " + requesttest.NotValid +
			" It should have 5 to 200 printable characters in one line."}},
		{`"images.shop.example"`, `"https://images.shop.example", "", "a.example", "a.example"`, []string{
			"branding.image_hosts[0]: " + requesttest.NotValid + host,
			"branding.image_hosts[1]: " + requesttest.Blank,
			"branding.image_hosts[3]: " + textTwice,
		}},
		{`"https://shop.example",`, `"https://Shop.example", "https://shop.example/", "https://shop.example:443",
			"http://shop.example", "*", "https://a.example https://b.example", "null", "https://u@shop.example",`, []string{
			"branding.frame_origins[0]: " + requesttest.NotValid + origin, "branding.frame_origins[1]: " + requesttest.NotValid +
				origin,
			"branding.frame_origins[2]: " + requesttest.NotValid + origin, "branding.frame_origins[3]: " + requesttest.NotValid +
				origin,
			"branding.frame_origins[4]: " + requesttest.NotValid + origin, "branding.frame_origins[5]: " + requesttest.NotValid +
				origin,
			"branding.frame_origins[6]: " + requesttest.NotValid + origin, "branding.frame_origins[7]: " + requesttest.NotValid +
				origin,
		}},
	} {
		branding := `"branding": {` + strings.Replace(valid, test.old, test.new, 1) + `}`
		text := strings.Replace(validMerchant, `"rate_limit": 100`, branding, 1)
		if got := merchantFaults(t, text); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, want %q", test.new, got, test.want)
		}
	}
}
