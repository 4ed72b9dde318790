package browser

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"

	"checkout/internal/local/demo"
	"checkout/internal/settings"
)

const (
	clubForm  = "0b9c7a34-58c5-4f6e-9d0a-2f1f6f0f3b13"
	clubLogo  = "https://club.example/logo.svg"
	brandTest = "branded-test"
)

// longLabel has 64 characters.
const longLabel = "The town in which our courier finds you between eight and twelve"

// branded is a merchant with a branding, and with a form that has one of its own.
func branded(shop demo.Config) settings.Merchant {
	m := careful(shop)
	m.ID, m.Name, m.LiveKey, m.TestKey = "branded", "The Pen Shop", "branded-live", brandTest
	m.Branding = settings.Branding{
		Logo: "demo.svg", Accent: "#ffdd00", LegalName: "The Pen Shop Ltd",
		TermsURL: "https://shop.example/terms", PrivacyURL: "https://shop.example/privacy",
	}
	m.Mappings[0].RequiredFields = []string{"payer_email"}
	m.Forms = []settings.Form{{
		ID: clubForm, Name: "The courier needs a phone", RequiredFields: []string{"payer_phone"},
		OptionalFields: []string{"payer_city", "payer_zip"},
		Order:          []string{"payer_zip", "payer_city", "payer_card", "payer_phone"},
		Labels: map[string]map[string]string{
			"payer_phone": {"en": "Phone <b>for</b> the courier", "de": "Telefon für den Boten"},
			"payer_zip":   {"de": "PLZ des Vereins"},
			"payer_city":  {"en": longLabel, "de": "Ort"},
		},
		Branding: settings.Branding{Logo: clubLogo, LegalName: "The Pen Club"},
	}}
	return m
}

