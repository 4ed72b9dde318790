package story

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/oauth2-proxy/mockoidc"

	"checkout/internal/api"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/signin"
	openid "checkout/internal/operator/signin/provider"
	"checkout/internal/store"
)

const adminPage = "https://admin.example"

// signInWorld has people whom an OpenID provider knows, and the admin API for them.
type signInWorld struct {
	*World
	oidc    *mockoidc.MockOIDC
	handler http.Handler
}

func openSignIn(t *testing.T) *signInWorld {
	t.Helper()
	w := open(t)
	m, err := mockoidc.NewServer(nil)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Start(listener, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Shutdown() })
	m.FastForward(time.Until(w.clock.Now()))
	with := openid.New(openid.Config{
		Issuer: m.Issuer(), ClientID: m.ClientID, ClientSecret: m.ClientSecret,
		RedirectURL: api.CallbackURL(adminPage), Now: w.clock.Now,
	})
	return &signInWorld{w, m, w.app.SignIn(with, adminPage)}
}

// who is a person in grants.
func (w *signInWorld) who(subject string) string {
	return signin.Identity{Issuer: w.oidc.Issuer(), Subject: subject}.Who()
}

// browser is that of a person. It sends the cookies that it has got with each request to the page's origin.
type browser struct {
	w       *signInWorld
	cookies map[string]*http.Cookie
	secrets []string // all that it has got
	headers map[string]string
}

func (w *signInWorld) browser() *browser {
	return &browser{w: w, cookies: map[string]*http.Cookie{}, headers: map[string]string{"Sec-Fetch-Site": "same-origin"}}
}

// do sends a request, with a body if there is one, and returns the response.
func (b *browser) do(method, path string, body any) *httptest.ResponseRecorder {
	b.w.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		b.w.t.Fatalf("%s: %v", path, err)
	}
	r := httptest.NewRequest(method, path, bytes.NewReader(text))
	r.Header.Set("Content-Type", "application/json")
	for name, value := range b.headers {
		r.Header.Set(name, value)
	}
	for _, cookie := range b.cookies {
		r.AddCookie(cookie)
	}
	out := httptest.NewRecorder()
	b.w.handler.ServeHTTP(out, r)
	for _, cookie := range out.Result().Cookies() {
		b.stores(cookie)
	}
	return out
}

// stores stores a cookie as browsers do with its prefix.
func (b *browser) stores(c *http.Cookie) {
	b.w.t.Helper()
	if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" {
		b.w.t.Errorf("a cookie of the admin page is %s", c)
	}
	if delete(b.cookies, c.Name); c.MaxAge >= 0 {
		b.cookies[c.Name], b.secrets = c, append(b.secrets, c.Value)
	}
}

// attempts begins to sign in, and returns where the provider sends the browser back to.
func (b *browser) attempts(subject string, query url.Values) *url.URL {
	b.w.t.Helper()
	begun := b.do("GET", "/admin/login?"+query.Encode(), nil)
	at, err := url.Parse(begun.Header().Get("Location"))
	if err != nil || begun.Code != http.StatusSeeOther {
		b.w.t.Fatalf("%d %s", begun.Code, begun.Body)
	}
	b.w.oidc.QueueUser(&mockoidc.MockUser{Subject: subject, Email: subject + "@shop.example", EmailVerified: true})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(at.String())
	if err != nil {
		b.w.t.Fatalf("ask the provider: %v", err)
	}
	defer response.Body.Close()
	back, err := response.Location()
	if err != nil || !strings.HasPrefix(back.String(), adminPage+"/admin/login/callback?") {
		b.w.t.Fatalf("%s: %v %v", response.Status, back, err)
	}
	b.secrets = append(b.secrets, back.Query().Get("code"))
	return back
}

// returns follows the provider's redirect, as from another site, and returns where that leads.
func (b *browser) returns(back *url.URL) string {
	b.w.t.Helper()
	b.headers["Sec-Fetch-Site"] = "cross-site"
	delete(b.cookies, "__Host-admin-session") // which is strict
	out := b.do("GET", back.RequestURI(), nil)
	b.headers["Sec-Fetch-Site"] = "same-origin"
	if out.Code != http.StatusSeeOther {
		b.w.t.Fatalf("%d %s", out.Code, out.Body)
	}
	return out.Header().Get("Location")
}

