package operator

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"checkout/internal/audit"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/operatortest"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// returns is a service with payments of two merchants whose provider approves every request at once.
type returns struct {
	*stored
	actor    *Actor
	payments []string
	keys     int
	random   byte
	mutex    sync.Mutex
}

func newReturns(t *testing.T) *returns {
	r := &returns{stored: newStored(t)}
	r.Now, r.Core.Log = operatortest.SituatedAt, slog.New(slog.DiscardHandler)
	r.Core.Declarations = settings.Declarations{"bank": {Refund: true, Void: true}}
	r.Core.Pause = func(context.Context, time.Duration) error { return nil }
	r.Core.Random = func(n int) []byte {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		r.random++
		return append(make([]byte, n-1), r.random)
	}
	for n := range byte(6) {
		p := paid(payment.StatusSettled)
		p.ID, p.Merchant = paymentID(n), []string{"m-1", "m-2"}[n%2]
		r.payments = append(r.payments, p.ID)
		r.Save(p.Record())
	}
	for _, id := range []string{"m-1", "m-2"} {
		r.Save(store.Encode(store.SettingsKey(id), 0, struct{}{}))
	}
	give := func(who string, role grant.Role, merchants ...string) grant.Grant {
		return grant.Grant{Who: who, Role: role, Mode: grant.Both, Merchants: merchants}
	}
	r.Save(store.Encode(store.GrantsKey(), 0, &grants{
		Grants: []grant.Grant{
			give(ann, grant.Support, "m-1"), give(ann, grant.Finance, "m-2"), give(ann, grant.Admin, "*"),
			give("bob", grant.Finance, "*"), give("root", grant.Admin, "*"),
		},
		Limits: []grant.Limit{
			{Role: grant.Support, Currency: "USD", One: "4", Day: "9.00"},
			{Role: grant.Finance, Currency: "USD", One: "6.00", Day: "12"},
		},
	}))
	r.actor = NewActor(r.Core, r, nil)
	return r
}

// ann is one person, whatever the session is named.
const ann = "arn:aws:sts::1:assumed-role/R/*"

// SendJob implements payment.JobQueue.
func (r *returns) SendJob(ctx context.Context, m payment.JobMessage, _ time.Duration) error {
	for {
		p, err := r.Core.Payment(ctx, r.Now, m.PaymentID)
		if err != nil {
			return err
		}
		job := p.Jobs.Find(m.Reference)
		if job == nil {
			return nil
		}
		if _, err = p.SucceedJob(*job, connector.Result{}, r.Now); err != nil {
			return err
		}
		if err = r.Docs.Save(ctx, r.Now, p.Record()); !store.IsConflict(err) {
			return err
		}
	}
}

// by returns an actor and a person of a name.
func (r *returns) by(who, key string) (*Actor, grant.Person) {
	by, err := r.PersonOf(r.T.Context(), who, "page")
	if err != nil {
		r.T.Fatal(err)
	}
	name := who[strings.LastIndexByte(who, '/')+1:]
	return r.actor.By(audit.Act{ID: "act-" + key, Who: who, By: name, Reason: "Asked.", Key: key}), by
}

func (r *returns) refund(who, id, amount, key string) (Done, error) {
	a, by := r.by(who, key)
	return a.FollowUp(r.T.Context(),
		FollowUp{PaymentID: id, Kind: payment.JobRefund, Amount: amount, IdempotencyKey: key, By: by})
}

func (r *returns) void(who, id, key string) (Done, error) {
	a, by := r.by(who, key)
	return a.FollowUp(r.T.Context(), FollowUp{PaymentID: id, Kind: payment.JobVoid, IdempotencyKey: key, By: by})
}

func (r *returns) approve(who, id, key string) (Done, error) {
	a, by := r.by(who, key)
	return a.Approve(r.T.Context(), by, id)
}

func (r *returns) key() string {
	r.keys++
	return fmt.Sprint("key-", r.keys)
}

