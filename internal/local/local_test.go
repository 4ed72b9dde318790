package local_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"checkout/internal/local"
	"checkout/internal/local/client"
	"checkout/internal/local/demo"
	"checkout/internal/page/screen"
)

// pageFolder is a folder with a page of a few lines in the place of the built one.
func pageFolder(t *testing.T) string {
	t.Helper()
	return folderOf(t, map[string]string{"index.html": "<!doctype html><title>Checkout</title>",
		"main-ABC.js": "export {}", "de-ABC.json": `{"tag":"de"}`, "logos/shop.svg": "<svg/>",
		".well-known/apple-developer-merchantid-domain-association": "7B22"})
}

// config is that of the whole service on free ports, with a page and a frame of a few lines.
func config(t *testing.T) local.Config {
	t.Helper()
	return local.Config{Root: "../..", Page: pageFolder(t), Wallet: walletFolder(t), Admin: adminFolder(t), Now: time.Now}
}

// folderOf is a folder with these files.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// start runs the whole service on a free port until the test ends.
func start(t *testing.T) *local.Server {
	t.Helper()
	server, err := local.Start(t.Context(), config(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	return server
}

// browser stores cookies and follows no redirect.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar, Timeout: 5 * time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

// get returns status, header and body of an address.
func get(t *testing.T, client *http.Client, address string) (int, http.Header, string) {
	t.Helper()
	response, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(body)
}

// buy presses the shop's button and returns the visit of the session.
func buy(t *testing.T, browser *http.Client, base string, choice url.Values) client.Visit {
	t.Helper()
	response, err := browser.PostForm(base+"/demo/buy", choice)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	session, found := strings.CutPrefix(response.Header.Get("Location"), base+"/?session=")
	if response.StatusCode != http.StatusSeeOther || !found {
		t.Fatalf("buy: %d, Location %q\n%s", response.StatusCode, response.Header.Get("Location"), body)
	}
	return client.Visit{Session: session, Call: client.Service{URL: base, HTTP: browser}.In(t.Context())}
}

// good returns a screen that came without an error.
func good(t *testing.T) func(screen.Screen, error) screen.Screen {
	return func(shown screen.Screen, err error) screen.Screen {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return shown
	}
}

// eventually waits until yes returns true.
func eventually(t *testing.T, what string, yes func() bool) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Minute)
	for !yes() {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 5 minutes", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// callback is an element of /demo/callbacks.
type callback struct {
	ReceivedAt  time.Time         `json:"received_at"`
	Headers     map[string]string `json:"headers"`
	Body        map[string]any    `json:"body"`
	HashOK      bool              `json:"hash_ok"`
	SignatureOK bool              `json:"signature_ok"`
}

func callbacks(t *testing.T, client *http.Client, address string) []callback {
	t.Helper()
	_, _, body := get(t, client, address)
	var all []callback
	if err := json.Unmarshal([]byte(body), &all); err != nil || all == nil {
		t.Fatalf("callbacks: %v in %s", err, body)
	}
	return all
}

func TestBuyInTheDemoShop(t *testing.T) {
	tests := []struct {
		name   string
		expiry string
		choice url.Values
		step   string // what the payer does at the bank or provider, "" if there is nothing to do
		ending string // the return address, "" if the payer may try again
		status string
		events string
	}{
		{"paid", "01/38", url.Values{}, "", "success", "settled", "sale success"},
		{"live key", "01/38", url.Values{"key": {"live"}}, "", "success", "settled", "sale success"},
		{"with customer", "01/38", url.Values{"customer": {"yes"}}, "", "success", "settled", "sale success"},
		{"only authorised", "01/38", url.Values{"auth": {"yes"}}, "", "success", "pending", "sale success"},
		{"declined", "02/38", url.Values{}, "", "", "decline", "sale fail"},
		{"3-D Secure", "05/38", url.Values{}, "confirm", "success", "settled", "3ds success, sale success"},
		{"redirect, declined", "12/39", url.Values{}, "confirm", "", "decline", "redirect success, sale fail"},
	}
	server := start(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			client := browser(t)
			test.choice.Set("product", "coffee")
			test.choice.Set("amount", "10.00")
			test.choice.Set("currency", "EUR")
			page := buy(t, client, server.URL, test.choice)

			form := good(t)(page.Screen())
			if form.Order.Amount != "10.00" || form.Merchant != "Demo Shop" || form.Test == (test.name == "live key") {
				t.Errorf("form of %+v", form)
			}
			if more := len(form.Methods[0].Fields) > 4; more == (test.name == "with customer") {
				t.Errorf("the form has %d fields", len(form.Methods[0].Fields))
			}
			shown := good(t)(page.Pay(test.expiry))
			eventually(t, "decided", func() bool {
				shown = good(t)(page.Screen())
				if shown.Kind == screen.KindGo && strings.HasPrefix(shown.Go.URL, server.URL+"/sandbox/") {
					takeStep(t, client, shown.Go.URL, test.step)
					return false
				}
				return shown.Kind != screen.KindWait
			})
			checkOrder(t, client, server.URL, form.Order.Number, test.events)
			checkResult(t, client, server.URL, shown, result{order: form.Order.Number, ending: test.ending, status: test.status})
		})
	}
}

