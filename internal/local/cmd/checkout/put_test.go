package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/notices"
	"checkout/internal/settings/settingstest"
)

// atTable types commands for a table, and writes the files that they read.
type atTable struct {
	t     *testing.T
	table string
	key   string // that wraps the data keys of secrets
}

// write writes a file of a folder of its own and returns its path.
func (a atTable) write(name, text string) string {
	a.t.Helper()
	path := filepath.Join(a.t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		a.t.Fatal(err)
	}
	return path
}

// env is the environment that the commands are typed in.
func (a atTable) env(name string) string {
	return map[string]string{"SECRETS_KEY_ID": a.key, "TABLE": a.table}[name]
}

// do returns what a command prints, and then its error. Each change has a reason.
func (a atTable) do(line string, args ...any) string {
	a.t.Helper()
	line = strings.Replace(line, "--yes", "--yes --reason why", 1)
	out, err := typed(a.t, a.env, strings.Fields(fmt.Sprintf(line, args...))...)
	if err != nil {
		return out + "error: " + err.Error()
	}
	return out
}

// shopBefore is a merchant with all that a careless file could destroy.
const shopBefore = `[{"id": "pens", "name": "The Pen Shop", "live_key": "live-1", "test_key": "test-1",
 "password": "password-1", "callback_secret": "whsec_ZGVtby1jYWxsYmFjay1zZWNyZXQtMDEyMzQ1Njc4OQ==",
 "notification_url": "https://pens.example/callback", "rate_limit": 100,
 "mappings": [{"name": "default", "max_declines": 2, "mids": [{"name": "bank", "connector": "adapter",
  "methods": ["card"], "credentials": {"url": "https://bank.example", "key": "bank-key", "secret": "bank-secret"}}]}],
 "wallets": {"applepay": {"disabled": true, "merchant_identifier": "merchant.pens", "country": "DE",
  "shop_name": "Pens", "identity_certificate": "", "capabilities": ["supports3DS"], "networks": ["visa"],
  "domains": ["pay.pens.example"]}}}]`

