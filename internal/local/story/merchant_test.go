package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/page/form"
	"checkout/internal/settings"
)

func disabled(m *settings.Merchant) { m.Disabled = true }

func mappingDisabled(m *settings.Merchant) { m.Mappings[0].Disabled = true }

func noMIDs(m *settings.Merchant) { m.Mappings[0].MIDs = nil }

// The settings change while the payer fills in the form: the payer is told so and goes to error_url, also after Pay.
func TestMisconfiguredWhileThePayerIsThere(t *testing.T) {
	const oops = "https://shop.example/oops"
	for _, test := range []struct {
		setting  func(*settings.Merchant)
		errorURL any
		want     string
	}{
		{disabled, oops, "go " + oops}, {mappingDisabled, nil, "message: technical_problem"}, {noMIDs, oops, "go " + oops},
	} {
		w := open(t)
		payer := w.shop.visits("pen-1", with("error_url", test.errorURL))
		click := payer.attempt("01/38")
		w.shop.set(test.setting)
		payer.sees("form") // settings are cached for a minute
		w.skip(time.Minute)
		payer.sees(test.want)
		if got := words(payer.send(click)); got != test.want {
			t.Errorf("having paid, the payer sees %q, want %q", got, test.want)
		}
		w.pass(time.Minute)
		w.ledgerIs()
		w.shop.told()
	}
}

// A payment that is under way is finished although its merchant was disabled.
func TestDisabledWhilePaying(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	payer.send(payer.attempt("01/39"))
	w.shop.set(disabled)
	w.pass(5 * time.Minute)
	payer.sees("go https://shop.example/paid")
	w.shop.told("sale undefined prepare", "sale success settled")
	w.shop.set(func(m *settings.Merchant) { m.Disabled = false })
	w.skip(time.Minute)
	payer.is("settled")
}

// The first mapping is disabled after the session was created: the next one takes the payment, with its own MID's
// credentials.
func TestNextMappingTakesOver(t *testing.T) {
	mids := func(bank string) []settings.MID {
		credentials := map[string]string{"account": bank}
		return []settings.MID{{
			Name: "main", Connector: realBank, Methods: []string{"card"}, Credentials: credentials,
		}}
	}
	w := open(t, func(m *settings.Merchant) {
		m.Mappings = []settings.Mapping{
			{Name: "first", MIDs: mids("one")},
			{Name: "second", MIDs: mids("two"), ExtendedData: true},
		}
	})
	bank := &provider{}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	w.shop.set(mappingDisabled)
	w.skip(time.Minute)
	payer.pays("01/38")
	payer.sees("go https://shop.example/paid")
	if len(bank.charges) != 1 || bank.charges[0].Credentials["account"] != "two" {
		t.Errorf("the bank got %v", bank.charges)
	}
	if got := w.shop.Taken()[0].Fields.Get("mid_name"); got != "main" {
		t.Errorf("mid_name %q: the second mapping has extended data", got)
	}
}

// A card that was sealed for another session can't be decrypted.
func TestSealedCardOfAnotherSession(t *testing.T) {
	w := open(t)
	payer, other := w.shop.visits("pen-1"), w.shop.visits("pen-2")
	stolen := other.attempt("01/38")
	payer.send(stolen)
	w.work()
	payer.sees("form: declined (card_unreadable)")
	other.sees("form")
	w.ledgerIs()
}

// An invalid request of the payer's browser gets an error with the field's id, and starts no attempt.
func TestPayIsChecked(t *testing.T) {
	w := open(t)
	payer := w.shop.visits("pen-1")
	for want, change := range map[string]func(*form.Request){
		"payer_card: This value is not valid. It should be a sealed card.": func(p *form.Request) { p.Sealed = nil },
		"payer_name: This value should not be blank.":                      func(p *form.Request) { p.Fields = nil },
		"method: The value you selected is not a valid choice.":            func(p *form.Request) { p.Method = "m1" },
		"attempt: This value is not valid. It should be a UUID.":           func(p *form.Request) { p.Attempt = "1" },
	} {
		pay := payer.attempt("01/38")
		change(&pay)
		if got := inWords(w.post(payer.Path("pay"), pay)); got != "400 100000 "+want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for _, body := range []string{"", "x", "[]", `{"fields":[]}`, `{"fields":{"a":1}}`, strings.Repeat(" ", 300<<10)} {
		if code, response := w.call("POST", payer.Path("pay"), body); code != 400 {
			t.Errorf("%.20q: %d %s", body, code, response)
		}
	}
	payer.sees("form")
	w.ledgerIs()
}
