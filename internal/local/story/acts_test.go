package story

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/audit"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/operator"
	"checkout/internal/operator/grant"
	"checkout/internal/store"
)

const ann = "arn:aws:iam::000000000000:user/ann"

// actOf is an act of an operator.
func actOf(who, id string) audit.Act {
	return audit.Act{ID: id, Who: who, By: who[strings.LastIndexByte(who, '/')+1:], Via: "page", Role: "support",
		Command: "payments", Reason: "The payer called.", RequestID: "r-" + id}
}

// asksFor asks for a refund, capture or void as an operator.
func (w *World) asksFor(kind payment.JobKind, id, amount, key string) (operator.Done, error) {
	by := w.app.Actor.By(actOf(ann, store.NewUUID(w.app.Core.Random(16))))
	f := operator.FollowUp{PaymentID: id, Kind: kind, Amount: amount, IdempotencyKey: key}
	return by.FollowUp(context.Background(), f)
}

// acted returns what the audit log has: who, what and the changes of each entry.
func (w *World) acted() (all []string) {
	w.t.Helper()
	ctx, now := context.Background(), w.clock.Now()
	month := now.AddDate(0, 0, -30)
	page, err := audit.List(ctx, w.app.Store, audit.Query{Since: month, Until: now, Limit: 10_000})
	if err != nil || page.Cursor != "" {
		w.t.Fatalf("list the audit log: %v", err)
	}
	for _, e := range slices.Backward(page.Entries) {
		all = append(all, e.By+" "+e.What+" "+strings.Join(e.Changes, "; "))
	}
	return all
}

// events counts the successful transactions of a type.
func (v *Visit) events(kind payment.EventType) int {
	return v.payment().Transactions.Count(kind, payment.Success)
}

// An operator refunds, captures and voids by the rules of the merchant, who gets the same callbacks. The history and
// the audit log say who it was, and the response says in words what became of it.
func TestOperatorsFollowUps(t *testing.T) {
	for _, test := range []struct {
		name, card string
		auth       bool
		kind       payment.JobKind
		amount     string
		want       string // text of the response
		decided    bool
		told       string
	}{
		{"refund", "01/38", false, payment.JobRefund, "4.00", "4.00 USD was refunded. 6.00 USD can still be refunded.", true,
			"refund success settled"},
		{"all", "01/38", false, payment.JobRefund, "", "10.00 USD was refunded. Nothing is left to refund.", true,
			"refund success refund"},
		{"capture", "01/38", true, payment.JobCapture, "6.00", "6.00 USD was captured.", true, "capture success settled"},
		{"void", "01/38", false, payment.JobVoid, "", "10.00 USD was voided.", true, "void success void"},
		{"declined", "04/40", false, payment.JobRefund, "", "The provider has declined the refund of 10.00 USD: ", true,
			"refund fail settled"},
		{"unknown", "02/40", false, payment.JobRefund, "",
			"Nobody knows yet whether the refund of 10.00 USD was made. It is looked up until the provider says so.", false,
			"refund success refund"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := open(t, operations)
			payer := w.shop.visits("pen-1", with("auth", test.auth))
			payer.pays(test.card)
			id := payer.paymentID()
			before := len(w.shop.Taken())
			done, err := w.asksFor(test.kind, id, test.amount, "one")
			if err != nil || !strings.HasPrefix(done.Text, test.want) || done.Decided != test.decided ||
				done.PaymentID != id || done.Reference == "" {
				t.Errorf("%+v, %v", done, err)
			}
			w.pass(time.Hour)
			if got := w.shop.Taken()[before:]; len(got) == 0 || got[len(got)-1].Event() != test.told {
				t.Errorf("%d callbacks, and not %s at last", len(got), test.told)
			}
			if again, err := w.asksFor(test.kind, id, test.amount, "one"); err != nil || !again.Decided {
				t.Errorf("again: %+v, %v", again, err)
			}
			history := payer.history(id)
			asked := regexp.MustCompile(
				`person +ann asked for the .+ USD: The payer called\. \(reference REFERENCE-2, result the provider says: `)
			if !asked.MatchString(history) {
				t.Errorf("the history does not say who:\n%s", history)
			}
			got := w.acted()
			if len(got) != 1 || !strings.HasPrefix(got[0], "ann payment/"+id+" "+string(test.kind)+" of ") {
				t.Errorf("audit log %q", got)
			}
		})
	}
}

