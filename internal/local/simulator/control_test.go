package simulator

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestControlCalls chooses, acts and looks by control calls.
func TestControlCalls(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, b *bench) {
		for body, want := range map[string]State{
			`{"decline":"do_not_honor","count":2}`: Declined, `{"kind":"charge","waits":true}`: Waiting,
			`{"family":"plain","settles":true}`: Approved,
		} {
			if status, text := b.control("POST", "/control/next", body); status != http.StatusNoContent {
				t.Fatal(status, text)
			}
			got := b.must(plainRequest{Kind: Charge, Reference: "r" + body, Amount: "1000", Step: StepPage})
			if got.State != want {
				t.Errorf("%s: %+v", body, got)
			}
			if strings.Contains(body, "count") {
				if got = b.must(plainRequest{Kind: Charge, Reference: "again", Amount: "1000"}); got.State != Declined {
					t.Errorf("only once: %+v", got)
				}
			}
		}
		o := b.must(plainRequest{Kind: Charge, Reference: "r1", Amount: "1000", Step: StepSend, Notice: noticeTo,
			Card: "4111111111111111"})
		for _, test := range []struct{ call, want string }{
			{`"choice":"half"`, "waiting 5.00 rest whole decline expire"},
			{`"amount":"1.50"`, "waiting 6.50 rest whole decline expire"},
			{`"choice":"expire"`, "expired 6.50 rest whole"},
			{`"choice":"rest"`, "expired 10.00 whole"},
		} {
			b.told(time.Second)
			status, text := b.control("POST", "/control/act", `{"id":"`+o.ID+`",`+test.call+`}`)
			var shown shownOperation
			err := json.Unmarshal([]byte(text), &shown)
			got := []string{string(shown.State), shown.Moved}
			for _, choice := range shown.Choices {
				if choice != Approve {
					got = append(got, string(choice))
				}
			}
			if status != http.StatusOK || err != nil || strings.Join(got, " ") != test.want {
				t.Errorf("%s: %d %s, want %s", test.call, status, text, test.want)
			}
		}
		b.told(time.Minute)
		for path, wants := range map[string][]string{
			"/control/operations?last=1": {`"reference":"r1"`, `"moved":"10.00"`, `"currency":"USD"`, `"state":"expired"`},
			"/control/requests?last=1":   {`"family":"plain"`, `"path":"/operations"`, `"status":200`, `"method":"POST"`},
			"/control/notices?last=1":    {`"reference":"r1"`, `"try":1`, `"status":200`, `"state":"expired"`},
		} {
			status, text := b.control("GET", path, "")
			for _, want := range wants {
				if status != http.StatusOK || !strings.Contains(text, want) {
					t.Errorf("%s has no %s: %s", path, want, text)
				}
			}
			if path != "/control/requests?last=1" && strings.Contains(text, "41111111") {
				t.Errorf("%s shows a card", path)
			}
		}
	})
}

// TestReset forgets everything, and what was to happen later does not.
func TestReset(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, b *bench) {
		b.control("POST", "/control/chance", `{"seed":3,"chance":0}`)
		b.must(plainRequest{Kind: Charge, Reference: "r1", Amount: "1934", Notice: noticeTo})
		b.control("POST", "/control/next", `{"fault":"server_error"}`)
		if status, text := b.control("POST", "/control/reset", ""); status != http.StatusNoContent {
			t.Fatal(status, text)
		}
		if got := b.told(2 * time.Hour); got != "" {
			t.Errorf("notices %s", got)
		}
		for _, path := range []string{"operations", "requests", "notices"} {
			if _, text := b.control("GET", "/control/"+path, ""); strings.TrimSpace(text) != "[]" {
				t.Errorf("%s: %s", path, text)
			}
		}
		b.must(plainRequest{Kind: Charge, Reference: "r1", Amount: "1000"})
		if _, text := b.control("GET", "/control/chance", ""); strings.TrimSpace(text) != `{"seed":3,"chance":0}` {
			t.Error(text)
		}
	})
}

// TestWrongControlCalls makes calls that can't be meant: each gets an error that says what is wrong.
func TestWrongControlCalls(t *testing.T) {
	inBubble(t, Options{}, func(t *testing.T, b *bench) {
		paid := b.must(plainRequest{Kind: Charge, Reference: "r1", Amount: "1000"})
		for _, test := range []struct {
			method, path, body string
			status             int
			says               string
		}{
			{"POST", "next", `{"fault":"never_answers"}`, 400, "never_answers"},
			{"POST", "next", `{"kind":"capture it"}`, 400, "capture it"},
			{"POST", "next", `{"family":"nobody"}`, 400, "nobody"},
			{"POST", "next", `{"count":-1,"waits":true}`, 400, "count"},
			{"POST", "next", `{}`, 400, "fault, decline, waits or settles"},
			{"POST", "next", `{"kind":"charge","count":3}`, 400, "fault, decline, waits or settles"},
			{"POST", "next", `{"fault":"fails_later","kind":"other"}`, 400, "fails_later"},
			{"POST", "next", `{"decline":"do_not_honor","kind":"other"}`, 400, "other"},
			{"POST", "next", `{"waits":true,"decline":"do_not_honor"}`, 400, "waits"},
			{"POST", "next", `{"failure":"x"}`, 400, "failure"},
			{"POST", "next", `fault=server_error`, 400, "JSON object"},
			{"POST", "act", `{"id":"none","choice":"approve"}`, 404, "no operation"},
			{"POST", "act", `{"id":"` + paid.ID + `","choice":"half"}`, 409, "not possible"},
			{"POST", "act", `{"id":"` + paid.ID + `","choice":"think"}`, 400, "think"},
			{"POST", "act", `{"id":"` + paid.ID + `","amount":"1,50"}`, 400, "1,50"},
			{"POST", "act", `{"id":"` + paid.ID + `","amount":"1.50"}`, 409, "not possible"},
			{"POST", "chance", `{"chance":101}`, 400, "0 to 100"},
			{"POST", "chance", `{"chance":-1}`, 400, "0 to 100"},
			{"POST", "chance", `{"chance":0.5}`, 400, "JSON object"},
			{"GET", "notices?last=x", "", 400, "last"},
		} {
			status, text := b.control(test.method, "/control/"+test.path, test.body)
			var said struct{ Error string }
			if err := json.Unmarshal([]byte(text), &said); err != nil || status != test.status ||
				!strings.Contains(said.Error, test.says) {
				t.Errorf("%s %s: %d %s", test.path, test.body, status, text)
			}
		}
		if status, _ := b.control("GET", "/control/next", ""); status != http.StatusMethodNotAllowed {
			t.Errorf("GET next: %d", status)
		}
	})
}

// TestReadmeListsEverything looks for every fault, control call and choice in README.md.
func TestReadmeListsEverything(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faultsExplained {
		if !strings.Contains(string(text), "| `"+string(f.Fault)+"` | "+f.Means+" |") {
			t.Errorf("README.md does not say what %s is", f.Fault)
		}
	}
	names := []string{}
	for _, a := range actions() {
		names = append(names, string(a.Choice))
	}
	for _, want := range []string{Key, Secret, "/control/next", "/control/act",
		"/control/operations", "/control/requests", "/control/notices", "/control/chance", "/control/reset"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("README.md has no %s", want)
		}
	}
	for _, name := range names {
		if !regexp.MustCompile(`choice.*\b` + name + `\b`).Match(text) {
			t.Errorf("README.md does not list the choice %s", name)
		}
	}
}