// signsIn signs a person in.
func (w *signInWorld) signsIn(subject string) *browser {
	w.t.Helper()
	b := w.browser()
	if led := b.returns(b.attempts(subject, nil)); led != "/" {
		w.t.Fatalf("%s is led to %s", subject, led)
	}
	return b
}

// status is that of the response to GET /admin/v1/me.
func (b *browser) status() int { return b.do("GET", "/admin/v1/me", nil).Code }

// secretIsTold checks that no log line has anything that a browser has got.
func (b *browser) secretIsTold() {
	b.w.t.Helper()
	log := b.w.log.String()
	for _, secret := range b.secrets {
		if secret != "" && strings.Contains(log, secret) {
			b.w.t.Errorf("the log has a code or a token")
		}
	}
}

// A person signs in, does what the grants allow, and signs out. Acts have the person's name at the provider, and the
// e-mail address beside it.
func TestSignIn(t *testing.T) {
	w := openSignIn(t)
	w.grants(everything(w.who("ann")))
	b := w.signsIn("ann")
	if len(b.cookies) != 1 || b.cookies["__Host-admin-session"].SameSite != http.SameSiteStrictMode {
		t.Errorf("the browser has %v", b.cookies)
	}
	me := b.do("GET", "/admin/v1/me", nil)
	for _, part := range []string{`"who":"` + w.who("ann") + `"`, `"name":"ann@shop.example"`, `"via":"page"`} {
		if me.Code != http.StatusOK || !strings.Contains(me.Body.String(), part) {
			t.Errorf("%d without %s: %s", me.Code, part, me.Body)
		}
	}
	given := map[string]any{
		"who": "bob", "role": "viewer", "merchants": []string{"*"}, "mode": "test", "reason": "He has asked."}
	if out := b.do("POST", "/admin/v1/operators/grant", given); out.Code != http.StatusOK {
		t.Errorf("%d %s", out.Code, out.Body)
	}
	audit := b.do("GET", "/admin/v1/audit", nil).Body.String()
	if !strings.Contains(audit, `"who":"`+w.who("ann")+`","by":"ann@shop.example","command":"operators grant"`) {
		t.Errorf("the audit log: %s", audit)
	}
	if out := b.do("POST", "/admin/logout", nil); out.Code != http.StatusOK || len(b.cookies) != 0 || b.status() != 401 {
		t.Errorf("after signing out: %d, %v, %d", out.Code, b.cookies, b.status())
	}
	b.secretIsTold()
}

// What is refused at the callback leads to the page with the request's id, by which the log says why.
func TestRefusedSignIns(t *testing.T) {
	change := func(name, value string) func(*browser, url.Values) {
		return func(_ *browser, back url.Values) { back.Set(name, value) }
	}
	for name, test := range map[string]struct {
		change func(b *browser, back url.Values)
		why    string
	}{
		"another state":        {change("state", signin.Attempt("b").State()), "the state is another attempt's"},
		"no state":             {change("state", ""), "the state is another attempt's"},
		"another code":         {change("code", "another"), "the provider refuses the code: invalid_grant"},
		"the provider refuses": {change("error", "access_denied"), "the provider says access_denied"},
		"another browser":      {func(b *browser, _ url.Values) { clear(b.cookies) }, "this browser has begun no attempt"},
		"another attempt's cookie": {
			func(b *browser, _ url.Values) { b.cookies["__Host-admin-attempt"].Value = "another" },
			"the state is another attempt's"},
		"a name that is too long": {func(b *browser, back url.Values) {
			back.Set("code", b.attempts(strings.Repeat("a", 255), nil).Query().Get("code"))
			back.Set("state", signin.Attempt(b.cookies["__Host-admin-attempt"].Value).State())
		}, "the provider's name of the person is empty or too long"},
	} {
		w := openSignIn(t)
		w.grants(everything(w.who("ann")))
		b := w.browser()
		back := b.attempts("ann", nil)
		query := back.Query()
		test.change(b, query)
		back.RawQuery = query.Encode()
		led := b.returns(back)
		request, found := strings.CutPrefix(led, "/?refused=")
		if !found || b.status() != http.StatusUnauthorized || len(b.cookies) != 0 {
			t.Errorf("%s: led to %s, %v", name, led, b.cookies)
		}
		logged := false
		for line := range strings.Lines(w.log.String()) {
			logged = logged || strings.Contains(line, `"msg":"sign-in refused"`) && strings.Contains(line, test.why) &&
				strings.Contains(line, request)
		}
		if !logged {
			t.Errorf("%s: the log does not say that %s", name, test.why)
		}
		b.secretIsTold()
	}
}

