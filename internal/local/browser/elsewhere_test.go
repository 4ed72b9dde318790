package browser

import (
	"bytes"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/makiuchi-d/gozxing/oned"
	"github.com/makiuchi-d/gozxing/qrcode"
)

// synthetic are methods of each behaviour that exist in this test only: their ids, labels, fields and what the payer
// gets to see are unknown to the page and to the service.
var synthetic = []struct {
	id, icon string
	fields   []object
	waits    object // merged into the wait screen
}{
	{"astro_bank", "bank", []object{{"id": "astro_branch", "kind": "select", "required": true,
		"options": []object{{"value": "MOON"}, {"value": "MARS"}}}}, nil}, // goes to another page
	{"astro_qr", "qr", nil, object{"message": object{"text": "scan_qr"}, "actions": []string{"paid", "another", "cancel"},
		"show": []object{{"id": "qr_code", "type": "qr", "value": qrText}}}},
	{"astro_voucher", "voucher", nil, object{"message": object{"text": "voucher_issued"}, "actions": []string{"paid"},
		"show": []object{{"id": "amount_due", "type": "amount", "value": "48.40", "currency": "EUR"},
			{"id": "voucher_barcode", "type": "barcode", "value": barcodeText},
			{"id": "astro_crater", "type": "copy", "value": "CRATER-7"},
			{"id": "pay_until", "type": "deadline", "value": "2038-01-19T03:14:07Z"},
			{"id": "astro_stamp", "type": "image", "value": stamp()},
			{"id": "astro_kind", "type": "hologram", "value": "drawn as a text"}}}},
	{"astro_link", "mail", []object{{"id": "astro_mail", "kind": "email", "required": true, "check": "email"}},
		object{"message": object{"text": "open_link"}, "actions": []string{"another"},
			"show": []object{{"id": "app_link", "type": "link", "value": "https://bank.example/pay"},
				{"id": "astro_trap", "type": "link", "value": "javascript:document.title='caught'"}}}},
	{"astro_prompt", "phone", []object{{"id": "astro_number", "kind": "phone", "required": true, "check": "phone"}},
		object{"message": object{"text": "astro_said"},
			"show": []object{{"id": "provider_message", "type": "text", "value": astroWords}}}},
}

// astroWords are what a provider says to the payer, as long as that may be, with a word that no line holds.
var astroWords = "Dial *126# <b>now</b> " + strings.Repeat("moon", 20) + strings.Repeat(" and confirm", 8) + "."

const (
	qrText      = "00020126580014BR.GOV.BCB.PIX0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR6304ABCD"
	barcodeText = "9876543210001234567A"
)

// typed are the values that the payer types or chooses.
var typed = map[string]string{"astro_branch": "MARS", "astro_mail": "neil@example.com", "astro_number": "+22997000000"}

// stamp is a picture of 40 by 20 pixels.
func stamp() string {
	drawing := image.NewGray(image.Rect(0, 0, 40, 20))
	for x := range 40 {
		drawing.SetGray(x, x/2, color.Gray{Y: 255})
	}
	var text bytes.Buffer
	_ = png.Encode(&text, drawing)
	return base64.StdEncoding.EncodeToString(text.Bytes())
}

// syntheticForm is the form of a card and of all synthetic methods.
func syntheticForm() object {
	form := manyMethods(0)
	key, _ := ecdh.P256().GenerateKey(rand.Reader)
	public := base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes())
	form["seal"] = object{"key_id": "k", "info": "i", "key": public}
	methods := []object{{"id": "astro_card", "label": "astro_card", "icon": "card", "group": "astro", "action": "submit",
		"fields": []object{{"id": "payer_card", "kind": "card_number", "required": true, "sealed": true,
			"check": "card_number"}}}}
	for _, m := range synthetic {
		methods = append(methods, object{"id": m.id, "label": m.id, "icon": m.icon, "group": "astro", "action": "submit",
			"fields": append([]object{}, m.fields...)})
	}
	form["methods"] = methods
	return form
}

// waitScreen is a wait screen with more members.
func waitScreen(more object) object {
	screen := manyMethods(0)
	for _, name := range []string{"methods", "items", "actions"} {
		delete(screen, name)
	}
	screen["kind"], screen["poll_ms"] = "wait", 500
	maps.Copy(screen, more)
	return screen
}

