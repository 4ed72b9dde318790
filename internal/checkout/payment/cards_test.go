package payment

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/request"
	"checkout/internal/store"
)

const panOfCard = "4111111111111111"

// Of a card that is about to be charged its mask stays, and of a payout it is the payee's.
func TestSetCard(t *testing.T) {
	saved := &card.Saved{Token: "token"}
	for _, test := range []struct {
		operation method.Operation
		c         DecryptedCard
		want      string // the masks of the card, and of the payee's
	}{
		{method.Purchase, DecryptedCard{Card: card.Card{Number: panOfCard}}, "411111******1111 "},
		{method.Purchase, DecryptedCard{ToSave: saved}, "known "},
		{method.Transfer, DecryptedCard{Card: card.Card{Number: panOfCard, PayeeNumber: "5555555555554444"}},
			"411111******1111 555555******4444"},
		{method.Credit, DecryptedCard{Card: card.Card{Number: panOfCard}}, "411111******1111 411111******1111"},
	} {
		p := &Payment{}
		p.Operation, p.Card = test.operation, &card.View{Mask: "known"}
		p.SetCard(test.c)
		if got := p.Card.MaskText() + " " + p.PayeeCard.MaskText(); got != test.want || p.CardToSave != test.c.ToSave {
			t.Errorf("%+v: %q, saves %+v", test, got, p.CardToSave)
		}
	}
}

// A card is saved when a merchant has asked for it, or when the chain begins that needs it; a chain begins when it
// settles, with the card or with the provider's id in place of one.
func TestSaveCard(t *testing.T) {
	for _, settled := range []bool{false, true} {
		for n := range 64 {
			is := func(bit int) bool { return n>>bit&1 == 1 }
			p := &Payment{Status: StatusPending}
			p.NetworkTransactionID, p.ReqToken, p.RecurringInit = "network", is(0), is(1)
			p.StartsSchedule = is(2)
			if settled {
				p.Status = StatusSettled
			}
			if is(3) {
				p.CardToSave = &card.Saved{Token: "token"}
			}
			if p.Method = "card"; is(4) {
				p.Method = method.ApplePay
			}
			if is(5) {
				p.ProviderID = "provider's"
			} else {
				p.Card = &card.View{}
			}
			saved := is(3) && (is(0) || settled)
			starts := settled && (saved || is(4) && is(5)) && (is(1) || is(2))
			e := Effects{}
			p.saveCard(&e)
			if (e.SavedCard != nil) != saved || saved != (p.SavedCard == "token") ||
				(p.CardToSave != nil) != (is(3) && !saved) || (p.CardToken == "token") != (saved && is(0)) ||
				e.StartChain != starts || saved && e.SavedCard.NetworkTransactionID != "network" {
				t.Errorf("%+v: %+v", p, e)
			}
		}
	}
}

// What the browser has sealed is decrypted for the charge, but for a chain without a card. It is there for 15 minutes,
// and is deleted once the charge needs it no longer.
func TestSealedCards(t *testing.T) {
	for _, test := range []struct {
		method          string
		recurring, card bool
		want            bool
	}{
		{"card", false, false, true}, {"card", true, true, true}, {"pix", false, false, false},
		{method.ApplePay, false, false, true}, {method.ApplePay, true, false, false}, {method.GooglePay, true, true, true},
	} {
		p := &Payment{}
		p.Method, p.Recurring, p.Operation = test.method, test.recurring, method.Purchase
		if test.card {
			p.SavedCard = "token"
		}
		if got := p.NeedsDecryption(); got != test.want {
			t.Errorf("%+v: %t", test, got)
		}
	}
	p := stage{"", StatusPrepare, nil}.payment()
	r := SealedRecord(p, &card.Sealed{})
	if !r.ExpiresAt.Equal(paidAt.Add(15*time.Minute)) || r.Key != store.SealedCardKey(p.ID) {
		t.Errorf("%+v", r)
	}
	for _, sealed := range []bool{false, true} {
		p.Jobs[0].Sealed = sealed
		p.SetVersion(1)
		if d := p.CardDeletion(); len(d) > 0 {
			t.Errorf("while it is needed: %+v", d)
		}
		jobs := p.Jobs
		p.Jobs = nil
		d := p.CardDeletion()
		if len(d) > 0 != sealed || sealed && (!d[0].Delete || d[0].Key != store.SealedCardKey(p.ID)) {
			t.Errorf("sealed %t, and decided: %+v", sealed, d)
		}
		p.Jobs = jobs
	}
}

