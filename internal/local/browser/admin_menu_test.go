package browser

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Every view says in the same place whether it shows live or test payments, and leads to the other ones where it has
// them. What was chosen stays so after a view of both.
func TestAdminModes(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	paid := run.pay(t, pensKey, "01/38")
	run.pay(t, "ink-live", "01/38") // its callback is parked: there is no address
	run.pay(t, "ink-test", "01/38")
	run.pay(t, "ink-test", "01/38")
	a := run.enter(t, 0, hand{width: 1280})
	const (
		group = "[...document.querySelectorAll('nav section')].map(s => s.innerText.split('\\n')[0]).join()"
		modes = "document.querySelector('.bar > .modes').innerText.replace(/\\s+/g, ' ')"
		right = "Math.round(document.querySelector('.bar > .modes').getBoundingClientRect().right)"
		top   = "Math.round(document.querySelector('.bar > .modes').getBoundingClientRect().top)"
		links = "document.querySelectorAll('.bar > .modes a').length"
	)
	a.until(group + " == 'Payments,To do,Set-up'")
	a.until("document.querySelector('.chart svg').getAttribute('aria-label').includes(': 2 today, 0 in')")
	for _, width := range []int64{1280, 768, 390} {
		a.do(chromedp.EmulateViewport(width, 844))
		a.view("")
		edge, from := get[float64](a.tab, right), get[float64](a.tab, top)
		if edge > float64(width) || from > 40 {
			t.Errorf("%d px: it ends at %v, and begins at %v", width, edge, from)
		}
		for _, row := range []struct {
			place, says string
			links       float64
		}{
			{"payments", "live test", 2}, {"payments?mode=test", "live TEST", 2}, {"payments/" + paid.id, "live test", 2},
			{"chains", "live test", 2}, {"waiting", "live test", 2}, {"waiting?mode=test", "live TEST", 2},
			{"callbacks", "live test", 2}, {"addresses?mode=test", "live TEST", 2}, {"circuits", "live test", 2},
			{"blocks?mode=test", "live TEST", 2}, {"find", "live and test", 0},
			{"find?q=" + paid.Order + "x&mode=test", "test only", 0}, {"merchants", "live and test", 0},
			{"merchants/pens", "live and test", 0}, {"operators", "live and test", 0}, {"audit", "live and test", 0},
		} {
			a.view(row.place)
			name := fmt.Sprintf("%s, %d px", row.place, width)
			if got := get[string](a.tab, modes); got != row.says {
				t.Errorf("%s: says %q, want %q", name, got, row.says)
			}
			if got := get[float64](a.tab, links); got != row.links {
				t.Errorf("%s: has %v links, want %v", name, got, row.links)
			}
			at, down := get[float64](a.tab, right), get[float64](a.tab, top)
			if at != edge || down != from && down != from+8 { // below the edge of test mode
				t.Errorf("%s: stands at %v, %v, want %v, %v", name, at, down, edge, from)
			}
		}
	}
	a.do(chromedp.EmulateViewport(1280, 844))
	a.view("payments/" + paid.id)
	a.hand.press(a, control("test")) // the list of the others
	a.heading("Payments")
	a.until("document.querySelectorAll('main tbody tr').length == 2")
	a.hand.press(a, control("Audit"))
	a.heading("Audit")
	a.until(modes + " == 'live and test' && !document.querySelector('.frame.test')")
	a.hand.press(a, control("Callback addresses"))
	a.heading("Callback addresses")
	a.until(modes + " == 'live TEST'")
	a.shows("td[data-name=Parked]", "2")
	a.shows("nav .counter", "2")
	a.hand.press(a, control("live"))
	a.until(modes + " == 'live test'")
	a.shows("td[data-name=Parked]", "1")
	a.shows("nav .counter", "1")
}

// Amounts are written as in the browser's region, also those in sentences of the service, and nothing else is.
func TestAdminAmounts(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	paid := run.pay(t, pensKey, "01/38", object{"order": object{
		"number": "b47f0c9e-3a35-4b6e-9f0a-2f1f6f0f3b13", "amount": "1234567.00", "currency": "USD", "description": "Pens",
	}, "customer": object{"name": "Ada Example", "email": "a.long.name.of.a.person@department.example.com"}})
	a := run.enter(t, 0, hand{width: 1280})
	a.view("payments/" + paid.id)
	a.hand.press(a, control("Add a note"))
	a.hand.write(a, dialogField("text"), "Belongs to order 7654321 ABC.")
	a.hand.press(a, control("Add the note"))
	a.shows("dialog[open] .said", "The note stands")
	for _, row := range []struct{ locale, amount string }{
		{"en-US", "1,234,567.00 USD"}, {"de-DE", "1.234.567,00 USD"}, {"fr-FR", "1 234 567,00 USD"},
		{"en-IN", "12,34,567.00 USD"}, {"ar-EG", "1,234,567.00 USD"},
	} {
		call(a.tab, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{Locale: row.locale})
		a.view("payments")
		a.shows("td .money", row.amount)
		a.view("payments/" + paid.id)
		a.shows(".money", row.amount)
		a.shows(".means", row.amount+" was paid.")
		a.shows(".tell", "Your payment of "+row.amount+" has succeeded.")
		a.shows(".facts dd", row.amount)
		a.shows(".timeline li", "The shop asked for a purchase of "+row.amount)
		a.shows(".timeline li", "Belongs to order 7654321 ABC.")
		call(a.tab, emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{})
	}
}

// Order numbers and e-mail addresses are whole where they fit. Where they are cut, their titles have them, and
// whoever goes to the row by keyboard sees them.
func TestAdminLongTexts(t *testing.T) {
	t.Parallel()
	const email = "ada.of.a.department.with.a.long.name@department.example.com"
	run := startAdmin(t)
	for number, expiry := range map[int]string{1: "01/38", 2: "12/38"} { // the latter is under way
		run.pay(t, pensKey, expiry, object{"order": object{"number": fmt.Sprintf("%064d", number), "amount": "10.00",
			"currency": "USD", "description": "Pens"}, "customer": object{"name": "Ada Example", "email": email}})
	}
	a := run.enter(t, 0, hand{width: 1280})
	const (
		whole  = "e.scrollHeight <= e.clientHeight + 1"
		texts  = "[...document.querySelectorAll('td.clip :is(bdi, .copy)')]"
		titled = "(e.closest('[title]')?.title ?? '').includes(e.innerText)"
	)
	for _, place := range []string{"payments", "find?q=" + email, "under-way"} {
		for width, cut := range map[int64]bool{2200: false, 1280: true, 1024: false, 768: false, 390: false} {
			a.do(chromedp.EmulateViewport(width, 844))
			a.view(place)
			name := fmt.Sprintf("%s, %d px", place, width)
			a.checkWidth(name)
			if got := get[bool](a.tab, texts+".every(e => "+whole+")"); got == cut {
				t.Errorf("%s: texts are whole: %v", name, got)
			}
			if !get[bool](a.tab, texts+".every(e => "+whole+" || "+titled+")") {
				t.Errorf("%s: a text that is cut has no title", name)
			}
			a.shortcut("j")
			a.until("document.activeElement.matches('a.row')")
			if !get[bool](a.tab, texts+".every(e => "+whole+" || !e.closest('tr').contains(document.activeElement))") {
				t.Errorf("%s: a text of the focused row is cut", name)
			}
		}
	}
}
