package story

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/connector/stripe"
	"checkout/internal/screen"
	"checkout/internal/store"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// plantedBug is a bug that runs have to find. The zero value is none.
type plantedBug struct {
	name    string
	found   string // in what is wrong then
	connect func(x *faultRun)
	read    func(x *faultRun, records []store.Record) []store.Record
	write   func(x *faultRun, records []store.Record) []store.Record
}

func (b plantedBug) reads(x *faultRun, records []store.Record) []store.Record {
	if b.read == nil {
		return records
	}
	return b.read(x, records)
}

func (b plantedBug) writes(x *faultRun, records []store.Record) []store.Record {
	if b.write == nil {
		return records
	}
	return b.write(x, records)
}

// plantedBugs are one bug of each kind.
var plantedBugs = []plantedBug{
	{
		name: "second charge after a time limit", connect: buggy(bugs{charge: chargesAgain}),
		found: "the provider charged it 2 times",
	},
	{name: "refund sent twice", connect: buggy(bugs{refundsAgain: true}), found: "was sent again"},
	{name: "unknown taken for declined", connect: buggy(bugs{charge: declinesUnknown}), found: "is decline"},
	{name: "look-up not done", connect: buggy(bugs{noLookUp: true}), found: "neither final nor left to a person"},
	{name: "notice believed unsigned", connect: buggy(bugs{notice: believesAll}), found: "has charged nothing"},
	{name: "dispute ignored", connect: buggy(bugs{notice: ignoresDisputes}), found: "charge is reversed chargeback"},
	{name: "callback before store", write: tellsBefore, found: "the shop was told"},
	{name: "callback lost at the kill", write: forgetsCallbacks, found: "was not taken"},
	{name: "refund not reserved", read: seesNoRefunds, found: "refunded"},
	{name: "capture above the authorised amount", read: seesMore, found: "a capture of"},
	{name: "sealed card not deleted", write: keepsSealed, found: "is left over"},
	{name: "card number logged", connect: buggy(bugs{charge: logsCard}), found: "the log has a card number"},
	{name: "job not stored", write: forgetsJobs, found: "nothing is to be done"},
}

// enough is how many orders find every planted bug.
const enough = 300

// Every planted bug is found by the runs.
func TestFaultRunsFindPlantedBugs(t *testing.T) {
	if raceDetector {
		t.Skip("the runs have no race, and take too long here")
	}
	for _, bug := range plantedBugs {
		t.Run(bug.name, func(t *testing.T) {
			t.Parallel()
			for seed := uint64(1); seed <= enough; seed++ {
				for _, failure := range runFaults(t, seed, bug).failures {
					if strings.Contains(failure, bug.found) {
						t.Logf("found by seed %d: %s", seed, failure)
						return
					}
				}
			}
			t.Errorf("%d orders have not found it", enough)
		})
	}
}

// bugs are those of a connector.
type bugs struct {
	charge   func(x *faultRun, s *stripe.Stripe, ctx context.Context, c checkout.Charge) (checkout.Result, error)
	notice   func(s *stripe.Stripe, ctx context.Context, n checkout.Notification) (checkout.Notice, error)
	noLookUp bool

	refundsAgain bool
}

// buggy has cards charged by a connector with bugs.
func buggy(b bugs) func(*faultRun) {
	return func(x *faultRun) {
		s := x.app.Service.Connectors["stripe"].(*stripe.Stripe)
		x.app.Service.Connectors["stripe"] = &buggyStripe{s, x, b}
	}
}

type buggyStripe struct {
	*stripe.Stripe
	x    *faultRun
	bugs bugs
}

func (b *buggyStripe) Charge(ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	if b.bugs.charge == nil {
		return b.Stripe.Charge(ctx, c)
	}
	return b.bugs.charge(b.x, b.Stripe, ctx, c)
}

func (b *buggyStripe) HandleNotification(ctx context.Context, n checkout.Notification) (checkout.Notice, error) {
	if b.bugs.notice == nil {
		return b.Stripe.HandleNotification(ctx, n)
	}
	return b.bugs.notice(b.Stripe, ctx, n)
}

func (b *buggyStripe) QueryStatus(ctx context.Context, r checkout.ProviderRequest) (checkout.Result, error) {
	if b.bugs.noLookUp {
		return checkout.Result{}, nil
	}
	return b.Stripe.QueryStatus(ctx, r)
}

func (b *buggyStripe) Refund(ctx context.Context, r checkout.ProviderRequest) (checkout.Result, error) {
	result, err := b.Stripe.Refund(ctx, r)
	if err == nil && b.bugs.refundsAgain {
		return b.Stripe.Refund(ctx, r)
	}
	return result, err
}

