package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/merchant"
	"checkout/internal/payer"
	"checkout/internal/request"
	"checkout/internal/store/memory"
	"checkout/internal/worker"
)

// fakeSandbox is a Sandbox whose methods return the error of a function.
type fakeSandbox struct{ step func() error }

func (f fakeSandbox) Step(_ context.Context, reference string) (kind, amount, currency string, err error) {
	kind, amount, _ = strings.Cut(reference, " ")
	return kind, amount, "<b>", f.step()
}

func (f fakeSandbox) Finish(_ context.Context, _ string, confirmed bool) (string, error) {
	return fmt.Sprint("https://pay.example/finish?confirmed=", confirmed), f.step()
}

func (f fakeSandbox) Expire(context.Context, string) (string, error) {
	return "https://pay.example/expire", f.step()
}

func (f fakeSandbox) Pay(_ context.Context, _, part, amount string) (string, error) {
	return "https://pay.example/" + part + "?amount=" + amount, f.step()
}

func (f fakeSandbox) Dispute(_ context.Context, _ string, reversed bool) (string, error) {
	return fmt.Sprint("https://pay.example/back?reversed=", reversed), f.step()
}

func (f fakeSandbox) Report(context.Context, []byte) error { return f.step() }

func (f fakeSandbox) Token(context.Context, *request.Session, string, []byte) (string, error) {
	return "{}", f.step()
}

// servedAPI is an API with what its routes lead to.
type servedAPI struct {
	*API
	services Services
}

func (a servedAPI) all() Routes { return All(&a.services) }

func (a servedAPI) notify() Routes { return Notify(a.Core, a.services.Notices, a.services.Sandbox) }

// newAPI makes an API with an empty store, and its log. The methods of its sandbox return the error of step.
func newAPI(step func() error) (servedAPI, *bytes.Buffer) {
	var log bytes.Buffer
	core := &checkout.Core{
		Store: memory.NewStore(), Log: slog.New(fault.NewLogHandler(slog.NewJSONHandler(&log, nil))),
		Now:    func() time.Time { return time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC) },
		Random: func(n int) []byte { return bytes.Repeat([]byte{0xab}, n) },
	}
	notices := worker.NewNotices(core, nil, nil)
	return servedAPI{&API{Core: core, Version: "v1.2.3-4-gabcdef0"}, Services{
		Core: core, Creator: merchant.NewCreator(core, nil, nil, ""), Statuses: merchant.NewStatuses(core, nil),
		FollowUps: merchant.NewFollowUps(core, nil), Recurrer: merchant.NewRecurrer(core, nil),
		Page: payer.NewPage(core, nil, nil, ""), Notices: notices, Sandbox: fakeSandbox{step},
	}}, &log
}

// requestID is made of newAPI's randomness.
const requestID = "abababababababab"

// send sends a request to the handler of some routes.
func send(a servedAPI, routes Routes, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	a.Handler(routes).ServeHTTP(w, r)
	return w
}

