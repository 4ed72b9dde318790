package adminpage_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"checkout/internal/local/adminpage"
)

const refund = "/admin/v1/payments/p-1/refund"

func TestCallsOfThePage(t *testing.T) {
	w := start(t)
	w.enter()
	got := w.send(w.client, http.MethodPost, w.base()+refund+"?a=1&b=%2F..", `{"reason":"x"}`, w.byPage(map[string]string{
		"Idempotency-Key": "k-1", "Accept": "application/json",
		"X-Admin-Via": "command", "X-Admin-Who": "admin", "X-Amz-Security-Token": "t", "X-Forwarded-For": "1.2.3.4",
		"Connection": "X-Kept", "X-Kept": "1", "X-Origin-Secret": "s", "User-Agent": "",
	}))
	if got.status != http.StatusTeapot || got.body != "{}" || got.header.Get("X-Request-Id") != "r-1" ||
		got.header.Get("X-Next-Cursor") != "c-2" || got.header.Get("Content-Type") != "application/json" {
		t.Errorf("%d %v %s", got.status, got.header, got.body)
	}
	for _, name := range []string{"Set-Cookie", "Location"} {
		if got.header.Get(name) != "" {
			t.Errorf("the page gets %s: %s", name, got.header.Get(name))
		}
	}
	checkHeaders(t, "a call", got.header)
	sent := w.api.requests()[0]
	if sent.Method != http.MethodPost || sent.URL.String() != "https://api.example/stage"+refund+"?a=1&b=%2F.." ||
		sent.Host != "api.example" || w.api.sum[0] != `{"reason":"x"}` {
		t.Errorf("%s %s of %s: %s", sent.Method, sent.URL, sent.Host, w.api.sum[0])
	}
	want := http.Header{"Accept": {"application/json"}, "Content-Type": {"application/json"}, "Idempotency-Key": {"k-1"},
		"X-Admin-Via": {"page"}}
	if fmt.Sprint(sent.Header) != fmt.Sprint(want) {
		t.Errorf("the API gets %v", sent.Header)
	}
	// A browser that says nothing of where a request comes from says its origin.
	got = w.send(w.client, http.MethodPost, w.base()+refund, `{}`,
		w.byPage(map[string]string{"Sec-Fetch-Site": "", "Origin": w.base()}))
	if got.status != http.StatusTeapot {
		t.Errorf("by origin alone: %d %s", got.status, got.body)
	}
	// By the other name of this machine, as through a tunnel.
	if w.open(w.server.Link(), "") != "" {
		t.Error("a used link works")
	}
	own := strings.Replace(w.base(), "127.0.0.1", "localhost", 1)
	w.token = w.open(strings.Replace(w.newLink("second time"), "127.0.0.1", "localhost", 1), "")
	got = w.send(w.client, http.MethodPost, own+refund, `{}`, w.byPage(map[string]string{"Origin": own}))
	if w.token == "" || got.status != http.StatusTeapot {
		t.Errorf("a call by another name: %d %s", got.status, got.body)
	}
}

