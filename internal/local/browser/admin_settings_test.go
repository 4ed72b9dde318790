package browser

import (
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"checkout/internal/settings"
)

// setting is the field of a setting, by its path as a fault names it.
func setting(path string) string {
	id := strings.Map(func(c rune) rune {
		if strings.ContainsRune("[].", c) {
			return '-'
		}
		return c
	}, path)
	return "document.getElementById(" + quote("at-"+id) + ")"
}

// stored returns the settings of the Pen Shop as they are stored.
func (r *adminRun) stored(t *testing.T) settings.Merchant {
	t.Helper()
	found, err := r.server.App.Merchants.Read(t.Context(), "pens")
	if err != nil {
		t.Fatal(err)
	}
	return found.Settings
}

// publish publishes what the page has typed, and waits until that is done.
func (a *adminVisit) publish(button string) {
	a.t.Helper()
	a.hand.press(a, control("Publish…"))
	a.until("document.querySelector('dialog[open] .outcome')")
	a.hand.write(a, dialogField("reason"), "the shop has asked for it")
	a.hand.press(a, control(button))
	a.until("document.querySelector('dialog[open] .said')")
	a.hand.press(a, control("Close"))
}

// setLimit changes a limit of the Pen Shop. A value that can't be is told at its field, and what is typed survives a
// reload.
func setLimit(a *adminVisit) {
	run := startAdmin(a.t)
	a = run.enter(a.t, 0, a.hand)
	limit := setting("mappings[0].max_declines")
	a.view("merchants/pens?section=Limits")
	a.heading("Pen Shop")
	a.hand.write(a, limit, "2000000")
	a.shows(".setting .wrong", "1000000 or less")
	a.hand.write(a, limit, "2")
	a.shows(".unpublished", "1 change not published")
	a.view("merchants/pens?section=Limits")
	a.until(limit + "?.value == '2'")
	a.shows(".setting .changed", "not published")
	if got := run.stored(a.t).Mappings[0].MaxDeclines; got != 0 {
		a.t.Errorf("stored is %d before it is published", got)
	}
	a.publish("Publish 1 change")
	a.until("!document.querySelector('.unpublished')")
	if got := run.stored(a.t).Mappings[0].MaxDeclines; got != 2 {
		a.t.Errorf("stored is %d", got)
	}
	a.view("merchants/pens?section=History")
	a.shows(".history", "the shop has asked for it")
	a.shows(".history", "Maximum number of declines is new, 2")
}

// addMerchant sets a shop up from nothing by the page alone: its keys, which are shown once, a first request with them,
// a MID, and a trial that is paid as a payer would, whose callback arrives.
func addMerchant(a *adminVisit) {
	run := startAdmin(a.t)
	receiver := httptest.NewServer(run.pens)
	a.t.Cleanup(receiver.Close)
	a = run.enter(a.t, 0, a.hand)
	a.view("merchants")
	a.hand.press(a, control("New merchant"))
	a.heading("New merchant")
	field := func(name string) string { return "document.querySelector('form.new [name=" + name + "]')" }
	a.hand.write(a, field("id"), "cups")
	a.hand.write(a, field("name"), "Cup Shop")
	a.hand.write(a, field("url"), receiver.URL)
	get[bool](a.tab, "(document.querySelector('form.new [value=own]').click(), true)")
	a.hand.write(a, field("reason"), "a new shop")
	a.hand.press(a, control("Add the merchant"))
	a.heading("cups")
	a.shows(".known", "whsec_")
	a.hand.press(a, control("A first request"))
	request := get[string](a.tab, "document.querySelector('.snippet').textContent")
	a.hand.press(a, control("Next: a MID"))
	a.heading("Cup Shop")
	a.add("Name of another MID", "sandbox")
	a.hand.choose(a, setting("mappings[0].mids[0].connector"), "sandbox")
	a.add("Add to Methods", "card")
	a.publish("Publish")
	a.until("!document.querySelector('.unpublished')")
	a.runs(request, `"redirect_url":`)
	a.view("merchants/cups?section=Start")
	a.shows(".steps", "1 MID open")
	a.shows(".steps", "Card by sandbox")
	a.hand.press(a, control("Pay 10.00 EUR as a test"))
	a.until(element("pay"))
	a.pay("0138")
	a.heading("Cup Shop")
	a.shows(".trial", "Paid")
	a.shows(".trial", "delivered")
	order := get[string](a.tab, "document.querySelector('.trial .top a').innerText")
	if got := run.pens.callbacks(order, "sale"); got != 1 {
		a.t.Errorf("%d callbacks of %s", got, order)
	}
}

