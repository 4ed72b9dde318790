package gateway

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/cloud/lambda"
	"checkout/internal/local/cloud/template"

	"gopkg.in/yaml.v3"
)

var allForwarded = template.Forward{AllHeaders: true, Cookies: true, Query: true}

// gatewayTo is a gateway to one function with a fixed response. It also returns where the last payload is stored.
func gatewayTo(t *testing.T, response string, failure error) (*Gateway, *[]byte) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "static")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"index.html": "<html>", "app.js": "1", "404.html": "none", "../outside.js": "2"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := new([]byte)
	all := []string{"GET", "POST", "HEAD"}
	return New(Config{
		StaticDir: folder, Now: func() time.Time { return time.UnixMilli(1600000000123) },
		Routes: []template.Route{{Method: "POST", Path: "/api/{a}/x/{rest+}", Function: "f"},
			{Method: "GET", Path: "/page/{id}", Function: "f"}},
		Site: template.Site{RootObject: "index.html", Behaviors: []template.Behavior{
			{Pattern: "/api/*", ToAPI: true, Methods: all, Forward: allForwarded, Function: template.PlainPathFunction,
				Origin: []template.Header{{Name: "X-From", Value: "edge"}}},
			{Pattern: "/page/*", ToAPI: true, Methods: all,
				Forward: template.Forward{Headers: []string{"accept", "cloudfront-viewer-address"}}},
			{Pattern: "*", Methods: []string{"GET", "HEAD"},
				Headers: []template.Header{{Name: "X-Frame-Options", Value: "DENY", Override: true}}},
		}},
		Invoke: func(_ context.Context, _ string, payload []byte) (lambda.Result, error) {
			*got = payload
			return lambda.Result{Payload: []byte(response)}, failure
		},
	}), got
}

