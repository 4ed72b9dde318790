package browser

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestAnnounced listens to the page as a screen reader does: what is added to a region that is there already is said,
// once; polls and the clock say nothing.
func TestAnnounced(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	tell(t, at, []story{
		{"whoever waits hears what changes", hearWaiting},
		{"a decline is said once", hearDecline},
		{"a reason says what to do next, once", hearReason},
		{"the last try is said before it is used, and the end after it", hearLast},
		{"what is copied is said each time", hearCopied},
		{"a search that finds nothing says so", hearSearch},
		{"what is sent, and a fault", hearFaults},
	})
}

// listening writes down what is said: texts that are added or changed in a live region that was there before. A region
// that comes with its text is written down as one that nobody hears.
const listening = `
	window.said = [];
	const live = '[role=alert], [role=status], [aria-live=polite], [aria-live=assertive]';
	const quiet = '[aria-live=off], [aria-hidden=true], [role=timer]';
	const hear = (node, fresh) => {
		const e = node.nodeType == 1 ? node : node.parentElement;
		const region = e?.closest('[aria-live], [role=alert], [role=status], [role=timer]');
		const text = (node.nodeType == 1 ? node.innerText : node.data)?.trim();
		if (!text || !region || !region.matches(live) || e.closest(quiet)) return;
		said.push(fresh.some(n => n.contains(region)) ? 'nobody hears: ' + text : text);
	};
	new MutationObserver(list => {
		const fresh = list.flatMap(m => [...m.addedNodes]).filter(n => n.nodeType == 1);
		for (const m of list) {
			if (m.type == 'characterData') hear(m.target, []);
			for (const n of m.addedNodes) {
				hear(n, fresh);
				if (n.nodeType == 1) for (const r of n.querySelectorAll(live)) if (!n.matches(live)) hear(r, fresh);
			}
		}
	}).observe(document, {subtree: true, childList: true, characterData: true});`

// listen begins before the page is opened.
func (v *visit) listen() {
	v.t.Helper()
	v.onNew(listening)
}

// said waits until a text was said, and returns all that was said since the last call.
func (v *visit) said(text string) []string {
	v.t.Helper()
	var all []string
	eventually(v.t, func() bool {
		got, err := read[[]string](v.tab, "window.said")
		all = got
		return err == nil && slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, text) })
	}, func() string { return fmt.Sprintf("%q was not said, but %q", text, all) })
	v.forgetSaid()
	return all
}

func (v *visit) forgetSaid() {
	v.t.Helper()
	get[bool](v.tab, "(window.said = [], true)")
}

// silent waits for three polls and checks that they said nothing.
func (v *visit) silent(when string) {
	v.t.Helper()
	const polls = "performance.getEntriesByType('resource').filter(e => e.name.includes('/page/v1/')).length"
	v.until(fmt.Sprintf("%s >= %d", polls, get[int](v.tab, polls)+3))
	if got := get[[]string](v.tab, "window.said"); len(got) > 0 {
		v.t.Errorf("%s: said %q", when, got)
	}
}

// once checks that these things were said, in this order and nothing else.
func (v *visit) once(texts ...string) {
	v.t.Helper()
	all := v.said(texts[len(texts)-1])
	same := slices.EqualFunc(all, texts, strings.HasPrefix)
	if !same {
		v.t.Errorf("said %q, not %q", all, texts)
	}
}

func hearWaiting(v *visit) {
	v.listen()
	waiting := func(text string, more object) object {
		screen := waitScreen(object{"message": object{"text": text}, "expires_in_ms": 600_000, "lifetime_ms": 900_000})
		for name, value := range more {
			screen[name] = value
		}
		return screen
	}
	p := v.play(waiting("pay_elsewhere", ofCoin("sandbox1")), func(sent) object { return nil })
	v.until(element("crypto_address-copy"))
	v.until("document.querySelector('[role=timer]')")
	v.said("Please pay")
	v.silent("the same screen")
	slow := waiting("pay_elsewhere", ofCoin("sandbox1"))
	slow["poll_ms"] = 5000 // each starts the clock again
	p.show(slow)
	v.until("document.querySelector('[role=timer]').innerText.endsWith('9:58')")
	v.silent("the clock")
	coin := ofCoin("sandbox1")
	coin["show"] = append(coin["show"].([]object), object{"id": "amount_missing", "type": "amount", "value": "0.5",
		"currency": "BCH"})
	coin["message"] = object{"text": "partly_paid"}
	p.show(waiting("partly_paid", coin))
	v.until(element("amount_missing"))
	all := v.said("Part of the amount has arrived.")
	if joined := strings.Join(all, " "); strings.Contains(joined, "sandbox1") || strings.Count(joined, "0.5") != 1 {
		v.t.Errorf("said %q", all)
	}
	v.silent("partly paid")
	p.show(messageIn("en", "paid", nil))
	v.once("Paid", "Thank you, your payment is complete.")
}

func hearDecline(v *visit) {
	v.listen()
	v.form(v.session(paying, onlyCard))
	v.forgetSaid()
	v.pay("0238")
	declined := []string{"Sending…", "Your payment was declined.", "Reason: Declined by processing.", "Please try again"}
	v.once(declined...)
	v.pay("0238")
	v.once(append(declined, "This is your last try.")...) // it is another one
}

func hearReason(v *visit) {
	v.listen()
	customer := object{"name": "Ada Example", "email": "decline-card_stolen@shop.example"}
	v.form(v.session(paying, onlyCard, object{"customer": customer}))
	v.forgetSaid()
	v.pay("0138")
	v.once("Sending…", "Your payment was declined.",
		"Reason: The payment was not approved. Please pay another way, or ask your bank.")
}

func hearLast(v *visit) {
	v.listen()
	form, turn := syntheticForm(), 0
	v.play(form, func(q sent) object {
		if q.path != "pay" {
			return nil
		}
		turn++
		reason := object{"code": "insufficient_funds"}
		if turn == 2 {
			end := messageIn("en", "too_many_declines", reason)
			end["go"] = object{"url": v.shop.url("cancel"), "target": "_self"}
			return end
		}
		again := maps.Clone(form)
		again["message"], again["last_try"] = object{"text": "declined", "reason": reason}, true
		return again
	})
	v.until(element("payer_card"))
	v.forgetSaid()
	v.write("payer_card", cardNumber)
	v.click("pay")
	v.once("Sending…", "Your payment was declined.", "Reason: There is not enough money", "This is your last try.")
	v.until(element("payer_card") + ".value != ''")
	v.click("pay")
	v.once("Sending…", "Payment declined", "Nothing was charged.", "Reason: There is not enough money")
	v.until("[...document.querySelectorAll('.primary')].map(e => e.id).join() == 'continue'")
	v.click("continue")
	v.arrives("cancel")
}

func hearCopied(v *visit) {
	v.listen()
	v.play(ofCoin("sandbox1"), func(sent) object { return nil })
	v.until(element("crypto_address-copy"))
	v.said("Please pay")
	v.click("crypto_address-copy")
	v.once("Copied")
	v.silent("after copying")
}

func hearSearch(v *visit) {
	v.listen()
	v.play(manyMethods(20), nil)
	v.until(element("more_ways"))
	v.click("more_ways")
	v.until(element("search"))
	v.forgetSaid()
	v.typeIn("search", "zzz")
	v.once("No")
}

func hearFaults(v *visit) {
	v.listen()
	v.form(v.session(paying, onlyCard))
	v.forgetSaid()
	v.click("pay")
	v.checkFault("payer_card", "Card number: required")
	v.once("Please check")
}
