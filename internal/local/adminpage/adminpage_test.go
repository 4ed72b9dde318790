package adminpage_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/local/adminpage"
)

const indexPage = "<!doctype html><title>Admin</title>"

// api is an admin API that notes what it gets.
type api struct {
	mu  sync.Mutex
	got []*http.Request
	sum []string // bodies
	err error
}

func (a *api) RoundTrip(r *http.Request) (*http.Response, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	a.got, a.sum = append(a.got, r), append(a.sum, string(body))
	if a.err != nil {
		return nil, a.err
	}
	header := http.Header{}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "X-Request-Id": "r-1", "X-Next-Cursor": "c-2", "Set-Cookie": "stolen=yes",
		"Access-Control-Allow-Origin": "*", "Content-Security-Policy": "default-src *", "Location": "https://evil.example/",
	} {
		header.Set(name, value)
	}
	return &http.Response{StatusCode: http.StatusTeapot, Header: header, Body: io.NopCloser(strings.NewReader(`{}`))}, nil
}

// requests are those that came since the last call.
func (a *api) requests() []*http.Request {
	a.mu.Lock()
	defer a.mu.Unlock()
	got := a.got
	a.got = nil
	return got
}

// world is a running server with its API.
type world struct {
	t       *testing.T
	server  *adminpage.Server
	api     *api
	renewed chan [2]string // why, and the link
	folder  string
	client  *http.Client
	token   string       // of the person's browser, "" before enter
	now     atomic.Int64 // seconds
}

func start(t *testing.T) *world {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "dist")
	for name, text := range map[string]string{"index.html": indexPage, "main-AB12.js": "export {}", "main-AB12.css": "p{}",
		"notes.map": "{}", "../secret.txt": "secret"} {
		file := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(folder, 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret.txt", filepath.Join(folder, "linked.txt")); err != nil {
		t.Fatal(err)
	}
	base, err := url.Parse("https://api.example/stage")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, api: &api{}, renewed: make(chan [2]string, 9), folder: folder, client: browser(t)}
	w.server, err = adminpage.Start(t.Context(), adminpage.Config{Page: folder, Base: base, API: w.api,
		Now:     func() time.Time { return time.Unix(w.now.Load(), 0) },
		Renewed: func(why, link string) { w.renewed <- [2]string{why, link} }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.server.Stop)
	return w
}

// browser stores cookies, as a browser would, and follows no redirect.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	return &http.Client{Jar: jar, Transport: transport, Timeout: 5 * time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// base is the server's address without a trailing slash.
func (w *world) base() string {
	at, err := url.Parse(w.server.Link())
	if err != nil {
		w.t.Fatal(err)
	}
	return "http://" + at.Host
}

// enter opens the link in the person's browser.
func (w *world) enter() {
	w.t.Helper()
	w.token = w.open(w.server.Link(), "")
	if w.token == "" {
		w.t.Fatal("the link does not work")
	}
}

// open returns the token that a page gets for a link, "" for none. It may have a token already.
func (w *world) open(link, token string) string {
	w.t.Helper()
	base, code, _ := strings.Cut(link, "/#enter=")
	got := w.send(w.client, http.MethodPost, base+"/enter", `{"code":"`+code+`"}`, fromPage(map[string]string{
		"Authorization": "Bearer " + token}))
	checkHeaders(w.t, "/enter", got.header)
	var given struct{ Token string }
	err := json.Unmarshal([]byte(got.body), &given)
	if err != nil || (got.status == http.StatusOK) != (given.Token != "") || got.status != 200 && got.status != 403 {
		w.t.Fatalf("%d %s: %v", got.status, got.body, err)
	}
	return given.Token
}

// asks returns the status of a call with a token.
func (w *world) asks(token string) int {
	w.t.Helper()
	return w.send(w.client, http.MethodGet, w.base()+"/admin/v1/me", "", fromPage(map[string]string{
		"Authorization": "Bearer " + token})).status
}

type response struct {
	status int
	header http.Header
	body   string
}

// send sends a request with these headers. Host is one of them.
func (w *world) send(by *http.Client, method, address, body string, headers map[string]string) response {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	if host := headers["Host"]; host != "" {
		r.Host = host
	}
	got, err := by.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return response{got.StatusCode, got.Header, string(text)}
}

// newLink is the one that was made last, for a reason that has this text.
func (w *world) newLink(why string) string {
	w.t.Helper()
	select {
	case made := <-w.renewed:
		if !strings.Contains(made[0], why) || made[1] != w.server.Link() {
			w.t.Errorf("the new link: %q", made)
		}
		return made[1]
	default:
		w.t.Fatal("no new link was made")
		return ""
	}
}

