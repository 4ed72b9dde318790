package local

import (
	"context"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/oauth2-proxy/mockoidc"

	"checkout/internal/api"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/signin"
	"checkout/internal/operator/signin/provider"
)

// signInPort names the port of the admin page that people sign in to.
const signInPort = "SIGN_IN_PORT"

// SignInPort is the port of the admin page that people sign in to, as the environment names it. Default: 0, any free
// one.
func SignInPort(getenv func(string) string) (int, error) { return portOf(getenv, signInPort, 0) }

// SignIn is the admin page as people without AWS credentials open it, with an OpenID provider that plays its part. The
// provider asks for no password: it lets whoever opens its page choose a person. Browsers send the page's cookie to
// other ports of this machine, too, so nothing but a local run may be served like this.
type SignIn struct {
	URL string // of the page, without a trailing slash

	provider *mockoidc.MockOIDC
}

// signInPeople are those whom the provider of a local run knows, by their names there, with their roles. Nobody has
// given the last one any.
var signInPeople = []AdminPerson{
	{"admin", []grant.Role{grant.Admin, grant.Finance}}, {"support", []grant.Role{grant.Support}}, {"nobody", nil},
}

// StartSignIn starts the page and the provider until Stop, and gives the provider's people their roles.
func (s *Server) StartSignIn(ctx context.Context, port int) (*SignIn, error) {
	mock, err := startProvider(ctx)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(s.running, func() { _ = mock.Server.Close() }) // the process ends anyway
	listeners, port, err := listen(ctx, port, signInPort)
	if err != nil {
		return nil, err
	}
	in := &SignIn{URL: fmt.Sprintf("http://localhost:%d", port), provider: mock}
	for _, p := range signInPeople {
		for _, g := range p.Grants() {
			g.Who = in.who(p.Who)
			by := grant.Person{Who: People[0].Who, Grants: People[0].Grants()}
			if err := GiveRole(ctx, s.App.People, by, g); err != nil {
				closeAll(listeners)
				return nil, err
			}
		}
	}
	with := provider.New(provider.Config{
		Issuer: mock.Issuer(), ClientID: mock.ClientID, ClientSecret: mock.ClientSecret,
		RedirectURL: api.CallbackURL(in.URL), Now: s.App.Core.Now,
	})
	page := servePage(s.adminPage, s.admin.RootObject, "")
	s.serve(listeners, s.admin.handler(s.App.SignIn(with, in.URL), page))
	return in, nil
}

// who is one of the provider's people in grants.
func (s *SignIn) who(name string) string {
	return signin.Identity{Issuer: s.provider.Issuer(), Subject: name}.Who()
}

// startProvider starts an OpenID provider that lets browsers choose who they are.
func startProvider(ctx context.Context) (*mockoidc.MockOIDC, error) {
	mock, err := mockoidc.NewServer(nil)
	if err != nil {
		return nil, fmt.Errorf("make the OpenID provider: %w", err)
	}
	var choosing sync.Mutex // between the choice and its use
	err = mock.AddMiddleware(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != mockoidc.AuthorizationEndpoint {
				next.ServeHTTP(w, r)
				return
			}
			query := r.URL.Query()
			person := query.Get("person")
			if person == "" {
				choose(w, query)
				return
			}
			choosing.Lock()
			defer choosing.Unlock()
			mock.QueueUser(&mockoidc.MockUser{Subject: person, Email: person + "@pens.example", EmailVerified: true})
			next.ServeHTTP(w, r)
		})
	})
	if err != nil {
		return nil, fmt.Errorf("make the OpenID provider: %w", err)
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("can't listen for the OpenID provider: %w", err)
	}
	return mock, mock.Start(listener, nil)
}

// choose sends a page with a link for each person.
func choose(w http.ResponseWriter, query url.Values) {
	var links strings.Builder
	for _, p := range signInPeople {
		query.Set("person", p.Who)
		fmt.Fprintf(&links, "<p><a href=\"?%s\">%s</a>: %s</p>\n", html.EscapeString(query.Encode()), p.Who,
			orElse(p.roles(), "no role"))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<!doctype html>\n<title>Who are you?</title>\n<h1>Who are you?</h1>\n"+
		"<p>This page stands for your company’s sign-in.</p>\n%s", links.String())
}