// What a payer has entered or sealed is masked in every text of a provider, also in a long one, which is cut.
func TestMasked(t *testing.T) {
	p := &Payment{ID: "p"}
	p.Method = "pix"
	if got := p.Masker().Mask("a code 4711"); got != "a code 4711" {
		t.Error(got)
	}
	p.Entered = []EnteredValue{{ID: "code", Value: "4711", Secret: true}, {ID: "name", Value: "Ada"}}
	p.Parameters = json.RawMessage(`{"pix":{"personal_id":"81286512099"}}`)
	if got := p.Masker().Mask("Ada's code 4711"); got != "Ada's code ******" {
		t.Error(got)
	}
	p.Parameters = json.RawMessage(`{`)
	if got := p.Masker().Mask("Ada's code 4711"); got != "Ada's code ******" {
		t.Error(got)
	}
	if _, err := p.SentParameters(); err == nil {
		t.Error("parameters that can't be read are read")
	}
	p.Parameters, p.Card = nil, &card.View{Mask: "411111******1111"}
	const token = "MIIBigKCAYEAq3DnhgYgLVJknvDA3clATozPtjI7yauqD4RF"
	f := p.Masker().Secrets(connector.Charge{
		Card:   card.Card{Cryptogram: "AAAAAAAAAAAAAAECAwQFBg==", Values: map[string]string{"pin": "99887766"}},
		Wallet: &connector.Wallet{Token: `{"signature":"` + token + `"}`},
	})
	for _, secret := range []string{panOfCard, "AAAAAAAAAAAAAAECAwQFBg==", "99887766", token, "4711"} {
		if got := f.Mask("is " + secret + " wrong"); strings.Contains(got, secret) {
			t.Errorf("%s is left in %q", secret, got)
		}
	}
	for text, want := range map[string]string{
		strings.Repeat("x", MaxMasked):                                    strings.Repeat("x", MaxMasked),
		strings.Repeat("x", MaxMasked-5) + " 4711":                        strings.Repeat("x", MaxMasked-5) + " ******",
		strings.Repeat("x", MaxMasked+1):                                  strings.Repeat("x", MaxMasked),
		strings.Repeat(token+" ", 100):                                    method.Masked,
		strings.Repeat("x", MaxMasked/2) + strings.Repeat(" "+token, 100): "",
	} {
		if got := MaskLong(f, text); got != want && want != "" || len(got) > MaxMasked+6 {
			t.Errorf("%.20q, %d bytes: %.20q, %d bytes", text, len(text), got, len(got))
		}
	}
}

// What a merchant has sent of a row that the page would seal is a secret, too.
func TestSealedParametersAreMasked(t *testing.T) {
	tried := 0
	for _, m := range method.Methods {
		for _, set := range m.Sets {
			for _, row := range set.Rows {
				if row.Page == nil || !row.Page.Sealed {
					continue
				}
				tried++
				p := &Payment{ID: "p"}
				p.Method, p.Parameters = m.ID, fmt.Appendf(nil, `{%q:{%q:"55667788"}}`, m.ID, row.Name)
				masked := p.Masker().Mask("55667788 is wrong")
				found := p.Masker().Secrets(connector.Charge{}).Mask("55667788 is wrong")
				if strings.Contains(masked+found, "55667788") {
					t.Errorf("%s of %s: %q, %q", row.Name, m.ID, masked, found)
				}
			}
		}
	}
	if tried == 0 {
		t.Error("no method has a row that is sealed")
	}
}

// Files of a method are stored until the charge is decided, but for short values, which are masked afterwards.
func TestFilesAreRemoved(t *testing.T) {
	var files []string
	name := ""
	for _, m := range method.Methods {
		if found := m.Files(); len(found) > 0 {
			name, files = m.ID, found
		}
	}
	short, long := strings.Repeat("x", maxMaskedFile), strings.Repeat("x", maxMaskedFile+1)
	for _, test := range []struct {
		method, value string
		stays         bool
	}{{name, short, true}, {name, long, false}, {"card", long, true}} {
		p := stage{"", StatusPrepare, nil}.payment()
		p.Method, p.Browser.UserAgent = test.method, "Firefox"
		parameters, err := json.Marshal(map[string]map[string]string{test.method: {files[0]: test.value, "other": long}})
		if err != nil {
			t.Fatal(err)
		}
		p.Parameters = parameters
		p.finish(p.Jobs[0], Transaction{Status: Success})
		if left := string(p.Parameters); strings.Contains(left, files[0]) != test.stays || !strings.Contains(left, "other") ||
			p.Browser != (request.Browser{}) {
			t.Errorf("%s, %d bytes: %.60s", test.method, len(test.value), left)
		}
	}
}

