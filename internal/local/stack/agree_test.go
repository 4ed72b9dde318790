package stack

import (
	"cmp"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"checkout/internal/api"
	"checkout/internal/app"
	"checkout/internal/checkout/payment"
	"checkout/internal/local/cloud/template"
	"checkout/internal/merchant"
	"checkout/internal/request"
	"checkout/internal/worker"
)

// TestRoutesTemplateFunctionsAndEventsAgree compares the four lists of functions and routes.
func TestRoutesTemplateFunctionsAndEventsAgree(t *testing.T) {
	functions := folders(t, filepath.Join(root, "functions"))
	compare(t, "events", folders(t, filepath.Join(root, "events")), "functions", functions)
	compare(t, "app.Functions", slices.Collect(maps.Keys(app.Functions())), "functions", functions)
	inTemplate, routes, signedIn := templateOf(t)
	signIn := names(api.AdminLogin(nil, nil, ""))
	compare(t, "template.yaml", inTemplate, "functions", functions)
	listed := append(names(api.All(&api.Services{})), "$default") // of every function with routes, for unknown paths
	compare(t, "template.yaml", routes, "api.All", append(slices.Clone(listed), adminRoutes...))
	compare(t, "SignInApi", signedIn, "api.AdminLogin", append(slices.Clone(signIn), adminRoutes...))
	of := []string{"$default"}
	for _, f := range app.Functions() {
		of = append(of, names(f.Needs().Routes)...)
	}
	compare(t, "app.Functions", of, "api.All, api.Admin and api.AdminLogin",
		slices.Concat(listed, names(api.Admin(&api.Services{})), signIn))
}

// adminRoutes are those of the API for operators: what reads, and what acts.
var adminRoutes = []string{
	"GET /admin/v1/{path+}", "GET /admin/v1/export", "POST /admin/v1/{path+}", "GET /admin/v1/merchants",
	"GET /admin/v1/merchants/{path+}", "POST /admin/v1/merchants", "POST /admin/v1/merchants/{path+}",
	"POST /admin/v1/preview/{path+}",
}

// adminFunction is the function that serves a route of operators: to export is an act.
func adminFunction(method, path string) string {
	if path == "/admin/v1/merchants" || strings.HasPrefix(path, "/admin/v1/merchants/") {
		return "adminsettings"
	}
	if method == "GET" && path != "/admin/v1/export" || strings.HasPrefix(path, "/admin/v1/preview/") {
		return "adminread"
	}
	return "adminact"
}

// TestOperatorsSignTheirRequests checks that whoever calls the API for operators is known by a signature, that one
// function only reads, and that no route of theirs is at the public API.
func TestOperatorsSignTheirRequests(t *testing.T) {
	read := readTemplate(t)
	var routes []string
	for _, r := range read.APIs[template.AdminAPI].Routes {
		routes = append(routes, r.Method+" "+r.Path)
		if want := adminFunction(r.Method, r.Path); !r.Signed || r.Function != want {
			t.Errorf("%s is signed: %t, and served by %s", r.Path, r.Signed, r.Function)
		}
	}
	compare(t, "AdminApi", routes, "the test", adminRoutes)
	for _, name := range []string{"adminread", "adminact", "adminsettings"} {
		for _, r := range app.Functions()[name].Needs().Routes {
			if adminFunction(r.Method, r.Path) != name || !strings.HasPrefix(r.Path, "/admin/v1/") {
				t.Errorf("%s serves %s %s, which does not lead to it", name, r.Method, r.Path)
			}
		}
	}
	for _, r := range read.APIs[template.PublicAPI].Routes {
		if r.Signed || strings.HasPrefix(r.Function, "admin") {
			t.Errorf("%s %s of the public API leads to %s", r.Method, r.Path, r.Function)
		}
	}
}

// TestTheProtocolHasEveryRequestOfMerchants compares the document's table of endpoints with the routes.
func TestTheProtocolHasEveryRequestOfMerchants(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "infra/protocol.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Endpoints\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var rows, routes []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(/api/[^`]+)` \\|").FindAllStringSubmatch(section, -1) {
		rows = append(rows, row[1])
	}
	for _, route := range api.All(&api.Services{}) {
		if strings.HasPrefix(route.Path, "/api/") && !strings.Contains(route.Path, "{") {
			routes = append(routes, route.Path)
		}
	}
	compare(t, "infra/protocol.md", rows, "api.All", routes)
	if !t.Failed() && !slices.Equal(rows, routes) {
		t.Errorf("infra/protocol.md has another order than api.All:\n%v\n%v", rows, routes)
	}
}