// takeStep presses a button of a bank's or provider's page.
func takeStep(t *testing.T, client *http.Client, address, action string) {
	t.Helper()
	response, err := client.PostForm(address, url.Values{"action": {action}})
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s at the provider: %s", action, response.Status)
	}
	get(t, client, response.Header.Get("Location"))
}

// checkOrder waits for the order's callbacks and checks each.
func checkOrder(t *testing.T, client *http.Client, base, order, events string) {
	t.Helper()
	var all []callback
	eventually(t, "callbacks "+events, func() bool {
		all = callbacks(t, client, base+"/demo/callbacks?order="+url.QueryEscape(order))
		return len(all) == strings.Count(events, ",")+1
	})
	var got []string
	for _, c := range all {
		got = append(got, fmt.Sprint(c.Body["type"], " ", c.Body["status"]))
		data, _ := c.Body["custom_data"].(map[string]any)
		if !c.HashOK || !c.SignatureOK || c.Headers["webhook-id"] == "" || time.Since(c.ReceivedAt).Abs() > time.Minute ||
			data["product"] != "coffee" || c.Body["order_number"] != order {
			t.Errorf("callback %+v", c)
		}
	}
	if strings.Join(got, ", ") != events {
		t.Errorf("events %s, want %s", strings.Join(got, ", "), events)
	}
}

// result is what the shop should show at the end.
type result struct{ order, ending, status string }

func checkResult(t *testing.T, client *http.Client, base string, shown screen.Screen, want result) {
	t.Helper()
	address := base + "/demo/return/cancel?order=" + want.order
	if want.ending != "" {
		if shown.Kind != screen.KindGo ||
			!strings.HasPrefix(shown.Go.URL, base+"/demo/return/"+want.ending+"?order="+want.order) {
			t.Fatalf("the payer is not sent back: %+v", shown)
		}
		address = shown.Go.URL
	} else if shown.Kind != screen.KindForm || shown.Message == nil || shown.Message.Text != screen.TextDeclined {
		t.Fatalf("the payer may not try again: %+v", shown)
	}
	status, _, body := get(t, client, address)
	for _, text := range []string{`data-status="` + want.status + `"`, "hash verified", "signature verified", want.order} {
		if status != http.StatusOK || !strings.Contains(body, text) {
			t.Errorf("the result %d does not say %q:\n%s", status, text, body)
		}
	}
	if want.ending != "" && !strings.Contains(body, "The hash in the address matches.") {
		t.Errorf("the return's hash is not verified:\n%s", body)
	}
	if strings.Contains(body, `http-equiv="refresh"`) {
		t.Error("a decided payment is refreshed")
	}
}

func TestResultRefreshesUntilDecided(t *testing.T) {
	server, client := start(t), browser(t)
	page := buy(t, client, server.URL, url.Values{"amount": {"5.00"}, "currency": {"EUR"}})
	number := good(t)(page.Screen()).Order.Number
	_, _, body := get(t, client, server.URL+"/demo/return/success?order="+number)
	want := `<meta http-equiv="refresh" content="2; url=/demo/return/success?looked=1&amp;order=` + number + `">`
	if !strings.Contains(body, want) {
		t.Errorf("no %s in\n%s", want, body)
	}
	if _, _, body = get(t, client, server.URL+"/demo/return/success?looked=90&order="+number); strings.Contains(body,
		"http-equiv") {
		t.Error("it never ends")
	}
	for _, path := range []string{"/demo/return/success?order=none", "/demo/return/none?order=" + number, "/demo/none"} {
		if status, _, _ := get(t, client, server.URL+path); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
}

func TestShopShowsWhatTheServiceRefuses(t *testing.T) {
	server, client := start(t), browser(t)
	response, err := client.PostForm(server.URL+"/demo/buy",
		url.Values{"amount": {"0"}, "currency": {"<b>"}})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	for _, text := range []string{"Request data is invalid.", "order.amount: ", "order.currency: ", `value="&lt;B&gt;"`} {
		if response.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(string(body), text) {
			t.Errorf("%d without %q:\n%s", response.StatusCode, text, body)
		}
	}
}

func TestDoubledSlashesAreReadWithoutRedirect(t *testing.T) {
	server, client := start(t), browser(t)
	for _, path := range []string{"//api/v1/payment/status", "/api//v1/payment/status", "/api/v1/payment/status//",
		"/api/v1/payment/status/"} {
		response, err := client.Post(server.URL+path, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), "merchant_key: ") {
			t.Errorf("%s: %d %s", path, response.StatusCode, body)
		}
	}
}

