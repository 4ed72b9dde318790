package api

import (
	"bytes"
	"context"
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
	"checkout/internal/request"
	"checkout/internal/store/memory"
)

// fakeSandbox is a handler's way into the service that ends as a test says.
type fakeSandbox struct{ step func() error }

func (f fakeSandbox) Step(_ context.Context, reference string) (kind, amount, currency string, err error) {
	kind, amount, _ = strings.Cut(reference, " ")
	return kind, amount, "<b>", f.step()
}

func (f fakeSandbox) Finish(_ context.Context, _ string, confirmed bool) (string, error) {
	return fmt.Sprint("https://pay.example/finish?confirmed=", confirmed), f.step()
}

func (f fakeSandbox) Pay(_ context.Context, _, part, amount string) (string, error) {
	return "https://pay.example/" + part + "?amount=" + amount, f.step()
}

func (f fakeSandbox) Dispute(_ context.Context, _ string, reversed bool) (string, error) {
	return fmt.Sprint("https://pay.example/back?reversed=", reversed), f.step()
}

func (f fakeSandbox) Report(context.Context, []byte) error { return f.step() }

// newAPI is the API over an empty store, and its log. GET /sandbox/x ends as step does.
func newAPI(step func() error) (*API, *bytes.Buffer) {
	var log bytes.Buffer
	service := &checkout.Service{
		Store: memory.NewStore(), Log: slog.New(request.NewLogHandler(slog.NewJSONHandler(&log, nil))),
		Now:    func() time.Time { return time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC) },
		Random: func(n int) []byte { return bytes.Repeat([]byte{0xab}, n) },
	}
	return &API{Service: service, Sandbox: fakeSandbox{step}}, &log
}

// requestID is what newAPI's randomness makes.
const requestID = "abababababababab"

// ask sends a request to the handler of some routes.
func ask(a *API, routes Routes, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	a.Handler(routes).ServeHTTP(w, r)
	return w
}

