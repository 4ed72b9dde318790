package sandbox

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"checkout/internal/checkout"
	"checkout/internal/local/demo"
)

// TestTablesOfCardsAgree compares the README's table and the demo shop's with what the sandbox does.
func TestTablesOfCardsAgree(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "README.md", rows(string(text)), map[string]string{
		"approved": "settled", "authorised": "authorised", "declined": "declined", "soft": "passing reason",
		"3ds": "3-D Secure", "redirect": "redirect", "never answers": "never answers", "answers late": "after the time limit",
		"answers twice": "twice", "broken answer": "can't be read", "never arrives": "lost .* sent again",
	})
	for _, said := range []string{"4601 5418 3377 6519", `"declines softly"`, `"declines"`, `"never answers"`} {
		if !strings.Contains(string(text), said) {
			t.Errorf("README.md says nothing of %s", said)
		}
	}
	shown := map[string]string{}
	for _, row := range demo.TestCards {
		number := strings.ReplaceAll(row.Number, " ", "")
		if number == payoutCard && row.Expiry == "any" && strings.Contains(row.Happens, "payout") {
			shown[payoutCard] = row.Happens
			continue
		}
		if number != testCard || shown[row.Expiry] != "" {
			t.Errorf("demo.TestCards: %+v", row)
		}
		shown[row.Expiry] = row.Happens
	}
	if shown[payoutCard] == "" {
		t.Error("demo.TestCards has no card for payouts")
	}
	delete(shown, payoutCard)
	compare(t, "demo.TestCards", shown, map[string]string{
		"approved": "[Pp]aid|settled", "authorised": "authorised", "declined": "[Dd]eclined", "soft": "another try",
		"3ds": "3-D Secure", "redirect": "[Tt]o the provider's page", "never answers": "never answers",
		"answers late": "after the time limit", "answers twice": "twice", "broken answer": "can't be read",
		"never arrives": "request is lost",
	})
}

// endings are the words in both tables for what becomes of a later capture, void, refund or recurring charge.
var endings = map[string]string{
	"declined": "declined", "never answers": "never answered", "answers late": "after the time limit",
	"answers twice": "twice", "broken answer": "can't be read", "never arrives": "lost",
	"everyOne": "recurring.*each time", "firstOne": "recurring.*only the first",
}

// rows reads the README's table: what happens, by expiry date. Where a row has two dates, its last words are one each.
func rows(text string) map[string]string {
	table := map[string]string{}
	rows := regexp.MustCompile(`(?m)^\| (\d\d/\d\d(?:, \d\d/\d\d)*) \| (.*) \|$`)
	for _, line := range rows.FindAllStringSubmatch(text, -1) {
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
		charge, later, _ := strings.Cut(happens, "; a later ")
		does := features(o)
		for feature, word := range words {
			if feature == "approved" && o.fault == requestLost {
				continue // goes without saying
			}
			if said, want := regexp.MustCompile(word).MatchString(charge), slices.Contains(does, feature); said != want {
				t.Errorf("%s says of %s: %q; %s is %v", name, expiry, charge, feature, want)
			}
		}
		compareLater(t, name+" of a later "+later, later, o)
	}
}

// compareLater looks for each kind that has an ending of its own, and for the words of the ending.
func compareLater(t *testing.T, name, later string, o outcome) {
	t.Helper()
	for _, kind := range followUps {
		if said, want := strings.Contains(later, string(kind)), o.ends[kind] != (ending{}); said != want {
			t.Errorf("%q: %s is %v", name, kind, want)
		}
	}
	var does []string
	for _, e := range o.ends {
		does = append(does, faultNames[e.Fault])
		if e.Reason != "" {
			does = append(does, "declined")
		}
	}
	if o.later != noLaterDecline {
		does = append(does, "declined", map[laterDeclines]string{everyOne: "everyOne", firstOne: "firstOne"}[o.later])
	}
	for feature, word := range endings {
		if said, want := regexp.MustCompile(word).MatchString(later), slices.Contains(does, feature); said != want {
			t.Errorf("%q: %s is %v", name, feature, want)
		}
	}
}

var faultNames = map[fault]string{
	neverResponds: "never answers", respondsLate: "answers late", notifiesTwice: "answers twice",
	brokenResponse: "broken answer", requestLost: "never arrives",
}

// features are what the outcome of a charge is made of.
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
		all = append(all, faultNames[o.fault])
	}
	return all
}