func TestHeaders(t *testing.T) {
	template, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`- "(default-src .*)"`).FindSubmatch(template)
	if found == nil {
		t.Fatal("template.yaml has no ContentSecurityPolicy")
	}
	server, client := start(t), browser(t)
	policy := string(found[1]) + "; frame-src " + strings.TrimPrefix(server.WalletURL, "http://") + "; base-uri 'none'"
	tests := []struct {
		path   string
		status int
		want   map[string]string
	}{
		{"/?session=x", 200, map[string]string{
			"Content-Security-Policy": policy, "Cache-Control": "no-cache", "Content-Type": "text/html; charset=utf-8",
			"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
			"Permissions-Policy": "camera=(), geolocation=(), microphone=(), usb=()",
		}},
		{"/index.html", 200, map[string]string{"Cache-Control": "no-cache"}},
		{"/main-ABC.js", 200, map[string]string{
			"Cache-Control": "public, max-age=31536000, immutable", "Content-Type": "text/javascript; charset=utf-8",
			"X-Content-Type-Options": "nosniff",
		}},
		{"/de-ABC.json", 200, map[string]string{
			"Cache-Control": "public, max-age=31536000, immutable", "Content-Type": "application/json",
			"X-Content-Type-Options": "nosniff",
		}},
		{"/logos/shop.svg", 200, map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
			"Cache-Control":           "public, max-age=3600", "Content-Type": "image/svg+xml",
			"X-Content-Type-Options": "nosniff",
		}},
		{"/.well-known/apple-developer-merchantid-domain-association", 200, map[string]string{
			"Cache-Control": "public, max-age=3600", "Content-Type": "text/plain", "X-Content-Type-Options": "nosniff",
		}},
		{"/none.js", 404, map[string]string{"Content-Security-Policy": "", "Cache-Control": ""}},
		{"/..%2Flocal.go", 404, map[string]string{"Cache-Control": ""}},
		{"/page/v1/none", 404, map[string]string{
			"Content-Security-Policy": "", "Cache-Control": "no-store", "Content-Type": "application/json",
			"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
		}},
		{"/demo", 200, map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
				"img-src data:; frame-src " + server.URL + "; form-action 'self' " + server.URL +
				"; base-uri 'none'; frame-ancestors 'none'",
			"Cache-Control": "no-store", "Content-Type": "text/html; charset=utf-8",
		}},
		{"/demo/shop.css", 200, map[string]string{"Content-Type": "text/css; charset=utf-8",
			"X-Content-Type-Options": "nosniff"}},
		{"/demo/shop.js", 200, map[string]string{"Content-Type": "text/javascript; charset=utf-8",
			"X-Content-Type-Options": "nosniff"}},
	}
	for _, test := range tests {
		status, header, _ := get(t, client, server.URL+test.path)
		if status != test.status {
			t.Errorf("%s: %d, want %d", test.path, status, test.status)
		}
		test.want["Strict-Transport-Security"] = ""
		for name, value := range test.want {
			if header.Get(name) != value {
				t.Errorf("%s: %s is %q, want %q", test.path, name, header.Get(name), value)
			}
		}
	}
}

