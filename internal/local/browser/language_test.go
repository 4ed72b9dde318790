package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"

	"checkout/internal/local/demo"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// languageStories are stories of a target whose page comes as it does to payers.
var languageStories = []story{
	{"the browser's language", func(v *visit) {
		for _, row := range []struct{ speaks, session, tag, card, fetched string }{
			{"en-US,en", "de", "de", "Kartennummer", ""}, // the address goes before the browser
			{"uk-UA,uk,en", "", "uk", "Номер картки", ""},
			{"en-US,en", "", "en", "Card number", ""},
			{"tlh", "", "en", "Card number", "en,languages"},
		} {
			v.speaks(row.speaks)
			v.open("about:blank")
			if row.session == "" {
				v.form(v.session(onlyCard))
			} else {
				v.form(v.session(onlyCard, object{"checkout_language": row.session}))
			}
			v.checkTexts(row.tag, row.card)
			v.checkFetched(row.fetched)
		}
		v.choose("language", "ar")
		v.until("document.documentElement.dir == 'rtl'")
		v.checkTexts("ar", "رقم البطاقة")
	}},
	{"a language of the session that its address does not name", func(v *visit) {
		v.speaks("en-US,en")
		v.openUnnamed(v.session(onlyCard, object{"checkout_language": "de"}))
		v.until(element("pay"))
		v.checkTexts("de", "Kartennummer")
		v.checkFetched("de,languages")
	}},
	{"names of methods other than cards", func(v *visit) {
		v.form(v.session(object{"checkout_language": "de", "methods": []string{"card", "voucher"}}))
		v.until("document.querySelector('#method').innerText.includes('Guthabenkarte')")
		v.checkFetched("")
	}},
	{"from right to left before any script runs", func(v *visit) {
		call(v.tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		v.open(v.target.BaseURL + "/?session=none&language=ar")
		v.until("document.documentElement.lang == 'ar'")
		v.until("getComputedStyle(document.querySelector('main')).direction == 'rtl'")
	}},
}

// onlyCard is a session whose screens need no names of methods.
var onlyCard = object{"methods": []string{"card"}}

const (
	polyglotKey = "polyglot-test"
	quarterly   = "1d6f0c1e-8a52-4f0e-8d4a-2f6f1c7b9a11"
)

// polyglot is a merchant whose page is Norwegian if neither session nor browser name a language of the page.
func polyglot(shop demo.Config) settings.Merchant {
	m := careful(shop)
	m.ID, m.LiveKey, m.TestKey = "polyglot", "polyglot-live", polyglotKey
	m.Schedules = []settings.Schedule{{ID: quarterly, Name: "Every 3 months", PaymentsCount: 12,
		Interval: settings.Interval{IntervalLength: 3, IntervalUnit: settings.UnitMonth}}}
	m.Mappings[0].Language = "no"
	m.Mappings[0].RequiredFields = []string{"payer_email", "payer_country", "payer_state", "payer_city", "payer_address",
		"payer_zip", "payer_phone"}
	return m
}

// spoken is what a Chromium of the United States has to show in each language: the first countries of the list,
// Germany, and the sentence of a schedule with a number, a date and two plurals.
var spoken = []struct{ language, tag, countries, germany, schedule string }{
	{"en", "en", "Afghanistan, Åland Islands, Albania", "Germany",
		"You will be charged $1,234,567.50 every 3 months, starting on April 1, 2035, 12 times in total."},
	{"fr", "fr", "Afghanistan, Afrique du Sud, Albanie", "Allemagne",
		"1 234 567,50 $US seront débités tous les 3 mois, à partir du 1 avril 2035, 12 fois au total."},
	{"es", "es", "Afganistán, Albania, Alemania", "Alemania",
		"Se le cobrarán $1,234,567.50 cada 3 meses, a partir del 1 de abril de 2035, 12 veces en total."},
	{"de", "de", "Afghanistan, Ägypten, Ålandinseln", "Deutschland",
		"Es werden alle 3 Monate 1.234.567,50 $ abgebucht, erstmals am 1. April 2035, insgesamt 12-mal."},
	{"kk", "kk", "АҚШ-тың Виргин аралдары, АҚШ-тың сыртқы кіші аралдары, Аланд аралдары", "Германия",
		"Сізден 3 ай сайын 1 234 567,50 $ алынады, басталу күні: 01.04.2035, барлығы 12 рет."},
	{"ru", "ru", "Австралия, Австрия, Азербайджан", "Германия",
		"Будет списываться 1 234 567,50 $ раз в 3 месяца, начиная с 1 апреля 2035 г., всего 12 раз."},
	{"ar", "ar", "آيسلندا, إثيوبيا, أذربيجان", "ألمانيا",
		"سيُخصم منك 1,234,567.50 US$ كل 3 أشهر ابتداءً من 1 أبريل 2035، 12 مرة إجمالًا."},
	{"zh", "zh-Hans", "阿尔巴尼亚, 阿尔及利亚, 阿富汗", "德国", "自2035年4月1日起将每3个月扣款 US$1,234,567.50，共12次。"},
	{"az", "az", "ABŞ Virgin adaları, ABŞ-a bağlı kiçik adacıqlar, Aland adaları", "Almaniya",
		"Kartınızdan 3 ay ərzində bir dəfə 1.234.567,50 $ çıxılacaq, başlanğıc: 01.04.2035, cəmi 12 dəfə."},
	{"ua", "uk", "Австралія, Австрія, Азербайджан", "Німеччина",
		"Списуватиметься 1 234 567,50 USD раз на 3 місяці, починаючи з 1 квітня 2035 р., загалом 12 разів."},
	{"no", "nb", "Afghanistan, Albania, Algerie", "Tyskland",
		"Du blir trukket 1 234 567,50 USD én gang per 3 måneder, første gang 1. april 2035, 12 ganger til sammen."},
	{"zho", "zh-Hant", "千里達及托巴哥, 土耳其, 土克斯及開科斯群島", "德國", "自2035年4月1日起將每3個月扣款 US$1,234,567.50，共12次。"},
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	at, server := embedded(t, time.Now)
	if err := server.App.Merchants.Save(t.Context(), polyglot(server.Demo)); err != nil {
		t.Fatal(err)
	}
	var tested []string
	for _, row := range spoken {
		tested = append(tested, row.language)
	}
	if want := slices.Clone(request.Languages); !slices.Equal(slices.Sorted(slices.Values(tested)),
		slices.Sorted(slices.Values(want))) {
		t.Errorf("languages %v, want %v", tested, want)
	}
	s := openShop(t)
	for _, row := range spoken {
		t.Run(row.language, func(t *testing.T) {
			t.Parallel()
			v := newVisit(t, at, s).at(polyglotKey)
			v.form(v.session(object{"checkout_language": row.language, "recurring_init": true, "schedule_id": quarterly,
				"payment_schedule_amount": "1234567.50", "schedule_start_date": "2035-04-01"}))
			v.checkSpoken(row.tag, row.countries, row.germany, row.schedule)
			v.click("pay")
			v.until("document.querySelectorAll('[aria-invalid=true]').length > 8")
			for _, width := range []int64{320, 1280} {
				v.do(chromedp.EmulateViewport(width, 844))
				v.checkWidth(row.language)
				v.checkTextPlaces(fmt.Sprintf("%s at %d", row.language, width))
			}
			v.checkWords(row.language, "form")
			texts, err := wordsOf(row.language)
			if err != nil {
				t.Fatal(err)
			}
			v.checkLetters(strings.Join(texts, "") + get[string](v.tab, "document.body.textContent"))
		})
	}
	t.Run("a first visit", func(t *testing.T) {
		for _, language := range []string{"ua", "kk"} { // the heaviest
			firstVisit(t, at, s).checkLoaded(language)
		}
	})
	t.Run("the mapping's comes last", func(t *testing.T) {
		v := newVisit(t, at, s).at(polyglotKey)
		v.speaks("tlh")
		v.form(v.session())
		v.checkTexts("nb", "Kortnummer")
		v.speaks("tlh,ar")
		v.open("about:blank")
		v.form(v.session())
		v.checkTexts("ar", "رقم البطاقة")
	})
	t.Run("English stands in", func(t *testing.T) { standsIn(newVisit(t, at, s)) })
}

// mostLoaded is what a first visit may load until its form is shown, in bytes with all headers. The build has the
// same limit.
const mostLoaded = 44_000

// checkLoaded opens a list of methods in a language, and checks what was loaded for it.
func (v *visit) checkLoaded(language string) {
	v.t.Helper()
	v.form(v.session(paying, object{"checkout_language": language}))
	v.until("document.readyState == 'complete' && document.querySelectorAll('.way').length > 2")
	v.watch.mu.Lock()
	defer v.watch.mu.Unlock()
	v.t.Logf("%s: a first visit loads %.0f bytes", language, v.watch.loaded)
	if v.watch.loaded > mostLoaded || v.watch.loaded < mostLoaded/2 {
		v.t.Errorf("%s: a first visit loads %.0f bytes, more than %d or too few", language, v.watch.loaded, mostLoaded)
	}
}

// speaks changes the languages of the browser.
func (v *visit) speaks(languages string) {
	v.t.Helper()
	call(v.tab, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
		UserAgent: get[string](v.tab, "navigator.userAgent"), AcceptLanguage: languages})
}

