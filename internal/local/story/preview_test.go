package story

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/operator/grant"
	"checkout/internal/operator/preview"
	"checkout/internal/settings"
)

// previewed are the session requests of an hour in the shop.
var previewed = []func(map[string]any){
	costing("10.00", "USD"), costing("20.00", "USD"), costing("10.00", "EUR"), costing("10.00", "PLN"),
	both(costing("10.00", "USD"), with("methods", []string{"card"})),
	both(costing("10.00", "EUR"), with("methods", []string{"card"})),
	both(costing("99.00", "EUR"), with("methods", []string{"card"})),
	both(costing("10.00", "EUR"), with("methods", []string{"voucher"})),
}

func costing(amount, currency string) func(map[string]any) {
	return func(body map[string]any) {
		order := body["order"].(map[string]any)
		order["amount"], order["currency"] = amount, currency
	}
}

func both(first, second func(map[string]any)) func(map[string]any) {
	return func(body map[string]any) {
		first(body)
		second(body)
	}
}

// reached is what became of one of the requests.
type reached struct {
	methods []string // on the page; none: no session was created
	mid     string   // of the payment, if the payer could pay by card
}

// previewedOrders makes the requests as new orders. Payers who can do so pay by card.
func (s *Shop) previewedOrders(prefix string) (all []reached) {
	s.w.t.Helper()
	for i, change := range previewed {
		number := fmt.Sprint(prefix, "-", i)
		body := s.Order(number, change)
		if code, response := s.w.post("/api/v1/session/explain", s.Sign(body)); code != http.StatusOK {
			s.w.t.Fatalf("explain: %d %v", code, response)
		} else if response["mapping"] == "" {
			if code, _ := s.w.post("/api/v1/session", s.Sign(body)); code != http.StatusBadRequest {
				s.w.t.Fatalf("session for which there is no mapping: %d", code)
			}
			all = append(all, reached{})
			continue
		}
		v, r := s.visits(number, change), reached{}
		for _, m := range v.screen().Methods {
			r.methods = append(r.methods, m.ID)
		}
		if slices.Contains(r.methods, "card") {
			v.send(v.Fill(v.cardForm(), paymentCard(s.w.t, "01/38")))
			s.w.work()
			r.mid = v.payment().MID
		}
		all = append(all, r)
	}
	return all
}

// What a preview says of a draft that closes a MID is what becomes of the same requests after the draft is published.
func TestPreviewOfAClosedMID(t *testing.T) {
	w := open(t, func(m *settings.Merchant) {
		bank := m.Mappings[0].MIDs[0]
		mid := func(name, id string, currencies ...string) settings.MID {
			bank.Name, bank.Methods, bank.Currencies = name, []string{id}, currencies
			return bank
		}
		m.Mappings[0].MIDs = []settings.MID{
			mid("wide", "card", "USD", "EUR"), mid("narrow", "card", "USD"), mid("shops", "voucher"),
		}
	})
	before := w.shop.previewedOrders("before")
	if _, err := w.app.Listing().Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	m, err := w.app.Core.Merchant(t.Context(), w.shop.merchant.ID, w.clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	draft := m.Clone()
	draft.Mappings[0].MIDs[0].Disabled = true
	said, err := preview.New(w.app.Store, w.clock.Now).Preview(t.Context(), *m, draft, grant.Both)
	if err != nil {
		t.Fatal(err)
	}

	w.shop.set(func(m *settings.Merchant) { m.Mappings[0].MIDs[0].Disabled = true })
	w.skip(time.Minute)
	otherMethods, otherMID, none := 0, 0, 0
	for i, after := range w.shop.previewedOrders("after") {
		switch was := before[i]; {
		case len(after.methods) == 0:
			none++
		case !slices.Equal(was.methods, after.methods):
			otherMethods++
		case was.mid != after.mid:
			otherMID++
		}
	}
	if otherMethods == 0 || otherMID == 0 || none == 0 {
		t.Errorf("other methods %d, other MIDs %d, none %d", otherMethods, otherMID, none)
	}
	if said.Sessions != len(previewed) || said.OtherMethods.Count != otherMethods ||
		said.OtherFirstMID.Count != otherMID || said.None.Count != none || said.Gained.Count != 0 || said.Unreadable != 0 {
		t.Errorf("%d other methods, %d other MIDs, %d none; the preview says %+v", otherMethods, otherMID, none, said)
	}
	for _, example := range said.None.Examples {
		if !strings.HasPrefix(example.Order, "before-") || example.Before.Methods[0].FirstMIDs[0] != "wide" {
			t.Errorf("example %+v", example)
		}
	}
}