// add types another item and adds it.
func (a *adminVisit) add(label, text string) {
	a.t.Helper()
	input := "document.querySelector('[aria-label=" + quote(label) + "]')"
	a.hand.write(a, input, text)
	a.tab.press("\r")
}

// runs runs a shell script of the page, whose output has a text.
func (a *adminVisit) runs(script, want string) {
	a.t.Helper()
	out, err := exec.CommandContext(a.t.Context(), "bash", "-euc", script).CombinedOutput()
	if err != nil || !strings.Contains(string(out), want) {
		a.t.Errorf("%s\n%s %v", script, out, err)
	}
}

// Two people change the same merchant: the second is told what both have changed, and loses nothing.
func TestTwoEditors(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	a := run.enter(t, 0, hand{width: 1280})
	limit := setting("mappings[0].max_declines")
	a.view("merchants/pens?section=Limits")
	a.heading("Pen Shop")
	a.hand.write(a, limit, "2")
	a.shows(".unpublished", "1 change not published")
	meanwhile := run.stored(t)
	meanwhile.Name, meanwhile.Mappings[0].MaxDeclines = "Pens", 5
	if err := run.server.App.Merchants.Save(t.Context(), meanwhile); err != nil {
		t.Fatal(err)
	}
	a.view("merchants/pens?section=Limits")
	a.heading("Pens")
	a.shows(".notice", "Somebody has published other settings meanwhile.")
	a.shows(".notice", "yours stays, theirs was 5")
	a.until(limit + "?.value == '2'")
	a.publish("Publish 1 change")
	if got := run.stored(t); got.Name != "Pens" || got.Mappings[0].MaxDeclines != 2 {
		t.Errorf("stored are %s and %d", got.Name, got.Mappings[0].MaxDeclines)
	}
}

// Where live payments would lose their last MID, the merchant's id has to be typed.
func TestLastMIDIsClosedOnPurpose(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	run.pay(t, pensKey, "01/38")
	a := run.enter(t, 0, hand{width: 1280})
	a.view("merchants/pens?section=Mappings%20and%20MIDs")
	a.heading("Pen Shop")
	a.hand.press(a, setting("mappings[0].mids[0].disabled"))
	a.shows(".unpublished", "1 change not published")
	a.hand.press(a, control("Publish…"))
	a.until("document.querySelector('dialog[open] .outcome')")
	a.shows("dialog .outcome", "1 would get no method at all")
	a.hand.press(a, control("1 example"))
	a.hand.press(a, control("Why"))
	a.shows("dialog .outcome", "default, sandbox: The MID is disabled.")
	a.shows("dialog .outcome .wrong", "mappings[default]") // a warning
	a.hand.write(a, dialogField("reason"), "the provider is down")
	a.hand.press(a, control("Publish 1 change"))
	a.shows("dialog .wrong", "live payments would have no MID")
	a.hand.write(a, dialogField("id"), "pens")
	a.hand.press(a, control("Publish 1 change"))
	a.until("document.querySelector('dialog[open] .said')")
	a.view("circuits")
	a.shows("main", "MID sandbox")
	a.hand.press(a, control("Open…"))
	a.until("document.querySelector('dialog[open]')")
	a.hand.write(a, dialogField("reason"), "the provider is back")
	a.hand.press(a, control("Open MID sandbox"))
	a.until("document.querySelector('dialog[open] .said')")
	if run.stored(t).Mappings[0].MIDs[0].Disabled {
		t.Error("the MID is still closed")
	}
}

