package browser

import (
	"fmt"
	"testing"
	"time"
)

// regions are browsers and pages, and the locale that amounts, days and times have to be written in.
var regions = []struct {
	browser  string // the browser's locales, the first one first
	language string // of the session; "": the browser's
	chosen   string // by the payer on the page
	locale   string
}{
	{"es-MX,es", "", "", "es-MX"},
	{"es-AR,es", "", "", "es-AR"},
	{"es-CO,es", "", "", "es-CO"},
	{"es-PE", "", "", "es-PE"},
	{"es-ES,es", "", "", "es-ES"},
	{"es-419", "", "", "es-419"},
	{"de-CH,de", "", "", "de-CH"},
	{"de-AT,de", "", "", "de-AT"},
	{"de-LI", "", "", "de-LI"},
	{"de-DE,de,en", "", "", "de-DE"},
	{"en-IN,hi-IN", "", "", "en-IN"},
	{"en-GB,en", "", "", "en-GB"},
	{"en-ZA", "", "", "en-ZA"},
	{"en-AU,en", "", "", "en-AU"},
	{"en-CA,fr-CA", "", "", "en-CA"},
	{"fr-CA,en-CA", "", "", "fr-CA"},
	{"fr-CH,de-CH", "", "", "fr-CH"},
	{"fr-FR,fr", "", "", "fr-FR"},
	{"ar-EG,ar", "", "", "ar-EG-u-nu-latn"},
	{"ar-SA", "", "", "ar-SA-u-nu-latn"},
	{"ar-MA,fr-MA", "", "", "ar-MA-u-nu-latn"},
	{"ru-KZ,kk-KZ", "", "", "ru-KZ"},
	{"uk-UA,ru", "", "", "uk-UA"},
	{"nn-NO,nb-NO", "", "", "nb-NO"},
	{"zh-TW,zh", "", "", "zh-Hant-TW"},
	{"zh-HK", "", "", "zh-Hant-HK"},
	{"zh-SG,en-SG", "", "", "zh-Hans-SG"},
	{"kk-KZ,ru-KZ", "", "", "ru-KZ"},     // which browsers write alike
	{"az-AZ", "", "", "de-AZ"},           // the same
	{"en-US,es-MX", "es", "", "es-MX"},   // the browser has a locale of the session's language
	{"en-US,en", "es", "", "es-US"},      // it has none
	{"de-CH,fr-CH", "", "en", "en-CH"},   // the payer chose one that it has not
	{"pt-BR,es-UY", "", "es", "es-UY"},   // or one that it has
	{"tlh,de-CH", "en", "", "en"},        // the first one counts, and has no region
	{"es-MX,en-US", "de", "fr", "fr-MX"}, // a choice goes before the session
}

// checkRegion compares texts of the page with what the browser's own Intl writes for a locale.
const checkRegion = `window.region = locale => {
	const tag = document.documentElement.lang, digits = ['kk', 'az'].includes(tag);
	const amount = (value, currency, places) => new Intl.NumberFormat([locale, 'en'], {style: 'currency', currency,
		minimumFractionDigits: places, maximumFractionDigits: places}).format(value);
	const date = (value, style) => new Intl.DateTimeFormat(digits ? 'ru' : [locale, 'en'],
		digits ? {day: '2-digit', month: '2-digit', year: 'numeric', timeZone: style.timeZone,
			...style.timeStyle && {hour: '2-digit', minute: '2-digit'}} : style).format(new Date(value));
	const day = value => date(value, {dateStyle: 'long', timeZone: 'UTC'});
	const time = value => date(value, {dateStyle: 'long', timeStyle: 'short'});
	const count = (value, places) => new Intl.NumberFormat([locale, 'en'], {minimumFractionDigits: places,
		maximumFractionDigits: places}).format(value);
	return expected => expected.flatMap(([where, kind, ...values]) => {
		const texts = [...document.querySelectorAll(where)].map(e => e.textContent);
		const want = {amount, day, time, count}[kind](...values);
		return texts.some(text => text.includes(want)) ? [] : where + ': ' + texts + ', want ' + want;
	}).join('\n');
}`