// brandedVisit is a visit to that merchant, after a change of it.
func brandedVisit(t *testing.T, change func(*settings.Merchant, *shop)) *visit {
	t.Helper()
	at, server := embedded(t, time.Now)
	s, m := openShop(t), branded(server.Demo)
	change(&m, s)
	if err := server.App.Merchants.Save(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	return newVisit(t, at, s).at(brandTest)
}

const logoWidth = "document.querySelector('img.logo')?.naturalWidth > 0"

// A logo that came with the page, then a form's own from elsewhere; the rest of the form's branding is the merchant's.
func TestBranding(t *testing.T) {
	t.Parallel()
	v := brandedVisit(t, func(*settings.Merchant, *shop) {})
	v.form(v.session(paying))
	v.until(logoWidth + " && document.querySelector('img.logo').src == " + quote(v.target.BaseURL+"/logos/demo.svg"))
	v.checkBranding("The Pen Shop Ltd")

	h := v.pause(fetch.RequestPattern{URLPattern: clubLogo})
	v.open(v.session(paying, object{"form_id": clubForm}).URL)
	h.respond(h.wait(), "image/svg+xml",
		`<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><circle r="9"/></svg>`)
	v.until(logoWidth + " && document.querySelector('img.logo').src == " + quote(clubLogo))
	v.checkBranding("The Pen Club")
	v.expectFault("a request to club.example")
}

// A wide logo is drawn whole, and nothing has moved when it has come. A picture that does not come becomes a letter.
func TestPicturesOfTheOrder(t *testing.T) {
	t.Parallel()
	const host = "club.example"
	v := brandedVisit(t, func(m *settings.Merchant, _ *shop) { m.Branding.ImageHosts = []string{host} })
	h := v.pause(fetch.RequestPattern{URLPattern: "https://" + host + "/*"})
	of := object{"form_id": clubForm}
	const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100"><circle r="9"/></svg>`
	const places = "JSON.stringify([...document.querySelectorAll('h1, .toggle, .panel, .what')]" +
		".map(e => e.getBoundingClientRect()))"
	for _, width := range []int64{320, 1280} {
		v.do(chromedp.EmulateViewport(width, 844))
		v.open(v.session(paying, of).URL)
		id := h.wait()
		v.until(element("pay"))
		v.drawn()
		before := get[string](v.tab, places)
		h.respond(id, "image/svg+xml", drawing)
		v.until(logoWidth)
		v.drawn()
		box := get[string](v.tab,
			"(b => b.width + ' x ' + b.height)(document.querySelector('img.logo').getBoundingClientRect())")
		if want := map[int64]string{320: "128 x 40", 1280: "160 x 40"}[width]; box != want {
			t.Errorf("%d px wide: the logo is drawn in %s, want %s", width, box, want)
		}
		if after := get[string](v.tab, places); after != before {
			t.Errorf("%d px wide: with the logo it is\n%s, before\n%s", width, after, before)
		}
	}
	item := object{"name": "Élan pen", "quantity": 1, "price": "10.00", "imageUrl": "https://" + host + "/pen.png"}
	cart := object{"items": []object{item}, "totalAmount": 10}
	v.open(v.session(paying, of, object{"parameters": object{"card": object{"cart": cart}}}).URL)
	h.lose(h.wait())
	h.lose(h.wait())
	v.until("[...document.querySelectorAll('span.logo, span.picture')].map(e => e.innerText).join() == 'T,É'")
	v.expectFault("a request to " + host)
}

func (v *visit) checkBranding(name string) {
	v.t.Helper()
	handled := quote("Payments for " + name + " are handled on this page")
	v.until("document.querySelector('footer').innerText.includes(" + handled + ")")
	v.until("[...document.querySelectorAll('footer a')].map(a => a.innerText + ' ' + a.href).join() == " +
		"'Terms https://shop.example/terms,Privacy https://shop.example/privacy'")
	for _, scheme := range []string{"light", "dark"} {
		v.scheme(scheme)
		v.drawn()
		v.until("getComputedStyle(" + element("pay") + ").backgroundColor == 'rgb(255, 221, 0)'")
		edge := contrast(v.colour(element("pay"), "borderTopColor"), v.colour(panel, "backgroundColor"))
		if edge < 3 {
			v.t.Errorf("%s: the button's border has %.2f:1", scheme, edge)
		}
	}
}

// A custom form has the merchant's order and labels, each language its own.
func TestCustomForm(t *testing.T) {
	t.Parallel()
	v := brandedVisit(t, func(m *settings.Merchant, _ *shop) { m.Forms[0].Branding = settings.Branding{} })
	label := func(id string) string { return "document.querySelector('label[for=" + id + "]').innerText" }
	const all = "payer_zip payer_city payer_card payer_expiryDate payer_cvv payer_name payer_phone payer_email"
	for _, row := range []struct{ language, phone, zip, fault string }{
		{"en", "Phone <b>for</b> the courier", "Postal code (optional)", "Phone <b>for</b> the courier: required"},
		{"de", "Telefon für den Boten", "PLZ des Vereins (optional)", "Telefon für den Boten: fehlt"},
	} {
		s := v.session(object{"form_id": clubForm, "checkout_language": row.language})
		v.form(s)
		v.until("document.documentElement.lang == " + quote(row.language))
		if got := v.fields(); got != all {
			t.Errorf("%s: fields %s", row.language, got)
		}
		v.until(label("payer_phone") + " == " + quote(row.phone))
		v.until(label("payer_zip") + " == " + quote(row.zip))
		v.checkAccess("custom form, " + row.language)
		v.do(chromedp.EmulateViewport(320, 800))
		v.checkWidth("custom form, " + row.language)
		v.until("[...document.querySelectorAll('.cell label')].every(e => { const r = document.createRange();" +
			" r.selectNodeContents(e); return r.getBoundingClientRect().bottom <=" +
			" e.parentElement.querySelector('input').getBoundingClientRect().bottom - 16 })")
		v.do(chromedp.EmulateViewport(1280, 900))
		v.card("0138")
		v.write("payer_name", "Ada Example")
		v.write("payer_email", "ada@example.com")
		v.click("pay")
		v.checkFault("payer_phone", row.fault)
		v.write("payer_phone", "+15550100")
		v.click("pay")
		v.arrives("success")
		v.checkPayments(s, "settled")
	}
}

// The page takes card data in frames of the origins that the merchant has set, and leads out of all others.
func TestFrameOrigins(t *testing.T) {
	t.Parallel()
	v := brandedVisit(t, func(m *settings.Merchant, s *shop) { m.Branding.FrameOrigins = []string{s.origin} })
	foreign := openShop(t)
	in := func(s *shop, address string) string { return s.origin + "/frame/1?src=" + url.QueryEscape(address) }
	s := v.session(paying)
	for name, address := range map[string]string{
		"a foreign site":                       in(foreign, s.URL),
		"a frame of the shop in a foreign one": in(foreign, in(v.shop, s.URL)),
		"a foreign frame in one of the shop":   in(v.shop, in(foreign, s.URL)),
	} {
		v.open(address)
		page := v.framed()
		page.message("this page is not shown inside this website")
		page.noForm()
		page.until(element("continue") + ".href == " + quote(s.URL) + " && " + element("continue") + ".target == '_blank'")
		if get[bool](page.tab, "document.body.innerText.includes('$10.00')") {
			t.Errorf("%s sees the order", name)
		}
	}
	v.checkNothingSent()
	v.form(s) // in a tab of its own

	v.open(in(v.shop, s.URL))
	page := v.framed()
	page.until(element("pay"))
	height := get[float64](page.tab, "document.body.offsetHeight")
	if frame := get[float64](page.tab, "innerHeight"); height < 300 || height > frame-50 {
		t.Errorf("the page is %v px high in a frame of %v px", height, frame)
	}
	v.until("document.querySelector('iframe').dataset.height == " + quote(fmt.Sprint(height)))
	page.pay("0138")
	v.frame(v.shop.url("success"))
	v.checkPayments(s, "settled")

	plain := v.at(carefulKey) // has no list
	v.open(in(foreign, plain.session(paying).URL))
	v.framed().until(element("pay"))
}

// framed is the checkout page in a frame of this tab.
func (v *visit) framed() *visit {
	v.t.Helper()
	return v.with(v.frame(v.target.BaseURL))
}
