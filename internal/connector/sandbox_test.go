package connector

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/local/demo"
	"checkout/internal/memory"
)

func TestSandboxConforms(t *testing.T) {
	conform(t, func(t *testing.T) provider {
		s, _ := newSandbox()
		return provider{
			connector: s,
			card: func(b behaviour) checkout.Card {
				return card(map[behaviour]string{
					approves: "01/38", declines: "02/38", answersGarbage: "04/39", staysSilent: "01/39", hearsNothing: "06/39", asksThePayer: "05/38",
				}[b])
			},
			books: func(t *testing.T, reference string) int {
				e, _, err := s.read(t.Context(), reference)
				if err != nil {
					t.Fatal(err)
				}
				return e.Charges
			},
			finish: func(t *testing.T, reference string, confirmed bool) {
				if to, err := s.Finish(t.Context(), reference, confirmed); err != nil || to != "https://pay.example/back" {
					t.Errorf("the payer is sent to %q, %v", to, err)
				}
			},
			lie: func(reference, paymentID string) []byte {
				body, _ := json.Marshal(map[string]any{"reference": reference, "payment_id": paymentID, "outcome": checkout.OutcomeApproved})
				return body
			},
		}
	})
}

// notices are those that a sandbox sent.
type notices struct{ bodies []string }

var noon = time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)

func newSandbox() (*Sandbox, *notices) {
	n := &notices{}
	return &Sandbox{
		Store: memory.NewStore(), Now: func() time.Time { return noon }, BaseURL: "https://pay.example",
		Notify: func(_ context.Context, body []byte) error {
			n.bodies = append(n.bodies, string(body))
			return nil
		},
	}, n
}

// card is the test card with an expiry date such as 01/38.
func card(expiry string) checkout.Card {
	var month, year int
	if _, err := fmt.Sscanf(expiry, "%d/%d", &month, &year); err != nil {
		panic(err)
	}
	return checkout.Card{Number: testCard, ExpiryMonth: month, ExpiryYear: 2000 + year, SecurityCode: "123"}
}

// TestCards is decisions.md 8 and the faults, as a payer would find them: the answer to the question, what a look-up says
// at once and a minute later, and how many notices came.
func TestCards(t *testing.T) {
	const approved, declined, pending, next, unknown = checkout.OutcomeApproved, checkout.OutcomeDeclined, checkout.OutcomePending, checkout.OutcomeNext, checkout.OutcomeUnknown
	const none = checkout.Outcome(-1)
	for _, test := range []struct {
		expiry              string
		answer, then, later checkout.Outcome
		kind                checkout.Status // of the next step
		confirmed           checkout.Outcome
		soft, auth          bool
		notices             int
	}{
		{expiry: "01/38", answer: approved, then: approved, later: approved},
		{expiry: "02/38", answer: declined, then: declined, later: declined},
		{expiry: "03/38", answer: approved, then: approved, later: approved, auth: true},
		{expiry: "05/38", answer: next, then: next, later: next, kind: checkout.Status3DS, confirmed: approved},
		{expiry: "06/38", answer: next, then: next, later: next, kind: checkout.Status3DS, confirmed: declined},
		{expiry: "12/38", answer: next, then: next, later: next, kind: checkout.StatusRedirect, confirmed: approved},
		{expiry: "12/39", answer: next, then: next, later: next, kind: checkout.StatusRedirect, confirmed: declined},
		{expiry: "01/39", answer: none, then: approved, later: approved},
		{expiry: "02/39", answer: none, then: pending, later: approved},
		{expiry: "03/39", answer: approved, then: approved, later: approved, notices: 2},
		{expiry: "04/39", answer: none, then: approved, later: approved},
		{expiry: "05/39", answer: declined, then: declined, later: declined, soft: true},
		{expiry: "06/39", answer: none, then: unknown, later: unknown},
		{expiry: "07/39", answer: none, then: declined, later: declined},
		{expiry: "09/33", answer: declined, then: declined, later: declined},
	} {
		t.Run(strings.ReplaceAll(test.expiry, "/", "-"), func(t *testing.T) {
			s, sent := newSandbox()
			now := noon
			s.Now = func() time.Time { return now }
			ask := checkout.Charge{Reference: reference, PaymentID: "payment-1", SessionID: "session-1", Card: card(test.expiry), ReturnURL: "https://pay.example/back"}
			r, err := s.Charge(&impatient{Context: t.Context()}, ask)
			if err != nil && test.answer != none || err == nil && r.Outcome != test.answer {
				t.Errorf("answers %+v, %v", r, err)
			}
			if err == nil && (r.Soft != test.soft || r.Authorised != test.auth || (r.Next != nil) != (test.kind != "")) {
				t.Errorf("answers %+v", r)
			}
			if r.Next != nil && (r.Next.Kind != test.kind || r.Next.URL != "https://pay.example/sandbox/"+reference) {
				t.Errorf("leads to %+v", r.Next)
			}
			if found := given(t)(s.Lookup(t.Context(), ask)); found.Outcome != test.then {
				t.Errorf("at once: %+v", found)
			}
			now = now.Add(time.Minute)
			if found := given(t)(s.Lookup(t.Context(), ask)); found.Outcome != test.later {
				t.Errorf("a minute later: %+v", found)
			}
			if len(sent.bodies) != test.notices {
				t.Errorf("notices %q", sent.bodies)
			}
			if test.kind == "" {
				return
			}
			if _, err := s.Finish(t.Context(), reference, true); err != nil {
				t.Fatal(err)
			}
			if found := given(t)(s.Lookup(t.Context(), ask)); found.Outcome != test.confirmed || len(sent.bodies) != 1 {
				t.Errorf("confirmed: %+v, notices %q", found, sent.bodies)
			}
		})
	}
	s, _ := newSandbox()
	other := card("01/38")
	other.Number = "5555555555554444"
	if r := given(t)(s.Charge(t.Context(), checkout.Charge{Reference: reference, Card: other})); r.Outcome != declined {
		t.Errorf("another card: %+v", r)
	}
}