func TestResponsesToErrors(t *testing.T) {
	fails := func(code fault.Code, faultCode int, path, text string) *fault.Error {
		return &fault.Error{Code: code, Faults: []fault.Fault{{Number: faultCode, Path: path, Text: text}}}
	}
	tooMany := fails(fault.CodeTooMany, 100000, "", "Too many requests.")
	tooMany.RetryAfter = 7
	conflict := fails(fault.CodeConflict, 100000, "", "Changed meanwhile.")
	conflict.Hint = map[string]int{"version": 3}
	notReady := fails(fault.CodeNotReady, 100000, "", "Try again.")
	notReady.RetryAfter = 10
	const invalidData = "Request data is invalid."
	// errorJSON is the body with one error element.
	errorJSON := func(code int, message string, elementCode int, elementMessage string) string {
		return fmt.Sprintf(`{"error_code":%d,"error_message":%q,`+
			`"errors":[{"error_code":%d,"error_message":%q}],"status":"error"}`, code, message, elementCode, elementMessage)
	}
	internal := strings.TrimSuffix(errorJSON(0, "Internal server error.", 100000, "Internal server error."), "}") +
		`,"request_id":"` + requestID + `"}`
	tested := map[fault.Code]bool{}
	for _, test := range []struct {
		name   string
		err    error
		status int
		retry  string // Retry-After
		body   string
	}{
		{
			"invalid",
			&fault.Error{Code: fault.CodeInvalid, Faults: []fault.Fault{
				{Number: 100000, Path: "order.amount", Text: "A & B."},
				{Number: 204003, Text: "<No>."},
			}},
			400, "",
			`{"error_code":0,"error_message":"Request data is invalid.","errors":[` +
				`{"error_code":100000,"error_message":"order.amount: A & B."},` +
				`{"error_code":204003,"error_message":"<No>."}],"status":"error"}`,
		},
		{
			"duplicate", fails(fault.CodeDuplicate, 100000, "", "Duplicate request"), 400, "",
			errorJSON(100000, "Duplicate request", 100000, "Duplicate request"),
		},
		{
			"hash", fails(fault.CodeHash, 100000, "hash", "Hash is not valid."), 401, "",
			errorJSON(0, invalidData, 100000, "hash: Hash is not valid."),
		},
		{
			"denied", fails(fault.CodeDenied, 100000, "", "Merchant is disabled."), 403, "",
			errorJSON(0, "Merchant is disabled.", 100000, "Merchant is disabled."),
		},
		{
			"not found", fails(fault.CodeNotFound, 208001, "", "Payment not found"), 404, "",
			errorJSON(0, invalidData, 208001, "Payment not found"),
		},
		{
			"not allowed", fails(fault.CodeNotAllowed, 208005, "", "Not refundable."), 400, "",
			errorJSON(0, invalidData, 208005, "Not refundable."),
		},
		{
			"too many", tooMany, 429, "7",
			errorJSON(0, "Too many requests.", 100000, "Too many requests."),
		},
		{
			"too early", fails(fault.CodeTooEarly, 100000, "", "Not settled yet."), 409, "",
			errorJSON(0, "Not settled yet.", 100000, "Not settled yet."),
		},
		{
			"conflict", conflict, 409, "",
			strings.Replace(errorJSON(0, "Changed meanwhile.", 100000, "Changed meanwhile."), `"status":"error"`,
				`"status":"error","hint":{"version":3}`, 1),
		},
		{"not ready", notReady, 503, "10", errorJSON(0, "Try again.", 100000, "Try again.")},
		{
			"not authentic", fails(fault.CodeNotAuthentic, 100000, "", "Not authentic."), 401, "",
			errorJSON(0, invalidData, 100000, "Not authentic."),
		},
		{
			"signed out", fails(fault.CodeSignedOut, 100000, "", "You are not signed in."), 401, "",
			errorJSON(0, "You are not signed in.", 100000, "You are not signed in."),
		},
		{
			"changed meanwhile", fails(fault.CodeConflict, 100000, "", "Somebody has changed this."), 409, "",
			errorJSON(0, "Somebody has changed this.", 100000, "Somebody has changed this."),
		},
		{
			"wrapped",
			fmt.Errorf("read the secret-table: %w", fails(fault.CodeNotFound, 208001, "", "Payment not found")),
			404, "", errorJSON(0, invalidData, 208001, "Payment not found"),
		},
		{"internal", errors.New("the secret-table is away"), 500, "", internal},
		{"without a code", fails(0, 100000, "", "secret-text"), 500, "", internal},
		{"unknown code", fails(99, 100000, "", "secret-text"), 500, "", internal},
	} {
		t.Run(test.name, func(t *testing.T) {
			tested[fault.CodeOf(test.err)] = true
			a, log := newAPI(func() error { return test.err })
			w := send(a, a.all(), httptest.NewRequest("GET", "/sandbox/x", nil))
			if w.Code != test.status || strings.TrimSpace(w.Body.String()) != test.body {
				t.Errorf("returned %d\n%s\nwant %d\n%s", w.Code, w.Body, test.status, test.body)
			}
			if got := w.Header().Values("Retry-After"); strings.Join(got, ",") != test.retry {
				t.Errorf("Retry-After %q", got)
			}
			for name, want := range map[string]string{
				"Content-Type": "application/json", "X-Request-Id": requestID, "X-Service-Version": "v1.2.3-4-gabcdef0",
				"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s is %q", name, got)
				}
			}
			if got := w.Header().Get("X-Sign-In"); (got == "/admin/login") != (test.name == "signed out") {
				t.Errorf("X-Sign-In is %q", got)
			}
			line := logged(t, log)[0]
			if line["status"] != json.Number(fmt.Sprint(test.status)) || line["request"] != requestID ||
				line["route"] != "GET /sandbox/{reference}" {
				t.Errorf("logged %v", line)
			}
			if strings.Contains(log.String(), "secret-table is away") != (test.name == "internal") {
				t.Errorf("logged %s", log)
			}
		})
	}
	for code := range statuses {
		if !tested[code] {
			t.Errorf("code %d is not tested", code)
		}
	}
}

