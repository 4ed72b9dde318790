package words_test

import (
	"slices"
	"testing"

	"checkout/internal/settings/words"
)

func TestBetween(t *testing.T) {
	const before = `{"name":"Pens","disabled":true,"callback_json":true,"notification_url":"https://a.example",
		"branding":{"support":{"email":"a@pens.example"},"image_hosts":["a.example","b.example"]},
		"mappings":[{"name":"default","max_declines":2,"required_fields":["payer_email"],"vat_rates":{"DE":"19"},
			"pre_routing":[{"methods":["card"]}],"compatibility":{"preset":"plugin"},
			"mids":[{"name":"one","methods":["card"]},{"name":"two.b [x]","weight":2,"methods":["card"],
				"limits":[{"currency":"EUR","max":"5"}]}]}]}`
	const after = `{"name":"Pens & more","callback_json":false,"rate_limit":3,
		"branding":{"support":{},"image_hosts":["b.example","a.example"]},
		"mappings":[{"name":"default","required_fields":["payer_email","payer_city"],"vat_rates":{"DE":"20"},
			"one_payment_per_order":true,"pre_routing":[],"compatibility":{"preset":"plugin","upper":"unicode"},
			"mids":[{"name":"two.b [x]","weight":3,"methods":["card","crypto"],"limits":[{"currency":"EUR","max":"6"}]},
				{"name":"one","methods":["card"]},{"name":"new"}]}]}`
	changes, err := words.Between([]byte(before), []byte(after))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		got = append(got, c.Label+": "+c.Text)
	}
	const mapping, mid = "Mapping default: ", "Mapping default, MID two.b [x]: "
	want := []string{
		"Page, Hosts of pictures: the order becomes b.example, a.example",
		`Page, Support, E-mail: goes, it was "a@pens.example"`,
		"Callbacks as JSON: is switched off",
		"Disabled: is switched off",
		mapping + `Compatibility, Upper case in hashes: is new, "unicode" (default: as the kind of shop)`,
		mapping + "Maximum number of declines: goes, it was 2 (default: 3)",
		`Mapping default, MID new: is new, {"name":"new"}`,
		"Mapping default, MID two.b [x], Limit EUR: Most: \"5\" becomes \"6\"",
		mid + "Methods: has crypto more",
		mid + "Weight: 2 becomes 3",
		mapping + "MIDs: the order becomes two.b [x], one, new",
		mapping + "One payment for each order: is switched on",
		mapping + `Pre-routing: [{"methods":["card"]}] becomes []`,
		mapping + "Fields: has payer_city more",
		mapping + `VAT DE: "19" becomes "20"`,
		`Name: "Pens" becomes "Pens & more"`,
		`Address for callbacks: goes, it was "https://a.example"`,
		"Requests a second: is new, 3 (default: 500)",
	}
	if !slices.Equal(got, want) {
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Errorf("%d: %q\nwant %q", i, got[min(i, len(got)-1)], want[min(i, len(want)-1)])
			}
		}
	}
	if text := changes[7].String(); text != `mappings[default].mids[two.b [x]].limits[EUR].max: "5" becomes "6"` {
		t.Errorf("in one line: %s", text)
	}
}

func TestLabel(t *testing.T) {
	const mid = "mappings[main].mids[a]."
	for path, want := range map[string]string{
		"name":                                  "Name",
		"mappings[0].pre_routing[1].methods[2]": "Mapping 0, Rule 1: Methods 2",
		mid + "credentials.secret":              "Mapping main, MID a: Credentials secret",
		mid + "presets.local_payout.branch_identifier": "Mapping main, MID a: " +
			"Presets local_payout branch_identifier",
		"forms[f].labels.payer_phone.de":           "Form f: Labels payer_phone de",
		mid + "wallets.applepay.processing[0].key": "Mapping main, MID a, Certificate 0: Key",
		"wallets.googlepay.private_keys[1]":        "Wallets, Google Pay, Keys 1",
		"nothing":                                  "nothing",
	} {
		if got := words.Label(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