func (v *visit) checkTexts(tag, card string) {
	v.t.Helper()
	if got := get[string](v.tab, "document.documentElement.lang"); got != tag {
		v.t.Errorf("lang is %q, want %q", got, tag)
	}
	if got := get[string](v.tab, "document.querySelector('label[for=payer_card]').innerText"); got != card {
		v.t.Errorf("the card's label is %q, want %q", got, card)
	}
}

// openUnnamed opens a session's page by an address that does not name its language.
func (v *visit) openUnnamed(s session) {
	v.t.Helper()
	address, _, named := strings.Cut(s.URL, "&language=")
	if !named {
		v.t.Errorf("%s names no language", s.URL)
	}
	v.open(address)
}

// checkFetched checks which texts the page has fetched, by the names of their files: none that came with it.
func (v *visit) checkFetched(files string) {
	v.t.Helper()
	const fetched = `performance.getEntriesByType('resource').map(e => e.name.split('/').pop())
		.filter(name => name.endsWith('.json') && !name.startsWith('places-'))
		.map(name => name.replace(/-[^-]*$/, '')).sort().join()`
	if got := get[string](v.tab, fetched); got != files {
		v.t.Errorf("fetched %q, want %q", got, files)
	}
}

// checkSpoken compares names of countries, number, date and plurals. Kinds of spaces and marks of direction are up to
// the browser.
func (v *visit) checkSpoken(tag, countries, germany, schedule string) {
	v.t.Helper()
	plain := func(text string) string {
		text = strings.NewReplacer("\u200e", "", "\u200f", "", "\u2066", "", "\u2068", "", "\u2069", "").Replace(text)
		return strings.Join(strings.Fields(text), " ")
	}
	options := "[...document.querySelectorAll('#payer_country option')]"
	if tag == "kk" || tag == "az" { // which Chromium does not know
		v.until(options + ".find(o => o.value == 'DE').text == " + quote(germany))
	}
	for _, one := range []struct{ what, expression, want string }{
		{"lang", "document.documentElement.lang", tag},
		{"countries", options + ".slice(1, 4).map(o => o.text).join(', ')", countries},
		{"Germany", options + ".find(o => o.value == 'DE').text", germany},
		{"schedule", "document.getElementById('schedule').innerText", schedule},
	} {
		if got := plain(get[string](v.tab, one.expression)); !strings.EqualFold(got, one.want) {
			v.t.Errorf("%s is %q, want %q", one.what, got, one.want)
		}
	}
	direction := get[string](v.tab, "getComputedStyle(document.querySelector('main')).direction")
	if (direction == "rtl") != (tag == "ar") {
		v.t.Errorf("direction is %s", direction)
	}
	for _, id := range []string{"payer_card", "payer_expiryDate", "payer_cvv", "payer_email", "payer_phone"} {
		if got := get[string](v.tab, "getComputedStyle("+element(id)+").direction"); got != "ltr" {
			v.t.Errorf("%s is written %s", id, got)
		}
	}
}

// checkTextPlaces checks that no visible text is cut or printed over another.
func (v *visit) checkTextPlaces(screen string) {
	v.t.Helper()
	v.accessible()
	v.none(screen, "access.cut()")
	if texts := get[int](v.tab, "access.texts().length"); texts < 3 {
		v.t.Errorf("%s: only %d texts", screen, texts)
	}
}

// standsIn opens the page in another language while its texts can't be fetched, and while they are not those of the
// build.
func standsIn(v *visit) {
	h := v.pause(fetch.RequestPattern{URLPattern: "*/de-????????.json"})
	for _, answer := range []func(fetch.RequestID){
		h.lose, func(id fetch.RequestID) { h.respond(id, "application/json", `{"tag":"de","fields":{}}`) },
	} {
		v.openUnnamed(v.session(object{"checkout_language": "de", "methods": []string{"card", "voucher"}}))
		answer(h.wait())
		v.until(element("pay"))
		v.checkTexts("en", "Card number")
		v.until("document.querySelector('#method').innerText.includes('Voucher')")
		v.open("about:blank")
	}
	v.watch.found() // the browser reports texts that are not those of the build
}
