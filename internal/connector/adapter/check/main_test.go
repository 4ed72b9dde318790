package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/simulator"
)

const wait = 20 * time.Second

// start runs an adapter that prints its address as its first line, until the test ends.
func start(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	command := exec.Command(name, arguments...)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return strings.TrimSpace(line)
}

// startSample builds and runs the sample in Go.
func startSample(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "sample")
	if out, err := exec.Command("go", "build", "-o", program, "../sample").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return start(t, program, "-listen", "127.0.0.1:0", "-key", "key-1", "-secret", "secret-1")
}

func optionsFor(url string) options {
	return options{
		url: url, key: "key-1", secret: "secret-1", method: "card", currency: "USD", wait: wait, listen: "127.0.0.1:0",
	}
}

// wantPassed runs all checks.
func wantPassed(t *testing.T, o options) {
	t.Helper()
	var out bytes.Buffer
	if !run(o, &out) || strings.Contains(out.String(), "  --  ") {
		t.Errorf("\n%s", &out)
	}
}

func TestSampleInGo(t *testing.T) {
	t.Parallel()
	wantPassed(t, optionsFor(startSample(t)))
}

// TestSampleInPython checks an adapter in another language.
func TestSampleInPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not there, so the sample in Python was not checked")
	}
	sample := filepath.Join("..", "testdata", "sample.py")
	url := start(t, python, sample, "--listen", "127.0.0.1:0", "--key", "key-1", "--secret", "secret-1")
	wantPassed(t, optionsFor(url))
	wantAuthenticated(t, optionsFor(url))
}