// A callback that was used works no second time, nor in another browser.
func TestReplayedCallback(t *testing.T) {
	w := openSignIn(t)
	b := w.browser()
	back := b.attempts("ann", nil)
	attempt := *b.cookies["__Host-admin-attempt"]
	if led := b.returns(back); led != "/" {
		t.Fatal(led)
	}
	b.cookies = map[string]*http.Cookie{attempt.Name: &attempt}
	if led := b.returns(back); !strings.HasPrefix(led, "/?refused=") || b.status() != http.StatusUnauthorized {
		t.Errorf("led to %s", led)
	}
}

// A session ends after 15 minutes without use and after 12 hours, whatever is in the table until then.
func TestSessionsEnd(t *testing.T) {
	w := openSignIn(t)
	w.grants(everything(w.who("ann")))
	idle, busy := w.signsIn("ann"), w.signsIn("ann")
	began := w.clock.Now()
	for w.clock.Now().Sub(began) < 12*time.Hour-10*time.Minute {
		w.clock.Move(10 * time.Minute)
		if out := busy.do("POST", "/admin/login/refresh", nil); out.Code != http.StatusOK {
			t.Fatalf("after %v: %d %s", w.clock.Now().Sub(began), out.Code, out.Body)
		}
		if want := map[bool]int{true: 200, false: 401}[w.clock.Now().Sub(began) < 15*time.Minute]; idle.status() != want {
			t.Errorf("unused for %v: %d", w.clock.Now().Sub(began), idle.status())
		}
	}
	w.clock.Move(10*time.Minute - time.Second)
	if busy.status() != http.StatusOK {
		t.Error("it has ended before 12 hours")
	}
	w.clock.Move(time.Second)
	if busy.status() != http.StatusUnauthorized || busy.do("POST", "/admin/login/refresh", nil).Code != 401 {
		t.Error("it is one after 12 hours")
	}
}

// An administrator ends somebody's session: the next call is refused. Whoever loses the grants can do nothing either.
func TestAnAdministratorEndsASession(t *testing.T) {
	w := openSignIn(t)
	support := grant.Grant{Who: w.who("sue"), Role: grant.Support, Merchants: []string{"*"}, Mode: grant.Both}
	w.grants(everything(w.who("ann")), support)
	ann, sue := w.signsIn("ann"), w.signsIn("sue")
	var listed struct {
		Sessions []struct{ ID, Who, Email string }
	}
	out := ann.do("GET", "/admin/v1/sessions", nil)
	if err := json.Unmarshal(out.Body.Bytes(), &listed); err != nil || len(listed.Sessions) != 2 {
		t.Fatalf("%v: %s", err, out.Body)
	}
	if out := sue.do("GET", "/admin/v1/sessions", nil); out.Code != http.StatusForbidden {
		t.Errorf("support sees sessions: %d", out.Code)
	}
	for _, one := range listed.Sessions {
		if one.Email != "sue@shop.example" {
			continue
		}
		body := map[string]any{"id": one.ID, "reason": "She has left."}
		for _, want := range []int{200, 404} {
			if out := ann.do("POST", "/admin/v1/sessions/end", body); out.Code != want {
				t.Errorf("%d %s, want %d", out.Code, out.Body, want)
			}
		}
	}
	if sue.status() != http.StatusUnauthorized || ann.status() != http.StatusOK {
		t.Errorf("then sue gets %d, ann %d", sue.status(), ann.status())
	}
	audit := ann.do("GET", "/admin/v1/audit", nil).Body.String()
	if !strings.Contains(audit, `"what":"operator/`+w.who("sue")+`","changes":["is signed out"]`) {
		t.Errorf("the audit log: %s", audit)
	}
	w.grants(support)
	if ann.status() != http.StatusForbidden {
		t.Errorf("ann has lost all grants and gets %d", ann.status())
	}
}