// TestStepTooLate is a payer who takes no step within the limit.
func TestStepTooLate(t *testing.T) {
	s, _ := newSandbox()
	now := noon
	s.Now = func() time.Time { return now }
	ask := checkout.Charge{Reference: reference, Card: card("05/38"), ReturnURL: "https://pay.example/back"}
	given(t)(s.Charge(t.Context(), ask))
	now = now.Add(stepLimit)
	for range 2 {
		if r := given(t)(s.Lookup(t.Context(), ask)); r.Outcome != checkout.OutcomeDeclined || r.Reason != tooLate {
			t.Errorf("a look-up says %+v", r)
		}
		if _, err := s.Finish(t.Context(), reference, true); err != nil {
			t.Fatal(err)
		}
	}
	for _, unknown := range []string{"other", strings.Repeat("x", 5000)} {
		if _, _, _, err := s.Step(t.Context(), unknown); checkout.ErrorCode(err) != checkout.CodeNotFound {
			t.Errorf("step of an unknown reference: %v", err)
		}
		if _, err := s.Finish(t.Context(), unknown, true); checkout.ErrorCode(err) != checkout.CodeNotFound {
			t.Errorf("finish of an unknown reference: %v", err)
		}
	}
}

// TestTablesOfCardsAgree holds the README's table and the demo shop's against what the sandbox does.
func TestTablesOfCardsAgree(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "README.md", rows(string(text)), map[string]string{
		"approved": "settled", "authorised": `authorised.*capture is declined`, "declined": "declined", "soft": "passing reason",
		"3ds": "3-D Secure", "redirect": "redirect", "never answers": "never answers", "answers late": "after the time limit",
		"answers twice": "twice", "broken answer": "can't be read", "never arrives": "lost .* asked again",
	})
	shown := map[string]string{}
	for _, row := range demo.TestCards {
		if strings.ReplaceAll(row.Number, " ", "") != testCard || shown[row.Expiry] != "" {
			t.Errorf("demo.TestCards: %+v", row)
		}
		shown[row.Expiry] = row.Happens
	}
	compare(t, "demo.TestCards", shown, map[string]string{
		"approved": "[Pp]aid|settled", "authorised": `authorised.*capture is declined`, "declined": "[Dd]eclined", "soft": "another try",
		"3ds": "3-D Secure", "redirect": "[Tt]o the provider's page", "never answers": "never answers",
		"answers late": "after the time limit", "answers twice": "twice", "broken answer": "can't be read", "never arrives": "request is lost",
	})
}

// rows reads the README's table: what happens, by expiry date. Where a row has two dates, its last words are one each.
func rows(text string) map[string]string {
	table := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^\| (\d\d/\d\d(?:, \d\d/\d\d)*) \| (.*) \|$`).FindAllStringSubmatch(text, -1) {
		dates, happens := strings.Split(line[1], ", "), []string{line[2]}
		first := ""
		if len(dates) > 1 {
			var ends string
			first, ends, _ = strings.Cut(line[2], ", then ")
			happens = strings.Split(ends, ", ")
		}
		for i, date := range dates {
			if i < len(happens) {
				table[date] = first + ", " + happens[i]
			}
		}
	}
	return table
}

// compare looks in each row for the words of what its card does, and for no others.
func compare(t *testing.T, name string, table, words map[string]string) {
	t.Helper()
	for expiry := range outcomes {
		if table[expiry] == "" {
			t.Errorf("%s does not know %s", name, expiry)
		}
	}
	for expiry, happens := range table {
		o, ok := outcomes[expiry]
		if !ok {
			t.Errorf("%s tells of %s, which the sandbox does not know", name, expiry)
			continue
		}
		does := features(o)
		for feature, word := range words {
			said, want := regexp.MustCompile(word).MatchString(happens), slices.Contains(does, feature)
			switch {
			case feature == "declined" && o.auth: // the capture is
			case feature == "approved" && o.fault == neverArrives: // goes without saying
			case said != want:
				t.Errorf("%s says of %s: %q; %s is %v", name, expiry, happens, feature, want)
			}
		}
	}
}

// features are what an outcome is made of.
func features(o outcome) []string {
	var all []string
	switch {
	case o.auth:
		all = append(all, "authorised")
	case o.outcome == checkout.OutcomeApproved:
		all = append(all, "approved")
	case o.outcome == checkout.OutcomeDeclined:
		all = append(all, "declined")
	}
	if o.soft {
		all = append(all, "soft")
	}
	if o.next != "" {
		all = append(all, map[checkout.Status]string{checkout.Status3DS: "3ds", checkout.StatusRedirect: "redirect"}[o.next])
	}
	if o.fault != noFault {
		all = append(all, map[fault]string{
			neverAnswers: "never answers", answersLate: "answers late", answersTwice: "answers twice", brokenAnswer: "broken answer", neverArrives: "never arrives",
		}[o.fault])
	}
	return all
}