// byPage are the headers of a request of the page that was let in.
func (w *world) byPage(more map[string]string) map[string]string {
	all := fromPage(more)
	if _, given := more["Authorization"]; !given {
		all["Authorization"] = "Bearer " + w.token
	}
	return all
}

// fromPage are the headers of a request of the page itself.
func fromPage(more map[string]string) map[string]string {
	all := map[string]string{"Sec-Fetch-Site": "same-origin", "Content-Type": "application/json"}
	for name, value := range more {
		if all[name] = value; value == "" {
			delete(all, name)
		}
	}
	return all
}

func TestLinkWorksOnce(t *testing.T) {
	w := start(t)
	link := w.server.Link()
	w.enter()
	if w.asks(w.token) != http.StatusTeapot {
		t.Error("the token does not work")
	}
	// The person opens it again, in the same browser.
	if got := w.open(link, w.token); got != w.token {
		t.Errorf("the same browser again: %q", got)
	}
	if len(w.renewed) != 0 {
		t.Error("a new link for the same browser")
	}
	// Somebody else does, twice.
	for range 2 {
		if got := w.open(link, ""); got != "" {
			t.Error("the used link works")
		}
	}
	renewed := w.newLink("opened a second time")
	if len(w.renewed) != 0 || renewed == link {
		t.Errorf("new links: %s, and %d more", renewed, len(w.renewed))
	}
	second := w.open(renewed, "")
	if second == "" || second == w.token || w.asks(second) != http.StatusTeapot || w.asks(w.token) != http.StatusTeapot {
		t.Error("two browsers, each with a link of its own")
	}
}

// TestNoCookie checks that nothing is sent that browsers would send to other ports, too.
func TestNoCookie(t *testing.T) {
	w := start(t)
	base, code, _ := strings.Cut(w.server.Link(), "/#enter=")
	for path, body := range map[string]string{"/": "", "/enter": `{"code":"` + code + `"}`, "/admin/v1/me": ""} {
		method := http.MethodGet
		if body != "" {
			method = http.MethodPost
		}
		got := w.send(w.client, method, base+path, body, fromPage(nil))
		if got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s sets a cookie", path)
		}
	}
}

// TestIdleEnd leaves the page alone.
func TestIdleEnd(t *testing.T) {
	const minute = 60
	w := start(t)
	w.enter()
	for range 3 {
		w.now.Add(30*minute - 1)
		if got := w.asks(w.token); got != http.StatusTeapot {
			t.Fatalf("before the end: %d", got)
		}
	}
	w.now.Add(30 * minute)
	for range 2 {
		if got := w.asks(w.token); got != http.StatusUnauthorized {
			t.Errorf("after the end: %d", got)
		}
	}
	link := w.newLink("30 minutes")
	if len(w.renewed) != 0 {
		t.Error("two new links for one end")
	}
	old := w.token
	if w.enter(); w.asks(w.token) != http.StatusTeapot || w.asks(old) != http.StatusUnauthorized {
		t.Error("the new link does not replace what has ended")
	}
	if link == w.server.Link() && w.open(link, "") != "" {
		t.Error("the new link works twice")
	}
}

func TestLinkUsedByManyAtOnce(t *testing.T) {
	w := start(t)
	link := w.server.Link()
	var entered atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if w.open(link, "") != "" {
				entered.Add(1)
			}
		})
	}
	all.Wait()
	if n := entered.Load(); n != 1 {
		t.Errorf("%d browsers were let in", n)
	}
}