// Somebody without a grant is told how to get one, and nothing else.
func TestSignedInWithoutAGrant(t *testing.T) {
	w := openSignIn(t)
	w.grants(everything(w.who("ann")), everything("ann@shop.example"), everything("joe@shop.example"))
	b := w.signsIn("joe")
	for _, route := range api.Admin(&api.Services{}) {
		path := strings.NewReplacer("{id}", "1", "{seq}", "1").Replace(route.Path)
		if out := b.do(route.Method, path, nil); out.Code != http.StatusForbidden ||
			!strings.Contains(out.Body.String(), "You have no grant") {
			t.Errorf("%s %s: %d %s", route.Method, path, out.Code, out.Body)
		}
	}
	out := b.do("POST", "/admin/login/refresh", nil)
	if want := `{"who":"` + w.who("joe") + `","email":"joe@shop.example",`; !strings.HasPrefix(out.Body.String(), want) {
		t.Errorf("%d %s", out.Code, out.Body)
	}
}

// A cookie counts only where the page itself sends it. Pages of the same site get it sent as well.
func TestRequestsOfOtherSites(t *testing.T) {
	w := openSignIn(t)
	w.grants(everything(w.who("ann")))
	b := w.signsIn("ann")
	for _, test := range []struct {
		method, site, origin, kind string
		want                       int
	}{
		{"GET", "same-origin", "", "", 200},
		{"GET", "none", "", "", 200},
		{"GET", "", "", "", 200},
		{"GET", "cross-site", "", "", 403},
		{"GET", "same-site", "", "", 403},
		{"GET", "", "https://evil.example", "", 403},
		{"POST", "same-origin", adminPage, "application/json", 200},
		{"POST", "same-origin", "", "application/json; charset=utf-8", 200},
		{"POST", "", adminPage, "application/json", 200},
		{"POST", "", "", "application/json", 403},
		{"POST", "", "null", "application/json", 403},
		{"POST", "", "https://admin.example:8443", "application/json", 403},
		{"POST", "none", "", "application/json", 403},
		{"POST", "same-site", "https://pay.example", "application/json", 403},
		{"POST", "cross-site", "https://evil.example", "application/json", 403},
		{"POST", "cross-site", adminPage, "application/json", 403},
		{"POST", "same-origin", "https://evil.example", "application/json", 403},
		{"POST", "same-origin", adminPage, "text/plain", 403},
		{"POST", "same-origin", adminPage, "application/x-www-form-urlencoded", 403},
		{"POST", "same-origin", adminPage, "", 403},
	} {
		b.headers = map[string]string{"Sec-Fetch-Site": test.site, "Origin": test.origin, "Content-Type": test.kind}
		path := map[string]string{"GET": "/admin/v1/me", "POST": "/admin/v1/operators/grant"}[test.method]
		body := map[string]any{"who": "bob", "role": "viewer", "merchants": []string{"*"}, "mode": "test", "reason": "a"}
		if out := b.do(test.method, path, body); out.Code != test.want {
			t.Errorf("%+v: %d %s", test, out.Code, out.Body)
		}
		if test.method == "POST" && test.want == 403 {
			for _, path := range []string{"/admin/logout", "/admin/login/refresh"} {
				if out := b.do("POST", path, nil); out.Code != 403 {
					t.Errorf("%s, %+v: %d %s", path, test, out.Code, out.Body)
				}
			}
		}
	}
}