// logged returns the log's lines, of which there must be one at least.
func logged(t *testing.T, log *bytes.Buffer) (lines []map[string]any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(log.Bytes()))
	decoder.UseNumber()
	for decoder.More() {
		var line map[string]any
		if err := decoder.Decode(&line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		t.Fatal("nothing was logged")
	}
	return lines
}

func TestResponseToAPanic(t *testing.T) {
	for name, step := range map[string]func() error{
		"of ours":        func() error { panic("4111111111111111") },
		"of the runtime": func() error { var none *checkout.Session; none.ID = ""; return nil },
	} {
		t.Run(name, func(t *testing.T) {
			a, log := newAPI(step)
			w := send(a, a.notify(), httptest.NewRequest("GET", "/sandbox/x", nil))
			var body errorBody
			if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != http.StatusInternalServerError {
				t.Fatalf("returned %d %s", w.Code, w.Body)
			}
			if body.RequestID != requestID || w.Header().Get("X-Request-Id") != requestID ||
				body.Message != "Internal server error." {
				t.Errorf("returned %s", w.Body)
			}
			lines := logged(t, log)
			if len(lines) != 2 || lines[0]["msg"] != "panic" || lines[0]["request"] != requestID ||
				!strings.Contains(fmt.Sprint(lines[0]["stack"]), "fakeSandbox") {
				t.Errorf("logged %v", lines)
			}
			if strings.Contains(log.String()+w.Body.String(), "411111") {
				t.Error("the panic's value is in the log or the response")
			}
			next := send(a, a.notify(), httptest.NewRequest("GET", "/api/v1/notify/x", nil))
			if next.Code != http.StatusNotFound {
				t.Errorf("the next request: %d", next.Code)
			}
		})
	}
}

func TestPayerIP(t *testing.T) {
	for _, test := range []struct{ remote, forwarded, want string }{
		{"203.0.113.9", "", "203.0.113.9"}, // API Gateway has no port
		{"203.0.113.9:50000", "", "203.0.113.9"},
		{"2001:db8::9", "", "2001:db8::9"},
		{"[2001:db8::9]:50000", "", "2001:db8::9"},
		{"", "", ""},
		{"130.176.0.1", "198.51.100.7, 130.176.0.1", "198.51.100.7"}, // the payer, CloudFront
		{"130.176.0.1", "198.51.100.7,130.176.0.1", "198.51.100.7"},
		{"130.176.0.1", "2001:db8::9, 130.176.0.1", "2001:db8::9"},
		{"130.176.0.1", "10.0.0.1, 1.1.1.1, 198.51.100.7, 130.176.0.1", "198.51.100.7"}, // the payer sent two
		{"203.0.113.9", "198.51.100.7", "203.0.113.9"},                                  // not through CloudFront
		{"203.0.113.9", " ", "203.0.113.9"},
		{"130.176.0.1", "<script>, 130.176.0.1", ""}, // no address
		{"130.176.0.1", ", 130.176.0.1", ""},
		{"130.176.0.1", "unknown, 130.176.0.1", ""},
		{"130.176.0.1", "198.51.100.7:80, 130.176.0.1", ""},
		{"130.176.0.1", "198.51.100.700, 130.176.0.1", ""},
		{"130.176.0.1", "fe80::1%<b>, 130.176.0.1", ""},
		{"@", "", ""},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = test.remote
		if test.forwarded != "" {
			r.Header.Set("X-Forwarded-For", test.forwarded)
		}
		if got := payerIP(r); got != test.want {
			t.Errorf("%q for %q: %q, not %q", test.remote, test.forwarded, got, test.want)
		}
	}
}