func chargesAgain(_ *faultRun, s *stripe.Stripe, ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	result, err := s.Charge(ctx, c)
	if errors.Is(err, context.DeadlineExceeded) {
		c.Reference += "-again"
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return s.Charge(ctx, c)
	}
	return result, err
}

func declinesUnknown(_ *faultRun, s *stripe.Stripe, ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	result, err := s.Charge(ctx, c)
	if err != nil && !errors.Is(err, checkout.ErrNotSent) {
		return checkout.Result{Outcome: checkout.OutcomeDeclined, ReasonCode: screen.ReasonDeclined}, nil
	}
	return result, err
}

func logsCard(x *faultRun, s *stripe.Stripe, ctx context.Context, c checkout.Charge) (checkout.Result, error) {
	x.app.Service.Log.InfoContext(ctx, "charge", "card", c.Card.Number)
	return s.Charge(ctx, c)
}

// believesAll takes the signature of a notice for right.
func believesAll(s *stripe.Stripe, ctx context.Context, n checkout.Notification) (checkout.Notice, error) {
	n.Header = http.Header(n.Header).Clone()
	signNotice(n)
	return s.HandleNotification(ctx, n)
}

func ignoresDisputes(s *stripe.Stripe, ctx context.Context, n checkout.Notification) (checkout.Notice, error) {
	notice, err := s.HandleNotification(ctx, n)
	if err == nil && notice.Result.Outcome == checkout.OutcomeChargeback {
		return checkout.Notice{Response: checkout.NoticeResponse{Status: http.StatusOK}}, nil
	}
	return notice, err
}

// tellsBefore tells the shop of a callback before it is stored.
func tellsBefore(x *faultRun, records []store.Record) []store.Record {
	for _, r := range records {
		var c callback.Callback
		isNew := strings.HasPrefix(r.Key.Sort, "callback/") && r.Version == 0
		r.Version = 1
		if !isNew || r.Decode(&c) != nil {
			continue
		}
		got := received{header: http.Header{"Webhook-Id": {c.ID}}, status: 200, at: x.clock.Now()}
		got.fields = map[string][]string{}
		for _, f := range c.Fields {
			got.fields.Set(f.Name, f.Value)
		}
		got.body = []byte(got.fields.Encode())
		if standard, err := standardwebhooks.NewWebhook(callbackSecret); err == nil {
			signature, _ := standard.Sign(c.ID, got.at, got.body)
			got.header.Set("Webhook-Timestamp", fmt.Sprint(got.at.Unix()))
			got.header.Set("Webhook-Signature", signature)
		}
		x.shop.mu.Lock()
		x.shop.requests = append(x.shop.requests, got)
		x.shop.mu.Unlock()
	}
	return records
}

// forgetsCallbacks stores callbacks that no sweep finds.
func forgetsCallbacks(_ *faultRun, records []store.Record) []store.Record {
	for i := range records {
		if records[i].DueKind == store.DueCallback {
			records[i].DueAt, records[i].DueKind = time.Time{}, ""
		}
	}
	return records
}

// keepsSealed leaves the sealed card where it is.
func keepsSealed(_ *faultRun, records []store.Record) []store.Record {
	var kept []store.Record
	for _, r := range records {
		if !r.Delete || !strings.HasPrefix(r.Key.Partition, "vault/card/") {
			kept = append(kept, r)
		}
	}
	return kept
}

// forgetsJobs stores payments without their captures and refunds.
func forgetsJobs(x *faultRun, records []store.Record) []store.Record {
	return changePayments(records, func(p map[string]any) {
		if p["status"] == "prepare" {
			delete(p, "jobs")
		}
	})
}

// seesNoRefunds reads payments without the refunds that are under way.
func seesNoRefunds(_ *faultRun, records []store.Record) []store.Record {
	return changePayments(records, func(p map[string]any) {
		jobs, _ := p["jobs"].([]any)
		var others []any
		for _, j := range jobs {
			if job := j.(map[string]any); job["kind"] != "refund" || job["asked_at"] == nil {
				others = append(others, j)
			}
		}
		p["jobs"] = others
	})
}

// seesMore reads a larger authorised amount than there is.
func seesMore(_ *faultRun, records []store.Record) []store.Record {
	return changePayments(records, func(p map[string]any) {
		if p["status"] == "pending" {
			p["amount"] = "100.00"
		}
	})
}

// changePayments changes the payments among records.
func changePayments(records []store.Record, change func(map[string]any)) []store.Record {
	for i, r := range records {
		var p map[string]any
		if !strings.HasSuffix(r.Key.Sort, "/payment") || json.Unmarshal(r.Doc, &p) != nil {
			continue
		}
		change(p)
		records[i].Doc, _ = json.Marshal(p)
	}
	return records
}