// What a merchant may not do, an operator may not either, and nothing of it is stored.
func TestOperatorsFollowUpsAreRefused(t *testing.T) {
	w := open(t, operations)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	for _, test := range []struct {
		kind            payment.JobKind
		id, amount, key string
		want            fault.Code
		why             string
	}{
		{payment.JobRefund, id, "10.01", "", fault.CodeInvalid, "10.00 or less"},
		{payment.JobRefund, id, "x", "", fault.CodeInvalid, "not valid"},
		{payment.JobRefund, id, "1.00", strings.Repeat("x", 256), fault.CodeInvalid, "Idempotency-Key"},
		{payment.JobCapture, id, "", "", fault.CodeNotAllowed, "It was captured already."},
		{payment.JobVoid, id, "0.01", "", fault.CodeInvalid, "A void has no amount"},
		{payment.JobVoid, id, "nonsense", "", fault.CodeInvalid, "A void has no amount"},
		{payment.JobCharge, id, "", "", fault.CodeNotAllowed, "takes no request for a charge"},
		{payment.JobRefund, strings.Repeat("0", 36), "", "", fault.CodeNotFound, "not found"},
		{payment.JobRefund, "x", "", "", fault.CodeNotFound, "not found"},
	} {
		done, err := w.asksFor(test.kind, test.id, test.amount, test.key)
		if fault.CodeOf(err) != test.want || !strings.Contains(err.Error(), test.why) {
			t.Errorf("%+v: %+v, %v", test, done, err)
		}
	}
	if got := w.acted(); len(got) > 0 || len(payer.payment().Acts) > 0 {
		t.Errorf("stored: %q, %+v", got, payer.payment().Acts)
	}
}

// What is unknown of a payment is looked up first, as for a merchant. If it stays unknown, the response says that.
func TestOperatorsFollowUpOfAnUnknownPayment(t *testing.T) {
	w := open(t, operations)
	lost := w.shop.visits("pen-1")
	lost.pays("01/39")
	if done, err := w.asksFor(payment.JobRefund, lost.paymentID(), "", ""); err != nil || !done.Decided {
		t.Errorf("%+v, %v", done, err)
	}
	bank := &provider{lookUp: func(connector.ProviderRequest) (connector.Result, error) {
		return connector.Result{}, errors.New("no response")
	}}
	bank.charge = func(connector.Charge) (connector.Result, error) {
		return connector.Result{}, errors.New("no response")
	}
	w.goesLive(bank)
	payer := w.shop.visits("pen-2")
	payer.pays("01/38")
	_, err := w.asksFor(payment.JobRefund, payer.paymentID(), "", "")
	var refused *fault.Error
	if !errors.As(err, &refused) || refused.Code != fault.CodeNotAllowed ||
		!strings.HasPrefix(refused.Faults[0].Text, "Its outcome has been unknown since ") {
		t.Errorf("%+v", err)
	}
}

// side is whoever asks for a refund, with an Idempotency-Key. It returns the response, and whether it was refused for
// good: whoever gets an error repeats the call.
type side struct {
	name    string
	refunds func(w *World, id, amount, key string) (response string, failed bool)
}

// sides are both who may ask for a refund.
var sides = []side{
	{"merchant", func(w *World, id, amount, key string) (string, bool) {
		code, text := w.postWithKey(key, "/api/v1/payment/refund", w.shop.AmountBody(id, amount))
		return fmt.Sprint(code, " ", text), code >= http.StatusInternalServerError
	}},
	{"operator", func(w *World, id, amount, key string) (string, bool) {
		done, err := w.asksFor(payment.JobRefund, id, amount, key)
		code := fault.CodeOf(err)
		return fmt.Sprintf("%+v %v", done, err), err != nil && code == fault.CodeInternal
	}},
}

// A call that is repeated with its key takes effect once and gets the same response, for a day. The key is of no use
// for another call, and another side's is another key.
func TestRefundsAreRepeated(t *testing.T) {
	for i, one := range sides {
		t.Run(one.name, func(t *testing.T) {
			w := open(t, operations)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			id := payer.paymentID()
			first, failed := one.refunds(w, id, "1.00", "one")
			w.pass(23 * time.Hour)
			if again, _ := one.refunds(w, id, "1.00", "one"); again != first || failed {
				t.Errorf("first %s, again %s", first, again)
			}
			if other, _ := one.refunds(w, id, "2.00", "one"); !strings.Contains(other, "key was used") &&
				!strings.Contains(other, "error") {
				t.Errorf("another call with the key: %s", other)
			}
			if got := payer.events(payment.EventRefund); got != 1 {
				t.Errorf("%d refunds", got)
			}
			if _, failed := sides[1-i].refunds(w, id, "1.00", "one"); failed {
				t.Error("the other side's call with the same key failed")
			}
			w.pass(time.Hour)
			if got := payer.events(payment.EventRefund); got != 2 {
				t.Errorf("%d refunds of both", got)
			}
			if got := w.acted(); len(got) != 1 {
				t.Errorf("audit log %q", got)
			}
		})
	}
}