// Bodies may be as large as the limit. They are padded with spaces.
func TestBodies(t *testing.T) {
	const rejected = `{"error_code":0,"error_message":"Request data is invalid.",` +
		`"errors":[{"error_code":100000,"error_message":"`
	padded := func(text string, size int) io.Reader {
		return strings.NewReader(text + strings.Repeat(" ", size-len(text)))
	}
	paths := []string{"/page/v1/unknown/pay"}
	for _, route := range All(&Services{}) {
		if strings.HasPrefix(route.Path, "/api/") && !strings.Contains(route.Path, "{") { // a merchant's call
			paths = append(paths, route.Path)
		}
	}
	for _, path := range paths {
		a, _ := newAPI(nil)
		fits := send(a, a.all(), httptest.NewRequest("POST", path, padded(`{"attempt":"a"}`, request.MaxBody)))
		large := send(a, a.all(), httptest.NewRequest("POST", path, padded(`{"attempt":"a"}`, request.MaxBody+1)))
		if large.Code != http.StatusBadRequest || !strings.HasPrefix(large.Body.String(), rejected) {
			t.Errorf("%s, too large: %d %s", path, large.Code, large.Body)
		}
		if fits.Body.String() == large.Body.String() {
			t.Errorf("%s, as large as the limit: %d %s", path, fits.Code, fits.Body)
		}
		unread := iotest.ErrReader(errors.New("secret of the connection"))
		broken := send(a, a.all(), httptest.NewRequest("POST", path, unread))
		unreadable := rejected + `The body could not be read."}],"status":"error"}`
		if broken.Code != http.StatusBadRequest || strings.TrimSpace(broken.Body.String()) != unreadable {
			t.Errorf("%s, interrupted: %d %s", path, broken.Code, broken.Body)
		}
		for _, text := range []string{"", "null", "[]", `{"attempt":`, "\xff"} {
			w := send(a, a.all(), httptest.NewRequest("POST", path, strings.NewReader(text)))
			if w.Code < 400 || w.Code >= 500 {
				t.Errorf("%s with %q: %d %s", path, text, w.Code, w.Body)
			}
		}
	}
}

func TestPathsAndMethods(t *testing.T) {
	a, _ := newAPI(func() error { return nil })
	const notFound = `{"error_code":0,"error_message":"Not found.",` +
		`"errors":[{"error_code":100000,"error_message":"Not found."}],"status":"error"}`
	for _, test := range []struct {
		routes       Routes
		method, path string
	}{
		{a.all(), "GET", "/"},
		{a.all(), "GET", "/api/v1/session"},
		{a.all(), "PUT", "/api/v1/payment/status"},
		{a.all(), "POST", "/api/v1/sessions"},
		{a.all(), "GET", "//api//v1/session/"},
		{a.all(), "GET", "/page/v1/"},
		{a.all(), "GET", "/page/v1/a/b"},
		{a.all(), "DELETE", "/sandbox/x"},
		{Status(a.services.Statuses), "POST", "/api/v1/session"},
		{Session(a.services.Creator), "GET", "/sandbox/x"},
		{nil, "POST", "/api/v1/session"},
	} {
		w := send(a, test.routes, httptest.NewRequest(test.method, test.path, strings.NewReader("{}")))
		if w.Code != http.StatusNotFound || strings.TrimSpace(w.Body.String()) != notFound {
			t.Errorf("%s %s returned %d %s", test.method, test.path, w.Code, w.Body)
		}
		if w.Header().Get("Content-Type") != "application/json" || w.Header().Get("X-Request-Id") != requestID {
			t.Errorf("%s %s returned %v", test.method, test.path, w.Header())
		}
	}
	for _, route := range All(&Services{}) {
		path := strings.NewReplacer("{", "", "}", "").Replace(route.Path)
		w := send(a, a.all(), httptest.NewRequest(route.Method, path, strings.NewReader("{}")))
		if strings.TrimSpace(w.Body.String()) == notFound {
			t.Errorf("%s %s is not served: %d %s", route.Method, path, w.Code, w.Body)
		}
	}
}

