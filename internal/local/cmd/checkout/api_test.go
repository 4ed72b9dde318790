package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"checkout/internal/local/sigv4"
)

// fakeAPI is an admin API that has what a test says, and notes what it is sent.
type fakeAPI struct {
	t       *testing.T
	url     string
	region  string            // that it is signed for
	has     map[string]string // bodies by method and path
	fails   map[string]int    // statuses by method and path; lost: the connection is
	seen    []sentCall
	handled func(sentCall) // called before a response, if it is there
	header  http.Header    // of each response
	paused  []time.Duration
}

// pause notes for how long the command would wait.
func (f *fakeAPI) pause(ctx context.Context, d time.Duration) error {
	f.paused = append(f.paused, d)
	return ctx.Err()
}

// lost stands for a response that never comes.
const lost = -1

// sentCall is what the API was sent.
type sentCall struct{ line, query, key, via, body string }

const testPayment = "3f0c9a52-7d1e-4b6a-9c55-0d7f3a1b2c4d"

// newAPI starts an API with a test payment of which 5.00 EUR can be refunded.
func newAPI(t *testing.T) *fakeAPI {
	t.Helper()
	f := &fakeAPI{t: t, region: testRegion, fails: map[string]int{}, header: http.Header{"X-Request-Id": {"req-1"}}}
	f.has = map[string]string{
		"GET /payments/" + testPayment: paymentView("test", "5.00"),
		"POST /payments/" + testPayment + "/refund": `{"payment_id":"` + testPayment +
			`","reference":"r-1","status":"settled","text":"5.00 EUR are refunded.","decided":true}`,
	}
	server := httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(server.Close)
	f.url = server.URL
	for name, value := range map[string]string{
		"AWS_REGION": testRegion, "AWS_ACCESS_KEY_ID": "ANN", "AWS_SECRET_ACCESS_KEY": "secret",
		"AWS_SESSION_TOKEN": "token",
	} {
		t.Setenv(name, value)
	}
	return f
}

// paymentView is a payment of which an amount can be refunded, or nothing.
func paymentView(mode, left string) string {
	refund := `{"act":"refund","label":"Refund","allowed":true,"amount":"` + left + `","partial":true}`
	if left == "" {
		refund = `{"act":"refund","label":"Refund","allowed":false,"why":"Nothing is left."}`
	}
	return `{"row":{"merchant":"pens","mode":"` + mode + `","id":"` + testPayment + `","order":"pen-1","amount":"12.50",
		"currency":"EUR"},"summary":{"state":"settled","means":"The money is the merchant's.","turn":"nobody",
		"tell":"You have paid."},"facts":[{"name":"MID","text":"bank"}],
		"timeline":[{"at":"2030-01-02T03:04:05Z","kind":"outcome","text":"sale of 12.50"}],
		"callbacks":[{"seq":1,"id":"msg-1","event":"sale success settled","state":"parked","tries":[
			{"at":"2030-01-02T03:05:05Z","status":500},{"at":"2030-01-02T03:06:05Z","error":"no response in time"}]}],
		"possible":[` + refund + `,{"act":"look-up","label":"Look up","allowed":true},
			{"act":"settle","label":"Settle","allowed":true}]}`
}