// TestRefusedRequests sends what neither the page nor its user sends.
func TestRefusedRequests(t *testing.T) {
	w := start(t)
	w.enter()
	get, post := http.MethodGet, http.MethodPost
	for name, test := range map[string]struct {
		method, path string
		headers      map[string]string
		body         string
		status       int
	}{
		"rebound name":             {get, "/admin/v1/me", map[string]string{"Host": "evil.example"}, "", 421},
		"rebound name with port":   {get, "/", map[string]string{"Host": "evil.example:" + w.port()}, "", 421},
		"name without port":        {get, "/", map[string]string{"Host": "127.0.0.1"}, "", 421},
		"another port":             {get, "/", map[string]string{"Host": "localhost:1"}, "", 421},
		"name with a dot":          {get, "/", map[string]string{"Host": "localhost.:" + w.port()}, "", 421},
		"other site":               {post, refund, map[string]string{"Sec-Fetch-Site": "cross-site"}, "{}", 403},
		"other port":               {post, refund, map[string]string{"Sec-Fetch-Site": "same-site"}, "{}", 403},
		"typed in":                 {post, refund, map[string]string{"Sec-Fetch-Site": "none"}, "{}", 403},
		"other origin":             {post, refund, map[string]string{"Origin": "http://evil.example"}, "{}", 403},
		"origin of another port":   {post, refund, map[string]string{"Origin": "http://127.0.0.1:1"}, "{}", 403},
		"origin by the other name": {post, refund, map[string]string{"Origin": "http://localhost:" + w.port()}, "{}", 403},
		"no origin":                {post, refund, map[string]string{"Origin": "null"}, "{}", 403},
		"nothing said":             {post, refund, map[string]string{"Sec-Fetch-Site": ""}, "{}", 403},
		"read by another site":     {get, "/admin/v1/me", map[string]string{"Sec-Fetch-Site": "cross-site"}, "", 403},
		"read by another port":     {get, "/admin/v1/me", map[string]string{"Sec-Fetch-Site": "same-site"}, "", 403},
		"read with another origin": {get, "/admin/v1/me", map[string]string{"Origin": "http://evil.example"}, "", 403},
		"form":                     {post, refund, map[string]string{"Content-Type": "text/plain"}, "{}", 415},
		"form that looks like JSON": {post, refund, map[string]string{"Content-Type": "text/plain; application/json"},
			"{}", 415},
		"no type":          {post, refund, map[string]string{"Content-Type": ""}, "{}", 415},
		"huge":             {post, refund, nil, strings.Repeat(" ", 1<<20+1), 413},
		"PUT":              {http.MethodPut, refund, nil, "{}", 405},
		"DELETE":           {http.MethodDelete, refund, nil, "", 405},
		"OPTIONS":          {http.MethodOptions, refund, nil, "", 405},
		"HEAD":             {http.MethodHead, "/admin/v1/me", nil, "", 405},
		"POST of the page": {post, "/", nil, "{}", 405},
		"another version":  {get, "/admin/v2/me", nil, "", 404},
		"no route":         {get, "/admin/v1/", nil, "", 404},
		"above":            {get, "/admin/v1/../../api/v1/session", nil, "", 404},
		"above, escaped":   {get, "/admin/v1/%2e%2e/me", nil, "", 404},
		"escaped slash":    {get, "/admin/v1/payments%2fme", nil, "", 404},
		"doubled slash":    {get, "/admin/v1//me", nil, "", 404},
		"backslash":        {get, `/admin/v1/..\me`, nil, "", 404},
		"semicolon":        {get, "/admin/v1/me?a=1;b=2", nil, "", 404},
		"merchants' API":   {post, "/api/v1/session", nil, "{}", 405},
		"notices":          {post, "/admin/../api/v1/notify/x", nil, "{}", 404},
	} {
		headers := w.byPage(test.headers)
		got := w.send(w.client, test.method, w.base()+test.path, test.body, headers)
		if got.status != test.status {
			t.Errorf("%s: %d, want %d\n%s", name, got.status, test.status, got.body)
		}
		for _, r := range w.api.requests() {
			t.Errorf("%s: the API got %s %s", name, r.Method, r.URL)
		}
		checkHeaders(t, name, got.header)
	}
}

func (w *world) port() string { return w.base()[strings.LastIndex(w.base(), ":")+1:] }

// TestWithoutToken sends what the page would send, from a page that was not let in.
func TestWithoutToken(t *testing.T) {
	w := start(t)
	code := strings.TrimPrefix(w.server.Link(), w.base()+"/#enter=")
	w.enter()
	for name, headers := range map[string]map[string]string{
		"none":      {"Authorization": ""},
		"empty":     {"Authorization": "Bearer "},
		"bare":      {"Authorization": "Bearer"},
		"another's": {"Authorization": "Bearer " + strings.Repeat("A", 26)},
		"cut":       {"Authorization": "Bearer " + w.token[:25]},
		"longer":    {"Authorization": "Bearer " + w.token + "A"},
		"the code":  {"Authorization": "Bearer " + code},
		"alone":     {"Authorization": w.token},
		"basic":     {"Authorization": "Basic " + w.token},
		"cookie": {"Authorization": "",
			"Cookie": "access=" + w.token + "; checkout-admin-" + w.port() + "=" + w.token},
	} {
		for path, method := range map[string]string{"/admin/v1/me": http.MethodGet, refund: http.MethodPost,
			"/admin/v1/me?access=" + w.token: http.MethodGet} {
			got := w.send(w.client, method, w.base()+path, "{}", w.byPage(headers))
			if got.status != http.StatusUnauthorized {
				t.Errorf("%s, %s: %d\n%s", name, path, got.status, got.body)
			}
			checkHeaders(t, path, got.header)
		}
	}
	if got := w.api.requests(); len(got) > 0 {
		t.Errorf("the API got %d requests", len(got))
	}
}

