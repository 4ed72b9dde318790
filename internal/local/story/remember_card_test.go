package story

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/page/screen"
	"checkout/internal/payer"
	"checkout/internal/settings"
)

const notListed = "400 100000 saved: The value you selected is not a valid choice."

// saveCards lets payers save and remove cards.
func saveCards(m *settings.Merchant) { m.Mappings[0].SaveCards = true }

// savesBy pays with a card that the payer has saved, and returns the card_token of the callback.
func (v *Visit) savesBy(expiry string) string {
	v.w.t.Helper()
	pay := v.attempt(expiry)
	pay.Save = true
	v.send(pay)
	v.w.work()
	taken := v.shop.Taken()
	return taken[len(taken)-1].Fields.Get("card_token")
}

// removes removes a saved card on the page, and returns the ids of those that are left.
func (v *Visit) removes(id string) string {
	v.w.t.Helper()
	return savedIn(v.Shown(v.Post("remove-card", payer.CardRemoval{Saved: id})))
}

func savedIn(page screen.Screen) string {
	var ids []string
	for _, m := range page.Methods {
		for _, saved := range m.Saved {
			ids = append(ids, saved.ID)
		}
	}
	return strings.Join(ids, " ")
}

// A payer who ticks the box gives the shop what req_token does. One attempt says nothing for the next one.
func TestPayerSavesCard(t *testing.T) {
	w := open(t, operations, saveCards)
	visit := w.shop.visits("pen-1")
	if !visit.cardForm().Methods[0].Save {
		t.Fatal("no box")
	}
	if token := visit.savesBy("02/38"); token != "" {
		t.Errorf("a declined card has the token %q", token)
	}
	visit.pays("01/38")
	if told := w.shop.last("sale").Fields; told.Get("status") != "success" || told.Has("card_token") {
		t.Errorf("without a tick the shop was told %v", told)
	}
	token := w.shop.visits("pen-2", with("operation", "debit")).savesBy("01/38")
	if len(token) != 64 {
		t.Fatalf("the shop was told %v", w.shop.last("debit").Fields)
	}
	again := w.shop.visits("pen-3", with("card_token", []string{token}))
	again.chooses("1")
	w.work()
	again.is("settled")
	if other := w.shop.visits("pen-4", with("card_token", []string{token})).savesBy("01/38"); len(other) != 64 {
		t.Errorf("another card than the saved one has the token %q", other)
	}
}

// A card is saved at a MID whose connector can charge it again. Where there is none, there is no box.
func TestPayerSavesCardWhereItCanBeCharged(t *testing.T) {
	w, banks := threeBanks(t)
	w.shop.set(saveCards)
	w.skip(time.Minute)
	can := w.app.Core.Declarations[realBank]
	can.SavedCards = false
	w.declares(realBank, can)
	if token := w.shop.visits("pen-1").savesBy("01/38"); len(token) != 64 || fmt.Sprint(charged(banks)) != "[0 1 0]" {
		t.Errorf("the token is %q, charges %v", token, charged(banks))
	}
	if w.shop.visits("pen-2").pays("01/38"); fmt.Sprint(charged(banks)) != "[1 1 0]" {
		t.Errorf("without a tick, charges %v", charged(banks))
	}
	w.declares(anotherBank, can)
	w.declares("third-bank", can)
	visit := w.shop.visits("pen-3")
	box := visit.cardForm().Methods[0].Save
	if token := visit.savesBy("01/38"); token != "" || box {
		t.Errorf("nowhere charged again, and saved by %q", token)
	}
}

// Where there is no box, the page can't ask for a token either.
func TestPayerSavesNoCard(t *testing.T) {
	for name, test := range map[string]struct {
		set    func(*settings.Merchant)
		fields []func(map[string]any)
		saved  bool // a saved card is chosen
		token  bool // the shop has asked for it
	}{
		"without the setting": {set: func(*settings.Merchant) {}},
		"req_token":           {set: saveCards, fields: []func(map[string]any){with("req_token", true)}, token: true},
		"a chain":             {set: saveCards, fields: []func(map[string]any){with("recurring_init", true)}},
		"a transfer": {set: saveCards, fields: []func(map[string]any){
			with("operation", "transfer"), with("payee", map[string]any{"name": "Jane Doe"})}},
		"a saved card": {set: saveCards, saved: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, operations, test.set)
			fields := test.fields
			if test.saved {
				fields = append(fields, with("card_token", []string{w.shop.saves("pen-0", "01/38")}))
			}
			visit := w.shop.visits("pen-1", fields...)
			page := visit.cardForm()
			if page.Methods[0].Save != test.saved {
				t.Errorf("save is %v", page.Methods[0].Save)
			}
			c := paymentCard(t, "01/38")
			if page.Operation == "transfer" {
				c.PayeeNumber = c.Number
			}
			pay := visit.Fill(page, c)
			if pay.Save = true; test.saved {
				pay.Saved = "1"
			}
			visit.send(pay)
			w.work()
			visit.is("settled")
			taken := w.shop.Taken()
			if got := taken[len(taken)-1].Fields.Has("card_token"); got != test.token {
				t.Errorf("the shop was told %v", taken[len(taken)-1].Fields)
			}
		})
	}
}