// Both sides refund an amount at the same moment, thirty times each: no more than the payment is refunded, and the
// audit log has what the operator has refunded.
func TestRefundsOfBothSidesAtOnce(t *testing.T) {
	for amount, want := range map[string]int{"1.00": 10, "3.00": 3} {
		w := open(t, operations)
		payer := w.shop.visits("pen-1")
		payer.pays("01/38")
		id := payer.paymentID()
		var merchant, people atomic.Int32
		w.atOnce(60, func(i int) {
			response, _ := sides[i%2].refunds(w, id, amount, fmt.Sprint("key ", i))
			switch {
			case i%2 == 0 && strings.HasPrefix(response, "200 "):
				merchant.Add(1)
			case i%2 == 1 && strings.HasSuffix(response, "<nil>"):
				people.Add(1)
			}
		})
		w.pass(10 * time.Minute)
		if got := payer.events(payment.EventRefund); got != want || int(merchant.Load()+people.Load()) != want {
			t.Errorf("%d refunds of %s, %d of the merchant and %d of people accepted", got, amount, merchant.Load(),
				people.Load())
		}
		if got := w.acted(); len(got) != int(people.Load()) {
			t.Errorf("%d of %d in the audit log", len(got), people.Load())
		}
	}
}

// A refund is clicked twice at once, from two tabs with one key, and many times: there is one refund and one response.
func TestRefundsWithOneKeyAtOnce(t *testing.T) {
	for _, one := range sides {
		t.Run(one.name, func(t *testing.T) {
			w := open(t, operations)
			payer := w.shop.visits("pen-1")
			payer.pays("01/38")
			responses := make([]string, 20)
			w.atOnce(len(responses), func(i int) {
				responses[i], _ = one.refunds(w, payer.paymentID(), "1.00", "one")
			})
			slices.Sort(responses)
			w.pass(time.Minute)
			if got := payer.events(payment.EventRefund); got != 1 {
				t.Errorf("%d refunds: %q", got, slices.Compact(responses))
			}
			want := map[string]int{"merchant": 0, "operator": 1}[one.name]
			if got := w.acted(); len(got) != want {
				t.Errorf("audit log %q", got)
			}
			w.shop.told("sale success settled", "refund success settled")
		})
	}
}

// The function of either side ends before or after any of its writes, or the table fails at any request. Whoever asked
// repeats the call: there is one refund, and for an operator's one entry in the audit log.
func TestRefundWhileTheStoreFails(t *testing.T) {
	for _, one := range sides {
		for n := range 10 {
			for _, fault := range []string{"before", "after", "dies before", "dies after", "read"} {
				w := open(t, operations)
				payer := w.shop.visits("pen-1")
				payer.pays("01/38")
				id := payer.paymentID()
				call := func() (failed bool) {
					defer func() { failed = failed || recover() != nil }()
					_, failed = one.refunds(w, id, "4.00", "one")
					return failed
				}
				if fault == "read" {
					w.store.fails = w.store.reads + 1 + n
				} else {
					w.store.next(append(slices.Repeat([]string{"ok"}, n), fault)...)
				}
				call()
				w.store.next()
				w.store.fails = 0
				for range 3 {
					if !call() {
						break
					}
				}
				w.pass(20 * time.Minute)
				if got := payer.events(payment.EventRefund); got != 1 {
					t.Errorf("%s, %s %d: %d refunds", one.name, fault, n, got)
				}
				want := map[string]int{"merchant": 0, "operator": 1}[one.name]
				if got := w.acted(); len(got) != want || len(payer.payment().Acts) != want {
					t.Errorf("%s, %s %d: audit log %q, acts %+v", one.name, fault, n, got, payer.payment().Acts)
				}
			}
		}
	}
}

