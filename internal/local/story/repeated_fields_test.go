package story

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/page/screen"
)

// eachText calls f with every text that can be set in a value, and with its name. It makes what is not there: what
// pointers point to, one item of each list and one entry of each map.
func eachText(v reflect.Value, name string, f func(name string, set func(string))) {
	switch {
	case v.Type() == reflect.TypeFor[time.Time]() || v.Type() == reflect.TypeFor[money.Amount](): // no texts
	case v.Kind() == reflect.String:
		f(name, v.SetString)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		eachText(v.Elem(), name, f)
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		eachText(v.Index(0), name+"[0]", f)
	case v.Kind() == reflect.Map:
		f(name, func(text string) {
			v.Set(reflect.MakeMap(v.Type()))
			entry := reflect.New(v.Type().Elem()).Elem()
			eachText(entry, "", func(_ string, set func(string)) { set(text) })
			v.SetMapIndex(reflect.ValueOf("en").Convert(v.Type().Key()), entry)
		})
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			eachText(v.Field(i), name+"."+v.Type().Field(i).Name, f)
		}
	}
}

// textsOfResults are the names of all texts of a result.
func textsOfResults() (names []string) {
	whole := reflect.ValueOf(&connector.Result{}).Elem()
	eachText(whole, "", func(name string, _ func(string)) { names = append(names, name) })
	return names
}

// saying is a result with a text in the field of that name, and otherwise as good as it can be.
func saying(name, text string) connector.Result {
	filled := connector.Result{}
	eachText(reflect.ValueOf(&filled).Elem(), "", func(n string, set func(string)) {
		if n == name {
			set(text)
		}
	})
	action := filled.RequiredAction
	if !strings.HasPrefix(name, ".Received") {
		filled.Received = nil
	}
	if !strings.HasPrefix(name, ".RequiredAction") {
		filled.Outcome, filled.RequiredAction = connector.OutcomeDeclined, nil
		return filled
	}
	filled.Outcome = connector.OutcomeActionRequired
	if action.Kind == "" {
		action.Kind = connector.ActionPending
	}
	if action.Show[0].Type == "" {
		action.Show[0].Type = screen.ShownText
	}
	if !strings.Contains(name, ".Fields") {
		action.Fields = nil
	}
	return filled
}

// spelledCard are ways to write the test card's number, to be put into a text.
var spelledCard = []string{
	TestCard,
	strings.Join(strings.Split(TestCard, ""), "\u00a0- "),
	hex.EncodeToString([]byte(TestCard)),
	"https://bank.example/?a=" + url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(TestCard))),
}

// waysIn are the ways in which a provider's result comes. Each lets the payer pay and returns when it has come.
var waysIn = map[string]func(*World, *provider, *Visit, connector.Result){
	"response": func(_ *World, bank *provider, payer *Visit, r connector.Result) {
		bank.charge = onCharge(r)
		payer.pays("01/38")
	},
	"look-up": func(w *World, bank *provider, payer *Visit, r connector.Result) {
		bank.charge, bank.lookUp, bank.cancel = noResponse, onFollowUp(r), onFollowUp(r)
		payer.pays("01/38")
		w.pass(5 * time.Second)
	},
	"notice": func(w *World, bank *provider, payer *Visit, r connector.Result) {
		bank.charge = onCharge(undecided)
		payer.pays("01/38")
		w.reports(realBank, payer.about("", r))
		w.work()
	},
}

// Whatever text of its result a provider repeats the card's number in, whichever way it comes: it is not stored, not
// logged, shown or sent. The package sensitive has a table of all spellings.
func TestProviderRepeatsTheCardAnywhere(t *testing.T) {
	names := textsOfResults()
	if len(names) < 20 {
		t.Fatalf("only %d texts: %q", len(names), names)
	}
	for way, comes := range waysIn {
		for i, name := range names {
			t.Run(way+name, func(t *testing.T) {
				w := open(t)
				w.repeats = true
				bank := &provider{}
				w.goesLive(bank)
				payer, text := w.shop.visits("pen-1"), spelledCard[i%len(spelledCard)]
				comes(w, bank, payer, saying(name, text))
				if len(bank.charges) != 1 {
					t.Fatalf("%d charges", len(bank.charges))
				}
				w.doesNotSay(payer, text)
			})
		}
	}
}

// doesNotSay looks for a text in everything that is stored, logged, shown and sent.
func (w *World) doesNotSay(payer *Visit, text string) {
	w.t.Helper()
	_, page := w.call("GET", payer.Path(""), nil)
	_, status := w.shop.status("payment_id", payer.paymentID())
	places := map[string]string{"log": w.log.String(), "page": string(page), "status": fmt.Sprint(status)}
	for _, record := range w.app.Store.Dump() {
		places["store"] += string(record.Doc) + "\n"
	}
	for _, callback := range w.shop.Received() {
		body, _ := url.QueryUnescape(string(callback.Body))
		places["callbacks"] += string(callback.Body) + body
	}
	inJSON, _ := json.Marshal(text)
	for place, all := range places {
		for _, form := range []string{text, strings.Trim(string(inJSON), `"`)} {
			if strings.Contains(strings.ToLower(all), strings.ToLower(form)) {
				w.t.Errorf("the %s has %q", place, form)
			}
		}
	}
}

// The same of a security code in what a provider shows the payer, in the ids of a notice, and in errors.
func TestProviderRepeatsSecretsElsewhere(t *testing.T) {
	w := open(t)
	w.repeats = true
	bank := &provider{charge: onCharge(saying(".RequiredAction.Show[0].Value", "code "+securityCode))}
	w.goesLive(bank)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	payer.is("decline (Declined by processing.)") // it was ended
	for _, notice := range []connector.Notice{
		{PaymentID: TestCard, Result: approved},
		{PaymentID: payer.paymentID(), Reference: TestCard, Result: approved},
		{PaymentID: payer.paymentID(), SessionID: TestCard, Result: declined},
	} {
		w.reports(realBank, notice)
	}
	bank.notice = func(connector.Notification) (connector.Notice, error) {
		return connector.Notice{}, errors.New("no such card: " + hex.EncodeToString([]byte(TestCard)))
	}
	w.reports(realBank, payer.about("", approved))
	for i, kind := range []error{errors.New("no response"), connector.ErrNotSent} {
		bank.charge = func(c connector.Charge) (connector.Result, error) {
			return connector.Result{}, fmt.Errorf("%w: card %s with code %s", kind, c.Card.Number, c.Card.SecurityCode)
		}
		w.shop.visits(fmt.Sprint("pen-", 2+i)).pays("01/38")
	}
	w.doesNotSay(payer, hex.EncodeToString([]byte(TestCard)))
	w.doesNotSay(payer, TestCard)
	w.doesNotSay(payer, "code "+securityCode)
}
