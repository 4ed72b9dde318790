package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"checkout/internal/app"
	"checkout/internal/local"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/signin"
)

// atOnce is a provider that sends whoever comes back at once, as a person.
type atOnce struct{ callback, person string }

func (p *atOnce) SignInURL(_ context.Context, a signin.Attempt) (string, error) {
	return p.callback + "?code=x&state=" + a.State(), nil
}

func (p *atOnce) Identify(context.Context, string, signin.Attempt) (signin.Identity, error) {
	return signin.Identity{Issuer: "https://id.example", Subject: p.person}, nil
}

// loginWorld is a service that people sign in to.
type loginWorld struct {
	t        *testing.T
	app      *app.Embedded
	url      string
	provider *atOnce
	config   string

	mu       sync.Mutex
	requests []string // paths, with * behind those that carry a session
}

func openLogin(t *testing.T) *loginWorld {
	t.Helper()
	w := &loginWorld{t: t, app: openEmbedded(t), provider: &atOnce{person: "ann"},
		config: filepath.Join(t.TempDir(), "checkout", "config.json")}
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.requests = append(w.requests, r.URL.Path+map[bool]string{true: "*"}[r.Header.Get("Authorization") != ""])
		w.mu.Unlock()
		handler.ServeHTTP(out, r)
	}))
	t.Cleanup(server.Close)
	w.url = server.URL
	w.provider.callback = w.url + "/admin/login/callback"
	handler = w.app.SignIn(w.provider, w.url)
	by := grant.Person{Who: local.People[0].Who, Grants: local.People[0].Grants()}
	support := local.People[1].Grants()[0]
	support.Who = "oidc/id.example/ann"
	if err := local.GiveRole(t.Context(), w.app.People, by, support); err != nil {
		t.Fatal(err)
	}
	return w
}

// opens is a browser: it opens the page, agrees, and goes where it is led.
func (w *loginWorld) opens(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	link := regexp.MustCompile(`href="([^"]+)"`).FindSubmatch(text)
	_, query, found := strings.Cut(string(link[1]), w.url+"/#command?")
	if !found {
		return fmt.Errorf("the link is %s", link[1])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	at, cookie := w.url+"/admin/login?"+query, ""
	for range 3 {
		r, err := http.NewRequest(http.MethodGet, at, nil)
		if err != nil {
			return err
		}
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Cookie", cookie)
		response, err := client.Do(r)
		if err != nil {
			return err
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if response.StatusCode == http.StatusOK && strings.Contains(string(body), "Signed in") {
			return nil
		}
		for _, c := range response.Cookies() {
			cookie = c.Name + "=" + c.Value
		}
		if at = response.Header.Get("Location"); at == "" {
			return fmt.Errorf("%s: %s", response.Status, body)
		}
	}
	return fmt.Errorf("led to %s", at)
}

// call is a run of the command by somebody who has no AWS credentials.
func (w *loginWorld) call(out *bytes.Buffer) *call {
	none := func(string) string { return "" }
	return &call{getenv: none, config: w.config, in: strings.NewReader(""), out: out, notes: out}
}

// types runs the command.
func (w *loginWorld) types(line string) (string, int) {
	var out bytes.Buffer
	c := w.call(&out)
	code := c.report(run(w.t.Context(), c, words(line)))
	return out.String(), code
}

// logsIn signs a person in.
func (w *loginWorld) logsIn() string {
	w.t.Helper()
	var out bytes.Buffer
	c := w.call(&out)
	if err := c.open(); err != nil {
		w.t.Fatal(err)
	}
	opened := make(chan error, 1)
	err := c.login(w.t.Context(), login{page: w.url + "/", open: func(file string) error {
		err := w.opens(file)
		opened <- err
		return err
	}})
	if err != nil {
		w.t.Fatalf("%v: %s", err, out.String())
	}
	if err := <-opened; err != nil {
		w.t.Fatal(err)
	}
	return out.String()
}

func TestLogin(t *testing.T) {
	w := openLogin(t)
	out := w.logsIn()
	if !strings.Contains(out, "oidc/id.example/ann is signed in at "+w.url) {
		t.Errorf("%s", out)
	}
	file := filepath.Join(filepath.Dir(w.config), "session.json")
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), `"token": "`) {
		t.Fatalf("%s %v", text, err)
	}
	token := regexp.MustCompile(`"token": "([^"]+)"`).FindStringSubmatch(string(text))[1]
	if strings.Contains(out, token) {
		t.Error("the token is printed")
	}
	info, err := os.Stat(file)
	folder, wrong := os.Stat(filepath.Dir(file))
	if err != nil || wrong != nil || info.Mode().Perm() != 0o600 || folder.Mode().Perm() != 0o700 {
		t.Errorf("%v %v %v %v", info.Mode(), folder.Mode(), err, wrong)
	}
	w.requests = nil
	if out, code := w.types("me"); code != exitDone || !strings.Contains(out, `"who":"oidc/id.example/ann"`) ||
		!strings.Contains(out, `"via":"command"`) {
		t.Errorf("%d %s", code, out)
	}
	if got := strings.Join(w.requests, " "); got != "/admin/login/refresh* /admin/v1/me*" {
		t.Errorf("it sends %s", got)
	}
	if out, code := w.types("totals"); code != exitNotAllowed || !strings.Contains(out, "sums") {
		t.Errorf("%d %s", code, out)
	}
	if out, code := w.types("logout"); code != exitDone || out != "oidc/id.example/ann is signed out\n" {
		t.Errorf("%d %s", code, out)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the session stays: %v", err)
	}
	sessions, _, err := w.app.People.Sessions(t.Context())
	if err != nil || len(sessions) > 0 {
		t.Errorf("%d sessions, %v", len(sessions), err)
	}
	if out, code := w.types("logout"); code != exitFailed || !strings.Contains(out, "nobody has signed in") {
		t.Errorf("%d %s", code, out)
	}
}