func (f *fakeAPI) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		f.t.Error(err)
	}
	f.checkSignature(r, body)
	path, _ := strings.CutPrefix(r.URL.Path, "/admin/v1")
	call := sentCall{r.Method + " " + path, r.URL.RawQuery, r.Header.Get("Idempotency-Key"),
		r.Header.Get("X-Admin-Via"), string(body)}
	f.seen = append(f.seen, call)
	if f.handled != nil {
		f.handled(call)
	}
	for name := range f.header {
		w.Header().Set(name, f.header.Get(name))
	}
	text, has := f.has[call.line]
	switch status := f.fails[call.line]; {
	case status == lost:
		connection, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			err = connection.Close()
		}
		if err != nil {
			f.t.Error(err)
		}
	case status != 0:
		w.WriteHeader(status)
		fmt.Fprint(w, text)
	case !has:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error_code":0,"error_message":"Request data is invalid.","status":"error","errors":[
			{"error_code":208001,"error_message":"payment_id: Payment not found"}]}`)
	default:
		fmt.Fprint(w, text)
	}
}

// checkSignature signs what has arrived once more, and compares.
func (f *fakeAPI) checkSignature(r *http.Request, body []byte) {
	f.t.Helper()
	got := r.Header.Get("Authorization")
	at, err := time.Parse("20060102T150405Z", r.Header.Get("X-Amz-Date"))
	if err != nil {
		f.t.Errorf("the time of a signature: %v", err)
	}
	again := httptest.NewRequest(r.Method, "http://"+r.Host+r.URL.RequestURI(), bytes.NewReader(body))
	_, names, _ := strings.Cut(got, "SignedHeaders=")
	names, _, _ = strings.Cut(names, ",")
	for _, name := range strings.Split(names, ";") {
		if name != "host" && name != "content-length" && !strings.HasPrefix(name, "x-amz-") {
			again.Header.Set(name, r.Header.Get(name))
		}
	}
	by := aws.Credentials{AccessKeyID: "ANN", SecretAccessKey: "secret", SessionToken: "token"}
	if err := v4.NewSigner().SignHTTP(f.t.Context(), by, again, sigv4.Hash(body), sigv4.APIGateway, f.region,
		at); err != nil {
		f.t.Error(err)
	}
	if want := again.Header.Get("Authorization"); got != want {
		f.t.Errorf("signed %s, want %s", got, want)
	}
	if !strings.Contains(names, "x-admin-via") ||
		r.Method == http.MethodPost && !strings.Contains(names, "idempotency-key") {
		f.t.Errorf("signed are only %s", names)
	}
}

// typing is how a command is typed.
type typing struct {
	terminal bool   // where people read and can be asked
	reply    string // what the person types
}

// typedResult is what came of a command.
type typedResult struct {
	out, notes string
	code       int
}

// do types a command.
func (f *fakeAPI) do(by typing, line string, args ...any) typedResult {
	f.t.Helper()
	var out, notes bytes.Buffer
	c := &call{
		getenv: func(name string) string { return map[string]string{"CHECKOUT_URL": f.url}[name] },
		pause:  f.pause,
		config: filepath.Join(f.t.TempDir(), "config.json"), in: strings.NewReader(by.reply), out: &out, notes: &notes,
		asks: by.terminal, tables: by.terminal,
	}
	err := run(f.t.Context(), c, words(fmt.Sprintf(line, args...)))
	return typedResult{code: c.report(err), out: out.String(), notes: notes.String()}
}

// posts are the changing calls that the API was sent.
func (f *fakeAPI) posts() (all []sentCall) {
	for _, call := range f.seen {
		if strings.HasPrefix(call.line, "POST ") {
			all = append(all, call)
		}
	}
	return all
}

// What a command reads is one signed request for the route and the parameters that it names.
func TestReads(t *testing.T) {
	f := newAPI(t)
	for line, want := range map[string]string{
		"find --live 'pen 1' --merchant pens --day 2030-01-02": "/find?day=2030-01-02&merchant=pens&mode=live&q=pen%201",
		"find pen-1": "/find?mode=test&q=pen-1",
		"payments list --from 2030-01-02 --until 2030-01-03 --status decline --method card --mid bank " +
			"--currency EUR": "/payments?" +
			"currency=EUR&from=2030-01-02&limit=50&method=card&mid=bank&mode=test&status=decline&until=2030-01-03",
		"payments list --live --amount 1.00 --country DE --card 4242 --approval-code A1 --callbacks parked " +
			"--reason-code x": "/payments?" +
			"amount=1.00&approval_code=A1&callbacks=parked&card=4242&country=DE&limit=50&mode=live&reason_code=x",
		"payments show a/b":                 "/payments/a/b?",
		"payments waiting":                  "/waiting?",
		"payments under-way --merchant p":   "/under-way?merchant=p&mode=test",
		"callbacks list --url https://x.y/": "/callbacks?mode=test&url=https%3A%2F%2Fx.y%2F",
		"addresses list":                    "/addresses?",
		"circuits list":                     "/circuits?",
		"blocks list --merchant p":          "/blocks?merchant=p&mode=test",
		"totals --live --currency EUR":      "/totals?currency=EUR&mode=live",
		"export --format jsonl":             "/export?format=jsonl&mode=test",
		"operators list":                    "/operators?",
		"operators limits":                  "/operators?",
		"approvals list":                    "/approvals?",
		"sessions list":                     "/sessions?",
		"audit list --from 2030-01-02":      "/audit?from=2030-01-02&limit=50",
		"audit verify --from 2030-01-02":    "/audit/verify?from=2030-01-02T00%3A00%3A00Z",
		"me":                                "/me?",
	} {
		f.seen = nil
		result := f.do(typing{}, "%s", line)
		if len(f.seen) != 1 || f.seen[0].line+"?"+f.seen[0].query != "GET "+want || f.seen[0].via != "command" {
			t.Errorf("%s sends %+v, want %s", line, f.seen, want)
		}
		if result.code != exitNotFound && !strings.HasPrefix(line, "export") {
			t.Errorf("%s: %+v", line, result)
		}
	}
}

const twoRows = `{"rows":[{"merchant":"pens","mode":"test","id":"p-1","order":"1","email":"a***@pens.example",
	"created_at":"2030-01-02T03:04:05Z","seen":12345678901234567},
	{"merchant":"pens","mode":"test","id":"p-2","order":"\u001b[2Jtwo"}],"by":"order number",
	"searched_to":"2030-01-01T00:00:00Z"`

// People read a table, programs JSON lines with all that the API has, or with some of it. What is masked stays so, and
// nothing that is printed commands a terminal.
func TestOutput(t *testing.T) {
	f := newAPI(t)
	f.has["GET /find"] = twoRows + "}"
	table := f.do(typing{terminal: true}, "find 1")
	want := regexp.MustCompile(`^created_at +merchant +mode +id .*\n` +
		`2030-01-02T03:04:05Z +pens +test +p-1 +1 .* a\*\*\*@pens.example *\n +pens +test +p-2 +\?\[2Jtwo *\n$`)
	if !want.MatchString(table.out) || table.code != exitDone || table.notes != "2 found by order number\n" {
		t.Errorf("%+v", table)
	}
	for args, want := range map[string]string{
		"":       `{"merchant":"pens","mode":"test","id":"p-1","order":"1","email":"a***@pens.example",`,
		"--json": `{"merchant":"pens","mode":"test","id":"p-1","order":"1","email":"a***@pens.example",`,
		"--json=id,seen,nix": `{"id":"p-1","seen":12345678901234567,"nix":null}` + "\n" +
			`{"id":"p-2","seen":null,"nix":null}` + "\n",
	} {
		result := f.do(typing{terminal: args != ""}, "find %s 1", args)
		if !strings.HasPrefix(result.out, want) || strings.Count(result.out, "\n") != 2 {
			t.Errorf("%s: %s, want %s", args, result.out, want)
		}
		for line := range strings.Lines(result.out) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: no JSON: %s", args, line)
			}
		}
	}
	f.has["GET /find"] = `{"rows":[],"by":"order number","note":"name the day"}`
	none := f.do(typing{terminal: true}, "find 1")
	if none.code != exitNotFound || !strings.Contains(none.notes, "0 found by order number\nname the day\n") {
		t.Errorf("%+v", none)
	}
}

// A table has times to the second, and the mode of what has no name of it.
func TestCells(t *testing.T) {
	for row, want := range map[string]string{
		`{"mode":"live"}`: "live", `{"test":true}`: "test", `{}`: "live",
		`{"mode":"2030-01-02T03:04:05.678Z"}`: "2030-01-02T03:04:05Z",
	} {
		if got := cell(json.RawMessage(row), "mode"); got != want {
			t.Errorf("%s: %s, want %s", row, got, want)
		}
	}
}

// A list is read page by page until it has as many rows as wanted, and says how to go on.
func TestPages(t *testing.T) {
	f := newAPI(t)
	f.handled = func(call sentCall) {
		f.has["GET /payments"] = twoRows + `,"cursor":"next"}`
		if strings.Contains(call.query, "cursor=next") {
			f.has["GET /payments"] = twoRows + "}"
		}
	}
	two := f.do(typing{}, "payments list --limit 2")
	if strings.Count(two.out, "\n") != 2 || two.notes != "searched to 2030-01-01T00:00:00Z\nmore with --cursor next\n" {
		t.Errorf("%+v", two)
	}
	f.seen = nil
	if all := f.do(typing{}, "payments list --all"); strings.Count(all.out, "\n") != 4 || all.notes != "" ||
		f.seen[1].query != "cursor=next&limit=500&mode=test" {
		t.Errorf("%+v %+v", all, f.seen)
	}
	f.seen = nil
	if last := f.do(typing{}, "payments list --limit 3 --cursor next"); strings.Count(last.out, "\n") != 2 ||
		len(f.seen) != 1 || f.seen[0].query != "cursor=next&limit=3&mode=test" {
		t.Errorf("%+v %+v", last, f.seen)
	}
}

// Each kind of failure has its code, and tells code, path and request.
func TestFailures(t *testing.T) {
	f := newAPI(t)
	const refused = `{"error_code":0,"error_message":"Request data is invalid.","errors":[
		{"error_code":100000,"error_message":"from: It should be a day."}],"status":"error"}`
	for status, want := range map[int]int{400: exitFailed, 401: exitNotAllowed, 403: exitNotAllowed, 404: exitNotFound,
		409: exitFailed, 429: exitFailed, 500: exitFailed, 302: exitFailed} {
		f.has["GET /me"], f.fails["GET /me"] = refused, status
		result := f.do(typing{}, "me")
		text := fmt.Sprintf("checkout: Request data is invalid. (status %d, request req-1)\n"+
			"  100000 from: It should be a day.\n", status)
		if result.code != want || result.notes != text || result.out != "" {
			t.Errorf("%d: %+v, want %d %s", status, result, want, text)
		}
	}
	f.fails["GET /me"], f.seen = 307, nil
	f.header = http.Header{"Location": {f.url + "/admin/v1/elsewhere"}}
	if result := f.do(typing{}, "me"); result.code != exitFailed || len(f.seen) != 1 {
		t.Errorf("led elsewhere: %+v %+v", result, f.seen)
	}
	f.has["GET /me"], f.fails["GET /me"] = `{"message":"Forbidden"}`, 403
	f.header = http.Header{"Apigw-Requestid": {"gw-1"}}
	if result := f.do(typing{}, "me"); result.code != exitNotAllowed ||
		result.notes != "checkout: Forbidden (status 403, request gw-1)\n" {
		t.Errorf("%+v", result)
	}
	for line, want := range map[string]string{
		"me --api http://admin.example": "is no https address",
		"me --api https:///":            "is no https address",
		"me x":                          "use: checkout me",
		"payments refund p":             `required flag(s) "reason" not set`,
		"payments refund --reason x":    "name either a PAYMENT_ID, or --file, or filters",
		"payments":                      "name a command",
		"payments sell":                 `no command "sell"`,
		"sell":                          `unknown command "sell"`,
		"me --nix":                      "unknown flag: --nix",
		"callbacks send --reason x p":   "name either",

		"blocks add --reason x --until 2030-01-01 p card 4111111111111111": "name a payment",
		"blocks add --reason x --until 2030-01-01 p email":                 "name either",
		"callbacks send --reason x":                                        "name either",
		"callbacks send --reason x p 1st":                                  "is no number",
		"operators grant ann --reason x":                                   "name a role: viewer, support, ",
	} {
		if result := f.do(typing{}, "%s", line); result.code != exitMisused || !strings.Contains(result.notes, want) {
			t.Errorf("%s: %+v, want %s", line, result, want)
		}
	}
	f.url = ""
	if result := f.do(typing{}, "me"); result.code != exitMisused ||
		!strings.Contains(result.notes, "checkout use STACK") {
		t.Errorf("without an API: %+v", result)
	}
}

// The shells complete commands, roles and verdicts.
func TestCompletion(t *testing.T) {
	f := newAPI(t)
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if result := f.do(typing{}, "completion %s", shell); result.code != exitDone || len(result.out) < 1000 {
			t.Errorf("%s: %+v", shell, result)
		}
	}
	const reason = "--reason\twhy, at most 120 characters"
	for line, want := range map[string][]string{
		"payments sho": {"show\ttell all that happened to a payment, and what can be done now"},
		"payments settle p ": {reason, "approved", "declined", "give-back", "returned", "accept",
			"close"},
		"operators grant x ":  {reason, "viewer", "support", "finance", "developer", "admin"},
		"merchants rotate x ": {reason, "key", "test-key", "password", "callback-secret"},
		"export --format ":    {"csv", "jsonl"},
	} {
		args := append([]string{"__complete"}, strings.Split(line, " ")...)
		var out bytes.Buffer
		if err := run(t.Context(), &call{out: &out, notes: io.Discard}, args); err != nil {
			t.Error(err)
		}
		if got := strings.Split(strings.TrimSpace(out.String()), "\n"); !slices.Equal(got[:len(got)-1], want) {
			t.Errorf("%q is completed by %q, want %q", line, got, want)
		}
	}
}
