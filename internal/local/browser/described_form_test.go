package browser

import (
	"maps"
	"testing"
	"time"
)

// TestDescribedForm fills in fields that the page has no texts of: labels are those of its language, and text alone.
func TestDescribedForm(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	v := newVisit(t, at, openShop(t))
	in := func(en, de string) object { return object{"en": en, "de": de} }
	p := v.play(waitScreen(object{
		"language": "de", "step": "1", "message": object{"text": "more_needed"}, "fields": []object{
			{"id": "asked.pin", "kind": "password", "required": true, "max": 6, "ordered": true,
				"label_texts": in("PIN", "Geheimzahl <b>1</b>")},
			{"id": "asked.account", "kind": "select", "required": true, "ordered": true, "label_texts": in("Account", "Konto"),
				"options": []object{{"value": "a-1", "label_texts": in("Savings", "Sparkonto")}, {"value": "a-2"}}},
			{"id": "asked.terms", "kind": "checkbox", "required": true, "check": "agreed", "ordered": true,
				"label_texts": in("I agree", "Ich stimme zu")},
		},
	}), func(sent) object { return waitScreen(object{"message": object{"text": "processing"}}) })
	v.until(element("asked.pin"))
	for expression, want := range map[string]string{
		"document.querySelector('label[for=\"asked.pin\"]').innerText":                      "Geheimzahl <b>1</b>",
		element("asked.pin") + ".type":                                                      "password",
		"[..." + element("asked.account") + ".options].slice(1).map(o => o.text).join(' ')": "Sparkonto a-2",
		element("asked.terms") + ".closest('label').innerText":                              "Ich stimme zu",
	} {
		if got := get[string](v.tab, expression); got != want {
			t.Errorf("%s: %q, want %q", expression, got, want)
		}
	}
	v.click("answer")
	v.until("document.querySelectorAll('[aria-invalid=true]').length == 3")
	v.write("asked.pin", "971305")
	v.choose("asked.account", "a-2")
	v.until("document.querySelectorAll('[aria-invalid=true]').length == 1") // what stood below their faults has moved
	v.click("asked.terms")
	v.click("answer")
	v.until("!" + element("asked.pin"))
	want := map[string]any{"asked.pin": "971305", "asked.account": "a-2", "asked.terms": "true"}
	got, _ := p.last().body["fields"].(map[string]any)
	if !maps.Equal(got, want) {
		t.Errorf("sent %v", got)
	}
}
