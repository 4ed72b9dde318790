package story

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/simulator"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
	"checkout/internal/request/requesttest"
)

// everybody has all rights.
var everybody = grant.Person{Who: "ann", Grants: []grant.Grant{
	{Who: "ann", Role: grant.Support, Merchants: []string{grant.AllMerchants}, Mode: grant.Both},
	{Who: "ann", Role: grant.Finance, Merchants: []string{grant.AllMerchants}, Mode: grant.Both},
}}

// view returns what an operator sees of a payment.
func (w *World) view(id string) query.View {
	w.t.Helper()
	v, err := w.app.Reader.View(w.t.(*testing.T).Context(), everybody, id)
	if err != nil {
		w.t.Fatalf("view: %v", err)
	}
	return v
}

// rows returns the rows of all payments, the latest first.
func (w *World) rows() []query.Row {
	w.t.Helper()
	w.indexes()
	list, err := w.app.Reader.Payments(w.t.(*testing.T).Context(), everybody, query.Filter{Mode: w.shop.mode()})
	if err != nil {
		w.t.Fatalf("payments: %v", err)
	}
	return list.Rows
}

// mode is that of the keys which the shop uses.
func (s *Shop) mode() string {
	if s.live {
		return string(grant.Live)
	}
	return string(grant.Test)
}

// randomFacts differ each time.
var randomFacts = []string{"session", "provider's id", "approval code", "RRN", "network id"}

// viewText returns a view as text, with names in place of random values.
func viewText(v query.View) string {
	var out strings.Builder
	line := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&out, "%-9s %s\n", name, text)
		}
	}
	s := v.Summary
	line("state", s.State)
	line("means", s.Means)
	line("turn", s.Turn)
	next := s.Next
	if !s.At.IsZero() {
		next += " At " + s.At.UTC().Format(time.DateTime) + "."
	}
	line("next", next)
	line("tell", s.Tell)
	line("retry", s.Retry)
	out.WriteByte('\n')
	for _, f := range v.Facts {
		if !slices.Contains(randomFacts, f.Name) {
			line(f.Name, f.Text)
		}
	}
	out.WriteByte('\n')
	for _, e := range v.Timeline {
		fmt.Fprintf(&out, "%s  %-8s  %s\n", e.At.UTC().Format(time.DateTime), e.Kind, e)
	}
	out.WriteByte('\n')
	for _, c := range v.Callbacks {
		line("callback", fmt.Sprintf("%d %s, %s, %d tries, %s", c.Seq, c.Event, c.State, len(c.Tries),
			cmp.Or(c.WhyNot, "may be sent")))
	}
	for _, act := range v.Possible {
		line(act.Act, strings.TrimSpace(cmp.Or(act.Why, "possible")+" "+act.Amount+" "+strings.Join(act.Verdicts, " ")))
	}
	return anonymous(out.String())
}

