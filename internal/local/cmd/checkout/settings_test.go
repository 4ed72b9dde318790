package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"checkout/internal/api"
	"checkout/internal/app"
	"checkout/internal/local"
	"checkout/internal/operator/grant"
	"checkout/internal/settings"
	settingschange "checkout/internal/settings/change"
	"checkout/internal/settings/table/tabletest"
	"checkout/internal/store"
)

// editing is the embedded service, whose settings a command changes.
type editing struct {
	*fakeAPI
	e *app.Embedded

	who    string
	lose   bool // the response to what is published
	before func()
	keys   []string // with which was published
}

func newEditing(t *testing.T) *editing {
	t.Helper()
	s := &editing{fakeAPI: newAPI(t), e: openEmbedded(t), who: "local/admin"}
	by := grant.Person{Who: s.who, Grants: local.People[0].Grants()}
	err := local.GiveRole(t.Context(), s.e.People, by, grant.Grant{
		Who: "local/pens", Role: grant.Admin, Mode: grant.Both, Merchants: []string{"pens"},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *editing) serve(w http.ResponseWriter, r *http.Request) {
	publishes := strings.HasSuffix(r.URL.Path, "/publish")
	if publishes {
		s.keys = append(s.keys, r.Header.Get("Idempotency-Key"))
		if s.before != nil {
			s.before()
		}
	}
	if s.lose && publishes {
		w = httptest.NewRecorder()
		defer panic(http.ErrAbortHandler)
	}
	s.e.Admin().ServeHTTP(w, r.WithContext(api.WithCaller(r.Context(), s.who, r.Header.Get("X-Admin-Via"))))
}

// file writes a file, and returns its path.
func (s *editing) file(text string) string {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), "merchants.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// put types a put of a file.
func (s *editing) put(text string, flags ...string) typedResult {
	s.t.Helper()
	return s.do(typing{}, "merchants put --yes --reason why %s %s", s.file(text), strings.Join(flags, " "))
}

// publish changes a merchant as somebody else does.
func (s *editing) publish(id, text string) {
	s.t.Helper()
	d := settingschange.Draft{Merchant: id, Settings: json.RawMessage(text)}
	if _, err := s.e.Merchants.Publish(s.t.Context(), d); err != nil {
		s.t.Fatal(err)
	}
}

// documents are all that is stored of settings.
func (s *editing) documents() (all string) {
	for _, r := range s.e.Store.Dump() {
		refused := strings.Contains(string(r.Doc), `"changes":["is refused: `)
		if r.Key.Partition != store.GrantsKey().Partition && !refused {
			all += r.Key.Partition + " " + string(r.Doc) + "\n"
		}
	}
	return all
}

const ink = `{"id":"ink","name":"Ink","mappings":[]}`

// Rights decide: a role without them, a merchant that there is not, or not for the caller.
func TestSettingsByRights(t *testing.T) {
	s := newEditing(t)
	before := s.documents()
	pens, other := s.file(`[{"id":"pens","name":"Pens"}]`), s.file("["+ink+"]")
	const yes = " --yes --reason why"
	for _, line := range []struct {
		who, command string
		code         int
	}{
		{"local/support", "merchants list", exitNotAllowed},
		{"local/support", "merchants show pens", exitNotAllowed},
		{"local/support", "merchants put " + pens + yes, exitNotAllowed},
		{"local/support", "merchants disable pens" + yes, exitNotAllowed},
		{"local/nobody", "wallets list pens", exitNotAllowed},
		{"local/pens", "merchants new --for own ink" + yes, exitNotAllowed},
		{"local/pens", "merchants show ink", exitNotFound},
		{"local/pens", "merchants diff " + other, exitNotFound},
		{"local/pens", "merchants put " + other + yes, exitNotFound},
		{"local/admin", "merchants show ink", exitNotFound},
		{"local/admin", "merchants export pens ink", exitNotFound},
		{"local/admin", "merchants versions ink", exitNotFound},
		{"local/admin", "merchants rotate ink key" + yes, exitNotFound},
		{"local/admin", "merchants disable ink" + yes, exitNotFound},
		{"local/admin", "wallets list ink", exitNotFound},
		{"local/admin", "merchants put " + pens + " --reason why", exitMisused},
		{"local/admin", "merchants put --yes " + pens, exitMisused},
		{"local/pens", "merchants diff " + pens, exitDone},
		{"local/admin", "merchants diff " + other, exitDone},
		{"local/admin", "merchants put --dry-run " + other, exitDone},
	} {
		s.who = line.who
		if got := s.do(typing{}, "%s", line.command); got.code != line.code {
			t.Errorf("%s, %s: %+v", line.who, line.command, got)
		}
	}
	if s.documents() != before {
		t.Error("something is changed")
	}
}

// Whoever removes a MID or a mapping, changes a MID's connector, or restores settings without it is told what goes, and
// types its name. What went comes back with its secrets.
func TestPutAsksForTheNameOfWhatGoes(t *testing.T) {
	s := newEditing(t)
	if got := s.put(`[{"id":"ink","name":"Ink","mappings":[{"name":"main","mids":[{"name":"bank","connector":"adapter",
		"methods":["card"],"credentials":{"url":"https://bank.example","key":"k","secret":"s"}}
		]}]}]`); got.code != exitDone {
		t.Fatalf("%+v", got)
	}
	before := s.documents()
	mid := s.file(`[{"id":"ink","mappings":{"main":{"mids":{"bank":null}}}}]`)
	for reply, file := range map[string]string{
		"\n": mid, "y\n": mid, "": mid, "bank\n": s.file(`[{"id":"ink","mappings":{"main":null}}]`),
	} {
		got := s.do(typing{terminal: true, reply: reply}, "merchants put --reason why %s", file)
		const asked = "Type its name to confirm that"
		if got.code != exitFailed || !strings.Contains(got.notes, asked) || s.documents() != before {
			t.Errorf("%q: %+v", reply, got)
		}
	}
	if got := s.do(typing{}, "merchants put --yes --reason why %s", mid); got.code != exitMisused ||
		!strings.Contains(got.notes, "say --remove bank") || s.documents() != before {
		t.Errorf("%+v", got)
	}
	got := s.do(typing{terminal: true, reply: "bank\n"}, "merchants put --reason why %s", mid)
	const told = "ink: mappings[main].mids[bank] goes, and with it mappings[main].mids[bank].credentials.key, " +
		"mappings[main].mids[bank].credentials.secret. Restoring the earlier settings within 30 days brings them back. " +
		"Live payments of it that are not finished: 0."
	if got.code != exitDone || !strings.Contains(got.notes, told) || s.documents() == before {
		t.Errorf("%+v has no %s", got, told)
	}
	versions := s.do(typing{terminal: true}, "merchants versions ink")
	if !strings.Contains(versions.out, "now: mappings[main].mids[bank] comes back with its secrets, if it is restored") {
		t.Errorf("%+v", versions)
	}
	got = s.do(typing{terminal: true, reply: "y\n"}, "merchants restore --reason why ink 1")
	const back = "mappings[main].mids[bank].credentials.key: is restored, not shown"
	if got.code != exitDone || !strings.Contains(got.out, back) {
		t.Errorf("%+v", got)
	}
	other := `[{"id":"ink","mappings":{"main":{"mids":{"bank":{"connector":"stripe",` +
		`"credentials":{"url":"https://api.stripe.com","key":"sk_live_1","webhook_secret":"whsec_1"}}}}}}]`
	got = s.do(typing{terminal: true, reply: "y\n"}, "merchants put --reason why %s", s.file(other))
	if got.code != exitFailed || !strings.Contains(got.notes, "bank] gets another connector, stripe, and loses ") {
		t.Errorf("%+v", got)
	}
	if got := s.put(other, "--remove bank"); got.code != exitDone {
		t.Errorf("%+v", got)
	}
	if got := s.do(typing{}, "merchants restore --yes --reason why ink 3"); got.code != exitMisused ||
		!strings.Contains(got.notes, "say --remove bank") {
		t.Errorf("%+v", got)
	}
	got = s.do(typing{terminal: true, reply: "bank\n"}, "merchants restore --reason why ink 3")
	if got.code != exitDone || !strings.Contains(got.notes, "bank] gets another connector, adapter, and loses ") {
		t.Errorf("%+v", got)
	}
	if got := s.put(`[{"id":"ink","mappings":{"main":null}}]`, "--remove main"); got.code != exitDone {
		t.Errorf("%+v", got)
	}
}

// All faults of all merchants are told at once, and then nothing is stored.
func TestPutTellsAllFaults(t *testing.T) {
	s := newEditing(t)
	before := s.documents()
	got := s.put(`[{"id":"pens","rate_limit":-1,"name":"Pens","notification_url":"here"},
		{"id":"ink","mappings":[{"name":"m","mids":[{"name":"a","connector":"none","methods":["card"]}]}],"live_key":"key"},
		{"id":"cups","live_key":"key","mappings":[]}]`)
	for _, want := range []string{
		`merchant "pens", line 1: rate_limit: `, `merchant "pens", line 1: notification_url: `,
		`merchant "ink", line 2: mappings[m].mids[a].connector: `,
		`merchant "cups", line 3: merchant "ink" has the key "key" too`,
	} {
		if got.code != exitFailed || !strings.Contains(got.notes, want) {
			t.Errorf("%+v has no %s", got, want)
		}
	}
	if s.documents() != before || len(s.keys) != 0 {
		t.Error("something is stored")
	}
}

// Who is asked sees what changes and what would follow. What was made for a new merchant is shown once.
func TestPutAsks(t *testing.T) {
	s := newEditing(t)
	pays(t, s.e, "live", "pen-1")
	if err := s.e.IndexChanges(t.Context()); err != nil {
		t.Fatal(err)
	}
	list := `[{"id":"pens","mappings":{"cards":{"closed_methods":["card"]}}},` + ink + `]`
	no := s.do(typing{terminal: true, reply: "n\n"}, "merchants put --reason why %s", s.file(list))
	const asked = "pens: mappings[cards].closed_methods: is new, [\"card\"]\n" + `pens: of 1 sessions since `
	if no.code != exitFailed || no.out != "" || !strings.HasPrefix(no.notes, asked) ||
		!strings.Contains(no.notes, ", 1 no method any more, ") || !strings.Contains(no.notes, "\nink: is new\n") ||
		len(s.keys) != 0 {
		t.Errorf("not agreed: %+v", no)
	}
	yes := s.do(typing{terminal: true, reply: "y\n"}, "merchants put --reason why %s", s.file(list))
	want := regexp.MustCompile(`^pens: stored as version 2\nink: stored as version 1\n` +
		`live key +\S+\ntest key +\S+\npassword +\S+\ncallback secret +whsec_\S+\n` +
		`Password and callback secret are not shown again.\n$`)
	if yes.code != exitDone || !want.MatchString(yes.out) {
		t.Errorf("agreed: %+v", yes)
	}
	if again := s.put(list); again.code != exitDone || strings.Contains(again.out, "made") || len(s.keys) != 2 ||
		s.keys[0] == s.keys[1] {
		t.Errorf("again: %+v, keys %q", again, s.keys)
	}
	diff := s.do(typing{}, "merchants diff %s", s.file(`[{"id":"pens","name":"Pens"},`+ink+`]`))
	if lines := strings.Split(diff.out, "\n"); len(lines) != 3 ||
		!strings.Contains(lines[0], `"preview":{"sessions":1,`) ||
		lines[1] != `{"merchant":"ink","version":1,"changes":[]}` {
		t.Errorf("for programs: %+v", diff)
	}
}

// If somebody else changes a merchant after it was checked, nothing of it is stored; those before it are, and are told.
func TestTwoEditors(t *testing.T) {
	s := newEditing(t)
	s.put("[" + ink + "]")
	s.before = func() {
		if len(s.keys) == 2 {
			s.publish("ink", `{"rate_limit":7}`)
		}
	}
	s.keys = nil
	list := `[{"id":"pens","name":"Pens"},{"id":"ink","name":"Inks"},{"id":"cups","mappings":[]}]`
	got := s.put(list)
	if got.code != exitFailed || !strings.HasPrefix(got.out, `{"merchant":"pens","version":2,`) ||
		strings.Count(got.out, "\n") != 1 || !strings.Contains(got.notes, "meanwhile: rate_limit: is new, 7") ||
		strings.Contains(got.notes, "repeat") {
		t.Errorf("%+v", got)
	}
	s.keys = nil
	s.before = func() {
		if len(s.keys) == 2 { // that of the new one
			made := settingschange.Draft{
				Merchant: "cups", Settings: json.RawMessage(`{"name":"Others","mappings":[]}`), Adds: true,
			}
			if _, err := s.e.Merchants.Publish(t.Context(), made); err != nil {
				t.Fatal(err)
			}
		}
	}
	got = s.put(list)
	if got.code != exitFailed || strings.Count(got.out, "\n") != 2 ||
		!strings.HasSuffix(got.notes, "\n  meanwhile: is new\n") {
		t.Errorf("made by two: %+v", got)
	}
}

// A put whose response is lost is repeated with the same key: what was stored is not stored again.
func TestPutRepeats(t *testing.T) {
	s := newEditing(t)
	list := `[{"id":"pens","password":"another-password-1"},` + ink + `]`
	s.lose = true
	first := s.put(list)
	found := regexp.MustCompile(`\nrepeat with --idempotency-key (\S+)\n$`).FindStringSubmatch(first.notes)
	if first.code != exitFailed || found == nil || first.out != "" {
		t.Fatalf("%+v", first)
	}
	s.lose = false
	second := s.put(list, "--idempotency-key", found[1])
	if second.code != exitDone || !strings.HasPrefix(second.out, `{"merchant":"pens","version":2,"changes":[]}`) ||
		len(s.keys) != 2 || s.keys[0] != found[1]+".pens" || s.keys[1] != found[1]+".ink" {
		t.Errorf("%+v, keys %q", second, s.keys)
	}
	rotate := "merchants rotate --yes --reason why --idempotency-key k pens password"
	made, repeated := s.do(typing{}, "%s", rotate), s.do(typing{terminal: true}, "%s", rotate)
	if !strings.Contains(made.out, `"password":"`) || !strings.Contains(repeated.out, "not shown again") {
		t.Errorf("%+v, %+v", made, repeated)
	}
}

// withSecrets adds the secrets of a merchant that is put into an empty service.
func withSecrets(t *rapid.T, exported string) string {
	var list []map[string]json.RawMessage
	if err := json.Unmarshal([]byte(exported), &list); err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		m["password"] = json.RawMessage(`"secret"`)
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A file that is exported changes nothing where it comes from. Put into an empty service, with secrets, it is exported
// as the same bytes.
func TestExportComesBack(t *testing.T) {
	s := newEditing(t)
	text, err := os.ReadFile(merchants)
	if err != nil {
		t.Fatal(err)
	}
	s.put(strings.NewReplacer("{BASE_URL}", "https://pay.example", "{SIMULATOR_URL}", "https://simulator.example").
		Replace(string(text)))
	for _, ids := range []string{"", "demo pens"} {
		exported := s.do(typing{}, "merchants export %s", ids)
		put := s.put(exported.out)
		if strings.Count(exported.out, `"id":`) < 2 || put.code != exitDone ||
			strings.Count(put.out, `"changes":[]`) != 2 || strings.Contains(exported.out, "demo-password") ||
			strings.Contains(exported.out, "simulator-key") {
			t.Errorf("%s: %+v, %+v", ids, exported, put)
		}
	}

	from, to := newEditing(t), newEditing(t)
	for _, one := range []*editing{from, to} {
		one.e.Merchants.Connectors["bank"] = settings.Declaration{}
	}
	count := 0
	rapid.Check(t, func(r *rapid.T) {
		count++
		id := fmt.Sprint("shop-", count)
		m := tabletest.Random(r, id)
		if err := from.e.Merchants.Save(t.Context(), m); err != nil {
			r.Fatal(err)
		}
		exported := from.do(typing{}, "merchants export %s", id)
		if put := from.put(exported.out); put.code != exitDone || !strings.Contains(put.out, `"changes":[]`) {
			r.Fatalf("put again: %+v\n%s", put, exported.out)
		}
		if put := to.put(withSecrets(r, exported.out)); put.code != exitDone {
			r.Fatalf("put elsewhere: %+v\n%s", put, exported.out)
		}
		if again := to.do(typing{}, "merchants export %s", id); again.out != exported.out {
			r.Fatalf("%s\nis exported as\n%s", exported.out, again.out)
		}
	})
}