// Doubled and trailing slashes are ignored, without a redirect (protocol.md, Plugins as they are).
func TestSurplusSlashesAreIgnored(t *testing.T) {
	for path, want := range map[string]int{
		"/api/v1/payment/status":        400,
		"//api/v1/payment/status":       400,
		"/api/v1/payment/status/":       400,
		"///api//v1///payment/status//": 400,
		"//page/v1/none/":               404,
		"/api/v1/payment/status/x":      404,
		"//":                            404,
	} {
		a, _ := newAPI(nil)
		w := send(a, a.all(), httptest.NewRequest("POST", "http://pay.example"+path, strings.NewReader("{}")))
		if w.Code != want || w.Header().Get("Location") != "" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	a, _ := newAPI(nil)
	for _, path := range []string{"/sandbox/a%2Fb", "//sandbox//a%2Fb/"} { // an escaped slash separates nothing
		w := send(a, a.all(), httptest.NewRequest("GET", "http://pay.example"+path, nil))
		if strings.Contains(w.Body.String(), `"Not found."`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// Each page has a text and the buttons for what can be done next.
func TestSandboxPages(t *testing.T) {
	button := regexp.MustCompile(`<button[^>]* name="action" value="([a-z_]+)"`)
	const input = `<label for="amount">Amount in &lt;b&gt; <input id="amount" name="amount" required`
	a, _ := newAPI(func() error { return nil })
	for _, test := range []struct {
		kind, amount  string
		text, buttons string
		field         bool
	}{
		{"3ds", "10.00", "Payment of 10.00 &lt;b&gt;. No real money moves.", "confirm refuse", false},
		{"redirect", "10.00", "Payment of 10.00 &lt;b&gt;. No real money moves.", "confirm refuse", false},
		{"pending", "10.00", "Payment of 10.00 &lt;b&gt;. No real money moves.",
			"pay pay_half pay_double refuse expire pay_late", false},
		{"pending", "", "The payer chooses the amount.", "pay refuse expire pay_late", true},
		{"partly", "10.00", "Payment of 10.00 &lt;b&gt;. A part has arrived. No real money moves.",
			"pay_rest pay expire pay_late", false},
		{"over", "10.00", "Payment of 10.00 &lt;b&gt;. The time to pay is over. No real money moves.",
			"pay_late", false},
		{"over", "", "The payer chooses the amount. The time to pay is over.", "pay_late", true},
		{"confirm", "10.00", "Payment of 10.00 &lt;b&gt;. No real money moves.", "confirm refuse expire pay_late", false},
		{"code", "10.00", "The code is 123456.", "confirm refuse expire pay_late", false},
		{"paid_out", "10.00", "Payout of 10.00 &lt;b&gt; is settled. It may still fail.", "reverse confirm", false},
		{"settled", "10.00", "Payment of 10.00 &lt;b&gt; is settled.", "chargeback reverse confirm", false},
		{"chargeback", "10.00", "Payment of 10.00 &lt;b&gt; was charged back.", "confirm", false},
		{"reversal", "10.00", "Payment of 10.00 &lt;b&gt; was reversed.", "confirm", false},
		{"", "10.00", "Nothing is left to do here.", "confirm", false},
	} {
		w := send(a, a.notify(), httptest.NewRequest("GET", "/sandbox/"+test.kind+"%20"+test.amount, nil))
		body := w.Body.String()
		var buttons []string
		for _, found := range button.FindAllStringSubmatch(body, -1) {
			buttons = append(buttons, found[1])
		}
		got := strings.Join(buttons, " ")
		if w.Code != http.StatusOK || !strings.Contains(body, test.text) || got != test.buttons {
			t.Errorf("%s: %d, buttons %q, %s", test.kind, w.Code, got, body)
		}
		if strings.Contains(body, "<b>") || strings.Contains(body, "<script") || strings.Contains(body, "style=") {
			t.Errorf("%s: %s", test.kind, body)
		}
		if field := strings.Contains(body, input); field != test.field {
			t.Errorf("%s of %q: a field is %v", test.kind, test.amount, field)
		}
		style := body[strings.Index(body, "<style>")+len("<style>") : strings.Index(body, "</style>")]
		sum := sha256.Sum256([]byte(style))
		hash := base64.StdEncoding.EncodeToString(sum[:])
		want := "default-src 'none'; style-src 'sha256-" + hash + "'; form-action 'self'; base-uri 'none'"
		if policy := w.Header().Get("Content-Security-Policy"); policy != want {
			t.Errorf("policy %q", policy)
		}
	}
}

// Each button calls a method of the sandbox and redirects to the URL that it returns.
func TestSandboxButtons(t *testing.T) {
	a, _ := newAPI(func() error { return nil })
	press := func(body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", "/sandbox/x", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return send(a, a.notify(), r)
	}
	tooLarge := "action=refuse&x=" + strings.Repeat("x", request.MaxBody)
	for _, body := range []string{"", "action=maybe", "action=%zz", tooLarge} {
		if w := press(body); w.Code != http.StatusBadRequest { // a broken form must not refuse the payment
			t.Errorf("pressed %.20q: %d", body, w.Code)
		}
	}
	for body, want := range map[string]string{
		"action=confirm":           "finish?confirmed=true",
		"action=refuse":            "finish?confirmed=false",
		"action=expire&amount=":    "expire",
		"action=pay":               "pay?amount=",
		"action=pay&amount=0.5":    "pay?amount=0.5",
		"action=pay_half":          "pay_half?amount=",
		"action=pay_rest":          "pay_rest?amount=",
		"action=pay_double":        "pay_double?amount=",
		"action=pay_late&amount=1": "pay_late?amount=1",
		"action=chargeback":        "back?reversed=false",
		"action=reverse&amount=10": "back?reversed=true",
	} {
		w := press(body)
		if to := w.Header().Get("Location"); w.Code != http.StatusSeeOther || to != "https://pay.example/"+want {
			t.Errorf("pressed %s: %d to %q", body, w.Code, to)
		}
	}
}

// A request that did not come through CloudFront, with another secret or none, is rejected before its path is read.
func TestRequestsPastCloudFrontAreRejected(t *testing.T) {
	for _, test := range []struct {
		secret, sent string
		status       int
	}{
		{"the secret", "the secret", 404},
		{"the secret", "", 403},
		{"the secret", "the secre", 403},
		{"the secret", "The secret", 403},
		{"", "", 404},
		{"", "anything", 404},
	} {
		a, log := newAPI(func() error { return nil })
		a.OriginSecret = test.secret
		r := httptest.NewRequest("POST", "/api/v1/nothing", nil)
		r.Header.Set("X-Origin-Secret", test.sent)
		w := send(a, Status(a.services.Statuses), r)
		if w.Code != test.status {
			t.Errorf("%q for %q: %d", test.sent, test.secret, w.Code)
		}
		const denied = `{"error_code":0,"error_message":"Access denied.",` +
			`"errors":[{"error_code":100000,"error_message":"Access denied."}],"status":"error"}`
		if body := strings.TrimSpace(w.Body.String()); test.status == 403 && body != denied {
			t.Errorf("body %s", body)
		}
		if test.secret != "" && strings.Contains(log.String(), test.secret) {
			t.Errorf("log %s", log)
		}
	}
}

// API Gateway's request id is in the log, in the header of the response and in the body of an internal error.
func TestRequestIDOfTheGateway(t *testing.T) {
	a, log := newAPI(func() error { return errors.New("broken") })
	r := httptest.NewRequest("GET", "/sandbox/x", nil)
	w := send(a, a.notify(), r.WithContext(fault.WithNote(r.Context(), &fault.Note{ID: "JKJaXmPLvHcESHA="})))
	const id = `"JKJaXmPLvHcESHA="`
	if w.Header().Get("X-Request-Id") != "JKJaXmPLvHcESHA=" || !strings.Contains(w.Body.String(), `"request_id":`+id) ||
		!strings.Contains(log.String(), `"request":`+id) || !strings.Contains(log.String(), `"ip":"192.0.2.1"`) {
		t.Errorf("%v %s\n%s", w.Header(), w.Body, log)
	}
}