// A session that an administrator has ended lets nobody in, and goes by itself at logout.
func TestEndedLogin(t *testing.T) {
	w := openLogin(t)
	w.logsIn()
	sessions, _, err := w.app.People.Sessions(t.Context())
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	key := signin.NewSessions(w.app.Store, w.app.Core.Now, w.app.Core.Random)
	if err := key.End(t.Context(), &signin.Session{ID: sessions[0].ID}); err != nil {
		t.Fatal(err)
	}
	if out, code := w.types("me"); code != exitNotAllowed || !strings.Contains(out, "sign in again: checkout login") {
		t.Errorf("%d %s", code, out)
	}
	if out, code := w.types("logout"); code != exitDone {
		t.Errorf("%d %s", code, out)
	}
}

// While another stack or another API is named, the session is not used for it.
func TestALoginIsOfOneStack(t *testing.T) {
	w := openLogin(t)
	w.logsIn()
	w.requests = nil
	if err := os.WriteFile(w.config, []byte(`{"stack":"other","region":"eu-west-1"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := w.types("me"); code != exitMisused || !strings.Contains(out, "no admin API") {
		t.Errorf("%d %s", code, out)
	}
	if err := os.Remove(w.config); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_REGION", "eu-west-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	admin := newAPI(t)
	admin.has["GET /me"] = `{"who":"bob"}`
	if out, code := w.types("me --api " + admin.url); code != exitDone || !strings.Contains(out, "bob") {
		t.Errorf("%d %s", code, out)
	}
	if len(w.requests) > 0 {
		t.Errorf("the session was used: %q", w.requests)
	}
}

// What reaches the port without the state is not the browser that was sent.
func TestReceiver(t *testing.T) {
	codes := make(chan string, 1)
	receive := receiver("the-state", codes)
	for _, test := range []struct {
		method, path string
		query        url.Values
		want         int
	}{
		{"GET", "/", nil, 404},
		{"GET", "/", url.Values{"code": {"evil"}, "state": {"another"}}, 404},
		{"GET", "/", url.Values{"code": {"evil"}}, 404},
		{"GET", "/", url.Values{"state": {"the-state"}}, 404},
		{"POST", "/", url.Values{"code": {"evil"}, "state": {"the-state"}}, 404},
		{"GET", "/favicon.ico", url.Values{"code": {"evil"}, "state": {"the-state"}}, 404},
		{"GET", "/", url.Values{"code": {"good"}, "state": {"the-state"}}, 200},
		{"GET", "/", url.Values{"code": {"second"}, "state": {"the-state"}}, 200},
	} {
		out := httptest.NewRecorder()
		receive.ServeHTTP(out, httptest.NewRequest(test.method, test.path+"?"+test.query.Encode(), nil))
		if out.Code != test.want {
			t.Errorf("%+v: %d", test, out.Code)
		}
	}
	if code := <-codes; code != "good" {
		t.Errorf("the code is %s", code)
	}
}

func TestLoginsThatCanNotBe(t *testing.T) {
	w := openLogin(t)
	for line, want := range map[string]string{
		"login":                              "no admin page: name its address",
		"login http://admin.example":         "is no https address",
		"login https://admin.example/a":      "should be an address without a path",
		`login https://admin.example/"><b>`:  "should be an address without a path",
		"login https://admin.example?a=b":    "should be an address without a path",
		"login https://ann@admin.example":    "should be an address without a path",
		"login https://admin.example/#/find": "should be an address without a path",
	} {
		if out, code := w.types(line); code != exitMisused || !strings.Contains(out, want) {
			t.Errorf("%s: %d %s", line, code, out)
		}
	}
}