// Whoever removes a MID is told which credentials go with it, and types its name. It comes back with them.
func TestRemovedMIDComesBack(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	a := run.enter(t, 0, hand{width: 1280})
	a.view("merchants/demo?section=Mappings%20and%20MIDs")
	a.heading("Demo Shop")
	a.hand.press(a, "[...document.querySelectorAll('summary')].find(e => e.innerText.startsWith('MID fallback'))")
	a.hand.press(a, control("Remove MID fallback"))
	a.shows(".unpublished", "3 changes not published")
	a.hand.press(a, control("Publish…"))
	a.until("document.querySelector('dialog[open] .outcome')")
	const place = "mappings[default].mids[fallback]"
	a.shows("dialog[open]", place+" goes, and with it "+place+".credentials.key, "+place+".credentials.secret.")
	a.shows("dialog[open]", "Live payments of it that are not finished: 0.")
	a.hand.write(a, dialogField("reason"), "the contract has ended")
	a.hand.press(a, control("Publish 3 changes"))
	a.shows("dialog[open] .wrong", "Type fallback to confirm")
	a.hand.write(a, "document.querySelector('dialog[open] [name^=remove]')", "fallback")
	a.hand.press(a, control("Publish 3 changes"))
	a.until("document.querySelector('dialog[open] .said')")
	a.hand.press(a, control("Close"))
	a.view("merchants/demo?section=History")
	a.shows(".history", place+" comes back with its secrets, if it is restored before ")
	a.hand.press(a, control("Take back…"))
	a.until("document.querySelector('dialog[open]')")
	a.hand.write(a, dialogField("reason"), "it goes on")
	a.hand.press(a, "document.querySelector('dialog[open] button.primary')")
	a.until("document.querySelector('dialog[open] .said')")
	found, err := run.server.App.Merchants.Read(t.Context(), "demo")
	if err != nil || found.Secrets[place+".credentials.secret"].Since.IsZero() {
		t.Errorf("it came back without its secrets: %v", err)
	}
}

// A method and a country are closed in one act each, and opened again. What payers get is told at once.
func TestSwitches(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	a := run.enter(t, 0, hand{width: 1280})
	act := func(button string) {
		a.until("document.querySelector('dialog[open]')")
		a.hand.write(a, dialogField("reason"), "the provider is down")
		a.hand.press(a, control(button))
		a.until("document.querySelector('dialog[open] .said')")
		a.hand.press(a, control("Close"))
		a.loaded()
		// The focus goes back to what has opened the dialog, also while somebody types elsewhere already.
		a.until("!document.querySelector('dialog[open]') && document.activeElement != document.body")
	}
	row := func(what string) string {
		return "[...document.querySelectorAll('main tbody tr')].find(e => e.innerText.includes(" + quote(what) + "))" +
			".querySelector('button')"
	}
	a.view("merchants/pens?section=Switches")
	a.heading("Pen Shop")
	a.hand.press(a, row("method card"))
	act("Close method card")
	a.add("Close a country in default", "FR")
	act("Close country FR")
	a.shows("main", "country FR")
	mapping := run.stored(t).Mappings[0]
	if !slices.Equal(mapping.ClosedMethods, []string{"card"}) || !slices.Equal(mapping.ClosedCountries, []string{"FR"}) {
		t.Errorf("closed are %v, %v", mapping.ClosedMethods, mapping.ClosedCountries)
	}
	a.view("merchants/pens?section=Start")
	a.shows(".steps", "A payer of 10.00 EUR is offered nothing.")
	a.hand.press(a, control("MIDs that do not take it"))
	a.shows(".steps", "default, sandbox:")
	a.view("merchants/pens?section=Switches")
	a.heading("Pen Shop")
	a.hand.press(a, row("method card"))
	act("Open method card")
	a.hand.press(a, row("country FR"))
	act("Open country FR")
	mapping = run.stored(t).Mappings[0]
	if len(mapping.ClosedMethods)+len(mapping.ClosedCountries) != 0 {
		t.Errorf("closed are still %v, %v", mapping.ClosedMethods, mapping.ClosedCountries)
	}
}
