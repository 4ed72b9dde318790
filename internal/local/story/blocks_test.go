package story

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/audit"
	"checkout/internal/fault"
	"checkout/internal/operator/blocks"
	"checkout/internal/operator/grant"
	"checkout/internal/settings"
)

// blocking changes block lists as Sue, who may do so for all merchants.
type blocking struct{ *World }

func (w *World) blocking() blocking {
	w.supports()
	return blocking{w}
}

// until is the end of every entry.
func (w blocking) until() time.Time {
	return w.clock.Now().Add(30 * 24 * time.Hour).Truncate(time.Second)
}

// adds blocks something from a minute ago on, and returns the entry's id.
func (w blocking) adds(o fault.Owner, members ...string) string {
	w.t.Helper()
	body := owned{Owner: o}.act(append(members, "until", w.until().Format(time.RFC3339))...)
	return w.asks("add", body)
}

func (w blocking) removes(o fault.Owner, id string) {
	w.t.Helper()
	w.asks("remove", owned{Owner: o}.act("id", id))
}

func (w blocking) asks(what string, body map[string]any) string {
	w.t.Helper()
	out := w.admin(apiCall{who: "sue", method: "POST", path: "/admin/v1/blocks/" + what, body: body})
	var block blocks.Block
	if err := json.Unmarshal(out.Body.Bytes(), &block); err != nil || out.Code != http.StatusOK {
		w.t.Fatalf("%s: %d %s", what, out.Code, out.Body)
	}
	w.skip(time.Minute)
	return block.ID
}

// A blocked card is declined before any MID gets it, however it is charged: typed, saved, or in a chain. The payer is
// told no more than of any other decline. It is charged at another merchant, after the end, and once it is not blocked
// any more.
func TestBlockedCard(t *testing.T) {
	w := open(t, mids("", ""), hasSchedule)
	other := w.newShop("-other", operations)
	bank := silent()
	bank.charge = onCharge(approved)
	w.connects(settings.SandboxConnector, bank)
	w.shop.live, other.live = false, false
	sue, here := w.blocking(), fault.Owner{Merchant: w.shop.merchant.ID, Test: true}
	all := fault.Owner{Merchant: "*", Test: true}

	token := w.shop.saves("pen-1", "01/38")
	c := w.shop.begins("pen-2", "01/38")
	charged := func() int { return len(bank.charges) }
	before := charged()
	id := sue.adds(here, "kind", "card", "payment_id", c.initial)

	v := w.shop.visits("pen-3")
	v.pays("01/38")
	v.is("decline (The card is on a block list.)")
	if text := fmt.Sprint(v.screen()); strings.Contains(text, "block") || strings.Contains(text, "list") {
		t.Errorf("the payer is told %s", text)
	}
	w.shop.told("sale success settled", "sale success settled", "sale fail decline")
	if last := w.shop.last("sale").Fields; last.Get("reason_code") != "" && last.Get("reason_code") != "block_list_card" {
		t.Errorf("the shop was told %v", last)
	}
	saved := w.shop.visits("pen-4", with("card_token", []string{token}))
	saved.chooses(saved.screen().Methods[0].Saved[0].ID)
	w.work()
	saved.is("decline (The card is on a block list.)")
	if code, response := c.charge("pen-5", "7.50"); inWords(code, response) != "200 decline" {
		t.Errorf("the chain: %d %v", code, response)
	}
	if charged() != before {
		t.Errorf("%d charges of a blocked card", charged()-before)
	}

	elsewhere := func(want string) {
		t.Helper()
		v := other.visits(fmt.Sprint("ink-", w.clock.Now().Unix()))
		v.pays("01/38")
		v.is(want)
	}
	elsewhere("settled")
	forAll := sue.adds(all, "kind", "card", "payment_id", v.paymentID())
	elsewhere("decline (The card is on a block list.)")
	sue.removes(all, forAll)
	elsewhere("settled")

	var listed blocks.BlockList
	sue.sees("/blocks?merchant="+here.Merchant, &listed)
	if len(listed.Blocks) != 1 || listed.Blocks[0].Value != "411111******1111" || listed.Blocks[0].ID != id {
		t.Errorf("listed are %+v", listed)
	}
	w.clock.Move(sue.until().Sub(w.clock.Now()))
	w.skip(time.Minute)
	v = w.shop.visits("pen-6")
	v.pays("01/38")
	v.is("settled")
	if sue.sees("/blocks", &listed); len(listed.Blocks) != 0 {
		t.Errorf("listed after the end are %+v", listed)
	}
}