// check compares what was returned with the limits: what one person has returned alone, by day, and how often something
// was approved.
func (r *returns) check(t interface{ Fatalf(string, ...any) }) {
	alone, approved := map[string]money.Amount{}, 0
	for _, id := range r.payments {
		p, err := r.Core.Payment(r.T.Context(), r.Now, id)
		if err != nil {
			t.Fatalf("%v", err)
		}
		most := usd(map[string]string{"m-1": "4.00", "m-2": "6.00"}[p.Merchant])
		for _, act := range p.Acts {
			if strings.Contains(act.By, "approved by") {
				approved++
				continue
			}
			day := act.At.UTC().Format(time.DateOnly)
			sum, ok := alone[day]
			if !ok {
				sum = money.Zero(act.Amount.Currency())
			}
			if alone[day], err = sum.Add(act.Amount); err != nil || act.Amount.Cmp(most) > 0 {
				t.Fatalf("%s of %s was returned alone, %v", act.Amount, p.Merchant, err)
			}
		}
	}
	for day, sum := range alone {
		if sum.Cmp(usd("12.00")) > 0 {
			t.Fatalf("%s was returned alone on %s", sum, day)
		}
	}
	page, err := r.Approvals(r.T.Context(), person(grant.Viewer, "*"), "")
	if err != nil || page.Cursor != "" {
		t.Fatalf("%v, %q", err, page.Cursor)
	}
	decided := 0
	for _, a := range page.Approvals {
		if a.State == ApprovalApproved {
			decided++
		}
	}
	if decided != approved {
		t.Fatalf("%d were approved and %d done", decided, approved)
	}
}

// No sequence of acts by one person, over any split, tabs at once, repeats, names of sessions and merchants, returns
// more than the limits of their roles without another person. What is approved is done once.
func TestLimits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newReturns(t)
		who := rapid.SampledFrom([]string{"arn:aws:sts::1:assumed-role/R/a", "arn:aws:sts::1:assumed-role/R/b"})
		payment, amount := rapid.SampledFrom(r.payments), rapid.SampledFrom([]string{"", "0.01", "2.50", "3.99", "4.00",
			"4.01", "5.00", "6.00", "6.01"})
		waiting, refused := []string{"none"}, 0
		note := func(d Done, err error) {
			if err != nil {
				refused++
			}
			if d.Approval != "" && !slices.Contains(waiting, d.Approval) {
				waiting = append(waiting, d.Approval)
			}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"refund": func(rt *rapid.T) {
				w, id, of, key := who.Draw(rt, "who"), payment.Draw(rt, "payment"), amount.Draw(rt, "amount"), r.key()
				note(r.refund(w, id, of, key))
				if rapid.Bool().Draw(rt, "again") {
					note(r.refund(w, id, of, key))
				}
			},
			"two tabs": func(rt *rapid.T) {
				var group sync.WaitGroup
				for range 2 {
					w, id, of, key := who.Draw(rt, "who"), payment.Draw(rt, "payment"), amount.Draw(rt, "amount"), r.key()
					group.Go(func() { _, _ = r.refund(w, id, of, key) })
				}
				group.Wait()
			},
			"void": func(rt *rapid.T) { note(r.void(who.Draw(rt, "who"), payment.Draw(rt, "payment"), r.key())) },
			"approve alone": func(rt *rapid.T) {
				id := rapid.SampledFrom(waiting).Draw(rt, "approval")
				if _, err := r.approve(who.Draw(rt, "who"), id, r.key()); err == nil {
					rt.Fatalf("whoever asks has approved %s", id)
				}
			},
			"widen alone": func(rt *rapid.T) {
				w := who.Draw(rt, "who")
				a, by := r.by(w, r.key())
				role := rapid.SampledFrom([]grant.Role{grant.Support, grant.Finance}).Draw(rt, "role")
				l := grant.Limit{Role: role, Currency: "USD", One: "100", Day: "100"}
				g := grant.Grant{Who: rapid.SampledFrom([]string{w, ann}).Draw(rt, "to"), Role: role, Mode: grant.Both,
					Merchants: []string{"*"}}
				for what, err := range map[string]error{
					"limit": r.SetLimit(t.Context(), by, a.act, l), "none": r.SetLimit(t.Context(), by, a.act, grant.Limit{
						Role: role, Currency: "USD"}), "grant": r.Grant(t.Context(), by, a.act, g),
				} {
					if fault.CodeOf(err) != fault.CodeDenied {
						rt.Fatalf("%s of %s by %s: %v", what, role, w, err)
					}
				}
			},
			"another approves": func(rt *rapid.T) {
				id, key := rapid.SampledFrom(waiting).Draw(rt, "approval"), r.key()
				var group sync.WaitGroup
				for _, k := range []string{key, key, r.key()} {
					group.Go(func() { _, _ = r.approve("bob", id, k) })
				}
				group.Wait()
			},
			"a day later": func(*rapid.T) { r.Now = r.Now.Add(13 * time.Hour) },
			"":            func(rt *rapid.T) { r.check(rt) },
		})
	})
}