var (
	someID   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{16}\b`)
	someHost = regexp.MustCompile(`(127\.0\.0\.1:)\d+(->127\.0\.0\.1:\d+)?`)
)

// anonymous returns a text with a name in place of each id and port, numbered as they come.
func anonymous(text string) string {
	names := map[string]string{}
	text = someHost.ReplaceAllString(text, "${1}PORT")
	return someID.ReplaceAllStringFunc(text, func(id string) string {
		if names[id] == "" {
			names[id] = fmt.Sprintf("ID-%d", len(names)+1)
		}
		return names[id]
	})
}

// tellings are golden texts of stories, and what nobody at the service can tell apart: stories of the same name.
type tellings struct {
	all map[string]string // by text
}

// tells compares a story's text with its golden file, and with those of all other stories.
func (g *tellings) tells(t *testing.T, story, text string, same ...string) {
	t.Helper()
	goldenText(t, "timelines/"+story+".txt", text)
	if g.all == nil {
		g.all = map[string]string{}
	}
	if other := g.all[text]; other != "" && !slices.Contains(same, other) {
		t.Errorf("%s has the same text as %s", story, other)
	}
	g.all[text] = story
}

// afterwards is what follows after a sandbox card was paid with, by its expiry, so that the card shows what it is for.
var afterwards = map[string]func(w *World, payer *Visit){
	"03/38": func(w *World, payer *Visit) { w.shop.captures(payer.paymentID(), "") },
	"05/38": pressesConfirm, "06/38": pressesConfirm, "12/38": pressesConfirm, "12/39": pressesConfirm,
	"01/40": func(w *World, payer *Visit) { w.shop.captures(payer.paymentID(), "") },
	"02/40": refundsSome, "03/40": refundsSome, "04/40": refundsSome,
	"05/40": func(w *World, payer *Visit) { w.shop.voids(payer.paymentID()) },
	"06/40": func(w *World, payer *Visit) { w.shop.voids(payer.paymentID()) },
	"07/40": refundsSome, "08/40": refundsSome, "09/40": refundsSome,
	"01/41": chargesAgain, "02/41": chargesAgain,
}

func pressesConfirm(_ *World, payer *Visit) { payer.presses("confirm") }

func refundsSome(w *World, payer *Visit) { w.shop.refunds(payer.paymentID(), "3.00") }

func chargesAgain(w *World, payer *Visit) {
	p := payer.payment()
	w.post("/api/v1/payment/recurring", w.shop.Sign(w.shop.RecurringBody(p.ID, p.RecurringToken, "pen-2", "10.00")))
}

// expiryRow is a row of the table of test cards.
var expiryRow = regexp.MustCompile(`(?m)^\| ((?:\d\d/\d\d(?:, )?)+) \|`)

// Each card of the sandbox has its own story, in words that an operator reads. Nobody can tell those apart that differ
// in repeats of a report, in a response that comes too late or never, or in what follows later.
func TestTimelinesOfSandboxCards(t *testing.T) {
	readme, err := requesttest.ReadFile("internal/connector/sandbox/README.md")
	if err != nil {
		t.Fatal(err)
	}
	var stories tellings
	same := map[string]string{"03-39": "sandbox-01-38", "02-39": "sandbox-01-39", "02-41": "sandbox-01-41"}
	cards := 0
	for _, row := range expiryRow.FindAllStringSubmatch(string(readme), -1) {
		for expiry := range strings.SplitSeq(row[1], ", ") {
			cards++
			t.Run(strings.ReplaceAll(expiry, "/", "-"), func(t *testing.T) {
				w := open(t, operations)
				payer := w.shop.visits("pen-1", with("auth", expiry == "01/40"),
					with("recurring_init", strings.HasSuffix(expiry, "/41")))
				payer.pays(expiry)
				w.skip(time.Minute)
				if then := afterwards[expiry]; then != nil {
					then(w, payer)
				}
				w.pass(10 * time.Minute)
				name := strings.ReplaceAll(expiry, "/", "-")
				text := viewText(w.view(payer.paymentID()))
				for _, row := range w.rows() {
					if row.ID != payer.paymentID() {
						text += "\n" + viewText(w.view(row.ID))
					}
				}
				stories.tells(t, "sandbox-"+name, text, same[name])
			})
		}
	}
	if cards < 25 {
		t.Errorf("%d cards", cards)
	}
}

// Each fault of a provider has its own story, but for those whose notices alone are late, doubled or not believed.
func TestTimelinesOfFaults(t *testing.T) {
	var stories tellings
	alike := []simulator.Fault{simulator.ReportsTwice, simulator.NoticeFirst, simulator.NoticesDoubled,
		simulator.NoticesDisorder, simulator.WrongSignature, simulator.RespondsLate, simulator.SlowDrip}
	for _, fault := range append(simulator.Faults(), simulator.NoFault) {
		if slices.Contains(alike, fault) {
			continue
		}
		s := openSimulated(t, "collection", CredentialsOf["collection"])
		s.app.Runner.ProviderTimeout = time.Second
		s.Expect(simulator.Next{Kind: simulator.Charge, Fault: fault, Settles: true})
		s.Expect(simulator.Next{Kind: simulator.Charge, Settles: true}) // if the first is not executed
		payer := family{method: "instant_transfer"}.pays(t, s)
		s.notifies()
		s.pass(10 * time.Minute)
		s.passesAnHour()
		stories.tells(t, "fault-"+string(fault), viewText(s.view(payer.paymentID())))
	}
	if len(stories.all) < 6 {
		t.Errorf("%d stories", len(stories.all))
	}
}
