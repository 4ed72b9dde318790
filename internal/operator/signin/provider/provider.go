// Package provider asks an OpenID provider who somebody is, by the authorization code flow with PKCE. The library that
// verifies what the provider has signed is used here alone, so that only the function for signing in holds it.
package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"checkout/internal/operator/signin"
)

// Config says which provider it is, and as whom it knows this service.
type Config struct {
	Issuer       string
	ClientID     string
	ClientSecret string
	RedirectURL  string           // where the provider sends people back to
	Now          func() time.Time // by which what the provider has signed ends
}

// timeout is how long a request to the provider may take.
const timeout = 8 * time.Second

// Provider is one OpenID provider. New makes one.
type Provider struct {
	config Config
	client *http.Client

	mu    sync.Mutex
	known *known
}

// known is what the provider says about itself.
type known struct {
	verifier *oidc.IDTokenVerifier
	oauth    oauth2.Config
}

// New returns a provider. What it says about itself is fetched when it is needed first.
func New(c Config) *Provider { return &Provider{config: c, client: &http.Client{Timeout: timeout}} }

// SignInURL implements signin.Provider.
func (p *Provider) SignInURL(ctx context.Context, a signin.Attempt) (string, error) {
	k, err := p.discover(ctx)
	if err != nil {
		return "", err
	}
	return k.oauth.AuthCodeURL(a.State(), oidc.Nonce(a.Nonce()), oauth2.S256ChallengeOption(a.Verifier())), nil
}

// Identify implements signin.Provider.
func (p *Provider) Identify(ctx context.Context, code string, a signin.Attempt) (signin.Identity, error) {
	k, err := p.discover(ctx)
	if err != nil {
		return signin.Identity{}, err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	tokens, err := k.oauth.Exchange(ctx, code, oauth2.VerifierOption(a.Verifier()))
	if refused := new(oauth2.RetrieveError); errors.As(err, &refused) && refused.Response.StatusCode < 500 {
		return signin.Identity{}, signin.Refuse("the provider refuses the code: " + refused.ErrorCode)
	}
	if err != nil { // whose text may have what was sent
		return signin.Identity{}, errors.New("the provider does not exchange the code")
	}
	signed, _ := tokens.Extra("id_token").(string)
	token, err := k.verifier.Verify(ctx, signed)
	if err != nil {
		return signin.Identity{}, signin.Refuse(err.Error())
	}
	if token.Nonce != a.Nonce() {
		return signin.Identity{}, signin.Refuse("the nonce is another attempt's")
	}
	return p.identityIn(token)
}

// identityIn reads what the service needs of a verified token.
func (p *Provider) identityIn(token *oidc.IDToken) (signin.Identity, error) {
	var claims struct {
		For      string `json:"azp"`
		Email    string `json:"email"`
		Verified any    `json:"email_verified"` // true, or in some providers' tokens "true"
	}
	if err := token.Claims(&claims); err != nil {
		return signin.Identity{}, signin.Refuse("the claims can't be read")
	}
	if len(token.Audience) > 1 && claims.For != p.config.ClientID {
		return signin.Identity{}, signin.Refuse("of several audiences another one is meant")
	}
	if claims.Verified != true && claims.Verified != "true" {
		claims.Email = ""
	}
	return signin.Identity{Issuer: p.config.Issuer, Subject: token.Subject, Email: claims.Email}, nil
}

// discover fetches what the provider says about itself, until it has responded once.
func (p *Provider) discover(ctx context.Context) (*known, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known != nil {
		return p.known, nil
	}
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.config.Issuer)
	if err != nil {
		return nil, fmt.Errorf("the sign-in provider does not say where it is: %w", err)
	}
	var methods struct {
		Of []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := found.Claims(&methods); err != nil {
		return nil, fmt.Errorf("the sign-in provider does not say what it takes: %w", err)
	}
	endpoint := found.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if slices.Contains(methods.Of, "client_secret_post") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	p.known = &known{
		found.Verifier(&oidc.Config{ClientID: p.config.ClientID, Now: p.config.Now}),
		oauth2.Config{
			ClientID: p.config.ClientID, ClientSecret: p.config.ClientSecret, RedirectURL: p.config.RedirectURL,
			Endpoint: endpoint, Scopes: []string{oidc.ScopeOpenID, oidc.ScopeEmail},
		},
	}
	return p.known, nil
}
