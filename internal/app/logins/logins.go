// Package logins has the function that signs operators in, and alone the library that verifies what an OpenID provider
// has signed.
package logins

import (
	"strings"

	"checkout/internal/api"
	"checkout/internal/app/function"
	"checkout/internal/operator/signin"
	"checkout/internal/operator/signin/provider"
)

// Adminlogin signs operators in and out who have no AWS credentials. It reads nothing but their sessions.
var Adminlogin = function.Function{Name: "adminlogin", Build: func(b *function.Builder) any {
	core := b.Core("GetItem PutItem DeleteItem")
	origin := strings.TrimRight(b.Variable("ADMIN_PAGE_URL"), "/")
	knows := provider.New(provider.Config{
		Issuer: b.Variable("OIDC_ISSUER"), ClientID: b.Variable("OIDC_CLIENT_ID"),
		ClientSecret: b.Variable("OIDC_CLIENT_SECRET"), RedirectURL: api.CallbackURL(origin), Now: core.Now,
	})
	return b.HTTP(core, api.AdminLogin(signin.NewSessions(core.Store, core.Now, core.Random), knows, origin))
}}
