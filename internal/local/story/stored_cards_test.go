package story

import (
	"encoding/json"
	"strings"
	"testing"

	"checkout/internal/card"
	"checkout/internal/local/simulator"
	"checkout/internal/request"
	"checkout/internal/settings"
)

// sentCharge is the body of a charge at an adapter, as far as stories look at it.
type sentCharge struct {
	Reference   string         `json:"reference"`
	Recurring   bool           `json:"recurring"`
	StartsChain bool           `json:"starts_chain"`
	SavesCard   bool           `json:"saves_card"`
	NetworkID   string         `json:"network_transaction_id"`
	PayerIP     string         `json:"payer_ip"`
	Browser     map[string]any `json:"browser"`
	Parameters  map[string]any `json:"parameters"`
	Card        struct{ Saved bool }
}

// charged returns the bodies of all charges that the adapter was sent.
func (s *simulated) charged() (all []sentCharge) {
	s.t.Helper()
	for _, r := range s.Requests() {
		if !strings.HasSuffix(r.Path, "/charge") {
			continue
		}
		var c sentCharge
		if err := json.Unmarshal([]byte(r.Body), &c); err != nil {
			s.t.Fatalf("%v", err)
		}
		all = append(all, c)
	}
	return all
}

// secondMID adds a MID like the first one, which is tried after it.
func secondMID(m *settings.Merchant) {
	other := m.Mappings[0].MIDs[0]
	other.Name = "mid-2"
	m.Mappings[0].MIDs = append(m.Mappings[0].MIDs, other)
}

// The card scheme's id of the payment that stored a card is sent with every later charge of it: of the chain, of the
// saved card, and at the MID that follows when the first one declines.
func TestTheSchemesIDFollowsTheCard(t *testing.T) {
	s := openSimulated(t, "adapter", nil)
	s.shop.set(secondMID)
	chain := s.shop.begins("pen-1", "01/38", with("req_token", true))
	token := s.shop.Taken()[0].Fields.Get("card_token")
	first := s.charged()[0]
	if !first.StartsChain || !first.SavesCard || first.NetworkID != "" || first.Card.Saved {
		t.Fatalf("the first charge is %+v", first)
	}
	if code, r := chain.charge("pen-2", "7.50"); inWords(code, r) != "200 settled" {
		t.Fatal(code, r)
	}
	payer := s.shop.visits("pen-3", with("card_token", []string{token}))
	s.Expect(simulator.Next{Decline: "do_not_honor"})
	form := payer.screen()
	pay := payer.Fill(form, card.Card{SecurityCode: securityCode})
	pay.Saved = form.Methods[0].Saved[0].ID
	payer.send(pay)
	s.work()
	payer.is("settled")
	all := s.charged()
	if len(all) != 4 || all[3].Reference == all[2].Reference {
		t.Fatalf("%d charges were sent: %+v", len(all), all)
	}
	for _, c := range all[1:] {
		if !strings.HasPrefix(c.NetworkID, "MCC") || c.NetworkID != all[1].NetworkID || !c.Card.Saved || c.SavesCard ||
			c.StartsChain {
			t.Errorf("a later charge is %+v", c)
		}
	}
	if payment := payer.payment(); payment.MID != "mid-2" || payment.NetworkTransactionID == all[1].NetworkID {
		t.Errorf("paid at %s with %q", payment.MID, payment.NetworkTransactionID)
	}
}

// What the page measures is sent to the provider, without what no browser has, and deleted with the decision. What
// 3-D Secure has said reaches shop and operator.
func TestThreeDSecure(t *testing.T) {
	s := openSimulated(t, "adapter", nil)
	s.shop.set(extended)
	payer := s.shop.visits("pen-1")
	pay := payer.Fill(payer.cardForm(), card.Card{
		Number: "4000000000003220", ExpiryMonth: 1, ExpiryYear: 2038, SecurityCode: securityCode,
	})
	east := -330
	pay.Browser = request.BrowserMeasures{Measures: request.Measures{
		Language: "en-IN", ScreenWidth: 390, ScreenHeight: -1, ColorDepth: 30, TimeZoneOffset: &east,
	}}
	payer.send(pay)
	s.work()
	sent := s.charged()[0]
	want := `{"accept_header":"*/*","color_depth":24,"language":"en-IN","time_zone_offset":-330,` +
		`"user_agent":"Go-http-client/1.1"}`
	if text, _ := json.Marshal(sent.Browser); string(text) != want || sent.PayerIP != "127.0.0.1" {
		t.Errorf("the provider was sent %s of %s", text, sent.PayerIP)
	}
	if payer.payment().Browser.Language != "en-IN" {
		t.Error("the browser is forgotten while the payer is at the bank")
	}
	s.acts(simulator.Approve)
	payer.is("settled")
	if payer.payment().Browser != (request.Browser{}) {
		t.Errorf("stored after the end: %+v", payer.payment().Browser)
	}
	const ds = "0d5c0000-0000-4000-8000-"
	told := s.shop.last("sale").Fields
	_, status := s.shop.status("payment_id", payer.paymentID())
	transaction, _ := status["transactions"].([]any)[0].(map[string]any)
	for name, want := range map[string]string{
		"eci": "05", "liability_shift": "true", "three_ds_version": "2.2.0", "ds_transaction_id": ds,
	} {
		if text, _ := transaction[name].(string); !strings.HasPrefix(text, want) || told.Get(name) != text {
			t.Errorf("%s is %q in the callback and %q in the status", name, told.Get(name), text)
		}
	}
	history := payer.history(payer.paymentID())
	secure := "3-D Secure 2.2.0, ECI 05, liability shift true, directory server's id " + ds
	for _, want := range []string{secure, "network id"} {
		if !strings.Contains(history, want) {
			t.Errorf("the history has no %q:\n%s", want, history)
		}
	}
}