// regionScreens are the screens that show amounts, days and times, and where.
var regionScreens = []struct {
	name     string
	screen   func(object) object
	expected string
}{
	{"form", regionForm, `[['.amount', 'amount', '90071992547409931234.07', 'MXN', 2],
		['.toggle', 'amount', '90071992547409931234.07', 'MXN', 2],
		['#pay', 'amount', '90071992547409931234.07', 'MXN', 2], ['#vat', 'amount', '1234.50', 'MXN', 2],
		['.items small', 'amount', '123456', 'JPY', 0], ['.items bdi', 'amount', '1234567.891', 'KWD', 3],
		['.facts', 'amount', '1099.90', 'MXN', 2], ['#schedule', 'amount', '1234567.80', 'MXN', 2],
		['#schedule', 'day', '2035-04-01T00:00Z'], ['#schedule', 'count', 1200, 0]]`},
	{"wrong amount", regionTyped, `[['.fault', 'count', 12.5, 2]]`},
	{"typed amount", regionTyped, `[['#pay', 'amount', '12345.60', 'CHF', 2]]`},
	{"declined", regionDeclined, `[['#message', 'amount', '1000000.50', 'EUR', 2],
		['#message', 'amount', '2000000.00', 'EUR', 2]]`},
	{"wait", regionWait, `[['#account_amount', 'amount', '1234567.80', 'EUR', 2],
		['#coin_amount', 'count', '1234.500000', 6], ['#pay_until', 'time', '2038-01-19T03:14:07Z'],
		['.toggle', 'amount', '48.40', 'EUR', 2]]`},
	{"paid", regionPaid, `[['.facts', 'amount', '48.40', 'EUR', 2], ['.facts', 'time', '2026-11-21T14:07:00Z']]`},
}

func regionForm(screen object) object {
	order := screen["order"].(object)
	order["amount"], order["currency"] = "90071992547409931234.07", "MXN"
	order["vat"] = []object{{"country": "MX", "amount": "1234.50"}}
	screen["items"] = []object{{"name": "A", "quantity": "2", "price": "123456", "currency": "JPY"},
		{"name": "B", "total": "1234567.891", "currency": "KWD"}}
	screen["totals"] = []object{{"kind": "discount", "amount": "-1099.90"}}
	screen["schedule"] = object{"amount": "1234567.80", "interval": 3, "unit": "month", "start": "2035-04-01",
		"count": 1200}
	return screen
}

func regionTyped(screen object) object {
	order := screen["order"].(object)
	order["amount"], order["currency"] = "", "CHF"
	screen["methods"].([]object)[0]["fields"] = []object{
		{"id": "order_amount", "kind": "amount", "required": true, "max": 20, "check": "amount"}}
	return screen
}

func regionDeclined(screen object) object {
	screen["message"] = object{"text": "declined", "reason": object{"code": "paid_too_little", "currency": "EUR",
		"arrived": "1000000.50", "due": "2000000.00"}}
	return screen
}

func regionWait(screen object) object {
	delete(screen, "methods")
	screen["kind"], screen["poll_ms"], screen["message"] = "wait", 60_000, object{"text": "transfer_details"}
	screen["show"] = []object{{"id": "account_amount", "type": "amount", "value": "1234567.80", "currency": "EUR"},
		{"id": "coin_amount", "type": "amount", "value": "1234.500000", "currency": "USDT"},
		{"id": "pay_until", "type": "deadline", "value": "2038-01-19T03:14:07Z"}}
	return screen
}

func regionPaid(screen object) object {
	delete(screen, "methods")
	screen["kind"], screen["message"] = "message", object{"text": "paid"}
	screen["payment"] = object{"at": "2026-11-21T14:07:00Z", "method": "card", "mask": "411111******1111"}
	return screen
}

func TestRegions(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	s := openShop(t)
	for _, row := range regions {
		t.Run(fmt.Sprintf("%s %s %s", row.browser, row.language, row.chosen), func(t *testing.T) {
			t.Parallel()
			v := firstVisit(t, at, s) // a choice of a language stays in a tab
			v.speaks(row.browser)
			p := v.stage(nil)
			p.onNew(checkRegion)
			for _, one := range regionScreens {
				screen := one.screen(manyMethods(1))
				screen["language"], screen["browser_language"] = "en", true
				if row.language != "" {
					screen["language"], screen["browser_language"] = row.language, false
				}
				p.load(screen)
				p.until("document.getElementById('language')")
				if row.chosen != "" {
					p.choose("language", row.chosen)
				}
				if typed := map[string]string{"wrong amount": "x\t", "typed amount": "12345.60"}[one.name]; typed != "" {
					p.typeIn("order_amount", typed)
				}
				p.regional(one.name, "region("+quote(row.locale)+")("+one.expected+")")
			}
		})
	}
}

// regional waits until nothing differs from a region's form, and reports what still does after a while.
func (v *visit) regional(screen, differences string) {
	v.t.Helper()
	const soon = "new Promise(done => { const ends = Date.now() + 10_000, look = () => " +
		"%s && Date.now() < ends ? setTimeout(look, 50) : done(%[1]s); look() })"
	if got := get[string](v.tab, fmt.Sprintf(soon, differences)); got != "" {
		v.t.Errorf("%s: %s", screen, got)
	}
}