// TestDemoPages checks that the policy stops no part of the shop's pages, and that no secret is on them.
func TestDemoPages(t *testing.T) {
	server, client := start(t), browser(t)
	for _, path := range []string{"/demo", "/demo/callbacks", "/demo/playground", "/demo/return/none"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "text/html")
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		scripts := bytes.ReplaceAll(body, []byte(`<script src="/demo/shop.js" defer></script>`), nil)
		if regexp.MustCompile(`(?i)<script|<style|\sstyle=|\son[a-z]+=|javascript:`).Match(scripts) {
			t.Errorf("%s: the policy would stop a part of the page", path)
		}
		for _, secret := range []string{server.Demo.Password, server.Demo.TestKey, server.Demo.LiveKey,
			server.Demo.CallbackSecret} {
			if bytes.Contains(body, []byte(secret)) {
				t.Errorf("%s has %q", path, secret)
			}
		}
	}
	_, _, body := get(t, client, server.URL+"/demo")
	for _, card := range demo.TestCards {
		row := regexp.MustCompile(`<tr><td><button[^>]* data-copy="` + card.Number + `".*` + card.Expiry + `.*` +
			regexp.QuoteMeta(template.HTMLEscapeString(card.Happens)) + `</td></tr>`)
		if !row.MatchString(body) {
			t.Errorf("no test card %s", card.Expiry)
		}
	}
}

func TestCurlLineWorksAgainAndAgain(t *testing.T) {
	server := start(t)
	line := regexp.MustCompile(`(?m)^n=.*$`).FindString(server.Demo.Shell())
	if line == "" {
		t.Fatalf("no line in\n%s", server.Demo.Shell())
	}
	sessions := map[string]bool{}
	for range 2 {
		command := exec.Command("bash", "-c", line)
		command.Env = append(os.Environ(), "no_proxy=localhost")
		out, err := command.Output()
		var created struct {
			RedirectURL string `json:"redirect_url"`
		}
		if err != nil || json.Unmarshal(out, &created) != nil ||
			!strings.HasPrefix(created.RedirectURL, server.URL+"/?session=") {
			t.Fatalf("%v: %s\n%s", err, out, line)
		}
		sessions[created.RedirectURL] = true
	}
	if len(sessions) != 2 {
		t.Error("the same session twice")
	}
}

// output collects what a run writes, from several goroutines.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func TestRun(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out, log output
	code := make(chan int, 1)
	go func() {
		env := func(name string) string { return map[string]string{"PORT": "0"}[name] }
		code <- local.Run(ctx, env, config(t), local.Output{Out: &out, Log: &log})
	}()
	eventually(t, "ready", func() bool { return strings.Contains(out.String(), "$NF") })
	line, rest, _ := strings.Cut(out.String(), "\n")
	base, found := strings.CutPrefix(line, "ready on ")
	if !found || !regexp.MustCompile(`^http://localhost:\d+$`).MatchString(base) {
		t.Fatalf("first line %q", line)
	}
	for _, text := range []string{base + "/demo\n", "demo-test\n", "demo-live\n", "demo-password\n"} {
		if !strings.Contains(rest, text) {
			t.Errorf("no %q in\n%s", text, rest)
		}
	}
	if lines := strings.Count(out.String(), "\n"); lines > 24 { // and one that make prints
		t.Errorf("%d lines are too many to read:\n%s", lines, out.String())
	}
	if status, _, _ := get(t, browser(t), base+"/"); status != http.StatusOK {
		t.Error(status)
	}
	stop()
	if got := <-code; got != 0 {
		t.Errorf("exit code %d", got)
	}
	if text := log.String(); text != "" { // no request failed, and none was for the API
		t.Errorf("the log says %s", text)
	}
}

// MERCHANTS names another file; a request is one short line in the log, or with LOG=json one of JSON.
func TestRunWithOtherMerchants(t *testing.T) {
	sample, err := os.ReadFile("../../infra/merchants.json")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "mine.json")
	if err := os.WriteFile(file, bytes.ReplaceAll(sample, []byte("demo-"), []byte("mine-")), 0o600); err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]string{"": `^\d\d:\d\d:\d\d  400  POST /api/v1/session  \d+ ms  paths: ` +
		`[a-z_. ]+\n$`, "json": `^\{"time":.*"msg":"request".*\}\n$`} {
		ctx, stop := context.WithCancel(t.Context())
		var out, log output
		ended := make(chan int, 1)
		go func() {
			env := map[string]string{"PORT": "0", "MERCHANTS": file, "LOG": format}
			ended <- local.Run(ctx, func(name string) string { return env[name] }, config(t), local.Output{Out: &out, Log: &log})
		}()
		eventually(t, "ready", func() bool { return strings.Contains(out.String(), "mine-password") })
		base, _, _ := strings.Cut(strings.TrimPrefix(out.String(), "ready on "), "\n")
		response, err := http.Post(base+"//api/v1/session/", "application/json",
			strings.NewReader(`{"merchant_key":"mine-test"}`))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusBadRequest {
			t.Errorf("a path with doubled slashes: %d", response.StatusCode)
		}
		eventually(t, "log", func() bool { return log.String() != "" })
		if !regexp.MustCompile(want).MatchString(log.String()) {
			t.Errorf("LOG=%s: %q", format, log.String())
		}
		stop()
		<-ended
	}
}

