package browser

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// A dialog stays as it is with what is typed, while what is shown behind it is read again, with success or without.
func TestAdminDialogStays(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	paid := run.pay(t, pensKey, "01/38")
	a := run.enter(t, 0, hand{width: 1280})
	a.view("operators")
	a.hand.press(a, control("Set a limit…"))
	a.hand.write(a, dialogField("currency"), "USD")
	a.hand.write(a, dialogField("one"), "10")
	a.hand.write(a, dialogField("day"), "30")
	a.does("Limit support", "a new shop")
	a.hand.press(a, control("Close"))
	a.shows("main td", "USD")
	for _, row := range []struct{ place, opens, field, typed string }{
		{"payments/" + paid.id, "Refund…", "amount", "2.50"},
		{"payments/" + paid.id + "?do=refund", "", "amount", "2.50"},
		{"payments/" + paid.id, "Add a note…", "text", "The payer has called."},
		{"payments/" + paid.id, "Block…", "until", "2038-01-19"},
		{"operators", "Grant a role…", "who", "oidc/ann"},
		{"operators", "Change…", "one", "20"},
		{"blocks", "Block an address…", "value", "ada@example.com"},
	} {
		a.view(row.place)
		if row.opens != "" {
			a.hand.press(a, control(row.opens))
		}
		a.until(dialogField(row.field))
		get[bool](a.tab, "(e => { e.focus(); e.value = "+quote(row.typed)+
			"; return e.dispatchEvent(new Event('input', {bubbles: true})) })("+dialogField(row.field)+")")
		a.readsAgain()
		if got := get[string](a.tab, dialogField(row.field)+"?.value ?? 'no dialog'"); got != row.typed {
			t.Errorf("%s, %s: the field has %q, want %q", row.place, row.opens, got, row.typed)
		}
		a.until("document.activeElement == " + dialogField(row.field))
	}
}

// readsAgain has all that is shown read again: first as somebody who may not, then as before.
func (a *adminVisit) readsAgain() {
	a.t.Helper()
	const sends = `(token => { new BroadcastChannel('access').postMessage(token); return true })`
	token := get[string](a.tab, "sessionStorage.access")
	get[bool](a.tab, sends+"('another')")
	a.until("document.querySelector('main .failure')")
	get[bool](a.tab, sends+"("+quote(token)+")")
	a.until("!document.querySelector('main .failure')")
	a.loaded()
}

// Until the response has come, no key closes the dialog: what became of the act would be told to nobody.
func TestAdminDialogWaits(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	paid := run.pay(t, pensKey, "01/38")
	a := run.enter(t, 0, hand{width: 1280})
	a.view("payments/" + paid.id)
	get[bool](a.tab, `(() => {
		const fetched = window.fetch;
		window.fetch = async (...args) => {
			const response = await fetched(...args);
			if (args[1]?.method == "POST") await new Promise((go) => { window.goOn = go; });
			return response;
		};
		return true;
	})()`)
	a.hand.press(a, control("Refund…"))
	a.does("Refund", "a pen is missing")
	a.until("window.goOn")
	for range 3 {
		a.tab.press(kb.Escape)
	}
	a.until("document.querySelector('dialog[open] form')")
	get[bool](a.tab, "(window.goOn(), true)")
	a.until("document.querySelector('dialog[open] .said')")
	a.tab.press(kb.Escape)
	a.until("!document.querySelector('dialog[open]')")
}