func TestGuessedCodes(t *testing.T) {
	w := start(t)
	link := w.server.Link()
	for _, code := range []string{"", "x", strings.Repeat("A", 26), strings.ToLower(link[len(link)-26:])} {
		if got := w.open(w.base()+"/#enter="+code, ""); got != "" {
			t.Errorf("code %q works", code)
		}
	}
	for body, status := range map[string]int{"": 400, "[]": 400, `{"code":1}`: 400, "{}": 403,
		`{"code":"` + strings.Repeat("A", 2000) + `"}`: 400} {
		if got := w.send(w.client, http.MethodPost, w.base()+"/enter", body, fromPage(nil)); got.status != status {
			t.Errorf("%.20s: %d %s", body, got.status, got.body)
		}
	}
	for name, headers := range map[string]map[string]string{
		"other port": {"Sec-Fetch-Site": "same-site"}, "other origin": {"Origin": "http://127.0.0.1:1"},
		"form": {"Content-Type": "text/plain"}, "nothing said": {"Sec-Fetch-Site": ""}, "rebound": {"Host": "evil.example"},
	} {
		code := link[len(link)-26:]
		got := w.send(w.client, http.MethodPost, w.base()+"/enter", `{"code":"`+code+`"}`, fromPage(headers))
		if got.status < 400 {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	if len(w.renewed) != 0 {
		t.Error("a guess makes a new link")
	}
	w.enter()
}

// TestPage opens every kind of address. Its files are no secret.
func TestPage(t *testing.T) {
	w := start(t)
	for _, test := range []struct {
		path   string
		status int
		kind   string // "": not looked at
	}{
		{"/", 200, "text/html; charset=utf-8"},
		{"/payments?status=settled&from=2026-11-23", 200, "text/html; charset=utf-8"},
		{"/payments/0b3f7c9e-5a52-4f0e-8d4a-2f6f1c7b9a10", 200, "text/html; charset=utf-8"},
		{"/main-AB12.js", 200, "text/javascript; charset=utf-8"},
		{"/main-AB12.css", 200, "text/css; charset=utf-8"},
		{"/none.js", 404, ""},
		{"/notes.map", 404, ""},
		{"/linked.txt", 404, ""},
		{"/../secret.txt", 404, ""},
		{"/..%2fsecret.txt", 404, ""},
		{"/%2e%2e/secret.txt", 404, ""},
		{"/x/../../secret.txt", 404, ""},
		{"/" + w.folder + "/index.html", 404, ""},
		{"/.", 404, ""},
		{"/..", 404, ""},
	} {
		got := w.send(w.client, http.MethodGet, w.base()+test.path, "", nil)
		if got.status != test.status || test.kind != "" && got.header.Get("Content-Type") != test.kind {
			t.Errorf("%s: %d %s", test.path, got.status, got.header.Get("Content-Type"))
		}
		if strings.Contains(got.body, "secret") {
			t.Errorf("%s shows a file outside of the page", test.path)
		}
		checkHeaders(t, test.path, got.header)
	}
	if len(w.api.requests()) > 0 {
		t.Error("the API got a request")
	}
}

func checkHeaders(t *testing.T, what string, header http.Header) {
	t.Helper()
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
			"img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin", "Access-Control-Allow-Origin": "",
	} {
		if got := header.Get(name); got != want {
			t.Errorf("%s: %s is %q", what, name, got)
		}
	}
}

// TestNewBuild checks that a page that is built anew is shown without a new start.
func TestNewBuild(t *testing.T) {
	w := start(t)
	if err := os.Rename(w.folder, w.folder+"-before"); err != nil {
		t.Fatal(err)
	}
	if got := w.send(w.client, http.MethodGet, w.base()+"/", "", nil); got.status != http.StatusNotFound {
		t.Errorf("while it is built: %d", got.status)
	}
	if err := os.Mkdir(w.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.folder, "index.html"), []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := w.send(w.client, http.MethodGet, w.base()+"/", "", nil); got.body != "new" {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestStartSaysWhatIsMissing(t *testing.T) {
	w := start(t)
	at, _ := url.Parse(w.base())
	var port int
	if _, err := fmt.Sscan(at.Port(), &port); err != nil {
		t.Fatal(err)
	}
	for want, config := range map[string]adminpage.Config{
		"the admin page is not built: no index.html in": {Page: t.TempDir()},
		"port " + at.Port() + " is taken":               {Page: w.folder, Port: port},
	} {
		server, err := adminpage.Start(t.Context(), config)
		if err == nil {
			server.Stop()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, not %q", err, want)
		}
	}
}

func TestEndsWithItsContext(t *testing.T) {
	w := start(t)
	ctx, cancel := context.WithCancel(t.Context())
	server, err := adminpage.Start(ctx, adminpage.Config{Page: w.folder})
	if err != nil {
		t.Fatal(err)
	}
	at, _ := url.Parse(server.Link())
	cancel()
	deadline := time.Now().Add(5 * time.Minute)
	for {
		connection, err := net.Dial("tcp", at.Host)
		if err != nil {
			break
		}
		connection.Close()
		if time.Now().After(deadline) {
			t.Fatal("it still listens")
		}
		time.Sleep(5 * time.Millisecond)
	}
	server.Stop()
}

// raw sends bytes and returns the status of the response and its body.
func (w *world) raw(text string) (int, string) {
	w.t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(w.base(), "http://"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, text); err != nil {
		w.t.Fatal(err)
	}
	got, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		w.t.Fatalf("%q: %v", text, err)
	}
	defer got.Body.Close()
	body, _ := io.ReadAll(got.Body)
	return got.StatusCode, string(body)
}