// What is above a limit waits, is told to whoever asks, and is approved or rejected once.
func TestApprovals(t *testing.T) {
	r := newReturns(t)
	const who = "arn:aws:sts::1:assumed-role/R/a"
	asks := func() Done {
		t.Helper()
		done, err := r.refund(who, r.payments[0], "4.01", r.key())
		if err != nil || done.Approval == "" || done.Decided || done.Status != payment.StatusSettled ||
			!strings.HasPrefix(done.Text, "Your role may return 4 USD at once. Another person has to approve the refund of "+
				"4.01 USD, until ") {
			t.Fatalf("%+v, %v", done, err)
		}
		return done
	}
	first := asks()
	bob, by := r.by("bob", "reject")
	done, err := bob.Reject(t.Context(), by, first.Approval)
	if err != nil || !done.Decided || done.Text != "bob has rejected it: Asked." {
		t.Errorf("%+v, %v", done, err)
	}
	if _, err := r.approve("bob", first.Approval, "late"); fault.CodeOf(err) != fault.CodeNotAllowed {
		t.Errorf("approved after it was rejected: %v", err)
	}
	second := asks()
	r.Now = r.Now.Add(approvalTime)
	if _, err := r.approve("bob", second.Approval, "expired"); fault.CodeOf(err) != fault.CodeNotAllowed {
		t.Errorf("approved too late: %v", err)
	}
	third := asks()
	done, err = r.approve("bob", third.Approval, "now")
	if err != nil || !done.Decided || done.Text != "4.01 USD was refunded. 5.99 USD can still be refunded." {
		t.Errorf("%+v, %v", done, err)
	}
	if again, err := r.approve("bob", third.Approval, "now"); err != nil || again != done {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := r.approve("root", third.Approval, "twice"); fault.CodeOf(err) != fault.CodeNotAllowed {
		t.Errorf("approved twice: %v", err)
	}
	r = newReturns(t)
	fourth, err := r.void(who, r.payments[2], "void")
	if err != nil || !strings.Contains(fourth.Text, "approve the void of 10.00 USD") {
		t.Errorf("%+v, %v", fourth, err)
	}
	if _, err := r.refund("bob", r.payments[2], "1.00", "meanwhile"); err != nil {
		t.Error(err)
	}
	if done, err := r.approve("root", fourth.Approval, "partly refunded"); err == nil {
		t.Errorf("a void of what was refunded in part: %+v", done)
	}
	r.check(t)
	if _, err := r.approve("bob", "20300304T130000.000Z-00", "none"); fault.CodeOf(err) != fault.CodeNotFound {
		t.Errorf("no approval: %v", err)
	}
	page, err := r.Approvals(t.Context(), person(grant.Viewer, "m-2"), "")
	if err != nil || len(page.Approvals) != 0 {
		t.Errorf("of another merchant: %+v, %v", page, err)
	}
}

// Limits are set by administrators for roles that they don't have, and every fault is told.
func TestSetLimit(t *testing.T) {
	r := newReturns(t)
	for _, x := range []struct {
		by   string
		of   grant.Limit
		code fault.Code
	}{
		{"root", grant.Limit{Role: grant.Support, Currency: "EUR", One: "10", Day: "100.00"}, 0},
		{"root", grant.Limit{Role: grant.Support, Currency: "*", One: "0", Day: "0"}, 0},
		{"root", grant.Limit{Role: grant.Support, Currency: "*", One: "1", Day: "0"}, fault.CodeInvalid},
		{"root", grant.Limit{Role: grant.Viewer, Currency: "EUR", One: "1", Day: "1"}, fault.CodeInvalid},
		{"root", grant.Limit{Role: grant.Support, Currency: "EU", One: "1", Day: "1"}, fault.CodeInvalid},
		{"root", grant.Limit{Role: grant.Support, Currency: "EUR", One: "1.001", Day: "1"}, fault.CodeInvalid},
		{"root", grant.Limit{Role: grant.Support, Currency: "EUR", One: "1", Day: ""}, fault.CodeInvalid},
		{"bob", grant.Limit{Role: grant.Support, Currency: "EUR", One: "1", Day: "1"}, fault.CodeDenied},
		{"root", grant.Limit{Role: grant.Support, Currency: "GBP"}, fault.CodeNotFound},
		{"root", grant.Limit{Role: grant.Support, Currency: "USD"}, 0},
	} {
		a, by := r.by(x.by, r.key())
		if err := r.SetLimit(t.Context(), by, a.act, x.of); fault.CodeOf(err) != x.code || err != nil && x.code == 0 {
			t.Errorf("%s by %s: %v", x.of.Text(), x.by, err)
		}
	}
	if done, err := r.refund("arn:aws:sts::1:assumed-role/R/a", r.payments[0], "4.01", "other"); err != nil ||
		!strings.HasPrefix(done.Text, "Your role may return nothing in USD alone.") {
		t.Errorf("%+v, %v", done, err)
	}
}