func TestErrorsToAnswers(t *testing.T) {
	fault := func(code int, path, text string) request.Fault {
		return request.Fault{Code: code, Path: path, Text: text}
	}
	const internal = `{"error_code":0,"error_message":"Internal server error.","errors":[{"error_code":100000,"error_message":"Internal server error."}],"status":"error","request_id":"` + requestID + `"}`
	tested := map[request.Code]bool{}
	for _, test := range []struct {
		name   string
		err    error
		status int
		retry  string // Retry-After
		body   string
	}{
		{"invalid", &request.Error{Code: request.CodeInvalid, Faults: []request.Fault{fault(100000, "order.amount", "A & B."), fault(204003, "", "<No>.")}}, 400, "",
			`{"error_code":0,"error_message":"Request data is invalid.","errors":[{"error_code":100000,"error_message":"order.amount: A & B."},{"error_code":204003,"error_message":"<No>."}],"status":"error"}`},
		{"duplicate", &request.Error{Code: request.CodeDuplicate, Faults: []request.Fault{fault(100000, "", "Duplicate request")}}, 400, "",
			`{"error_code":100000,"error_message":"Duplicate request","errors":[{"error_code":100000,"error_message":"Duplicate request"}],"status":"error"}`},
		{"hash", &request.Error{Code: request.CodeHash, Faults: []request.Fault{fault(100000, "hash", "Hash is not valid.")}}, 401, "",
			`{"error_code":0,"error_message":"Request data is invalid.","errors":[{"error_code":100000,"error_message":"hash: Hash is not valid."}],"status":"error"}`},
		{"denied", &request.Error{Code: request.CodeDenied, Faults: []request.Fault{fault(100000, "", "Merchant is disabled.")}}, 403, "",
			`{"error_code":0,"error_message":"Merchant is disabled.","errors":[{"error_code":100000,"error_message":"Merchant is disabled."}],"status":"error"}`},
		{"not found", &request.Error{Code: request.CodeNotFound, Faults: []request.Fault{fault(208001, "", "Payment not found")}}, 404, "",
			`{"error_code":0,"error_message":"Request data is invalid.","errors":[{"error_code":208001,"error_message":"Payment not found"}],"status":"error"}`},
		{"not allowed", &request.Error{Code: request.CodeNotAllowed, Faults: []request.Fault{fault(208005, "", "Not refundable.")}}, 400, "",
			`{"error_code":0,"error_message":"Request data is invalid.","errors":[{"error_code":208005,"error_message":"Not refundable."}],"status":"error"}`},
		{"too many", &request.Error{Code: request.CodeTooMany, RetryAfter: 7, Faults: []request.Fault{fault(100000, "", "Too many requests.")}}, 429, "7",
			`{"error_code":0,"error_message":"Too many requests.","errors":[{"error_code":100000,"error_message":"Too many requests."}],"status":"error"}`},
		{"not authentic", &request.Error{Code: request.CodeNotAuthentic, Faults: []request.Fault{fault(100000, "", "Not authentic.")}}, 401, "",
			`{"error_code":0,"error_message":"Request data is invalid.","errors":[{"error_code":100000,"error_message":"Not authentic."}],"status":"error"}`},
		{"wrapped", fmt.Errorf("read the secret-table: %w", &request.Error{Code: request.CodeNotFound, Faults: []request.Fault{fault(208001, "", "Payment not found")}}), 404, "",
			`{"error_code":0,"error_message":"Request data is invalid.","errors":[{"error_code":208001,"error_message":"Payment not found"}],"status":"error"}`},
		{"internal", errors.New("the secret-table is away"), 500, "", internal},
		{"without a code", &request.Error{Faults: []request.Fault{fault(100000, "", "secret-text")}}, 500, "", internal},
		{"unknown code", &request.Error{Code: 99, Faults: []request.Fault{fault(100000, "", "secret-text")}}, 500, "", internal},
	} {
		t.Run(test.name, func(t *testing.T) {
			tested[request.ErrorCode(test.err)] = true
			a, log := newAPI(func() error { return test.err })
			w := ask(a, All(), httptest.NewRequest("GET", "/sandbox/x", nil))
			if w.Code != test.status || strings.TrimSpace(w.Body.String()) != test.body {
				t.Errorf("answers %d\n%s\ninstead of %d\n%s", w.Code, w.Body, test.status, test.body)
			}
			if got := w.Header().Values("Retry-After"); strings.Join(got, ",") != test.retry {
				t.Errorf("Retry-After %q", got)
			}
			for name, want := range map[string]string{
				"Content-Type": "application/json", "X-Request-Id": requestID, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s is %q", name, got)
				}
			}
			if line := logged(t, log)[0]; line["status"] != json.Number(fmt.Sprint(test.status)) || line["request"] != requestID || line["route"] != "GET /sandbox/{reference}" {
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

// logged reads the log's lines, which may not be none.
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

func TestPanicIsAnAnswer(t *testing.T) {
	for name, step := range map[string]func() error{
		"of ours":        func() error { panic("4111111111111111") },
		"of the runtime": func() error { var none *checkout.Session; none.ID = ""; return nil },
	} {
		t.Run(name, func(t *testing.T) {
			a, log := newAPI(step)
			w := ask(a, Notify, httptest.NewRequest("GET", "/sandbox/x", nil))
			var body errorBody
			if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != http.StatusInternalServerError {
				t.Fatalf("answers %d %s", w.Code, w.Body)
			}
			if body.RequestID != requestID || w.Header().Get("X-Request-Id") != requestID || body.Message != "Internal server error." {
				t.Errorf("answers %s", w.Body)
			}
			lines := logged(t, log)
			if len(lines) != 2 || lines[0]["msg"] != "panic" || lines[0]["request"] != requestID || !strings.Contains(fmt.Sprint(lines[0]["stack"]), "fakeSandbox") {
				t.Errorf("logged %v", lines)
			}
			if strings.Contains(log.String()+w.Body.String(), "4111") {
				t.Error("the panic's own words left the process")
			}
			if again := ask(a, Notify, httptest.NewRequest("GET", "/api/v1/notify/x", nil)); again.Code != http.StatusNotFound {
				t.Errorf("afterwards: %d", again.Code)
			}
		})
	}
}

func TestPayerIP(t *testing.T) {
	for _, test := range []struct{ remote, forwarded, want string }{
		{"203.0.113.9", "", "203.0.113.9"}, // as API Gateway says
		{"203.0.113.9:50000", "", "203.0.113.9"},
		{"2001:db8::9", "", "2001:db8::9"},
		{"[2001:db8::9]:50000", "", "2001:db8::9"},
		{"", "", ""},
		{"130.176.0.1", "198.51.100.7, 130.176.0.1", "198.51.100.7"}, // the payer's, CloudFront's
		{"130.176.0.1", "198.51.100.7,130.176.0.1", "198.51.100.7"},
		{"130.176.0.1", "2001:db8::9, 130.176.0.1", "2001:db8::9"},
		{"130.176.0.1", "10.0.0.1, 1.1.1.1, 198.51.100.7, 130.176.0.1", "198.51.100.7"}, // the payer invents some
		{"203.0.113.9", "198.51.100.7", "203.0.113.9"},                                  // past CloudFront: all of it is invented
		{"203.0.113.9", " ", "203.0.113.9"},
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

// TestBodies sends bodies up to the limit and beyond. Padded with spaces, they say the same.
func TestBodies(t *testing.T) {
	const refused = `{"error_code":0,"error_message":"Request data is invalid.","errors":[{"error_code":100000,"error_message":"`
	padded := func(text string, size int) io.Reader {
		return strings.NewReader(text + strings.Repeat(" ", size-len(text)))
	}
	for _, path := range []string{"/api/v1/session", "/api/v1/session/explain", "/api/v1/payment/status", "/api/v1/payment/capture", "/api/v1/payment/refund",
		"/api/v1/payment/void", "/api/v1/payment/recurring", "/api/v1/payment/retry", "/page/v1/unknown/pay"} {
		a, _ := newAPI(nil)
		fits := ask(a, All(), httptest.NewRequest("POST", path, padded(`{"attempt":"a"}`, request.MaxBody)))
		large := ask(a, All(), httptest.NewRequest("POST", path, padded(`{"attempt":"a"}`, request.MaxBody+1)))
		if large.Code != http.StatusBadRequest || !strings.HasPrefix(large.Body.String(), refused) {
			t.Errorf("%s, too large: %d %s", path, large.Code, large.Body)
		}
		if fits.Body.String() == large.Body.String() {
			t.Errorf("%s, as large as may be: %d %s", path, fits.Code, fits.Body)
		}
		broken := ask(a, All(), httptest.NewRequest("POST", path, iotest.ErrReader(errors.New("secret of the connection"))))
		if broken.Code != http.StatusBadRequest || strings.TrimSpace(broken.Body.String()) != refused+`The body could not be read."}],"status":"error"}` {
			t.Errorf("%s, broken off: %d %s", path, broken.Code, broken.Body)
		}
		for _, text := range []string{"", "null", "[]", `{"attempt":`, "\xff"} {
			if w := ask(a, All(), httptest.NewRequest("POST", path, strings.NewReader(text))); w.Code < 400 || w.Code >= 500 {
				t.Errorf("%s with %q: %d %s", path, text, w.Code, w.Body)
			}
		}
	}
}

func TestPathsAndMethods(t *testing.T) {
	a, _ := newAPI(func() error { return nil })
	const notFound = `{"error_code":0,"error_message":"Not found.","errors":[{"error_code":100000,"error_message":"Not found."}],"status":"error"}`
	for _, test := range []struct {
		routes       Routes
		method, path string
	}{
		{All(), "GET", "/"},
		{All(), "GET", "/api/v1/session"},
		{All(), "PUT", "/api/v1/payment/status"},
		{All(), "POST", "/api/v1/sessions"},
		{All(), "GET", "//api//v1/session/"},
		{All(), "GET", "/page/v1/"},
		{All(), "GET", "/page/v1/a/b"},
		{All(), "DELETE", "/sandbox/x"},
		{Status, "POST", "/api/v1/session"},
		{Session, "GET", "/sandbox/x"},
		{nil, "POST", "/api/v1/session"},
	} {
		w := ask(a, test.routes, httptest.NewRequest(test.method, test.path, strings.NewReader("{}")))
		if w.Code != http.StatusNotFound || strings.TrimSpace(w.Body.String()) != notFound || w.Header().Get("Content-Type") != "application/json" || w.Header().Get("X-Request-Id") != requestID {
			t.Errorf("%s %s answers %d %s", test.method, test.path, w.Code, w.Body)
		}
	}
	for _, route := range All() {
		path := strings.NewReplacer("{", "", "}", "").Replace(route.Path)
		w := ask(a, All(), httptest.NewRequest(route.Method, path, strings.NewReader("{}")))
		if strings.TrimSpace(w.Body.String()) == notFound {
			t.Errorf("%s %s is not served: %d %s", route.Method, path, w.Code, w.Body)
		}
	}
}

// Doubled and trailing slashes lead to the same handler, without a redirect (decisions.md 11).
func TestSlashesDoNotMatter(t *testing.T) {
	for path, want := range map[string]int{
		"/api/v1/payment/status": 400, "//api/v1/payment/status": 400, "/api/v1/payment/status/": 400, "///api//v1///payment/status//": 400,
		"//page/v1/none/": 404, "/api/v1/payment/status/x": 404, "//": 404,
	} {
		a, _ := newAPI(nil)
		w := ask(a, All(), httptest.NewRequest("POST", "http://pay.example"+path, strings.NewReader("{}")))
		if w.Code != want || w.Header().Get("Location") != "" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	a, _ := newAPI(nil)
	for _, path := range []string{"/sandbox/a%2Fb", "//sandbox//a%2Fb/"} { // an escaped slash is no slash
		w := ask(a, All(), httptest.NewRequest("GET", "http://pay.example"+path, nil))
		if strings.Contains(w.Body.String(), `"Not found."`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// TestSandboxPages is what each page says and which buttons it has.
func TestSandboxPages(t *testing.T) {
	a, _ := newAPI(func() error { return nil })
	for _, test := range []struct {
		kind, amount  string
		says, buttons string
		field         bool
	}{
		{"3ds", "10.00", "Payment of 10.00 &lt;b&gt;. No real money moves.", "confirm refuse", false},
		{"redirect", "10.00", "Payment of 10.00 &lt;b&gt;. No real money moves.", "confirm refuse", false},
		{"pending", "10.00", "Payment of 10.00 &lt;b&gt;. No real money moves.", "pay pay_half pay_double expire pay_late", false},
		{"pending", "", "The payer chooses the amount.", "pay expire pay_late", true},
		{"partly", "10.00", "Payment of 10.00 &lt;b&gt;. A part has arrived. No real money moves.", "pay_rest pay expire pay_late", false},
		{"over", "10.00", "Payment of 10.00 &lt;b&gt;. The time to pay is over. No real money moves.", "pay_late", false},
		{"over", "", "The payer chooses the amount. The time to pay is over.", "pay_late", true},
		{"settled", "10.00", "Payment of 10.00 &lt;b&gt; is settled.", "chargeback reverse confirm", false},
		{"chargeback", "10.00", "Payment of 10.00 &lt;b&gt; was charged back.", "confirm", false},
		{"reversal", "10.00", "Payment of 10.00 &lt;b&gt; was reversed.", "confirm", false},
		{"", "10.00", "Nothing is left to do here.", "confirm", false},
	} {
		w := ask(a, Notify, httptest.NewRequest("GET", "/sandbox/"+test.kind+"%20"+test.amount, nil))
		body := w.Body.String()
		var buttons []string
		for _, found := range regexp.MustCompile(`<button[^>]* name="action" value="([a-z_]+)"`).FindAllStringSubmatch(body, -1) {
			buttons = append(buttons, found[1])
		}
		if got := strings.Join(buttons, " "); w.Code != http.StatusOK || !strings.Contains(body, test.says) || got != test.buttons {
			t.Errorf("%s: %d, buttons %q, %s", test.kind, w.Code, got, body)
		}
		if strings.Contains(body, "<b>") || strings.Contains(body, "<script") || strings.Contains(body, "style=") {
			t.Errorf("%s: %s", test.kind, body)
		}
		if field := strings.Contains(body, `<label for="amount">Amount in &lt;b&gt; <input id="amount" name="amount" required`); field != test.field {
			t.Errorf("%s of %q: a field is %v", test.kind, test.amount, field)
		}
		style := body[strings.Index(body, "<style>")+len("<style>") : strings.Index(body, "</style>")]
		if want := "default-src 'none'; style-src 'sha256-" + sha256Text(style) + "'; form-action 'self'; base-uri 'none'"; w.Header().Get("Content-Security-Policy") != want {
			t.Errorf("policy %q", w.Header().Get("Content-Security-Policy"))
		}
	}
}

// TestSandboxButtons is what each button does.
func TestSandboxButtons(t *testing.T) {
	a, _ := newAPI(func() error { return nil })
	press := func(body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", "/sandbox/x", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		return ask(a, Notify, r)
	}
	for _, body := range []string{"", "action=maybe", "action=%zz", "action=refuse&x=" + strings.Repeat("x", request.MaxBody)} {
		if w := press(body); w.Code != http.StatusBadRequest { // what can't be read is no refusal
			t.Errorf("pressed %.20q: %d", body, w.Code)
		}
	}
	for body, want := range map[string]string{
		"action=confirm":           "finish?confirmed=true",
		"action=refuse":            "finish?confirmed=false",
		"action=expire&amount=":    "finish?confirmed=false",
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

// Whoever calls the API past CloudFront, with another secret or none, gets nowhere, not even to the 404.
func TestNothingIsTakenPastCloudFront(t *testing.T) {
	for _, test := range []struct {
		secret, sent string
		status       int
	}{
		{"the secret", "the secret", 404}, {"the secret", "", 403}, {"the secret", "the secre", 403}, {"the secret", "The secret", 403},
		{"", "", 404}, {"", "anything", 404},
	} {
		a, log := newAPI(func() error { return nil })
		a.OriginSecret = test.secret
		r := httptest.NewRequest("POST", "/api/v1/nothing", nil)
		r.Header.Set("X-Origin-Secret", test.sent)
		w := ask(a, Status, r)
		if w.Code != test.status {
			t.Errorf("%q for %q: %d", test.sent, test.secret, w.Code)
		}
		const denied = `{"error_code":0,"error_message":"Access denied.","errors":[{"error_code":100000,"error_message":"Access denied."}],"status":"error"}`
		if body := strings.TrimSpace(w.Body.String()); test.status == 403 && body != denied {
			t.Errorf("body %s", body)
		}
		if test.secret != "" && strings.Contains(log.String(), test.secret) {
			t.Errorf("log %s", log)
		}
	}
}

// The gateway's id is the one in the log, in the answer's header and in a failure's body.
func TestTheRequestIDIsTheGateways(t *testing.T) {
	a, log := newAPI(func() error { return errors.New("broken") })
	r := httptest.NewRequest("GET", "/sandbox/x", nil)
	w := ask(a, Notify, r.WithContext(request.WithNote(r.Context(), &request.Note{ID: "JKJaXmPLvHcESHA="})))
	const id = `"JKJaXmPLvHcESHA="`
	if w.Header().Get("X-Request-Id") != "JKJaXmPLvHcESHA=" || !strings.Contains(w.Body.String(), `"request_id":`+id) ||
		!strings.Contains(log.String(), `"request":`+id) || !strings.Contains(log.String(), `"ip":"192.0.2.1"`) {
		t.Errorf("%v %s\n%s", w.Header(), w.Body, log)
	}
}