// A file changes what it names: typed twice as infra/merchants.md says, its commands keep certificates, addresses and
// the other MIDs of a merchant that is stored, and say what they change; restore stores what was before.
func TestPutKeepsWhatAFileDoesNotName(t *testing.T) {
	text, err := os.ReadFile("../../../../infra/merchants.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "\n## Connect a provider\n")
	_, connect, _ := strings.Cut(part, "\n```json\n")
	connect, _, _ = strings.Cut(connect, "\n```\n")

	_, table := newTable(t)
	at := atTable{t, table, "secrets"}
	write, do := at.write, at.do
	is := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	is(do("merchants put --yes %s", write("before.json", shopBefore)), "pens: is new\npens: stored as version 1\n")
	identity := settingstest.Identity(t, "merchant.pens", time.Now().AddDate(2, 0, 0))
	do("wallets put --yes pens --identity %s --identity-key %s", write("id.cer", identity.Certificate),
		write("id.key", identity.Key))
	before := do("merchants show pens")
	if !strings.Contains(before, "BEGIN CERTIFICATE") {
		t.Fatalf("no certificate in %s", before)
	}

	file := write("connect.json", connect)
	for i, change := range []string{
		`pens: mappings[default].mids[provider]: is new, {"connector":"mobilemoney",` +
			`"credentials":{"url":"https://api.provider.example"},"methods":["mobile_money"],` +
			`"name":"provider","operations":["purchase"]}
pens: mappings[default].pre_routing: is new, [{"methods":["mobile_money"]}]
pens: mappings[default].mids[provider].credentials.key: other than before, not shown
pens: mappings[default].mids[provider].credentials.secret: other than before, not shown
`, "pens: nothing changes\n"} {
		is(do("merchants diff %s", file), change)
		is(do("merchants put --dry-run %s", file), change)
		is(do("merchants put --yes %s", file), change+[]string{"pens: stored as version 3\n", ""}[i])
	}
	// The file that the merchant began with, once more: it names no certificate.
	is(do("merchants put --yes %s", write("again.json", shopBefore)), "pens: nothing changes\n")
	is(do("merchants put --yes %s", write("shown.json", do("merchants show pens"))), "pens: nothing changes\n")
	for _, kept := range []string{
		"BEGIN CERTIFICATE", `"notification_url": "https://pens.example/callback"`, `"name": "bank"`, `"max_declines": 2`,
		`"rate_limit": 100`, `"name": "provider"`,
	} {
		if now := do("merchants show pens"); !strings.Contains(now, kept) {
			t.Errorf("%s is gone from %s", kept, now)
		}
	}

	// All that is wrong comes at once, by its lines.
	wrong := do("merchants diff %s", write("wrong.json", `[{"id": "pens", "rate_limit": "x",
		"name": "Pens", "name": "Pencils",
		"mappings": [{"name": "default",
			"max_declines": -1,
			"mids": [{"name": "bank", "methods": "card"}]}],
		"nmae": "x"}]`))
	found := 0
	for _, part := range []string{
		`line 2: "name" is on line 2 already`, "line 1: rate_limit", "line 4: mappings[default].max_declines",
		"line 5: mappings[default].mids[bank].methods: It should be a list in square brackets. It is \"card\".\n",
		"line 6: nmae",
	} {
		at := strings.Index(wrong, part)
		if at < found {
			t.Errorf("%s\nhas no %s there", wrong, part)
		}
		found = at
	}

	// One credential changes, and the others stay; another connector needs its own.
	is(do("merchants put --yes %s", write("key.json", `[{"id": "pens", "mappings": [{"name": "default", "mids": [
		{"name": "bank", "credentials": {"key": "new-key"}}]}]}]`)),
		"pens: mappings[default].mids[bank].credentials.key: other than before, not shown\n"+
			"pens: stored as version 4\n")
	for credentials, want := range map[string]string{
		`{"secret": null}`: "credentials.secret: This value should not be blank.",
		`{"secrte": "x"}`:  "credentials.secrte: ",
	} {
		got := do("merchants put --yes %s", write("bad.json", `[{"id": "pens", "mappings": [{"name": "default", "mids": [
			{"name": "bank", "credentials": `+credentials+`}]}]}]`))
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s", credentials, got)
		}
	}
	other := do("merchants put --yes %s", write("stripe.json", `[{"id": "pens", "mappings": [{"name": "default", "mids": [
		{"name": "bank", "connector": "stripe", "credentials": {"key": "k"}}]}]}]`))
	if !strings.Contains(other, "credentials.url") || strings.Contains(other, "credentials.secret") {
		t.Errorf("another connector: %s", other)
	}

	gone := write("gone.json", `[{"id": "pens", "notification_url": null, "wallets": {"applepay": null},
		"mappings": {"default": {"mids": {"provider": null}, "pre_routing": null}}}]`)
	if got := do("merchants put --yes %s", gone); !strings.Contains(got, "say --remove provider") {
		t.Errorf("a MID is removed without its name: %s", got)
	}
	got := do("merchants put --yes --remove provider %s", gone)
	for _, line := range []string{
		`(?m)^pens: mappings\[default\]\.mids\[provider\]: goes, it was \{`,
		`(?m)^pens: mappings\[default\]\.pre_routing: goes`,
		`pens: mappings\[default\]\.mids\[provider\]\.credentials\.secret: goes, not shown`,
		`pens: notification_url: "https://pens.example/callback" becomes ""`, `pens: wallets: goes`,
	} {
		if !regexp.MustCompile(line).MatchString(got) {
			t.Errorf("%s\nhas no %s", got, line)
		}
	}
	for _, wrong := range []string{
		`"password": null`, `"mappings": []`, `"mappings": {"none": null}`, `"nmae": "x"`, `"notification_url": "here"`,
	} {
		got := do("merchants put --yes %s", write("wrong.json", `[{"id": "pens", `+wrong+`}]`))
		if !strings.Contains(got, "error: ") {
			t.Errorf("%s: %s", wrong, got)
		}
	}

	got = do("merchants put --yes %s", write("case.json", `[{"ID": "pens", "name": "x"}]`))
	if !strings.Contains(got, "has no id") {
		t.Errorf("another spelling of id: %s", got)
	}

	versions := do("merchants versions pens")
	numbers := regexp.MustCompile(`(?m)^version (\d+), until .*; then changed:$`).FindAllStringSubmatch(versions, -1)
	if len(numbers) != 3 || !strings.Contains(versions, "  wallets: goes") ||
		!strings.Contains(versions, "  mappings[default].mids[provider]: is new") {
		t.Fatalf("versions: %s", versions)
	}
	// Before the provider came. The identity key went with the wallet, and is asked for.
	if got := do("merchants restore --yes pens %s", numbers[1][1]); !strings.Contains(got, "error: ") {
		t.Errorf("restored without a key: %s", got)
	}
	restored := do("merchants restore --yes pens %s", numbers[2][1])
	if !strings.HasPrefix(restored, `pens: notification_url: "" becomes "https://pens.example/callback"
pens: wallets: is new, {"applepay":{`) {
		t.Errorf("restored: %s", restored)
	}
	is(do("merchants restore --yes pens %s", numbers[2][1]), "pens: nothing changes\n")
	for _, secret := range []string{"password-1", "bank-secret", "PRIVATE", "SECRET"} {
		if strings.Contains(versions+before+got, secret) {
			t.Errorf("%s is shown", secret)
		}
	}
}

// The simulated Stripe is told where notices of a MID go, also where the file has mappings and MIDs by name.
func TestNoticesOfMIDsByName(t *testing.T) {
	mid := `{"connector": "stripe", "credentials": {"url": "SIMULATOR/stripe", "key": "k"}`
	for text, want := range map[string]int{
		`{"id": "pens", "mappings": [{"name": "default", "mids": [` + mid + `, "name": "a"}]}]}`:               1,
		`{"id": "pens", "mappings": {"default": {"mids": {"a": ` + mid + `}, "b": null}}, "off": null}}`:       1,
		`{"id": "pens", "mappings": {"default": {"mids": [` + mid + `, "name": "a"}]}, "next": {"mids": {}}}}`: 1,
		`{"id": "pens", "name": "Pens"}`: 0,
	} {
		var told []string
		simulator := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				told = append(told, r.FormValue("url"))
			}
			fmt.Fprint(w, `{"data": []}`)
		}))
		f := merchantsFile{at: notices.Addresses{Base: "https://pay.example", Simulator: simulator.URL}}
		text = strings.ReplaceAll(text, "SIMULATOR", simulator.URL)
		err := f.tellNotices(t.Context(), part{settings: []byte(text)})
		simulator.Close()
		if err != nil || len(told) != want || want > 0 && !strings.HasPrefix(told[0], "https://pay.example/") {
			t.Errorf("%s: %v, %v", text, told, err)
		}
	}
}