// How long it takes until a request is looked up again: by what is known of it, and at once when "not found" proves
// something.
func TestLookUpDelay(t *testing.T) {
	shown := &connector.RequiredAction{Kind: connector.ActionPending, Text: screen.TextScanQR}
	for _, test := range []struct {
		job    Job
		action *connector.RequiredAction
		want   time.Duration
	}{
		{Job{Kind: JobCharge, Tries: 1}, nil, 5 * time.Second},
		{Job{Kind: JobCharge, Tries: 100}, nil, time.Hour},
		{Job{Kind: JobRefund, Tries: 4, UnknownSince: paidAt}, nil, 2 * time.Second},
		{Job{Kind: JobRefund, Tries: 4, UnknownSince: paidAt.Add(-2 * time.Second)}, nil, 8 * time.Second},
		{Job{Kind: JobCharge, Tries: 4, UnknownSince: paidAt}, shown, time.Minute},
		{Job{Kind: JobRefund, Tries: 4, UnknownSince: paidAt}, shown, 2 * time.Second},
		{Job{Kind: JobCharge, Tries: 100, LookedUp: LookedUp{FoundBy: paidAt.Add(time.Minute)}}, nil, 62 * time.Second},
		{Job{Kind: JobCharge, Tries: 1, LookedUp: LookedUp{FoundBy: paidAt.Add(time.Minute)}}, nil, 5 * time.Second},
		{Job{Kind: JobCharge, Tries: 100, LookedUp: LookedUp{FoundBy: paidAt}}, nil, time.Hour},
	} {
		p := &Payment{Instructions: Instructions{Action: test.action}}
		if got := p.LookUps(&test.job).delay(paidAt); got != test.want {
			t.Errorf("%+v: %s", test.job, got)
		}
	}
}

// A person decides a request without an outcome as it ended, and a contradiction by what follows from it.
func TestTakes(t *testing.T) {
	for kind, want := range map[JobKind]string{
		JobCharge: "[approved declined]", JobRefund: "[approved declined]", JobContradiction: "[give-back accept close]",
		JobUnapplied: "[accept close]", JobLookUp: "[approved declined]",
	} {
		var takes []Verdict
		for _, v := range append(Verdicts, VerdictLookUp, VerdictRequest, "other") {
			if job := (Job{Kind: kind}); job.Takes(v) {
				takes = append(takes, v)
			}
		}
		if fmt.Sprint(takes) != want {
			t.Errorf("%s takes %v", kind, takes)
		}
	}
}

// What is known of a payment beside its outcome: its wallet, whose name is on the card, its mapping, and a form.
func TestKnownOfAPayment(t *testing.T) {
	none := (*Payment)(nil)
	if none.MappingName() != "" || (&Payment{ChargeTerms: ChargeTerms{Mapping: "m"}}).MappingName() != "m" {
		t.Error("the mapping's name is wrong")
	}
	p := &Payment{}
	p.Card, p.Customer.Name, p.Payee.Name = &card.View{PANType: card.PANOfDevice}, "Ada", "Eve"
	for name, want := range map[string]string{"card": "/", method.GooglePay: "googlepay/" + string(card.PANOfDevice)} {
		p.Method = name
		if wallet, pan := p.DigitalWallet(); wallet+"/"+string(pan) != want {
			t.Errorf("%s: %s/%s", name, wallet, pan)
		}
	}
	p.Method, p.Card = method.GooglePay, nil
	if wallet, pan := p.DigitalWallet(); wallet != method.GooglePay || pan != "" {
		t.Errorf("without a card: %s/%s", wallet, pan)
	}
	for operation, want := range map[method.Operation]string{method.Purchase: "Ada", method.Credit: "Eve"} {
		if p.Operation = operation; p.CardName() != want {
			t.Errorf("%s: %s", operation, p.CardName())
		}
	}
	for _, test := range []struct {
		action *connector.RequiredAction
		want   bool
	}{
		{nil, false}, {&connector.RequiredAction{}, false}, {&connector.RequiredAction{Step: 1}, true},
		{&connector.RequiredAction{Step: 1, Fields: make([]connector.FormField, 1)}, false},
	} {
		if p.Action = test.action; p.HasFilledForm() != test.want {
			t.Errorf("%+v: %t", test.action, p.HasFilledForm())
		}
	}
	p.Transactions = Transactions{{Type: EventSale, Status: Fail}}
	if p.Operation = method.Purchase; p.Succeeded() {
		t.Error("a declined payment has succeeded")
	}
	if p.Transactions[0].Status = Success; !p.Succeeded() {
		t.Error("a payment never succeeded")
	}
	note := &fault.Note{}
	ctx := fault.WithNote(t.Context(), note)
	p.ID, p.SessionID = "id", strings.Repeat("s", 64)
	Log(ctx, p)
	if note.Payment != "id" || note.Session != store.PublicID(p.SessionID) {
		t.Errorf("%+v", note)
	}
}
