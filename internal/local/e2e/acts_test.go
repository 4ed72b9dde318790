package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"checkout/internal/audit"
	"checkout/internal/local/cloud"
	"checkout/internal/local/cloud/endpoint"
)

// givesFinance gives the person with AdminKey the role that may refund.
func (w *world) givesFinance() { w.give(map[string]string{cloud.UserARN(cloud.AdminKey): "finance"}) }

// follow has an operator ask for a refund, capture or void.
func (w *world) follow(kind, key, id, amount string) (int, []byte, error) {
	body := fmt.Sprintf(`{"amount":%q,"reason":"broken"}`, amount)
	response, reply, err := w.trySigned(cloud.AdminKey, key, "POST", "/admin/v1/payments/"+id+"/"+kind, body)
	if err != nil {
		return 0, nil, err
	}
	return response.StatusCode, []byte(reply), nil
}

// acts are the entries of the audit log but those of refusals, by the payments that they are about: who has asked for
// what.
func (w *world) acts() map[string][]string {
	w.t.Helper()
	all := map[string][]string{}
	for _, one := range w.items() {
		var e audit.Entry
		if strings.HasPrefix(one.pk, "audit/") && json.Unmarshal([]byte(one.doc), &e) == nil {
			refused := strings.HasPrefix(strings.Join(e.Changes, ""), "is refused: ")
			if id, ok := strings.CutPrefix(e.What, "payment/"); ok && !refused {
				all[id] = append(all[id], e.Who+" "+strings.Join(e.Changes, "; "))
			}
		}
	}
	return all
}

// Wherever a function is killed during an operator's refund, and whatever response is lost: it is repeated with its
// key, is made once and reported to the merchant, and the audit log says who.
func TestEveryCallOfAnOperatorsRefundBroken(t *testing.T) {
	t.Parallel()
	functions := []string{"adminact"}
	if *everyKill { // else those of the merchant's refund are enough
		functions = append(functions, "connector", "callback")
	}
	breakEveryCall(t, functions, 1, func(w *world, fault *endpoint.Fault) map[string]cloud.Usage {
		w.givesFinance()
		v := w.visit()
		v.pays("01/38")
		id := v.payment()
		end := w.injects(fault, functions...)
		refunds := func() (code int) {
			code, text, err := w.follow("refund", "key-"+id, id, "4.00")
			if err != nil || code != http.StatusOK && code < http.StatusInternalServerError {
				w.t.Fatalf("refund: %d %s %v", code, text, err)
			}
			return code
		}
		taken := func() bool { return refunds() == http.StatusOK }
		w.until("the refund is taken", taken)
		w.rest()
		calls := w.cloud.Snapshot()
		w.settle()
		w.until("it is taken again", taken)
		end()
		w.settle()
		v.is("settled")
		v.reported("sale success settled", "refund success settled")
		who := cloud.UserARN(cloud.AdminKey) + " refund of 4.00 USD "
		if got := w.acts()[id]; len(got) != 1 || !strings.HasPrefix(got[0], who) {
			w.t.Errorf("the audit log has %q", got)
		}
		return calls
	})
}

// actsAgree checks that what operators were told is taken is stored once, and in the audit log.
func (w *providerWorld) actsAgree(buyers []*buyer) {
	w.t.Helper()
	logged, taken, stored := w.acts(), 0, 0
	for p := range w.storedPayments() {
		stored += len(p.Acts)
		for _, act := range p.Acts {
			about := func(change string) bool { return strings.HasSuffix(change, act.Reference) }
			if !slices.ContainsFunc(logged[p.ID], about) || p.Transactions.Ended(act.Reference) == nil &&
				p.Jobs.Find(act.Reference) == nil {
				w.t.Errorf("payment %s: %+v is not what the audit log says or was not done: %q", p.ID, act, logged)
			}
		}
	}
	entries := 0
	for _, changes := range logged {
		entries += len(changes)
	}
	for _, b := range buyers {
		taken += b.asked
	}
	if w.t.Logf("%d acts of operators", taken); entries != taken || stored != taken {
		w.t.Errorf("%d acts of operators were taken, %d are stored and %d in the audit log", taken, stored, entries)
	}
}
