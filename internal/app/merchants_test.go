package app_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/settings"
	"checkout/internal/settings/change"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

func sampleMerchants(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../infra/merchants.json")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "{SIMULATOR_URL}", "https://simulator.example")
}

// newOperator makes an empty store and its merchants.
func newOperator(t *testing.T) (*memory.Store, *change.Merchants) {
	t.Helper()
	e, err := app.InMemory(func(string) string { return "" }, app.Logger(t.Output()), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return e.Store, e.Merchants
}

func TestLoadMerchants(t *testing.T) {
	store, operator := newOperator(t)
	merchants, err := app.LoadMerchants(t.Context(), operator, []byte(sampleMerchants(t)), "https://pay.example")
	if err != nil || len(merchants) == 0 {
		t.Fatalf("%v %v", merchants, err)
	}
	for _, m := range merchants {
		if !strings.HasPrefix(m.NotificationURL, "https://pay.example/") {
			t.Errorf("%s: notification_url %s", m.ID, m.NotificationURL)
		}
	}
	if n := documents(t, store); n != 3*len(merchants) {
		t.Errorf("%d documents: want the settings and one for each key", n)
	}
}

// The error names everything that is wrong with any merchant, and no merchant is stored.
func TestLoadMerchantsThatAreWrong(t *testing.T) {
	good := sampleMerchants(t)
	list := strings.TrimSuffix(strings.TrimSpace(good), "]") + `,
		{"id": "a", "live_key": "demo-live", "test_key": "a-test", "mappings": [
			{"name": "x", "mids": [{"name": "y", "connector": "z", "methods": ["cash"]}]}]},
		{"id": "b", "live_key": "b-live", "test_key": "b-live"}]`
	store, operator := newOperator(t)
	_, err := app.LoadMerchants(t.Context(), operator, []byte(list), "https://pay.example")
	if err == nil {
		t.Fatal("no error")
	}
	want := `merchant "a", line 148: merchant "demo" has the key "demo-live" too
merchant "a", line 149: mappings[x].mids[y].connector: The value you selected is not a valid choice. It is "z". ` +
		`Choices: adapter, brandcard, cash, collection, mobilemoney, stripe, voucher, walletapp.
merchant "a", line 149: mappings[x].mids[y].methods[0]: The value you selected is not a valid choice. It is "cash". ` +
		`Did you mean "cash_mx"? The first of 59 choices: cash_mx, cash_co, cash_pe, card, document_cash, crypto, ` +
		`member, exchange, voucher, bank_rfc.
merchant "b", line 150: test_key: This value is used twice. It is "b-live".`
	if err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
	wrongType := strings.Replace(good, `"max_declines": 3`, `"max_declines": "three"`, 1)
	for _, text := range []string{"", "{}", `[{"nmae":"x"}]`, wrongType, good + "[]"} {
		if _, err := app.LoadMerchants(t.Context(), operator, []byte(text), ""); err == nil {
			t.Errorf("%.40q is loaded", text)
		}
	}
	if n := documents(t, store); n != 0 {
		t.Errorf("%d documents were stored", n)
	}
	if bytes.Contains([]byte(err.Error()), []byte("demo-password")) {
		t.Error("a password is in the error")
	}
}

// Each credential is checked by the declaration of its connector, and each currency by the markets of the MID.
func TestLoadMerchantsWithWrongCredentials(t *testing.T) {
	good := sampleMerchants(t)
	const mid, notValid = "mappings[default].mids[", "This value is not valid."
	const url = mid + "primary].credentials.url: " + notValid
	const address = url + " It should be an https address such as https://api.provider.example."
	const public = url + " It should be the address of a public host."
	const ends = url + " It should have no user, no query, no fragment and no slash at its end."
	const stripe = "https://simulator.example/stripe"
	for _, test := range []struct{ old, new, want string }{
		{`"webhook_secret"`, `"base_url"`,
			mid + "primary].credentials.base_url: " + notValid + " The connector stripe has no such credential."},
		{`"key": "simulator-key", "webhook_secret"`, `"webhook_secret"`,
			mid + "primary].credentials.key: This value should not be blank."},
		{`"key": "simulator-key", "webhook_secret"`, `"key": "", "webhook_secret"`,
			mid + "primary].credentials.key: This value should not be blank."},
		{`"key": "simulator-key", "webhook_secret"`, `"key": "pasted\n", "webhook_secret"`,
			mid + "primary].credentials.key: " + notValid +
				" It should have at most 4096 characters, all of them printable, and no space at its ends."},
		{`"raw_cards": "true"`, `"raw_cards": "yes"`,
			mid + "primary].credentials.raw_cards: The value you selected is not a valid choice."},
		{`"raw_cards": "true"`, `"sandbox": "declines"`, ""}, // for payments with the test key
		{`"raw_cards": "true"`, `"sandbox": "sleeps"`,
			mid + "primary].credentials.sandbox: The value you selected is not a valid choice."},
		{stripe, "https://api.stripe.com", ""},
		{stripe, "https://8.8.8.8:8443/v1", ""},
		{stripe, "https://[2606:4700::1111]", ""},
		{stripe, "http://api.stripe.com", address},
		{stripe, "http://127.0.0.1:4444", address},
		{stripe, "https://", address},
		{stripe, "https:///path", address},
		{stripe, "api.stripe.com", address},
		{stripe, "ftp://api.stripe.com", address},
		{stripe, "https://api.stripe.com/", ends},
		{stripe, "https://api.stripe.com?a=b", ends},
		{stripe, "https://key@api.stripe.com", ends},
		{stripe, "https://localhost", public},
		{stripe, "https://bank", public},
		{stripe, "https://bank.local", public},
		{stripe, "https://metadata.google.internal", public},
		{stripe, "https://127.0.0.1", public},
		{stripe, "https://127.1", public},
		{stripe, "https://0x7f.0.0.0x1", public},
		{stripe, "https://10.1.2.3", public},
		{stripe, "https://172.16.0.1", public},
		{stripe, "https://192.168.0.1", public},
		{stripe, "https://169.254.169.254", public},
		{stripe, "https://100.64.0.1", public},
		{stripe, "https://0.0.0.0", public},
		{stripe, "https://[::1]", public},
		{stripe, "https://[::ffff:10.0.0.1]", public},
		{stripe, "https://[fd00::1]", public},
		{stripe, "https://[fe80::1]", public},
		{`"gateway_id": "cash-MXN", "currency": "MXN"`, `"gateway_id": "cash-MXN", "currency": "mxn"`,
			mid + "cash_mx].credentials.currency: The value you selected is not a valid choice."},
		{`"methods": ["cash_mx"],`, `"methods": ["cash_mx"], "currencies": ["MXN", "EUR"],`,
			mid + "cash_mx].currencies[1]: " + notValid + " The MID's account has another currency.\n" +
				mid + "cash_mx].currencies[1]: " + notValid + " The MID's markets (MX) have another currency."},
		{`"gateway_id": "cash-MXN", "currency": "MXN"`, `"gateway_id": "cash-MXN", "currency": "COP"`,
			mid + "cash_mx].credentials.currency: " + notValid + " The MID's markets (MX) have another currency."},
		{`"market": "MX"`, `"market": "MEX"`,
			mid + "collection].credentials.market: The value you selected is not a valid choice."},
		{`"market": "MX",`, ``, mid + "collection].credentials.market: This value should not be blank."},
		{`"name": "collection",`, `"name": "collection", "currencies": ["MXN", "BRL", "ARS"],`,
			mid + "collection].currencies[2]: " + notValid + " The MID's markets (BR, MX) have another currency."},
		{`"name": "collection",`, `"name": "collection", "limits": [{"currency": "EUR", "max": "5"}],`,
			mid + "collection].limits[0].currency: " + notValid + " The MID's markets (BR, MX) have another currency."},
		{`"name": "mobilemoney",`, `"name": "mobilemoney", "currencies": ["EUR"],`, ""}, // one of its methods has no market
		{`"service": "demo"`, `"service": "demo", "language": "pt_BR"`,
			mid + "walletapp].credentials.language: " + notValid + " It should be a language tag such as de or pt-BR."},
	} {
		_, operator := newOperator(t)
		operator.LocalRun = false
		if !strings.Contains(good, test.old) {
			t.Fatalf("merchants.json has no %s", test.old)
		}
		text := strings.Replace(good, test.old, test.new, 1)
		_, err := app.LoadMerchants(t.Context(), operator, []byte(text), "https://pay.example")
		if (err == nil) != (test.want == "") {
			t.Errorf("%s: %v\nwant %s", test.new, err, test.want)
		}
		for _, want := range strings.Split(test.want, "\n") {
			if err != nil && !strings.Contains(err.Error(), ": "+want) {
				t.Errorf("%s: %v\nwant %s", test.new, err, want)
			}
		}
	}
}

// A connector of a later release needs a credential that a stored MID does not have: the merchant can be disabled.
func TestDisablesAMerchantThatLacksACredential(t *testing.T) {
	_, operator := newOperator(t)
	if _, err := app.LoadMerchants(t.Context(), operator, []byte(sampleMerchants(t)), "https://pay.example"); err != nil {
		t.Fatal(err)
	}
	later := operator.Connectors["stripe"]
	later.Credentials = append(slices.Clone(later.Credentials),
		settings.Credential{Name: "account", Kind: settings.KindText, Required: true})
	operator.Connectors["stripe"] = later
	if err := operator.SetDisabled(t.Context(), "demo", true); err != nil {
		t.Error(err)
	}
	if _, err := app.LoadMerchants(t.Context(), operator, []byte(sampleMerchants(t)), "https://pay.example"); err == nil {
		t.Error("a MID without the credential is stored")
	}
}

// A local run may have providers on the same machine.
func TestLoadMerchantsOfALocalRun(t *testing.T) {
	for address, good := range map[string]bool{
		"http://localhost:4444": true, "http://127.0.0.1:4444": true, "http://[::1]:4444": true, "https://127.0.0.1": true,
		"https://bank.example": true, "http://bank.example": false, "http://10.0.0.1": false, "https://10.0.0.1": false,
	} {
		_, operator := newOperator(t)
		text := strings.ReplaceAll(sampleMerchants(t), "https://simulator.example", address)
		if _, err := app.LoadMerchants(t.Context(), operator, []byte(text), "https://pay.example"); (err == nil) != good {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// documents counts the documents of the merchants and keys in this file's tests.
func documents(t *testing.T, docs store.Store) int {
	t.Helper()
	n := 0
	for _, key := range []store.Key{
		{Partition: "merchant/demo", Sort: "merchant"},
		{Partition: "key/demo-live", Sort: "key"},
		{Partition: "key/demo-test", Sort: "key"},
		{Partition: "merchant/a", Sort: "merchant"},
		{Partition: "key/a-test", Sort: "key"},
		{Partition: "key/b-live", Sort: "key"},
	} {
		records, err := docs.Get(t.Context(), time.Unix(0, 0), key)
		if err != nil {
			t.Fatal(err)
		}
		if records[0].Version > 0 {
			n++
		}
	}
	return n
}

// Only a local run lets the MIDs of live keys name the sandbox: an operator's commands on a deployed table do not.
func TestLocalRunInLocalRunsOnly(t *testing.T) {
	_, operator := newOperator(t)
	if !operator.LocalRun {
		t.Error("not in memory")
	}
	for value, allowed := range map[string]bool{"": false, "yes": false, "true": true} {
		env := map[string]string{
			"TABLE": "table", "AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
			"LOCAL_RUN": value,
		}
		deployed, err := app.OpenMerchants(t.Context(), func(name string) string { return env[name] })
		if err != nil || deployed.LocalRun != allowed {
			t.Errorf("%q: %v, %v", value, deployed, err)
		}
	}
}