// A payer removes one of two cards. The shop is told once, and no page shows the card any more.
func TestPayerRemovesCard(t *testing.T) {
	w := open(t, operations, saveCards)
	tokens := []string{w.shop.saves("pen-1", "01/38"), w.shop.saves("pen-2", "01/40")}
	named := with("customer", map[string]any{"name": "Ada Lovelace", "email": "ada@example.com"})
	visit := w.shop.visits("pen-3", with("card_token", tokens), with("custom_data", map[string]any{"a": "1"}), named)
	other := w.shop.visits("pen-4", with("card_token", tokens))
	if page := visit.screen(); !page.Methods[0].Saved[0].Removable {
		t.Errorf("saved cards %+v", page.Methods[0].Saved)
	}
	for range 3 { // the id of the other card stays
		if got := visit.removes("1"); got != "2" {
			t.Errorf("left: %q", got)
		}
	}
	if got := other.removes("1"); got != "2" { // which another session has removed
		t.Errorf("left elsewhere: %q", got)
	}
	w.pass(2 * time.Minute)
	w.shop.told("sale success settled", "sale success settled", "card_removed removed prepare")
	told := w.shop.last("card_removed").Fields
	for name, want := range map[string]string{
		"card_token": tokens[0], "card": "411111******1111", "card_expiration_date": "01/2038", "order_number": "pen-3",
		"customer_name": "Ada Lovelace", "customer_email": "ada@example.com", "custom_data[a]": "1",
		"reason": "", "reason_code": "", "transaction_amount": "",
	} {
		if told.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, told.Get(name), want)
		}
	}
	if code, _ := w.shop.status("payment_id", told.Get("id")); code != http.StatusNotFound {
		t.Errorf("the callback has the id of a payment: %d", code)
	}
	visit.is("prepare")
	got := inWords(w.post(visit.Path("remove-card"), payer.CardRemoval{Saved: "3"}))
	if got != notListed {
		t.Errorf("a card that is not listed: %s", got)
	}
	visit.chooses("2")
	if got := visit.removes("2"); got != "" { // while it is being paid with, nothing changes
		t.Errorf("left while paying: %q", got)
	}
	w.work()
	visit.is("settled")
	if got := savedIn(w.shop.visits("pen-5", with("card_token", tokens)).screen()); got != "1" {
		t.Errorf("the next session has the cards %q", got)
	}
	if n := len(w.shop.Taken()); n != 4 {
		t.Errorf("%d callbacks", n)
	}
}

// A removed card is charged and paid out to no more. A chain that began with it goes on.
func TestRemovedCardIsNotCharged(t *testing.T) {
	w := open(t, operations, saveCards)
	chain := w.shop.begins("pen-1", "01/38", with("req_token", true))
	token := w.shop.last("sale").Fields.Get("card_token")
	listed := with("card_token", []string{token})
	other, before := w.shop.visits("pen-2", listed), w.shop.visits("pen-3", listed)
	before.chooses("1")
	w.clock.Move(time.Second)
	w.shop.visits("pen-4", listed).removes("1")
	w.clock.Move(time.Second)
	other.chooses("1")
	w.work()
	before.is("settled")
	other.is("decline (The payer has removed the saved card.)")
	other.sees("form: declined (card_unreadable)")
	for _, path := range []string{"session", "session/explain"} {
		body := w.shop.Sign(w.shop.Order("pen-5", listed, with("operation", "credit")))
		if got := inWords(w.post("/api/v1/"+path, body)); got !=
			"400 205005 card_token[0]: The payer has removed this card." {
			t.Errorf("%s: %s", path, got)
		}
	}
	_, explained := w.post("/api/v1/session/explain", w.shop.Sign(w.shop.Order("pen-5", listed)))
	if got := fmt.Sprint(explained["left_out"], explained["saved_cards"]); got !=
		"[card_token[0]: The payer has removed this card.] []" {
		t.Errorf("explain: %s", got)
	}
	if code, response := chain.charge("pen-6", "7.50"); inWords(code, response) != "200 settled" {
		t.Errorf("the chain: %d %v", code, response)
	}
}

// Two tabs remove the same card at once: the shop is told once, also if it does not respond at first.
func TestCardRemovedTwiceAtOnce(t *testing.T) {
	w := open(t, operations, saveCards)
	listed := with("card_token", []string{w.shop.saves("pen-1", "01/38")})
	visits := []*Visit{w.shop.visits("pen-2", listed), w.shop.visits("pen-3", listed)}
	visits = append(visits, visits...)
	w.shop.responds(http.StatusInternalServerError)
	var all sync.WaitGroup
	for _, v := range visits {
		all.Go(func() { w.call("POST", v.Path("remove-card"), payer.CardRemoval{Saved: "1"}) })
	}
	all.Wait()
	w.pass(2 * time.Minute)
	w.shop.responds(http.StatusOK)
	w.pass(24 * time.Hour)
	w.shop.told("sale success settled", "card_removed removed prepare")
	if got := savedIn(visits[0].screen()) + savedIn(visits[1].screen()); got != "" {
		t.Errorf("left: %q", got)
	}
}

// Nobody removes cards of a shop that does not expect it, nor another's; and one that takes any callback for paid is
// told nothing.
func TestCardsThatStay(t *testing.T) {
	w := open(t, operations)
	token := w.shop.saves("pen-1", "01/38")
	visit := w.shop.visits("pen-2", with("card_token", []string{token}))
	if visit.screen().Methods[0].Saved[0].Removable || visit.removes("1") != "1" {
		t.Error("removed without the setting")
	}
	other := w.newShop("-2", operations, saveCards, func(m *settings.Merchant) {
		m.Mappings[0].Compatibility = settings.Compatibility{"callbacks": "final"}
	})
	own := other.visits("pen-1", with("card_token", []string{other.saves("pen-0", "01/38")}))
	if got := own.removes("1"); got != "" {
		t.Errorf("left: %q", got)
	}
	w.pass(2 * time.Minute)
	other.told("sale success settled")
	if got := visit.removes("1"); got != "1" {
		t.Errorf("another shop has removed it: %q", got)
	}
}