// E-mail addresses and networks are blocked by their value or that of a payment. A shop that asks first is warned.
func TestBlockedPayer(t *testing.T) {
	w := open(t, operations)
	w.shop.live = false
	sue, here := w.blocking(), fault.Owner{Merchant: w.shop.merchant.ID, Test: true}
	pays := func(number, want string, changes ...func(map[string]any)) *Visit {
		t.Helper()
		v := w.shop.visits(number, changes...)
		v.pays("01/38")
		v.is(want)
		return v
	}
	first := pays("pen-1", "settled", knownPayer)
	id := sue.adds(here, "kind", "email", "payment_id", first.paymentID())
	shouted := func(order map[string]any) {
		knownPayer(order)
		order["customer"].(map[string]any)["email"] = "ANN@PENS.EXAMPLE"
	}
	const onList = "decline (The payer's e-mail address is on a block list.)"
	pays("pen-2", onList, knownPayer)
	pays("pen-3", onList, shouted)
	pays("pen-4", "settled")
	body := w.shop.Order("pen-5")
	shouted(body)
	e := w.shop.explains(w.shop.Sign(body))
	const want = "The payer's e-mail address is on a block list. Payments are declined until 2030-04-0"
	if len(e.Warnings) == 0 || !strings.HasPrefix(e.Warnings[0], want) ||
		!strings.HasSuffix(e.Warnings[0], "Why: The payer has called.") {
		t.Errorf("explained is %v", e.Warnings)
	}
	sue.removes(here, id)
	pays("pen-6", "settled", shouted)
	if e := w.shop.explains(w.shop.Sign(body)); slices.ContainsFunc(e.Warnings, func(w string) bool {
		return strings.Contains(w, "block")
	}) {
		t.Errorf("explained is %v", e.Warnings)
	}

	address := first.payment().PayerIP
	sue.adds(fault.Owner{Merchant: "*", Test: true}, "kind", "ip", "value", address+"/24")
	pays("pen-7", "decline (The payer's IP address is on a block list.)")
	var listed blocks.BlockList
	sue.sees("/blocks", &listed)
	if len(listed.Blocks) != 1 || listed.Blocks[0].Merchant != "*" || listed.Blocks[0].Reason == "" {
		t.Errorf("listed are %+v", listed)
	}
	w.grants(grant.Grant{Who: "sue", Role: grant.Support, Mode: grant.Both, Merchants: []string{here.Merchant}})
	listed = blocks.BlockList{}
	sue.sees("/blocks", &listed)
	if len(listed.Blocks) != 1 || listed.Blocks[0].Reason != "" || listed.Blocks[0].By != "" {
		t.Errorf("listed for one merchant are %+v", listed)
	}
}

// What can't be blocked is refused with its place, and stores nothing. Nobody blocks at a merchant that is not theirs,
// or for all, or by the payment of another one.
func TestRefusedBlocks(t *testing.T) {
	w := open(t, operations)
	other := w.newShop("-other", operations)
	w.shop.live, other.live = false, false
	v, theirs := w.shop.visits("pen-1"), other.visits("ink-1")
	v.pays("01/38")
	theirs.pays("01/38")
	mine := w.shop.merchant.ID
	w.grants(grant.Grant{Who: "sue", Role: grant.Support, Mode: grant.Both, Merchants: []string{mine}})
	good := func() map[string]any {
		here := owned{Owner: fault.Owner{Merchant: mine, Test: true}}
		until := w.clock.Now().AddDate(0, 0, 3).Format(time.DateOnly)
		return here.act("kind", "email", "value", "a@b.example", "until", until)
	}
	ofPayment := func(id string, members ...string) func(map[string]any) {
		return func(body map[string]any) {
			delete(body, "value")
			body["payment_id"] = id
			for i := 0; i < len(members); i += 2 {
				body[members[i]] = members[i+1]
			}
		}
	}
	network := func(body map[string]any) { body["kind"], body["value"] = "ip", "10.0.0.0/8" }
	const noKind, noTime = "400 kind: It should be one of: card, email, ip.",
		"400 until: It should be a day or a time from now on, within ten years."
	const noNumber = "400 kind: Name a payment that was made with the card: its number is stored nowhere."
	const tooWide = "400 value: It blocks too many: a network of IPv4 has at least /16, one of IPv6 /32."
	const noEmail, eitherOr = "400 value: It should be an e-mail address.",
		"400 value: Name either a value or a payment that has it."
	const noMerchant, noPayment = "404 Merchant does not exist", "404 Payment not found"
	for name, test := range map[string]struct {
		change func(map[string]any)
		want   string
	}{
		"kind":           {with("kind", "phone"), noKind},
		"card by number": {with("kind", "card"), noNumber},
		"both":           {with("payment_id", v.paymentID()), eitherOr},
		"email":          {with("value", "joe"), noEmail},
		"number":         {with("value", "4111111111111111@b.example"), noEmail},
		"wide":           {network, tooWide},
		"past":           {with("until", "2020-01-01"), noTime},
		"long":           {with("until", "2060-01-01"), noTime},
		"no day":         {with("until", "soon"), noTime},
		"all":            {with("merchant", "*"), noMerchant},
		"another":        {with("merchant", other.merchant.ID), noMerchant},
		"none":           {with("merchant", "none"), noMerchant},
		"their payment":  {ofPayment(theirs.paymentID(), "kind", "card"), noPayment},
		"other mode":     {ofPayment(v.paymentID(), "kind", "card", "mode", "live"), noPayment},
		"without e-mail": {ofPayment(v.paymentID()), "400 The payment has no e-mail address."},
	} {
		body := good()
		test.change(body)
		if got := w.sueSends("", "/blocks/add", body); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
	var listed blocks.BlockList
	if w.sees("/blocks", &listed); len(listed.Blocks) != 0 {
		t.Errorf("stored are %+v", listed)
	}
	// The same call with the same key counts once, and leaves one entry in the audit log.
	for range 2 {
		if got := w.sueSends("one", "/blocks/add", good()); !strings.HasPrefix(got, "200") {
			t.Error(got)
		}
	}
	if w.sees("/blocks", &listed); len(listed.Blocks) != 1 {
		t.Errorf("stored are %+v", listed)
	}
	page, err := audit.List(t.Context(), w.app.Store, audit.Query{Until: w.clock.Now().Add(time.Hour), Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	var changes []string
	for _, e := range page.Entries {
		if e.Command == "blocks add" && !strings.HasPrefix(e.Changes[0], "is refused") {
			changes = append(changes, e.What+" "+e.Changes[0])
		}
	}
	const change = " the e-mail address a***@b.example is blocked until"
	if len(changes) != 1 || !strings.HasPrefix(changes[0], "blocks/test/"+mine+change) {
		t.Errorf("the audit log has %q", changes)
	}
}
