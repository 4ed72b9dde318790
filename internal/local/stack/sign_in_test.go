package stack

import (
	"slices"
	"strings"
	"testing"

	"checkout/internal/api"
	"checkout/internal/local/cloud/template"
)

// signIn has the parameters of a way in which operators sign in, with others: name, value.
func signIn(way string, others ...string) map[string]string {
	parameters := map[string]string{
		"AdminLogin": way, "AdminLoginIssuer": "https://id.example", "AdminLoginClientId": "checkout",
		"AdminLoginSecret": "checkout/sign-in", "AdminLoginPrefix": "pens-checkout",
	}
	for i := 0; i < len(others); i += 2 {
		parameters[others[i]] = others[i+1]
	}
	return parameters
}

// Without AdminLogin there is no site, no API and no function for it.
func TestNobodySignsInUnlessAStackSaysSo(t *testing.T) {
	read := readTemplate(t)
	_, site := read.Sites[template.AdminSite]
	_, api := read.APIs["SignInApi"]
	if site || api || slices.ContainsFunc(read.Functions, isLogin) {
		t.Errorf("site %t, API %t", site, api)
	}
}

func isLogin(f template.Function) bool { return f.Name == "adminlogin" }

// Whoever signs in reaches the same functions as who signs requests, by an API that asks for no signature, behind the
// admin page's own distribution. No page can show that page in a frame.
func TestTheAdminPageHasAnOriginOfItsOwn(t *testing.T) {
	for _, way := range []string{"oidc", "cognito"} {
		read, err := stack(t, signIn(way))
		if err != nil {
			t.Fatal(err)
		}
		var routes []string
		for _, r := range read.APIs["SignInApi"].Routes {
			routes = append(routes, r.Method+" "+r.Path)
			want := "adminlogin"
			if strings.HasPrefix(r.Path, "/admin/v1/") {
				want = adminFunction(r.Method, r.Path)
			}
			if r.Signed || r.Function != want {
				t.Errorf("%s is signed: %t, and served by %s", r.Path, r.Signed, r.Function)
			}
		}
		compare(t, "SignInApi", routes, "api.AdminLogin", append(names(api.AdminLogin(nil, nil, "")), adminRoutes...))
		site := read.Sites[template.AdminSite]
		toAPI := slices.IndexFunc(site.Behaviors, func(b template.Behavior) bool { return b.ToAPI })
		page := site.Behaviors[len(site.Behaviors)-1]
		if len(site.Behaviors) != 2 || site.Behaviors[toAPI].Pattern != "/admin/*" || !site.Behaviors[toAPI].Forward.Cookies {
			t.Errorf("%s: %+v", way, site.Behaviors)
		}
		csp := slices.IndexFunc(page.Headers, func(h template.Header) bool { return h.Name == "Content-Security-Policy" })
		policy := page.Headers[csp].Value + ";"
		for _, part := range []string{"default-src 'none';", "script-src 'self';", "frame-ancestors 'none';"} {
			if !strings.Contains(policy, part) {
				t.Errorf("the policy %q has no %s", policy, part)
			}
		}
		login := read.Functions[slices.IndexFunc(read.Functions, isLogin)]
		address := login.Environment["ADMIN_PAGE_URL"]
		if address == "" || address == read.Functions[slices.IndexFunc(read.Functions, func(f template.Function) bool {
			return f.Name == "session"
		})].Environment["BASE_URL"] {
			t.Errorf("the admin page is at %q", address)
		}
	}
}