// An empty amount, likely a variable that is not set, is a fault of operators and merchants alike, and moves nothing.
// An operator's void has no amount at all.
func TestAnEmptyAmountMovesNothing(t *testing.T) {
	w := open(t, operations)
	w.grants(grant.Grant{Who: ann, Role: grant.Finance, Mode: grant.Both, Merchants: []string{grant.AllMerchants}})
	for i, test := range []struct{ auth, act, amount string }{
		{"no", "refund", ""}, {"no", "refund", " "}, {"yes", "capture", ""}, {"yes", "capture", "\t"},
		{"yes", "void", ""}, {"yes", "void", "0.01"}, {"no", "void", "nonsense"},
	} {
		name := test.act + " of " + strconv.Quote(test.amount)
		payer := w.shop.visits(fmt.Sprint("pen-", i), with("auth", test.auth))
		payer.pays("01/38")
		id, before := payer.paymentID(), len(payer.payment().Transactions)
		path := "/admin/v1/payments/" + id + "/" + test.act
		out := w.admin(apiCall{ann, "POST", path, because("amount", test.amount), name})
		if out.Code != http.StatusBadRequest || !strings.Contains(out.Body.String(), `"amount: `) {
			t.Errorf("operator's %s: %d %s", name, out.Code, out.Body)
		}
		if test.act != "void" {
			body := w.shop.AmountBody(id, test.amount)
			body["amount"] = test.amount
			if code, text := w.call("POST", "/api/v1/payment/"+test.act, body); code != http.StatusBadRequest ||
				!strings.Contains(string(text), "amount: This value should not be blank.") {
				t.Errorf("merchant's %s: %d %s", name, code, text)
			}
		}
		w.work()
		if got := payer.payment(); len(got.Transactions) != before || len(got.Jobs) != 0 {
			t.Errorf("%s: %+v", name, got.Transactions)
		}
	}
}

// The response to an act is for the person who asked, whatever their next role session is called, and only as long as
// they have the right. Nobody's key moves money twice.
func TestAStoredResponseIsThePersons(t *testing.T) {
	const role = "arn:aws:sts::000000000000:assumed-role/finance/"
	w := open(t, operations)
	finance := func(who string) grant.Grant {
		return grant.Grant{Who: who, Role: grant.Finance, Mode: grant.Both, Merchants: []string{grant.AllMerchants}}
	}
	w.grants(finance(role+"*"), finance(ann))
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	path := "/admin/v1/payments/" + payer.paymentID() + "/refund"
	refund := func(who string) (int, string) {
		out := w.admin(apiCall{who, "POST", path, because("amount", "4.00"), "one"})
		return out.Code, out.Body.String()
	}
	code, first := refund(role + "kim-1")
	if code != http.StatusOK {
		t.Fatalf("refund: %d %s", code, first)
	}
	if code, again := refund(role + "kim-2"); code != http.StatusOK || again != first {
		t.Errorf("the next session: %d %s", code, again)
	}
	if code, text := refund(ann); code != http.StatusBadRequest || !strings.Contains(text, "used with another request") {
		t.Errorf("somebody else: %d %s", code, text)
	}
	w.grants(finance(ann))
	if code, text := refund(role + "kim-3"); code != http.StatusForbidden {
		t.Errorf("without the right: %d %s", code, text)
	}
	if got := payer.events(payment.EventRefund); got != 1 {
		t.Errorf("%d refunds", got)
	}
}

// While a void has no outcome, everything else says that it is what is in its way: the payment is still paid.
func TestWhatIsRefusedDuringAVoid(t *testing.T) {
	silent := func(connector.ProviderRequest) (connector.Result, error) {
		return connector.Result{}, errors.New("no response")
	}
	bank := &provider{followUp: silent, lookUp: silent}
	w := open(t, operations)
	w.goesLive(bank)
	w.grants(grant.Grant{Who: ann, Role: grant.Finance, Mode: grant.Both, Merchants: []string{grant.AllMerchants}})
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	path := "/admin/v1/payments/" + payer.paymentID()
	if out := w.admin(apiCall{ann, "POST", path + "/void", because(), "void"}); out.Code != http.StatusOK {
		t.Fatalf("void: %d %s", out.Code, out.Body)
	}
	const why = `"The outcome of its void has been unknown since `
	out := w.admin(apiCall{ann, "POST", path + "/refund", because("amount", "1.00"), "refund"})
	if out.Code == http.StatusOK || !strings.Contains(out.Body.String(), why) {
		t.Errorf("refund: %d %s", out.Code, out.Body)
	}
	out = w.admin(apiCall{ann, "GET", path, nil, ""})
	if got := out.Body.String(); strings.Count(got, why) < 2 || !strings.Contains(got, `"It was captured already."`) {
		t.Errorf("the acts: %s", got)
	}
}