func TestPayloadIsAPIGateways(t *testing.T) {
	g, got := gatewayTo(t, `{"statusCode":200}`, nil)
	r := httptest.NewRequest("POST", "/api/v%201/x/y/z?a=1&b=%20&a=2", strings.NewReader("k=v"))
	r.RemoteAddr = "203.0.113.9:5000"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("X-Forwarded-For", "10.0.0.1")
	r.Header.Set("CloudFront-Viewer-Address", "forged:1")
	r.Header.Set("X-From", "forged")
	r.Header["X-Two"] = []string{"1", "2"}
	r.Header["Cookie"] = []string{"a=1; b=2", "c=3"}
	g.ServeHTTP(httptest.NewRecorder(), r)
	want := `{"version":"2.0","routeKey":"POST /api/{a}/x/{rest+}","rawPath":"/api/v 1/x/y/z",` +
		`"rawQueryString":"a=1\u0026b=%20\u0026a=2",` +
		`"cookies":["a=1","b=2","c=3"],"headers":{"content-length":"3","content-type":"application/x-www-form-urlencoded",` +
		`"host":"local.execute-api.amazonaws.com","user-agent":"Amazon CloudFront","via":"1.1 local.cloudfront.net ` +
		`(CloudFront)",` +
		`"x-forwarded-for":"10.0.0.1, 203.0.113.9, 192.0.2.1","x-forwarded-port":"443","x-forwarded-proto":"https",` +
		`"x-from":"edge","x-two":"1,2"},` +
		`"queryStringParameters":{"a":"1,2","b":" "},"pathParameters":{"a":"v 1","rest":"y/z"},` +
		`"requestContext":{"accountId":"000000000000",` +
		`"apiId":"local","domainName":"local.execute-api.amazonaws.com","domainPrefix":"local","http":{"method":"POST",` +
		`"path":"/api/v 1/x/y/z",` +
		`"protocol":"HTTP/1.1","sourceIp":"192.0.2.1","userAgent":"Amazon CloudFront"},` +
		`"requestId":"local16345785dd19acc0=","routeKey":"POST /api/{a}/x/{rest+}",` +
		`"stage":"$default","time":"13/Sep/2020:12:26:40 +0000","timeEpoch":1600000000123},"body":"az12",` +
		`"isBase64Encoded":true}`
	var a, b any
	if err := json.Unmarshal([]byte(want), &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(*got, &b); err != nil {
		t.Fatal(err)
	}
	requestContext := b.(map[string]any)["requestContext"].(map[string]any)
	delete(requestContext, "requestId")      // made from the clock
	delete(requestContext, "authentication") // of client certificates: the type writes it empty, API Gateway not at all
	delete(a.(map[string]any)["requestContext"].(map[string]any), "requestId")
	first, _ := json.Marshal(a)
	second, _ := json.Marshal(b)
	if string(first) != string(second) {
		t.Errorf("got  %s\nwant %s", second, first)
	}
}

func TestABehaviourForwardsOnlyWhatItsPolicySays(t *testing.T) {
	g, got := gatewayTo(t, `{"statusCode":200}`, nil)
	r := httptest.NewRequest("GET", "/page/1?secret=1", nil)
	r.RemoteAddr = "203.0.113.9:5000"
	r.Header.Set("Accept", "x")
	r.Header.Set("Authorization", "secret")
	r.Header.Set("Cookie", "secret=1")
	g.ServeHTTP(httptest.NewRecorder(), r)
	if text := string(*got); strings.Contains(text, "secret") ||
		!strings.Contains(text, `"cloudfront-viewer-address":"203.0.113.9:5000"`) || !strings.Contains(text, `"accept":"x"`) {
		t.Error(text)
	}
}

// plainPaths maps paths to the results of the template's function.
var plainPaths = map[string]string{
	"/api/v1/session": "/api/v1/session", "//api/v1/session": "/api/v1/session", "/api/v1/session/": "/api/v1/session",
	"///api//v1/session//": "/api/v1/session", "/": "/", "//": "/", "/api/a%2Fb/": "/api/a%2Fb", "": "/",
}

func TestPlainPath(t *testing.T) {
	for path, want := range plainPaths {
		if got := PlainPath(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	g, got := gatewayTo(t, `{"statusCode":200}`, nil)
	w := httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequest("POST", "http://pay.example//api/v1//x/y/", nil))
	if w.Code != http.StatusOK || !strings.Contains(string(*got), `"rawPath":"/api/v1/x/y"`) {
		t.Errorf("%d %s", w.Code, *got)
	}
	w = httptest.NewRecorder()
	if g.ServeHTTP(w, httptest.NewRequest("GET", "http://pay.example//page/1", nil)); w.Code != http.StatusNotFound {
		t.Errorf("a behaviour without the function passes the path on as it came: %d", w.Code)
	}
}

// The code in template.yaml does the same as PlainPath.
func TestTheTemplatesFunctionMakesPathsPlain(t *testing.T) {
	requests := map[string]any{}
	for path := range plainPaths {
		requests[path] = map[string]any{"uri": path}
	}
	if got := runFunction(t, template.PlainPathFunction, requests); !maps.Equal(got, plainPaths) {
		t.Errorf("%v, want %v", got, plainPaths)
	}
}

// runFunction runs the code of a CloudFront function of template.yaml and returns what becomes of the requests' paths.
func runFunction(t *testing.T, function string, requests map[string]any) map[string]string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs Node, which the page needs too")
	}
	text, err := os.ReadFile("../../../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Resources map[string]struct {
			Properties struct {
				FunctionCode string `yaml:"FunctionCode"`
			} `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	code := file.Resources[function].Properties.FunctionCode
	all, err := json.Marshal(requests)
	if err != nil {
		t.Fatal(err)
	}
	code += `;console.log(JSON.stringify(Object.fromEntries(Object.entries(` + string(all) +
		`).map(([key, request]) => [key, handler({request}).uri]))))`
	out, err := exec.CommandContext(t.Context(), node, "-e", code).CombinedOutput()
	var got map[string]string
	if err != nil || json.Unmarshal(out, &got) != nil {
		t.Fatalf("%v %s", err, out)
	}
	return got
}

// A request that a function leads to the page of a language gets it, and is counted as one with a function.
func TestThePageOfALanguage(t *testing.T) {
	g, _ := gatewayTo(t, `{"statusCode":200}`, nil)
	behaviors := g.config.Site.Behaviors
	behaviors[len(behaviors)-1].Function = template.LanguagePageFunction
	if err := os.WriteFile(filepath.Join(g.config.StaticDir, "de.html"), []byte("<html lang=de>"), 0o600); err != nil {
		t.Fatal(err)
	}
	for accepted, want := range map[string]string{"de": "<html lang=de>", "it": "<html>", "fr": "AccessDenied"} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/?session=1", nil)
		r.Header.Set("Accept-Language", accepted)
		g.Reset()
		if g.ServeHTTP(w, r); !strings.Contains(w.Body.String(), want) || g.Counts().Functions != 1 {
			t.Errorf("%s: %d %s, %+v", accepted, w.Code, w.Body, g.Counts())
		}
	}
}

func TestResponses(t *testing.T) {
	const broken = `{"message":"Internal Server Error"}`
	for _, c := range []struct {
		response, body string
		status         int
		header, is     string
	}{
		{`{"statusCode":201,"headers":{"X-A":"1","X-N":2},"body":"b"}`, "b", 201, "X-N", "2"},
		{`{"statusCode":"200","body":"b"}`, "b", 200, "Content-Type", "text/plain;charset=UTF-8"},
		{`{"statusCode":200,"body":"AP8=","isBase64Encoded":true}`, "\x00\xff", 200, "", ""},
		{`{"statusCode":200,"multiValueHeaders":{"X-M":["1","2"]},"cookies":["c=1"]}`, "", 200, "Set-Cookie", "c=1"},
		{`"hello"`, "hello", 200, "Content-Type", "application/json"},
		{`{"a":1}`, `{"a":1}`, 200, "Content-Type", "application/json"},
		{`{"statusCode":200,"body":"%","isBase64Encoded":true}`, broken, 500, "", ""},
		{`{"statusCode":99}`, broken, 500, "", ""},
		{`{"statusCode":"x"}`, broken, 500, "", ""},
		{`{"statusCode":200,"body":{"not":"text"}}`, broken, 500, "", ""},
		{`not json`, broken, 500, "Content-Type", "application/json"},
	} {
		g, _ := gatewayTo(t, c.response, nil)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, httptest.NewRequest("GET", "/page/1", nil))
		if w.Code != c.status || w.Body.String() != c.body || (c.header != "" && w.Header().Get(c.header) != c.is) {
			t.Errorf("%s: %d %q %v", c.response, w.Code, w.Body, w.Header())
		}
	}
	g, _ := gatewayTo(t, "", lambda.ErrThrottled)
	w := httptest.NewRecorder()
	if g.ServeHTTP(w, httptest.NewRequest("GET", "/page/1", nil)); w.Code != 503 ||
		w.Body.String() != `{"message":"Service Unavailable"}` {
		t.Errorf("throttled: %d %s", w.Code, w.Body)
	}
}

func TestPagesAndUnknownPaths(t *testing.T) {
	g, _ := gatewayTo(t, `{}`, nil)
	for _, c := range []struct {
		method, path string
		status       int
		kind         string
	}{
		{"GET", "/", 200, "text/html"}, {"GET", "/app.js", 200, "text/javascript"}, {"GET", "/none", 403, "application/xml"},
		{"GET", "/../outside.js", 403, ""}, {"GET", "//app.js", 403, ""}, {"POST", "/", 403, ""},
		{"GET", "/api/none", 404, "application/json"}, {"GET", "/api/a/x/b", 404, "application/json"},
		{"POST", "/api/a/x/", 404, ""},
	} {
		w := httptest.NewRecorder()
		g.ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
		if w.Code != c.status || !strings.HasPrefix(w.Header().Get("Content-Type"), c.kind) {
			t.Errorf("%s %s: %d %v", c.method, c.path, w.Code, w.Header())
		}
		if framed := w.Header().Get("X-Frame-Options") == "DENY"; framed == strings.HasPrefix(c.path, "/api/") {
			t.Errorf("%s: security headers %v", c.path, w.Header())
		}
	}
	g.config.Site.Errors = []template.ErrorResponse{{Code: 403, Status: http.StatusNotFound, PagePath: "/404.html"}}
	w := httptest.NewRecorder()
	if g.ServeHTTP(w, httptest.NewRequest("GET", "/none", nil)); w.Code != 404 || w.Body.String() != "none" {
		t.Errorf("error page: %d %s", w.Code, w.Body)
	}
}

func TestTheMostSpecificRouteWins(t *testing.T) {
	routes := []template.Route{
		{Path: "$default", Function: "default"}, {Method: "ANY", Path: "/{all+}", Function: "greedy"},
		{Method: "GET", Path: "/a/{b}", Function: "variable"},
		{Method: "ANY", Path: "/a/b", Function: "any"}, {Method: "GET", Path: "/a/b", Function: "exact"},
	}
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/a/b", "exact"}, {"POST", "/a/b", "any"}, {"GET", "/a/c", "variable"}, {"POST", "/a/c", "greedy"},
		{"GET", "/", "default"},
	} {
		if got, ok := match(routes, c.method, c.path); !ok || got.route.Function != c.want {
			t.Errorf("%s %s: %s", c.method, c.path, got.route.Function)
		}
	}
}

func TestTheGatewayCounts(t *testing.T) {
	g, _ := gatewayTo(t, `{"statusCode":200,"headers":{"X-A":"1"},"body":"0123456789"}`, nil)
	g.config.AccessLog = `{"r":"$context.requestId","s":"$context.status","k":"$context.routeKey",` +
		`"n":"$context.responseLength","e":"$context.integrationErrorMessage"}`
	g.config.Site.Behaviors[2].Compress = true
	text := strings.Repeat("a page that can be compressed well. ", 100)
	if err := os.WriteFile(filepath.Join(g.config.StaticDir, "index.html"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	visit := func(r *http.Request) Counts {
		g.Reset()
		g.ServeHTTP(httptest.NewRecorder(), r)
		return g.Counts()
	}
	plain := visit(httptest.NewRequest("GET", "/", nil))
	squeezed := httptest.NewRequest("GET", "/", nil)
	squeezed.Header.Set("Accept-Encoding", "br, gzip")
	short := visit(squeezed)
	if body, head := int64(len(text)), plain.Bytes-int64(len(text)); plain.Requests != 1 || head < 200 || head > 900 ||
		short.Bytes > plain.Bytes-body*9/10 || short.LogBytes != 0 {
		t.Errorf("static: %+v, compressed %+v of a body of %d", plain, short, body)
	}
	call := visit(httptest.NewRequest("POST", "/api/a/x/y", strings.NewReader("12345")))
	line := `{"r":"AbCdEfGhIjKlMnO=","s":"200","k":"POST /api/{a}/x/{rest+}","n":"10","e":"-"}`
	if call.LogBytes != int64(len(line)+lambda.EventOverhead) ||
		call.OriginBytes != int64(len("POST /api/a/x/y HTTP/1.1\r\n\r\n12345")) || call.Bytes < 300 {
		t.Errorf("call: %+v", call)
	}
	if empty := visit(httptest.NewRequest("GET", "/page/1", nil)); empty.OriginBytes != 0 || empty.LogBytes == 0 {
		t.Errorf("a request without a body: %+v", empty)
	}
}
