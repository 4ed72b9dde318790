package provider

import (
	"encoding/json"
	"errors"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/oauth2-proxy/mockoidc"

	"checkout/internal/operator/signin"
)

// fake is a provider, of which a test changes what it gets and what it sends.
type fake struct {
	*mockoidc.MockOIDC
	asked  func(query url.Values)     // for a sign-in
	code   func(form url.Values)      // to exchange a code
	claims func(claims jwt.MapClaims) // that it signs
	sign   func(jwt.Claims) (string, error)
	status int // of the response to a code, 0: that of the provider
}

func newFake(t *testing.T) *fake {
	t.Helper()
	m, err := mockoidc.NewServer(nil)
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{MockOIDC: m, sign: m.Keypair.SignJWT}
	if err := m.AddMiddleware(f.changed); err != nil {
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
	return f
}

// changed changes requests and tokens as the test says.
func (f *fake) changed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		switch {
		case r.URL.Path == mockoidc.AuthorizationEndpoint && f.asked != nil:
			f.asked(r.Form)
		case r.URL.Path == mockoidc.TokenEndpoint && f.status != 0:
			http.Error(w, "secret-code", f.status)
			return
		case r.URL.Path == mockoidc.TokenEndpoint:
			if f.code != nil {
				f.code(r.Form)
			}
			out := httptest.NewRecorder()
			next.ServeHTTP(out, r)
			f.respond(w, out)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// respond sends the provider's response with a token of other claims, or one that is signed in another way.
func (f *fake) respond(w http.ResponseWriter, out *httptest.ResponseRecorder) {
	var body map[string]any
	if out.Code == http.StatusOK && json.Unmarshal(out.Body.Bytes(), &body) == nil {
		claims := jwt.MapClaims{}
		if _, _, err := jwt.NewParser().ParseUnverified(body["id_token"].(string), claims); err == nil && f.claims != nil {
			f.claims(claims)
		}
		body["id_token"], _ = f.sign(claims)
		text, _ := json.Marshal(body)
		out.Body.Reset()
		out.Body.Write(text)
	}
	maps.Copy(w.Header(), out.Header())
	w.WriteHeader(out.Code)
	_, _ = w.Write(out.Body.Bytes())
}

const redirect = "https://admin.example/admin/login/callback"

// provider returns the service's side.
func (f *fake) provider() *Provider {
	return New(Config{
		Issuer: f.Issuer(), ClientID: f.ClientID, ClientSecret: f.ClientSecret, RedirectURL: redirect, Now: time.Now,
	})
}

// codeFor is the code that the provider sends the browser of an attempt back with.
func codeFor(t *testing.T, p *Provider, a signin.Attempt) string {
	t.Helper()
	address, err := p.SignInURL(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	if sent := address + " "; strings.Contains(sent, a.Verifier()) || strings.Contains(sent, string(a)) {
		t.Errorf("the browser's address has a secret: %s", address)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	back, err := response.Location()
	if err != nil || back.Query().Get("state") != a.State() || !strings.HasPrefix(back.String(), redirect+"?") {
		t.Fatalf("%s %v: %v", response.Status, back, err)
	}
	return back.Query().Get("code")
}

const attempt = signin.Attempt("an attempt")

func TestIdentify(t *testing.T) {
	for name, test := range map[string]struct {
		user *mockoidc.MockUser
		want signin.Identity
	}{
		"verified": {
			&mockoidc.MockUser{Subject: "ann", Email: "ann@shop.example", EmailVerified: true},
			signin.Identity{Subject: "ann", Email: "ann@shop.example"}},
		"not verified": {&mockoidc.MockUser{Subject: "ann", Email: "bob@shop.example"}, signin.Identity{Subject: "ann"}},
		"no address":   {&mockoidc.MockUser{Subject: "ann"}, signin.Identity{Subject: "ann"}},
	} {
		f := newFake(t)
		f.QueueUser(test.user)
		p := f.provider()
		test.want.Issuer = f.Issuer()
		if got, err := p.Identify(t.Context(), codeFor(t, p, attempt), attempt); err != nil || got != test.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// What a provider must not be believed, each alone.
func TestRefusals(t *testing.T) {
	set := func(name string, value any) func(*fake) {
		return func(f *fake) { f.claims = func(c jwt.MapClaims) { c[name] = value } }
	}
	for name, test := range map[string]struct {
		change func(*fake)
		why    string
	}{
		"nonce": {
			func(f *fake) { f.asked = func(q url.Values) { q.Set("nonce", "another") } }, "the nonce is another attempt's"},
		"no nonce": {func(f *fake) { f.claims = func(c jwt.MapClaims) { delete(c, "nonce") } }, "the nonce is"},
		"verifier": {
			func(f *fake) {
				f.code = func(form url.Values) { form.Set("code_verifier", signin.Attempt("b").Verifier()) }
			},
			"the provider refuses the code: invalid_grant"},
		"audience": {set("aud", "another"), "expected audience"},
		"audiences": {func(f *fake) {
			f.claims = func(c jwt.MapClaims) { c["aud"], c["azp"] = []string{"another", f.ClientID}, "another" }
		}, "of several audiences another one is meant"},
		"issuer":  {set("iss", "https://another.example"), "issued by a different provider"},
		"expired": {set("exp", time.Now().Add(-time.Second).Unix()), "expired"},
		"unsigned": {func(f *fake) {
			f.sign = func(c jwt.Claims) (string, error) {
				return jwt.NewWithClaims(jwt.SigningMethodNone, c).SignedString(jwt.UnsafeAllowNoneSignatureType)
			}
		}, `unexpected signature algorithm "none"`},
		"signed with the client's secret": {func(f *fake) {
			f.sign = func(c jwt.Claims) (string, error) {
				return jwt.NewWithClaims(jwt.SigningMethodHS256, c).SignedString([]byte(f.ClientSecret))
			}
		}, `unexpected signature algorithm "HS256"`},
		"another's key": {func(f *fake) {
			key, err := mockoidc.RandomKeypair(2048)
			if err != nil {
				t.Fatal(err)
			}
			f.sign = key.SignJWT
		}, "failed to verify signature"},
		"no token": {func(f *fake) { f.sign = func(jwt.Claims) (string, error) { return "", nil } }, "malformed jwt"},
	} {
		f := newFake(t)
		test.change(f)
		p := f.provider()
		code := codeFor(t, p, attempt)
		refused(t, name, p, code, test.why)
	}
}

func refused(t *testing.T, name string, p *Provider, code, why string) {
	t.Helper()
	who, err := p.Identify(t.Context(), code, attempt)
	refusal := new(signin.Refusal)
	if !errors.As(err, &refusal) || !strings.Contains(refusal.Why, why) || who != (signin.Identity{}) {
		t.Errorf("%s: %+v, %v", name, who, err)
	}
	for _, secret := range []string{code, attempt.Verifier(), p.config.ClientSecret} {
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s: the reason has a secret: %v", name, err)
		}
	}
}

func TestACodeWorksOnce(t *testing.T) {
	f := newFake(t)
	p := f.provider()
	code := codeFor(t, p, attempt)
	if _, err := p.Identify(t.Context(), code, attempt); err != nil {
		t.Fatal(err)
	}
	refused(t, "replayed", p, code, "the provider refuses the code: invalid_grant")
}

// A provider that fails refuses nobody, and what it says is in no error. It is asked again.
func TestAProviderThatFails(t *testing.T) {
	f := newFake(t)
	p := f.provider()
	f.QueueError(&mockoidc.ServerError{Code: http.StatusInternalServerError, Error: "server_error"})
	if _, err := p.SignInURL(t.Context(), attempt); err == nil {
		t.Error("a provider that says nothing about itself is used")
	}
	code := codeFor(t, p, attempt)
	f.status = http.StatusBadGateway
	_, err := p.Identify(t.Context(), code, attempt)
	refusal := new(signin.Refusal)
	if err == nil || errors.As(err, &refusal) || strings.Contains(err.Error(), "secret-code") {
		t.Errorf("%v", err)
	}
	f.status = 0
	if _, err := p.Identify(t.Context(), code, attempt); err != nil {
		t.Error(err)
	}
}
