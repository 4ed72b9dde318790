package story

import (
	"encoding/json"
	"maps"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

// A payer posts values for everything that the merchant sent, for fields of other methods and for those of the page
// that the screen does not have: what reaches the provider is what the merchant sent, with the amount of the order.
func TestFieldsThatTheScreenDoesNotOffer(t *testing.T) {
	tried := 0
	for _, m := range method.Methods {
		if _, offered := method.Find(m.ID); !offered || m.Card || method.IsWallet(m.ID) {
			continue // a wallet has no parameters
		}
		bank := &provider{}
		s := &rowSender{w: open(t, all), m: m, bank: bank}
		s.w.connects(settings.SandboxConnector, bank)
		sent, posted := everythingSent(t, s)
		for _, other := range method.Methods { // those of other methods, and in other notations
			for _, set := range other.Sets {
				for _, row := range set.Rows {
					for _, id := range []string{row.Name, other.ID + "." + row.Name, "parameters." + m.ID + "." + row.Name} {
						if posted[id] == "" {
							posted[id] = "52998224725"
						}
					}
				}
			}
		}
		for _, f := range method.PageFields {
			switch posted[f.ID] = "DE"; f.Kind {
			case method.FieldAmount:
				posted[f.ID] = "0.01"
			case method.FieldEmail:
				posted[f.ID] = "mallory@shop.example"
			}
		}
		tried += len(posted)
		body := s.request(t, sentRow{m: m}, nil)
		body["parameters"] = map[string]any{m.ID: sent}
		payer := s.w.shop.opens("/api/v1/session", body["order"].(map[string]any)["number"].(string), s.w.shop.Sign(body))
		offered := map[string]bool{}
		for _, f := range payer.screen().Methods[0].Fields {
			offered[f.ID] = true
		}
		fields := maps.Clone(posted)
		maps.DeleteFunc(fields, func(id, _ string) bool { return offered[id] })
		code, response := s.w.call("POST", payer.Path("pay"),
			form.Request{Attempt: uuid.NewString(), Method: m.ID, Fields: fields})
		s.w.work()
		if code != 200 || len(bank.charges) != 1 {
			t.Errorf("%s: %d %s, %d charges", m.ID, code, response, len(bank.charges))
			continue
		}
		charge := bank.charges[0]
		if charge.Amount.String() != "10.00" || charge.Customer.Email != "ada@shop.example" {
			t.Errorf("%s: %s is charged to %s", m.ID, charge.Amount, charge.Customer.Email)
		}
		if got, want := leaves(charge.Parameters), leaves(mustMarshal(t, sent)); !maps.Equal(got, want) {
			t.Errorf("%s: the provider gets %v, the merchant sent %v", m.ID, got, want)
		}
	}
	if tried < 5000 {
		t.Errorf("only %d fields were posted", tried)
	}
}

// everythingSent returns good values for all rows of a method that the page's first form may ask for or that must be
// sent, and other good values for their paths.
func everythingSent(t *testing.T, s *rowSender) (sent map[string]any, posted map[string]string) {
	sent, posted = map[string]any{}, map[string]string{}
	for _, row := range s.rows() {
		if row.Type == method.TypeObject || row.Type == method.TypeList || row.Page != nil && row.Page.Second {
			continue
		}
		posted[row.path] = "52998224725"
		if good := row.good(t); len(good) > 1 {
			if text, ok := good[1].value.(string); ok {
				posted[row.path] = text
			}
		}
		if row.Need == method.Required && at(sent, row.path) == nil || row.Page != nil {
			value := goodValue(t, s.m, row.Name, row.Param)
			if row.Name == "value" {
				value = "1"
			}
			put(sent, row.path, value)
		}
	}
	if s.m.Label == "M23" {
		sent["fine"] = map[string]any{"value": "1", "type_fine": "VALUE"}
	}
	return sent, posted
}

// leaves returns the texts and booleans of JSON by their paths, without defaults of rows.
func leaves(text []byte) map[string]string {
	var value any
	_ = json.Unmarshal(text, &value) // there is none then
	all := map[string]string{}
	var walk func(value any, path string)
	walk = func(value any, path string) {
		switch v := value.(type) {
		case map[string]any:
			for name, in := range v {
				walk(in, path+"."+name)
			}
		case []any:
			for _, in := range v {
				walk(in, path+"[]")
			}
		case string:
			all[path] = v
		}
	}
	walk(value, "")
	delete(all, ".buyer_loyalty_level")
	return all
}

func mustMarshal(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A second form changes nothing but its own fields, and the first form has none of the second.
func TestFieldsOfAnotherForm(t *testing.T) {
	m, _ := method.Find("pull_wallet")
	bank := &provider{}
	w := open(t, all)
	w.connects(settings.SandboxConnector, bank)
	bank.charge = onCharge(needsFields(m.SecondFields(method.Purchase)))
	payer := w.shop.chooses(t, m, "CO", "ada")
	payer.send(form.Request{Attempt: uuid.NewString(), Method: m.ID, Fields: map[string]string{
		"bankDetails.phoneNumber": "+14155552671", "bankDetails.otp": "123456", "bankDetails.account": "mine",
	}})
	w.work()
	if got := leaves(bank.charges[0].Parameters); !maps.Equal(got, map[string]string{
		".bankDetails.phoneNumber": "+14155552671",
	}) {
		t.Errorf("the provider gets %v", got)
	}
	for _, step := range []string{"0", "2", "", "x"} {
		if said := payer.submits(step, map[string]string{"bankDetails.otp": "654321"}); said != "200 wait: enter_code" {
			t.Errorf("step %q is answered %s", step, said)
		}
	}
	payer.submits("1", map[string]string{"bankDetails.otp": "123456", "bankDetails.phoneNumber": "+442071838750",
		"bankDetails.account": "mine", "order_amount": "0.01"})
	w.work()
	if len(bank.continued) != 1 || bank.continued[0].Amount.String() != "10.00" {
		t.Fatalf("continued %+v", bank.continued)
	}
	if got := leaves(bank.continued[0].Parameters); !maps.Equal(got, map[string]string{
		".bankDetails.phoneNumber": "+14155552671", ".bankDetails.otp": "123456",
	}) {
		t.Errorf("the provider gets %v", got)
	}
}

// A payer presses everything at once, in several tabs, while the bank confirms: at most one charge is approved, and the
// order says what became of it.
func TestEveryButtonAtOnce(t *testing.T) {
	for _, id := range []string{"instant_qr", "document_bank", "mobile_money", "cash_mx"} {
		m, _ := method.Find(id)
		button := whileWaiting[m.Behaviour][1]
		for range 5 {
			w := open(t, all)
			payer := w.shop.chooses(t, m, CountriesOf(m)[0], "ada")
			payer.pays(t)
			path, first := payer.Path(""), payer.paymentID()
			var together sync.WaitGroup
			for _, do := range []func(){
				func() { w.call("POST", path+"/another", nil) },
				func() { w.call("POST", path+"/another", nil) },
				func() { w.call("POST", path+"/cancel", nil) },
				func() { w.atSandbox(first, url.Values{"action": {button}}) },
				func() { w.call("POST", path+"/pay", form.Request{Attempt: uuid.NewString(), Method: id}) },
				w.work, w.work,
			} {
				together.Go(do)
			}
			together.Wait()
			w.pass(10 * time.Minute)
			approved := 0
			for _, charge := range w.charges() {
				if charge.Outcome == connector.OutcomeApproved && charge.Next == "" {
					approved++
				}
			}
			status := payer.status()
			if approved > 1 || (approved == 1) != (status == "settled") {
				t.Errorf("%s: %d charges are approved and the order is %s", id, approved, status)
			}
		}
	}
}

// A code that the payer has left for another one takes no money any more, whatever is pressed at the bank.
func TestOldCodeTakesNoMoney(t *testing.T) {
	m, _ := method.Find("instant_qr")
	w := open(t, all)
	payer := w.shop.chooses(t, m, "BR", "ada")
	payer.pays(t)
	first := payer.paymentID()
	payer.asksFor(screen.ActionAnother)
	w.work()
	payer.pays(t)
	second := payer.paymentID()
	for _, button := range []string{"pay", "pay_late", "pay_double", "pay_half", "pay_rest", "confirm"} {
		w.atSandbox(first, url.Values{"action": {button}})
	}
	w.pass(time.Minute)
	payer.is("pending")
	payer.sends(second, "pay")
	payer.asksFor(screen.ActionCancel) // too late
	payer.asksFor(screen.ActionAnother)
	w.pass(time.Minute)
	payer.is("settled")
	payer.sees("go https://shop.example/paid")
	if first == second {
		t.Error("there is only one payment")
	}
	w.ledgerIs("1 x 10.00 USD approved", "1 x 10.00 USD declined")
}
