package story

import (
	"strings"
	"testing"
	"time"

	"checkout/internal/operator"
	"checkout/internal/store"
)

// The check finds what an incomplete restore can cause, and its lines contain nothing of the documents.
func TestAuditFindsIncompleteRestores(t *testing.T) {
	w := open(t, operations)
	w.shop.responds(503)
	v := w.shop.visits("pen-1")
	v.pays("01/38")
	w.work()
	if lines := w.auditLines(); len(lines) > 0 {
		t.Fatalf("before: %q", lines)
	}
	order := w.app.Store.Dump()
	for _, c := range []struct {
		name      string
		sort      string // of the document that is changed
		old, new  string // in its text
		change    func(r *store.Record)
		want      string
		notStored bool
	}{
		{
			name: "captured beyond authorised", sort: "/payment",
			old: `"captured":"10.00"`, new: `"captured":"10.01"`,
			want: "more was captured than authorised",
		},
		{
			name: "settled without capture", sort: "/payment",
			old:  `"captured":"10.00",`,
			want: "it is settled and nothing was captured",
		},
		{
			name: "refunded beyond captured", sort: "/payment",
			old:  `"transactions":[`,
			new:  `"transactions":[{"type":"refund","status":"success","amount":"10.01"},`,
			want: "more was given back than captured",
		},
		{
			name: "refunded wholly", sort: "/payment",
			old: `"status":"settled"`, new: `"status":"refund"`,
			want: "it is refund after 1 charges, 0 declines, 0 voids, 0 refunds",
		},
		{
			name: "charged twice", sort: "/payment",
			old:  `"transactions":[`,
			new:  `"transactions":[{"type":"sale","status":"success","amount":"10.00"},`,
			want: "it is settled after 2 charges",
		},
		{
			name: "declined and paid", sort: "/payment",
			old: `"status":"settled"`, new: `"status":"decline"`,
			want: "it is decline after 1 charges",
		},
		{
			name: "settled, with a charge to be sent", sort: "/payment",
			old:  `"captured"`,
			new:  `"jobs":[{"kind":"charge","reference":"r","due_at":"2030-03-04T11:00:00Z"}],"captured"`,
			want: "it is settled and is still to be charged",
		},
		{
			name: "a job that no sweep finds", sort: "/payment",
			old: `"captured"`,
			new: `"jobs":[{"kind":"refund","reference":"r","amount":"1.00","due_at":"2030-03-04T11:00:00Z"}],` +
				`"captured"`,
			want: `with 1 jobs it is due as "" and should be as "test-payment"`,
		},
		{
			name: "unreadable", sort: "/payment",
			old: `{`, new: `[`,
			want: "can't be read",
		},
		{
			name: "a session with a payment of another owner", sort: "/session/",
			old: `"merchant":"`, new: `"merchant":"another-`,
			want: "its payment " + v.paymentID() + " is another owner's",
		},
		{
			name: "a session whose payment is not stored", sort: "/session/",
			old: `"payment_id":"` + v.paymentID()[:8], new: `"payment_id":"00000000`,
			want: "its payment 00000000" + v.paymentID()[8:] + " is not stored",
		},
		{
			name: "a session that was paid by another session's payment", sort: "/payment",
			old: `"session_id":"` + v.session[:34], new: `"session_id":"` + v.session[:32] + "00",
			want: "its payment " + v.paymentID() + " is of another session",
		},
		{
			name: "a payment that says nothing of its session", sort: "/payment",
			old: `"session_id":`, new: `"no_session_id":`,
			want: "its payment " + v.paymentID() + " is of another session",
		},
		{
			name: "a callback that no sweep finds", sort: "callback/",
			change: func(r *store.Record) { r.DueAt, r.DueKind = time.Time{}, "" },
			want:   `callback 1, which is waiting, is due as "" and should be as "test-callback"`,
		},
		{
			name: "a callback that is lost", sort: "callback/",
			notStored: true,
			want:      "0 of its 1 callbacks are stored",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var records []store.Record
			for _, r := range order {
				if r.Key.Partition != "order/"+strings.ReplaceAll(v.paymentID()[:13], "-", "")+v.paymentID()[15:18] {
					continue
				}
				if strings.Contains(r.Key.Sort, c.sort) {
					if c.notStored {
						continue
					}
					if !strings.Contains(string(r.Doc), c.old) {
						t.Fatalf("no %s in %s", c.old, r.Doc)
					}
					r.Doc = []byte(strings.Replace(string(r.Doc), c.old, c.new, 1))
					if c.change != nil {
						c.change(&r)
					}
				}
				records = append(records, r)
			}
			lines := operator.CheckOrder(w.clock.Now(), records)
			if len(lines) == 0 || !strings.Contains(strings.Join(lines, "\n"), c.want) {
				t.Errorf("%q, want %q", lines, c.want)
			}
		})
	}
}
