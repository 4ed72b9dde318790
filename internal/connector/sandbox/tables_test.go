package sandbox

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/local/demo"
	"checkout/internal/request/requesttest"
)

// TestTablesOfCardsAgree compares the README's table and the demo shop's with what the sandbox does.
func TestTablesOfCardsAgree(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "README.md", rows(string(text)), map[string]string{
		"approved": "settled", "authorised": "authorised", "declined": "declined", "soft": "passing reason",
		"3ds": "3-D Secure", "redirect": "redirect", "never responds": "never responds",
		"responds late": "after the time limit", "notifies twice": "twice", "broken response": "can't be read",
		"request lost": "lost .* sent again",
	})
	protocol := rows(requesttest.Protocol(t))
	if len(protocol) == 0 {
		t.Error("infra/protocol.md has no test cards")
	}
	for expiry, happens := range protocol {
		if happens != rows(string(text))[expiry] {
			t.Errorf("infra/protocol.md has %q for %s, unlike README.md", happens, expiry)
		}
	}
	if !strings.Contains(string(text), "4601 5418 3377 6519") {
		t.Error("README.md does not contain the card for payouts")
	}
	_, table, _ := strings.Cut(string(text), "\n| E-mail |")
	values := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(table, -1)
	for _, found := range values {
		if _, ok := testValues[found[1]]; !ok {
			t.Errorf("README.md has %s, which is no value", found[1])
		}
	}
	if len(values) != len(testValues) {
		t.Errorf("README.md has %d values, not %d", len(values), len(testValues))
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
		"3ds": "3-D Secure", "redirect": "[Tt]o the provider's page", "never responds": "never responds",
		"responds late": "after the time limit", "notifies twice": "twice", "broken response": "can't be read",
		"request lost": "request is lost",
	})
}

// endings are the words in both tables for the outcome of a later capture, void, refund or recurring charge.
var endings = map[string]string{
	"declined": "declined", "never responds": "no response", "responds late": "after the time limit",
	"notifies twice": "twice", "broken response": "can't be read", "request lost": "lost",
	"everyOne": "recurring.*each time", "firstOne": "recurring.*only the first",
}

// rows reads the README's table: what happens, by expiry date. In a row with two dates the text after "then" has the
// outcome of each.
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

// compare checks that each row has the words for what its card does, and no others.
func compare(t *testing.T, name string, table, words map[string]string) {
	t.Helper()
	for expiry := range outcomes {
		if table[expiry] == "" {
			t.Errorf("%s has no row for %s", name, expiry)
		}
	}
	for expiry, happens := range table {
		o, ok := outcomes[expiry]
		if !ok {
			t.Errorf("%s has %s, which is no test card", name, expiry)
			continue
		}
		charge, later, _ := strings.Cut(happens, "; a later ")
		does := features(o)
		for feature, word := range words {
			if feature == "approved" && o.fault == requestLost {
				continue // both tables leave it out
			}
			if found, want := regexp.MustCompile(word).MatchString(charge), slices.Contains(does, feature); found != want {
				t.Errorf("%s of %s: %q; %s is %v", name, expiry, charge, feature, want)
			}
		}
		compareLater(t, name+" of a later "+later, later, o)
	}
}

// compareLater checks that a row names each follow-up operation that ends differently, with the words for how it ends.
func compareLater(t *testing.T, name, later string, o outcome) {
	t.Helper()
	for _, kind := range followUps {
		if found, want := strings.Contains(later, string(kind)), o.ends[kind] != (ending{}); found != want {
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
		if found, want := regexp.MustCompile(word).MatchString(later), slices.Contains(does, feature); found != want {
			t.Errorf("%q: %s is %v", name, feature, want)
		}
	}
}

var faultNames = map[trouble]string{
	neverResponds: "never responds", respondsLate: "responds late", notifiesTwice: "notifies twice",
	brokenResponse: "broken response", requestLost: "request lost",
}

// features returns the keys of the words that describe the outcome of a charge.
func features(o outcome) []string {
	var all []string
	switch {
	case o.auth:
		all = append(all, "authorised")
	case o.outcome == connector.OutcomeApproved:
		all = append(all, "approved")
	case o.outcome == connector.OutcomeDeclined:
		all = append(all, "declined")
	}
	if reasonCodes[o.reason].Soft() {
		all = append(all, "soft")
	}
	if o.next != "" {
		all = append(all, map[connector.ActionKind]string{connector.Action3DS: "3ds",
			connector.ActionRedirect: "redirect"}[o.next])
	}
	if o.fault != noFault {
		all = append(all, faultNames[o.fault])
	}
	return all
}