// wantAuthenticated has a payer go to the page of 3-D Secure, and wants its result in the notice.
func wantAuthenticated(t *testing.T, o options) {
	t.Helper()
	c, err := newChecker(o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.notices.close()
	b := c.charge("9.10")
	r, err := c.send("/charge", b)
	if err != nil {
		t.Fatal(err)
	}
	var action struct{ URL string }
	_ = json.Unmarshal(r.Action, &action)
	page, err := http.Get(action.URL)
	if err != nil {
		t.Fatal(err)
	}
	page.Body.Close()
	<-c.notices.came
	got, err := c.notices.about(b["reference"].(string))
	if err != nil || got.Status != "approved" || got.Authentication.ECI != "05" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestSimulator checks the simulator's adapter, whose times pass a hundred times as fast.
func TestSimulator(t *testing.T) {
	server := httptest.NewServer(nil)
	defer server.Close()
	server.Config.Handler = simulator.New(simulator.Options{
		URL: server.URL, After: func(d time.Duration, f func()) { time.AfterFunc(d/100, f) },
	})
	o := optionsFor(server.URL + "/adapter")
	o.key, o.secret = simulator.Key, simulator.Secret
	wantPassed(t, o)
}

// flawed is a server between the checks and the sample that changes requests and responses, and signs them anew.
type flawed struct {
	sample   string
	request  func(path string, b body)
	response func(path string, header http.Header, b body)
	trusts   bool // signs also what was not signed

	continues    string // the path of /continue
	oneSignature bool
}

func (f flawed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	id, at := r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp")
	var b body
	signed := verify("secret-1", r.Header, "POST "+r.URL.Path+"."+string(text)) == nil
	if json.Unmarshal(text, &b) == nil && f.request != nil && signed {
		f.request(r.URL.Path, b)
		text, _ = json.Marshal(b)
	}
	path := r.URL.Path
	if path == "/continue" && f.continues != "" {
		path = f.continues
	}
	passed, _ := http.NewRequest("POST", f.sample+path, bytes.NewReader(text))
	passed.Header = r.Header.Clone()
	if f.trusts {
		at = strconv.FormatInt(time.Now().Unix(), 10)
		passed.Header.Set("Adapter-Key", "key-1")
		passed.Header.Set("webhook-timestamp", at)
	}
	if f.oneSignature && strings.Contains(r.Header.Get("webhook-signature"), " ") {
		signed = false
		passed.Header.Set("webhook-signature", strings.ReplaceAll(r.Header.Get("webhook-signature"), " ", ","))
	}
	if signed || f.trusts {
		passed.Header.Set("webhook-signature", signature("secret-1", id, at, "POST "+path+"."+string(text)))
	}
	response, err := http.DefaultClient.Do(passed)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer response.Body.Close()
	text, _ = io.ReadAll(response.Body)
	for _, name := range []string{"webhook-id", "webhook-timestamp"} {
		w.Header().Set(name, response.Header.Get(name))
	}
	var back body
	_ = json.Unmarshal(text, &back) // the sample's own
	if f.response != nil {
		f.response(r.URL.Path, w.Header(), back)
		text, _ = json.Marshal(back)
	}
	content := strconv.Itoa(response.StatusCode) + "." + string(text)
	if w.Header().Get("webhook-signature") == "" {
		w.Header().Set("webhook-signature",
			signature("secret-1", w.Header().Get("webhook-id"), w.Header().Get("webhook-timestamp"), content))
	}
	w.WriteHeader(response.StatusCode)
	_, _ = w.Write(text)
}

// ninety is an amount of none of the checks.
var ninety = body{"value": "90.00", "currency": "USD", "exponent": 2}

// TestWrongAdapters plants a mistake in an adapter, and wants it found by the check that is about it.
func TestWrongAdapters(t *testing.T) {
	t.Parallel()
	sample := startSample(t)
	set := func(name string, value any) func(string, http.Header, body) {
		return func(_ string, _ http.Header, b body) {
			if _, found := b[name]; found {
				b[name] = value
			}
		}
	}
	for check, f := range map[string]flawed{
		"charge approved": {response: func(_ string, header http.Header, _ body) {
			header.Set("webhook-signature", "v1,AAAA")
		}},
		"card stored, and charged again": {request: func(path string, b body) {
			if b["network_transaction_id"] != nil {
				b["amount"] = body{"value": "9.05", "currency": "USD", "exponent": 2}
			}
		}},
		"charge repeated many times at once: one charge": {response: func(_ string, _ http.Header, b body) {
			b["authentication"] = body{"eci": "5"}
		}},
		"charge declined, soft": {response: set("decline", body{"reason": "card_stolen"})},
		"charge declined, hard": {response: set("status", "approved")},
		"charge repeated: one charge": {response: func(_ string, _ http.Header, b body) {
			b["provider"] = body{"id": newReference()}
		}},
		"reference with another amount refused": {request: func(_ string, b body) {
			if amount, ok := b["amount"].(map[string]any); ok {
				amount["value"] = "10.00"
			}
		}},
		"look-up of a known reference":          {response: set("amount", ninety)},
		"look-up of an unknown reference":       {response: set("status", "declined")},
		"look-up of another kind":               {request: func(_ string, b body) { b["kind"] = "charge" }},
		"required action":                       {response: set("action", body{"type": "redirect"})},
		"pending, then approved, with a notice": {request: func(_ string, b body) { delete(b, "notice_url") }},
		"refunds within what was charged": {request: func(path string, b body) {
			if amount, ok := b["amount"].(map[string]any); ok && path == "/refund" {
				amount["value"] = "0.01"
			}
		}},
		"refund repeated: one refund": {request: func(path string, b body) {
			if path == "/refund" {
				b["reference"] = newReference()
			}
		}},
		"charges of two references are two": {response: set("provider", body{"id": "bank-1"})},
		"refund in another currency refused": {request: func(_ string, b body) {
			if amount, ok := b["amount"].(map[string]any); ok {
				amount["currency"] = "USD"
			}
		}},
		"reference of another kind or charge refused": {request: func(path string, b body) {
			if path == "/refund" {
				b["reference"] = "refund-of-" + b["reference"].(string)
			}
		}},
		"no required action of a later payment of a chain": {request: func(_ string, b body) { delete(b, "recurring") }},
		"cancel of what does not wait changes nothing": {response: func(path string, _ http.Header, b body) {
			if path == "/cancel" {
				b["status"] = "declined"
			}
		}},
		"continue of what does not wait charges nothing": {continues: "/charge"},
		"two signatures, of which one is right":          {oneSignature: true},
		"authorise and capture":                          {request: func(_ string, b body) { delete(b, "authorise_only") }},
		"void once": {request: func(path string, b body) {
			if path == "/void" {
				b["reference"] = "void-of-" + b["payment"].(string)
			}
		}},
		"wallet's token":                       {response: set("status", "declined")},
		"wallet's token declined and repeated": {response: set("decline", body{"reason": "declined"})},
		"wallet's token authorised and captured": {request: func(_ string, b body) {
			delete(b, "authorise_only")
		}},
		"later payment of a wallet's token":          {request: func(_ string, b body) { delete(b, "recurring") }},
		"wallet's token without its kind refused":    {request: inWallet("kind", "googlepay")},
		"wallet's token of another method refused":   {request: inWallet("kind", "googlepay")},
		"wallet without its token refused":           {request: inWallet("token", tokens["googlepay"])},
		"wallet's card":                              {request: inWallet("flow", "virtual")},
		"later payment of a wallet's card":           {request: func(_ string, b body) { delete(b, "recurring") }},
		"wallet's card without a cryptogram refused": {request: inCard("cryptogram", "AAECAwQFBgcICQoLDA0ODxAREhM=")},
		"wallet's card with a token refused":         {request: inWallet("token", nil)},
		"wallet's card without the type of its number refused": {
			request: inCard("pan_type", "dpan"),
		},
		"3-D Secure of a card that nobody has authenticated": {response: set("action", body{"type": "redirect"})},
		"signature":       {trusts: true},
		"broken requests": {request: func(_ string, b body) { b["amount"] = ninety }},
	} {
		f.sample = sample
		server := httptest.NewServer(f)
		o := optionsFor(server.URL)
		o.wait = 4 * time.Second
		if err := runOne(t, o, check); err == nil || err == errNotSupported {
			t.Errorf("%s: the mistake is not found: %v", check, err)
		}
		o.url, o.wait = sample, wait
		if err := runOne(t, o, check); err != nil {
			t.Errorf("%s: of the good adapter: %v", check, err)
		}
		server.Close()
	}
}

// inWallet returns what sets a member of a charge's wallet, and inCard one of its card.
func inWallet(name string, value any) func(string, body) { return within("wallet", name, value) }

func inCard(name string, value any) func(string, body) { return within("card", name, value) }

func within(part, name string, value any) func(string, body) {
	return func(_ string, b body) {
		if members, ok := b[part].(map[string]any); ok {
			members[name] = value
		}
	}
}

// runOne runs the check with a name.
func runOne(t *testing.T, o options, name string) error {
	t.Helper()
	c, err := newChecker(o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.notices.close()
	return checkNamed(t, name).run(c)
}

func checkNamed(t *testing.T, name string) check {
	t.Helper()
	all := slices.Concat(charges, followUps, wallets, refusals)
	i := slices.IndexFunc(all, func(c check) bool { return c.name == name })
	if i < 0 {
		t.Fatalf("there is no check %q", name)
	}
	return all[i]
}