func TestRunSaysInOneLineWhatIsMissing(t *testing.T) {
	server := start(t)
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	whole, empty := config(t), t.TempDir()
	broken := filepath.Join(empty, "merchants.json")
	const merchant = `[{"id":"x","live_key":"a","test_key":"b","rate_limit":-1}]`
	if err := os.WriteFile(broken, []byte(merchant), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, port string
		config     local.Config // what of it is set differs from the whole one
		want       string
	}{
		{"taken port", at.Port(), local.Config{}, "port " + at.Port() + " is taken"},
		{"no number", "http", local.Config{}, `PORT is "http"`},
		{"no such port", "65536", local.Config{}, `PORT is "65536"`},
		{"no page", "0", local.Config{Page: empty}, "the checkout page is not built"},
		{"no frame", "0", local.Config{Wallet: empty}, "the frame of Google Pay is not built: no index.html in " + empty +
			"; run `make page`"},
		{"no admin page", "0", local.Config{Admin: empty}, "the admin page is not built: no index.html in " + empty +
			"; run `make page`"},
		{"no template", "0", local.Config{Root: empty}, "no template "},
		{"no merchants", "0", local.Config{Merchants: empty + "/none.json"}, "the merchants can't be read"},
		{"bad merchant", "0", local.Config{Merchants: broken}, `merchant "x"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out, log output
			with := local.Config{
				Root: cmp.Or(test.config.Root, whole.Root), Page: cmp.Or(test.config.Page, whole.Page),
				Wallet: cmp.Or(test.config.Wallet, whole.Wallet), Admin: cmp.Or(test.config.Admin, whole.Admin),
				Merchants: test.config.Merchants, Now: time.Now,
			}
			code := local.Run(t.Context(), func(name string) string { return map[string]string{"PORT": test.port}[name] },
				with, local.Output{Out: &out, Log: &log})
			if code != 1 || out.String() != "" || !strings.Contains(log.String(), test.want) ||
				strings.Count(log.String(), "\n") != 1 {
				t.Errorf("exit code %d\n%s%s", code, out.String(), log.String())
			}
		})
	}
}

// hanging is a merchant that receives callbacks and never responds.
func hanging(t *testing.T) (address string, called <-chan struct{}) {
	t.Helper()
	arrived := make(chan struct{}, 1)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case arrived <- struct{}{}:
		default:
		}
		<-r.Context().Done()
	})}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	return "http://" + listener.Addr().String(), arrived
}

func TestStopIsAtOnce(t *testing.T) {
	address, called := hanging(t)
	text, err := os.ReadFile("../../infra/merchants.json")
	if err != nil {
		t.Fatal(err)
	}
	merchants := filepath.Join(t.TempDir(), "merchants.json")
	text = bytes.ReplaceAll(text, []byte("{BASE_URL}/demo/callback"), []byte(address))
	if err := os.WriteFile(merchants, text, 0o600); err != nil {
		t.Fatal(err)
	}
	running := config(t)
	running.Merchants = merchants
	server, err := local.Start(t.Context(), running)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	client := browser(t)
	page := buy(t, client, server.URL, url.Values{"amount": {"5.00"}, "currency": {"EUR"}})
	good(t)(page.Pay("01/38"))
	open, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	// A request whose body never ends.
	const request = "POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"
	if _, err := io.WriteString(open, request); err != nil {
		t.Fatal(err)
	}
	select {
	case <-called:
	case <-time.After(5 * time.Minute):
		t.Fatal("no callback was sent")
	}

	begin := time.Now()
	server.Stop()
	if took := time.Since(begin); took > time.Minute { // what it would wait for never ends
		t.Errorf("Stop took %s", took)
	}
	if err := open.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if n, err := open.Read(make([]byte, 1)); n > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the open connection: %d bytes, %v", n, err)
	}
	if response, err := browser(t).Get(server.URL + "/"); err == nil {
		response.Body.Close()
		t.Error("it still answers")
	}
	server.Stop() // does no harm
}

func TestStartEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server, err := local.Start(ctx, config(t))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	eventually(t, "ended", func() bool {
		_, err := browser(t).Get(server.URL + "/")
		return err != nil && !errors.Is(err, context.DeadlineExceeded)
	})
}