// The command gets a session of its own by way of the browser. It is no cookie, and a cookie is no bearer token.
func TestSignInOfTheCommand(t *testing.T) {
	w := openSignIn(t)
	w.grants(everything(w.who("ann")))
	verifier, state := strings.Repeat("v", 43), strings.Repeat("s", 43)
	b := w.browser()
	asks := url.Values{"port": {"4567"}, "challenge": {signin.Challenge(verifier)}, "state": {state}}
	led, err := url.Parse(b.returns(b.attempts("ann", asks)))
	if err != nil || led.Host != "127.0.0.1:4567" || led.Query().Get("state") != state || len(b.cookies) != 0 {
		t.Fatalf("led to %s, %v", led, err)
	}
	command := w.browser()
	command.headers = map[string]string{}
	code := led.Query().Get("code")
	redeem := map[string]string{"code": code, "verifier": strings.Repeat("w", 43)}
	if out := command.do("POST", "/admin/login/token", redeem); out.Code != http.StatusUnauthorized {
		t.Errorf("another verifier: %d %s", out.Code, out.Body)
	}
	redeem["verifier"] = verifier
	out := command.do("POST", "/admin/login/token", redeem)
	var given struct{ Token, Who string }
	if err := json.Unmarshal(out.Body.Bytes(), &given); err != nil || given.Who != w.who("ann") {
		t.Fatalf("%d %s", out.Code, out.Body)
	}
	if out := command.do("POST", "/admin/login/token", redeem); out.Code != http.StatusUnauthorized {
		t.Errorf("a second time: %d %s", out.Code, out.Body)
	}
	command.headers["Authorization"] = "Bearer " + given.Token
	if out := command.do("GET", "/admin/v1/me", nil); !strings.Contains(out.Body.String(), `"via":"command"`) {
		t.Errorf("%d %s", out.Code, out.Body)
	}
	command.headers["Authorization"] = "Bearer " + w.signsIn("ann").cookies["__Host-admin-session"].Value
	b.cookies["__Host-admin-session"] = &http.Cookie{Name: "__Host-admin-session", Value: given.Token}
	if command.status() != http.StatusUnauthorized || b.status() != http.StatusUnauthorized {
		t.Errorf("a cookie as a bearer token: %d; a bearer token as a cookie: %d", command.status(), b.status())
	}
	b.secrets = append(b.secrets, code, given.Token, verifier)
	b.secretIsTold()
}

// Nothing but the page itself begins an attempt of a command, and only one on this machine is led to.
func TestAttemptsOfACommand(t *testing.T) {
	w := openSignIn(t)
	good := map[string]string{
		"port": "4567", "challenge": signin.Challenge("v"), "state": strings.Repeat("s", 43), "site": "same-origin"}
	for _, test := range []struct {
		name, value string
		want        int
	}{
		{"site", "same-origin", 303}, {"site", "none", 403}, {"site", "cross-site", 403}, {"site", "", 403},
		{"port", "", 400}, {"port", "80", 400}, {"port", "65536", 400}, {"port", "4567@evil.example", 400},
		{"port", "04567", 400}, {"challenge", "", 400}, {"challenge", strings.Repeat(".", 43), 400},
		{"state", "", 400}, {"state", strings.Repeat("s", 44), 400},
	} {
		b, query := w.browser(), url.Values{}
		for name, value := range good {
			query.Set(name, value)
		}
		query.Set(test.name, test.value)
		b.headers["Sec-Fetch-Site"] = query.Get("site")
		query.Del("site")
		if out := b.do("GET", "/admin/login?"+query.Encode(), nil); out.Code != test.want {
			t.Errorf("%+v: %d %s", test, out.Code, out.Body)
		}
	}
}

// A caller whom AWS knows is who AWS says, whatever session the request has.
func TestTheCallerOfAWSCounts(t *testing.T) {
	w := openSignIn(t)
	w.grants(everything(w.who("ann")))
	b := w.signsIn("ann")
	r := httptest.NewRequest("GET", "/admin/v1/me", nil)
	r.AddCookie(b.cookies["__Host-admin-session"])
	out := httptest.NewRecorder()
	w.handler.ServeHTTP(out, r.WithContext(api.WithCaller(r.Context(), "eve", "page")))
	if out.Code != http.StatusForbidden {
		t.Errorf("%d %s", out.Code, out.Body)
	}
}

// What is stored of people who have signed in leads to no session.
func TestStoredSessionsAreNoTokens(t *testing.T) {
	w := openSignIn(t)
	w.grants(everything(w.who("ann")))
	b := w.signsIn("ann")
	token := b.cookies["__Host-admin-session"].Value
	records, err := w.app.Store.List(t.Context(), w.clock.Now(), store.SignIns(10))
	if err != nil || len(records) != 1 {
		t.Fatalf("%d sessions, %v", len(records), err)
	}
	r := records[0]
	if strings.Contains(r.Key.Sort+string(r.Doc), token) {
		t.Error("the token is stored")
	}
	b.cookies["__Host-admin-session"].Value = store.SignInID(r.Key)
	if b.status() != http.StatusUnauthorized {
		t.Error("what is stored is a token")
	}
}