// compare reports every name that only one of two lists has, and one that a list has twice.
func compare(t *testing.T, one string, has []string, other string, hasToo []string) {
	t.Helper()
	for _, name := range sorted(append(slices.Clone(has), hasToo...)) {
		times := func(list []string) (n int) {
			for _, listed := range list {
				if listed == name {
					n++
				}
			}
			return n
		}
		if a, b := times(has), times(hasToo); a != 1 || b != 1 {
			t.Errorf("%s: it is in %s %d times, in %s %d times", name, one, a, other, b)
		}
	}
}

func names(routes api.Routes) []string {
	var names []string
	for _, r := range routes {
		names = append(names, r.Method+" "+r.Path)
	}
	return names
}

// TestTheConnectorEndsBeforeItsLease compares three durations of three packages. Otherwise a payment could be sent to a
// provider twice at the same time.
func TestTheConnectorEndsBeforeItsLease(t *testing.T) {
	timeout := timeouts(t)["ConnectorFunction"]
	if timeout <= worker.ProviderTimeout*4/3 || timeout >= payment.JobLease {
		t.Errorf("the connector function may take %v: longer than a look-up and a question (%v), less than the lease (%v)",
			timeout, worker.ProviderTimeout*4/3, payment.JobLease)
	}
}

// TestFunctionsThatWaitHaveTheTime checks that functions that wait for an outcome have time to store the request
// before, and to load the payment and respond after. Otherwise the merchant would get no response.
func TestFunctionsThatWaitHaveTheTime(t *testing.T) {
	all := timeouts(t)
	for _, name := range []string{
		"CaptureFunction", "VoidFunction", "RefundFunction", "StatusFunction", "RecurringFunction", "SessionFunction",
		"AdminActFunction",
	} {
		if timeout := all[name]; timeout < merchant.AwaitTimeout+1500*time.Millisecond {
			t.Errorf("%s may take %v and waits for %v", name, timeout, merchant.AwaitTimeout)
		}
	}
}

// timeouts returns how long each function of template.yaml may take, by its logical id.
func timeouts(t *testing.T) map[string]time.Duration {
	t.Helper()
	type properties struct {
		Timeout int `yaml:"Timeout"`
	}
	var template struct {
		Globals struct {
			Function properties `yaml:"Function"`
		} `yaml:"Globals"`
		Resources map[string]struct {
			Type       string     `yaml:"Type"`
			Properties properties `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	parse(t, &template)
	all := map[string]time.Duration{}
	for name, r := range template.Resources {
		if r.Type == "AWS::Serverless::Function" {
			all[name] = time.Duration(cmp.Or(r.Properties.Timeout, template.Globals.Function.Timeout)) * time.Second
		}
	}
	return all
}

func folders(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

// templateOf returns the names of the functions (their logical ids without "Function", in lower case) and the route
// keys of template.yaml, sorted, and those of the API for people who have signed in.
func templateOf(t *testing.T) (functions, routes, signedIn []string) {
	t.Helper()
	var template struct {
		Resources map[string]struct {
			Type       string    `yaml:"Type"`
			Properties yaml.Node `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	parse(t, &template)
	for name, r := range template.Resources {
		switch r.Type {
		case "AWS::Serverless::Function":
			functions = append(functions, strings.ToLower(strings.TrimSuffix(name, "Function")))
		case "AWS::ApiGatewayV2::Route":
			var p struct {
				API      string `yaml:"ApiId"`
				RouteKey string `yaml:"RouteKey"`
			}
			if err := r.Properties.Decode(&p); err != nil {
				t.Fatal(err)
			}
			if p.API == "SignInApi" {
				signedIn = append(signedIn, p.RouteKey)
			} else {
				routes = append(routes, p.RouteKey)
			}
		}
	}
	slices.Sort(functions)
	slices.Sort(routes)
	return functions, routes, signedIn
}

// TestEachLanguageHasItsPage compares the languages of sessions with those that the function LanguagePage leads to.
func TestEachLanguageHasItsPage(t *testing.T) {
	for _, language := range request.Languages {
		r := httptest.NewRequest("GET", "/?session=1&language="+language, nil)
		if got := template.LanguagePath(r); got != "/"+language+".html" {
			t.Errorf("%s: %s", language, got)
		}
	}
}
