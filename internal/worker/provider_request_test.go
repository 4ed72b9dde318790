package worker

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/store/storetest"
)

// A charge has a value in each field that a payment, its job and MID have one for. The card and the wallet are
// added when it is sent.
func TestAChargeIsWhole(t *testing.T) {
	text, err := os.ReadFile("../checkout/testdata/stored/payment.json")
	if err != nil {
		t.Fatal(err)
	}
	p := &payment.Payment{}
	key := store.Key{Partition: "order/0123456789abcde", Sort: "p"}
	if err := (store.Record{Key: key, Version: 7, Doc: text}).Decode(p); err != nil {
		t.Fatal(err)
	}
	job := &payment.Job{Kind: payment.JobCharge, Reference: "r", ChargeInput: payment.ChargeInput{CardName: "Al Doe"}}
	mid := settings.MID{Credentials: map[string]string{"key": "key-1"}}
	sess := &checkout.Session{ExpiresAt: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
	sess.Request.Language = "ua"
	p.Jobs = []payment.Job{*job}
	charged := checkout.Task{Payment: p, Session: sess, Reference: job.Reference}
	service := &Runner{baseURL: "https://pay.example", core: &checkout.Core{}}
	c, err := execution{runner: service, task: charged}.newCharge(t.Context(), mid)
	if err != nil {
		t.Fatal(err)
	}
	if c.Language != "uk" {
		t.Errorf("the language is %q", c.Language)
	}
	c.Card.Number, c.PayerEntersAmount, c.Wallet = "4111111111111111", true, &connector.Wallet{}
	if p.SavedCard = ""; c.SavesCard || !savesCard(p) {
		t.Error("a card is saved when the payer enters it, and a saved one is not")
	}
	c.SavesCard = true
	storetest.RequireWhole(t, "newCharge", reflect.ValueOf(c).FieldByName("ProviderRequest"))
	for i := range reflect.TypeFor[connector.Charge]().NumField() {
		if reflect.ValueOf(c).Field(i).IsZero() {
			t.Errorf("newCharge fills in no %s from testdata/stored/payment.json",
				reflect.TypeFor[connector.Charge]().Field(i).Name)
		}
	}
}

// A connector gets as much of an address as it declares, cut at a word.
func TestAddressFitsTheProvider(t *testing.T) {
	const whole = "Calle de la Independencia Nacional 1234, Colonia Centro"
	runner := &Runner{core: &checkout.Core{Declarations: settings.Declarations{"long": {AddressLine: 190}, "short": {}}}}
	usd, _ := money.Find("USD")
	amount, _ := money.Parse("1.00", usd)
	for connector, want := range map[string]string{"long": whole, "short": "Calle de la Independencia"} {
		p := &payment.Payment{Jobs: []payment.Job{{Kind: payment.JobCharge, Reference: "r"}}, Amount: amount}
		p.BillingAddress.Address = whole
		task := checkout.Task{Payment: p, Reference: "r"}
		c, err := execution{runner: runner, task: task}.newCharge(t.Context(), settings.MID{Connector: connector})
		if err != nil || c.BillingAddress.Address != want || p.BillingAddress.Address != whole {
			t.Errorf("%s gets %q: %v", connector, c.BillingAddress.Address, err)
		}
	}
}

// A connector gets the parameters of the chosen method only.
func TestParametersOfTheChosenMethod(t *testing.T) {
	p := &payment.Payment{ID: "p"}
	p.Parameters = json.RawMessage(`{"card":{"descriptor":"A pen"},"crypto":{"crypto_type":"BTC"}}`)
	for chosen, want := range map[string]string{
		"crypto": `{"bech32":false,"crypto_type":"BTC"}`, // with the default
		"card":   `{"descriptor":"A pen"}`,
		"other":  "",
	} {
		p.Method = chosen
		if got, err := methodParameters(p, nil); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", chosen, got, err)
		}
	}
	p.Method, p.Parameters = "card", nil // which has no defaults
	if got, err := methodParameters(p, nil); err != nil || got != nil {
		t.Errorf("without parameters: %s, %v", got, err)
	}
	p.Parameters = json.RawMessage(`{"card":"4111111111111111`)
	if got, err := methodParameters(p, nil); err == nil || strings.Contains(err.Error(), "411111") {
		t.Errorf("broken: %s, %v", got, err)
	}
}