// TestRawRequests sends what HTTP clients don't.
func TestRawRequests(t *testing.T) {
	w := start(t)
	w.enter()
	host := strings.TrimPrefix(w.base(), "http://")
	rest := "Authorization: Bearer " + w.token + "\r\nSec-Fetch-Site: same-origin\r\n\r\n"
	for name, test := range map[string]struct {
		text   string
		status int
	}{
		"absolute":           {"GET http://" + host + "/admin/v1/me HTTP/1.1\r\nHost: " + host, 421},
		"absolute elsewhere": {"GET http://evil.example/admin/v1/me HTTP/1.1\r\nHost: " + host, 421},
		"absolute over":      {"GET http://" + host + "/admin/v1/me HTTP/1.1\r\nHost: evil.example", 421},
		"tunnel":             {"CONNECT evil.example:443 HTTP/1.1\r\nHost: " + host, 421},
		"asterisk":           {"OPTIONS * HTTP/1.1\r\nHost: " + host, 421},
		"no host":            {"GET /admin/v1/me HTTP/1.0\r\nX: 1", 421},
		"two hosts":          {"GET /admin/v1/me HTTP/1.1\r\nHost: " + host + "\r\nHost: evil.example", 400},
		"above":              {"GET /admin/v1/../../x HTTP/1.1\r\nHost: " + host, 404},
		"zero byte":          {"GET /admin/v1/me%00 HTTP/1.1\r\nHost: " + host, 404},
		"file above":         {"GET /../secret.txt HTTP/1.1\r\nHost: " + host, 404},
		"file far above":     {"GET //../../secret.txt HTTP/1.1\r\nHost: " + host, 404},
		"two lengths": {"POST " + refund + " HTTP/1.1\r\nHost: " + host +
			"\r\nContent-Length: 2\r\nContent-Length: 3", 400},
		"huge header": {"GET / HTTP/1.1\r\nHost: " + host + "\r\nX: " + strings.Repeat("x", 40<<10), 431},
	} {
		status, body := w.raw(test.text + "\r\n" + rest)
		if status != test.status || strings.Contains(body, "secret") {
			t.Errorf("%s: %d %s", name, status, body)
		}
		for _, r := range w.api.requests() {
			t.Errorf("%s: the API got %s %s", name, r.Method, r.URL)
		}
	}
	// Of two values the first is passed on: what is signed is what is sent.
	status, _ := w.raw("POST " + refund + " HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 2\r\n" +
		"Content-Type: application/json\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\n" + rest + "{}")
	if got := w.api.requests(); status != http.StatusTeapot || len(got) != 1 ||
		fmt.Sprint(got[0].Header["Idempotency-Key"]) != "[a]" {
		t.Errorf("two keys: %d, %v", status, got)
	}
}

func TestAPIThatCannotBeReached(t *testing.T) {
	w := start(t)
	w.enter()
	w.api.err = errors.New("the AWS credentials have expired")
	got := w.send(w.client, http.MethodGet, w.base()+"/admin/v1/me", "", w.byPage(nil))
	const want = `{"error_code":0,"error_message":"The admin API can't be reached: the AWS credentials have expired",` +
		`"errors":[{"error_code":0,"error_message":"The admin API can't be reached: the AWS credentials have expired"}],` +
		`"status":"error"}`
	if got.status != http.StatusBadGateway || got.body != want {
		t.Errorf("%d %s", got.status, got.body)
	}
	checkHeaders(t, "no API", got.header)
}

func TestInProcess(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "1")
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusConflict)
		}
		fmt.Fprint(w, r.URL.Path)
	})
	for method, status := range map[string]int{http.MethodGet: 200, http.MethodPost: 409} {
		r, err := http.NewRequestWithContext(t.Context(), method, "http://local/admin/v1/me", nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := adminpage.InProcess(handler).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		var text [64]byte
		n, _ := got.Body.Read(text[:])
		if got.StatusCode != status || got.Header.Get("X-Request-Id") != "1" || string(text[:n]) != "/admin/v1/me" {
			t.Errorf("%s: %d %s", method, got.StatusCode, text[:n])
		}
	}
}
