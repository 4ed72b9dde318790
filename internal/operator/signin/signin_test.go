package signin

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"checkout/internal/operator/grant"
	"checkout/internal/store"
	"checkout/internal/store/memory"
	"checkout/internal/store/storetest"
)

// world has sessions in memory, and a clock.
type world struct {
	*Sessions
	docs *memory.Store
	at   time.Time
}

func newWorld() *world {
	w := &world{docs: memory.NewStore(), at: time.Date(2030, 3, 4, 13, 0, 0, 0, time.UTC)}
	n := byte(0)
	w.Sessions = NewSessions(w.docs, func() time.Time { return w.at }, func(size int) []byte {
		n++
		return []byte(strings.Repeat(string('a'+rune(n)), size))
	})
	return w
}

var ann = Identity{Issuer: "https://id.example/shop", Subject: "ann", Email: "ann@shop.example"}

const page = "https://admin.example"

// alive reports whether a token has a session now.
func (w *world) alive(t *testing.T, token string) bool {
	t.Helper()
	s, err := w.Of(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	return s != nil
}

func TestASessionEnds(t *testing.T) {
	for _, test := range []struct {
		name string
		uses []time.Duration // after the sign-in
		last time.Duration   // when it still is one
	}{
		{"unused", nil, 15 * time.Minute},
		{"used", []time.Duration{10 * time.Minute}, 25 * time.Minute},
		{"used again within a minute", []time.Duration{10 * time.Minute, 10*time.Minute + 59*time.Second}, 25 * time.Minute},
		{"used again after a minute", []time.Duration{10 * time.Minute, 11 * time.Minute}, 26 * time.Minute},
		{"used all day", every(10*time.Minute, 12*time.Hour), 12 * time.Hour},
	} {
		w := newWorld()
		begun := w.at
		token, _, err := w.Start(t.Context(), ann, page)
		if err != nil {
			t.Fatal(err)
		}
		for _, after := range test.uses {
			w.at = begun.Add(after)
			s, err := w.Of(t.Context(), token)
			if err != nil || s == nil {
				t.Fatalf("%s, after %v: %v", test.name, after, err)
			}
			if err := w.Refresh(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		if w.at = begun.Add(test.last - time.Millisecond); !w.alive(t, token) {
			t.Errorf("%s: it has ended before %v", test.name, test.last)
		}
		if w.at = begun.Add(test.last); w.alive(t, token) {
			t.Errorf("%s: it is one after %v", test.name, test.last)
		}
	}
}

func every(step, until time.Duration) (all []time.Duration) {
	for at := step; at < until; at += step {
		all = append(all, at)
	}
	return all
}

// A use within a minute of another one is not written. One that comes when the session has just been ended does not
// bring it to life.
func TestRefresh(t *testing.T) {
	w := newWorld()
	token, s, err := w.Start(t.Context(), ann, page)
	if err != nil {
		t.Fatal(err)
	}
	for _, use := range []struct {
		after  time.Duration
		writes int64
	}{{59 * time.Second, 1}, {time.Minute, 2}, {119 * time.Second, 2}} {
		w.at = s.StartedAt.Add(use.after)
		now, err := w.Of(t.Context(), token)
		if err == nil {
			err = w.Refresh(t.Context(), now)
		}
		r, _ := store.GetOne(t.Context(), w.docs, w.at, store.SignInKey(token))
		if err != nil || r.Version != use.writes {
			t.Errorf("after %v: version %d, %v", use.after, r.Version, err)
		}
	}
	last, err := w.Of(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	w.at = w.at.Add(5 * time.Minute)
	if err := errors.Join(w.End(t.Context(), last), w.Refresh(t.Context(), last)); err != nil || w.alive(t, token) {
		t.Errorf("it lives after its end: %v", err)
	}
}

// What is stored leads to no token, and each sign-in has a session of its own.
func TestTokens(t *testing.T) {
	w := newWorld()
	first, of, err := w.Start(t.Context(), ann, page)
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := w.Start(t.Context(), ann, "")
	if err != nil || len(first) != 43 || first == second {
		t.Fatalf("%q %q %v", first, second, err)
	}
	stored := fmt.Sprintf("%+v", w.docs.Dump())
	for _, r := range w.docs.Dump() {
		stored += string(r.Doc)
	}
	if strings.Contains(stored, first) || !strings.Contains(stored, of.ID) {
		t.Errorf("stored: %s", stored)
	}
	for _, token := range []string{"", of.ID, first + "a", first[:42]} {
		if w.alive(t, token) {
			t.Errorf("%q is a token", token)
		}
	}
	byPage, _ := w.Of(t.Context(), first)
	byCommand, _ := w.Of(t.Context(), second)
	if byPage.Via() != "page" || byCommand.Via() != "command" || byPage.Origin != page || byPage.ID != of.ID ||
		byPage.Who != "oidc/id.example/shop/ann" || byPage.Email != "ann@shop.example" {
		t.Errorf("%+v %+v", byPage, byCommand)
	}
	if err := w.End(t.Context(), byPage); err != nil || w.alive(t, first) || !w.alive(t, second) {
		t.Errorf("after the end of one: %v", err)
	}
}

func TestAnAttemptShowsNoSecret(t *testing.T) {
	a := NewAttempt(func(n int) []byte { return []byte(strings.Repeat("x", n)) })
	all := map[string]bool{string(a): true, a.State(): true, a.Nonce(): true, a.Verifier(): true}
	if len(all) != 4 || len(a.Verifier()) != 43 || a.State() == Attempt(string(a)+"y").State() {
		t.Errorf("%v", all)
	}
}

// The command gets a session for the code that its own browser brings it, once and within a minute.
func TestHandOver(t *testing.T) {
	const verifier = "the command's verifier"
	for name, test := range map[string]struct {
		code, verifier string // "": those of the command
		after          time.Duration
		times          int
		why            string // "": there is a session
	}{
		"once":             {times: 1, after: time.Minute - time.Millisecond},
		"twice":            {times: 2, why: "unknown, used"},
		"late":             {times: 1, after: time.Minute, why: "older than a minute"},
		"another verifier": {times: 1, verifier: "another", why: "the command's verifier does not fit"},
		"no verifier":      {times: 1, verifier: " ", why: "the command's verifier does not fit"},
		"another code":     {times: 1, code: "another", why: "unknown"},
	} {
		w := newWorld()
		code, err := w.HandOver(t.Context(), ann, Challenge(verifier))
		if err != nil {
			t.Fatal(err)
		}
		w.at = w.at.Add(test.after)
		var token string
		for range test.times {
			token, _, err = w.Redeem(t.Context(), or(test.code, code), or(test.verifier, verifier))
		}
		refusal := new(Refusal)
		if test.why == "" && (err != nil || !w.alive(t, token)) ||
			test.why != "" && (!errors.As(err, &refusal) || !strings.Contains(refusal.Why, test.why) || token != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// Of two that have the code at once, one gets a session.
func TestACodeIsRedeemedOnce(t *testing.T) {
	w := newWorld()
	code, err := w.HandOver(t.Context(), ann, Challenge("v"))
	if err != nil {
		t.Fatal(err)
	}
	other := *w.Sessions
	scripted := &storetest.Scripted{Store: w.docs}
	scripted.Before = func(what string) error {
		if !strings.HasPrefix(what, "save") {
			return nil
		}
		scripted.Before = nil
		_, _, err := other.Redeem(t.Context(), code, "v")
		return err
	}
	w.Sessions.store = scripted
	_, _, err = w.Redeem(t.Context(), code, "v")
	if refusal := new(Refusal); !errors.As(err, &refusal) {
		t.Errorf("%v", err)
	}
}

// Every name that a provider gives is one that a grant can have, and of no other person. None is that of a role.
func TestWho(t *testing.T) {
	for _, test := range []struct {
		issuer, subject string
		want            string // "": refused
	}{
		{"https://id.example", "ann", "oidc/id.example/ann"},
		{"https://id.example/", "ann", "oidc/id.example/ann"},
		{"https://id.example/a", "b/c", "oidc/id.example/a/b%2Fc"},
		{"https://id.example", "*", "oidc/id.example/%2A"},
		{"https://id.example", "an n", "oidc/id.example/an%20n"},
		{"https://id.example", "änn\n", "oidc/id.example/%C3%A4nn%0A"},
		{"https://id.example", "", ""},
		{"https://id.example", strings.Repeat("a", 255), ""},
	} {
		w := newWorld()
		_, s, err := w.Start(t.Context(), Identity{Issuer: test.issuer, Subject: test.subject}, page)
		_, handed := w.HandOver(t.Context(), Identity{Issuer: test.issuer, Subject: test.subject}, "")
		if (err == nil) != (test.want != "") || (handed == nil) != (err == nil) || s != nil && s.Who != test.want {
			t.Errorf("%s %q: %+v, %v", test.issuer, test.subject, s, err)
			continue
		}
		g := grant.Grant{Who: test.want, Role: grant.Support, Merchants: []string{"pens"}, Mode: grant.Both}
		if faults := g.Check(); test.want != "" && len(faults) > 0 {
			t.Errorf("%s: %v", test.want, faults)
		}
	}
}

func TestWhatFailsInTheStoreIsTold(t *testing.T) {
	storetest.EachFails(t, func() (*storetest.Scripted, func() error) {
		w := newWorld()
		scripted := &storetest.Scripted{Store: w.docs}
		w.Sessions.store = scripted
		return scripted, func() error {
			code, err := w.HandOver(t.Context(), ann, Challenge("v"))
			if err != nil {
				return err
			}
			token, _, err := w.Redeem(t.Context(), code, "v")
			if err != nil {
				return err
			}
			w.at = w.at.Add(time.Minute)
			s, err := w.Of(t.Context(), token)
			if err != nil {
				return err
			}
			return errors.Join(w.Refresh(t.Context(), s), w.End(t.Context(), s))
		}
	})
}