// goTo is a screen that leads to an address.
func goTo(address, text string) object {
	return waitScreen(object{"kind": "go", "go": object{"url": address, "target": "_self"},
		"message": object{"text": text}})
}

// TestSyntheticMethods pays with methods of every behaviour that only this test knows.
func TestSyntheticMethods(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	s := openShop(t)
	for i := range synthetic {
		t.Run(synthetic[i].id, func(t *testing.T) {
			t.Parallel()
			paySynthetic(newVisit(t, at, s), i)
		})
	}
}

func paySynthetic(v *visit, i int) {
	m := synthetic[i]
	v.do(chromedp.EmulateViewport(390, 844))
	next := goTo(v.shop.url("bank"), "continue_elsewhere")
	if m.waits != nil {
		next = waitScreen(m.waits)
	}
	p := v.play(syntheticForm(), func(q sent) object {
		if q.path == "pay" {
			return next
		}
		return nil
	})
	v.until(element("pay"))
	get[bool](v.tab, "(document.getElementById('more_ways')?.click(), true)")
	v.until("document.querySelector('input[name=method][value=" + m.id + "]')")
	v.pick("method", m.id)
	want := map[string]any{}
	for _, field := range m.fields {
		id := field["id"].(string)
		v.until(element(id))
		if field["kind"] == "select" {
			v.choose(id, typed[id])
		} else {
			v.write(id, typed[id])
		}
		want[id] = typed[id]
	}
	v.click("pay")
	eventually(v.t, func() bool { return p.last().path == "pay" }, v.dump)
	body := p.last().body
	if fields, _ := body["fields"].(map[string]any); body["method"] != m.id || !maps.Equal(fields, want) {
		v.t.Errorf("sent %v, not %v of %s", body, want, m.id)
	}
	if m.waits == nil {
		v.arrives("bank")
		p.show(next)
		call(v.tab, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: v.before()})
		v.message("Your payment is waiting for your confirmation.")
		v.until(element("continue"))
	} else {
		v.noPay()
		v.checkShown(m.id)
	}
	v.checkWidth(m.id)
	p.show(goTo(v.shop.url("success"), "paid"))
	if m.waits == nil {
		get[bool](v.tab, "(dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true})), true)")
	}
	v.arrives("success")
}

// before is the entry of the tab's history before the present one.
func (v *visit) before() int64 {
	history := call(v.tab, page.GetNavigationHistory, struct{}{})
	return history.Entries[history.CurrentIndex-1].ID
}

func (v *visit) noPay() {
	v.t.Helper()
	v.until("!" + element("pay"))
}

// checkShown checks what the payer sees of a synthetic method.
func (v *visit) checkShown(id string) {
	v.t.Helper()
	text := func(part string) { v.t.Helper(); v.until(element("show") + ".innerText.includes(" + quote(part) + ")") }
	switch id {
	case "astro_qr":
		v.message("Scan the code")
		v.until("document.querySelector('.qr svg')")
		if got := v.scan(".qr svg", qrcode.NewQRCodeReader()); got != qrText {
			v.t.Errorf("scanned %q", got)
		}
		v.until("document.querySelector('figure svg').getBoundingClientRect().top > " +
			"document.querySelector('.primary').getBoundingClientRect().bottom") // a phone can't scan itself
		v.click("qr_code-copy")
		v.until(element("qr_code-copy") + ".innerText.startsWith('Copied')")
		v.until("!" + element("qr_code-open"))
		v.click("paid")
		v.until("!" + element("paid") + " && document.body.innerText.includes('We are waiting for your payment to arrive.')")
	case "astro_voucher":
		text("€48.40")
		text("Astro crater\nCRATER-7")
		text("Pay until\nJanuary 19, 2038")
		text("drawn as a text")
		v.until("document.querySelector('.image img')?.naturalWidth == 40")
		if got := v.scan(".barcode svg", oned.NewCode128Reader()); got != barcodeText {
			v.t.Errorf("scanned %q", got)
		}
	case "astro_link":
		v.until(element("app_link") + ".href == 'https://bank.example/pay' && " + element("app_link") + ".target == '_blank'")
		v.until(element("astro_trap") + ".tagName == 'BDI'")
	case "astro_prompt":
		v.message("Your payment is being processed.") // the text of what the page does not know
		text("Message from the payment provider")
		text("Dial *126# <b>now</b> moonmoon") // as a text, whatever it has in it
		v.until("!document.querySelector('#show .lead')")
	}
}
