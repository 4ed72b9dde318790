package merchant

import (
	"encoding/json"
	"testing"

	"checkout/internal/fault"
	"checkout/internal/request"
	"checkout/internal/request/requesttest"
	"checkout/internal/settings"
)

// A name that may be any text is safe for a provider: only what is a name is left of it.
func TestTypedNames(t *testing.T) {
	m := shopOfTests()
	hash := settings.SignHash(m, "order-1234", "100.99", "USD", "Important gift - # 9")
	for sent, want := range map[string]string{
		"Žofie Müllerová": "Žofie Müllerová", "李小龍": "李小龍", "Ann\u200b  \u202eLee": "Ann Lee",
		"Ann\x00\tLee\x1b": "Ann Lee", "Cher": "Cher",
		"N/A": "", "undefined undefined": "", "NA NA": "", "guest": "", "Guest Lee": "Guest Lee", "undefined": "",
		"-": "", "12 34": "", "Ann 4111 1111 1111 1111": "",
	} {
		text, err := json.Marshal(sent)
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range []request.NameRule{request.NameOff, request.NameChecked} {
			m.Mappings[0].CustomerName = rule
			m.Mappings[0].Compatibility = settings.Compatibility{"billing": "ask"}
			in := mustFields(t, requesttest.SessionWith(t, "hash", `"`+hash+`"`, "customer.name", string(text)))
			in.Required("merchant_key")
			r, err := ReadSession(in, m, fault.Owner{Merchant: m.ID}, testNow)
			if err != nil {
				t.Fatal(err)
			}
			if rule == request.NameOff && (r.Customer.Name != want || (want == "") != (len(r.LeftOut) > 0)) {
				t.Errorf("%q is %q, left out %q", sent, r.Customer.Name, r.LeftOut)
			}
			if rule == request.NameChecked && r.Customer.Name != "" && r.Customer.Name != sent && r.Customer.Name != want {
				t.Errorf("%q is %q where names are checked", sent, r.Customer.Name)
			}
		}
	}
}
