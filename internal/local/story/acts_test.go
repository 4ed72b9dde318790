package story

import (
	"context"
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

// An operator refunds by the rules of the merchant, who gets the same callbacks. The history and the audit log say who
// it was, and the response says in words what became of it.
func TestOperatorRefunds(t *testing.T) {
	w := open(t, operations)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	done, err := w.asksFor(payment.JobRefund, id, "4.00", "one")
	const want = "4.00 USD was refunded. 6.00 USD can still be refunded."
	if err != nil || !strings.HasPrefix(done.Text, want) || !done.Decided || done.PaymentID != id || done.Reference == "" {
		t.Errorf("%+v, %v", done, err)
	}
	w.pass(time.Hour)
	w.shop.told("sale success settled", "refund success settled")
	asked := regexp.MustCompile(
		`person +ann asked for the .+ USD: The payer called\. \(reference REFERENCE-2, result The provider has approved it`)
	if history := payer.history(id); !asked.MatchString(history) {
		t.Errorf("the history does not say who:\n%s", history)
	}
	if got := w.acted(); len(got) != 1 || !strings.HasPrefix(got[0], "ann payment/"+id+" refund of ") {
		t.Errorf("audit log %q", got)
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

// Both sides refund three tenths at the same moment, thirty times each: three refunds are accepted, of each the shop is
// told once, and the audit log has those of the operator.
func TestRefundsOfBothSidesAtOnce(t *testing.T) {
	w := open(t, operations)
	payer := w.shop.visits("pen-1")
	payer.pays("01/38")
	id := payer.paymentID()
	var merchant, people atomic.Int32
	w.atOnce(60, func(i int) {
		response, _ := sides[i%2].refunds(w, id, "3.00", fmt.Sprint("key ", i))
		switch {
		case i%2 == 0 && strings.HasPrefix(response, "200 "):
			merchant.Add(1)
		case i%2 == 1 && strings.HasSuffix(response, "<nil>"):
			people.Add(1)
		}
	})
	w.pass(10 * time.Minute)
	if accepted := merchant.Load() + people.Load(); accepted != 3 || payer.events(payment.EventRefund) != 3 {
		t.Errorf("%d refunds, %d accepted", payer.events(payment.EventRefund), accepted)
	}
	if got := w.acted(); len(got) != int(people.Load()) {
		t.Errorf("%d of %d in the audit log", len(got), people.Load())
	}
	const refunded = "refund success settled"
	w.shop.told("sale success settled", refunded, refunded, refunded)
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
		for _, fault := range []string{"before", "after", "dies before", "dies after", "read"} {
			for n, failed := 0, true; failed && n < 10; n++ { // until a refund has no such request
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
				failed = len(w.store.faults) == 0 && w.store.reads >= w.store.fails
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
		{"no", "refund", ""}, {"no", "refund", " "}, {"yes", "capture", ""}, {"yes", "void", ""}, {"no", "void", "0.01"},
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
			if got := w.shop.asks(test.act, body); !strings.HasSuffix(got, " amount: This value should not be blank.") {
				t.Errorf("merchant's %s: %s", name, got)
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
