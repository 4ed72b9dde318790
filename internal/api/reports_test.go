package api

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"checkout/internal/request"
)

// reported sends a body and returns what it was counted as, each report as its directive and what was blocked.
func reported(t *testing.T, body string) (counted []string, log string) {
	t.Helper()
	a, out := newAPI(nil)
	r := httptest.NewRequest("POST", "/page/reports", strings.NewReader(body))
	if body == "broken" {
		r = httptest.NewRequest("POST", "/page/reports", iotest.ErrReader(fmt.Errorf("lost")))
	}
	w := send(a, Reports(a.Core), r)
	if w.Code != 204 || w.Body.Len() > 0 {
		t.Errorf("%.100s: %d %s", body, w.Code, w.Body)
	}
	for line := range strings.Lines(out.String()) {
		var l struct {
			Msg, Directive, Blocked string
			Count                   int `json:"csp_reports"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Count == 1 {
			counted = append(counted, l.Directive+" "+l.Blocked)
		}
	}
	return counted, out.String()
}

// What browsers send is counted, by whichever way, and the log has no address of the page.
func TestReports(t *testing.T) {
	const session = "secret-session"
	uri := func(directive, blocked, source string) string {
		return fmt.Sprintf(`{"csp-report":{"document-uri":"https://pay.example/?session=`+session+`","referrer":"",`+
			`"violated-directive":%q,"effective-directive":%q,"original-policy":"default-src 'none'","blocked-uri":%q,`+
			`"source-file":%q,"status-code":200,"script-sample":"steal(411111)"}}`, directive, directive, blocked, source)
	}
	to := func(kind, directive, blocked, source string) string {
		return fmt.Sprintf(`{"type":%q,"age":10,"url":"https://pay.example/?session=`+session+`","user_agent":"x",`+
			`"body":{"documentURL":"https://pay.example/?session=`+session+`","disposition":"enforce","statusCode":200,`+
			`"effectiveDirective":%q,"blockedURL":%q,"sourceFile":%q,"sample":"steal(411111)"}}`,
			kind, directive, blocked, source)
	}
	const page = "https://pay.example/?session=" + session
	many := "[" + strings.Repeat(to("csp-violation", "img-src", "inline", "")+",", 11) + "{}]"
	for _, c := range []struct {
		body string
		want []string
	}{
		{uri("script-src-elem", "inline", page), []string{"script-src-elem inline"}},
		{uri("script-src-elem", "https://user:word@evil.example:8443/x?card=411111#"+session, page),
			[]string{"script-src-elem https://evil.example:8443"}},
		{`{"csp-report":{"violated-directive":"connect-src 'self'","blocked-uri":"wss://evil.example/` + session + `"}}`,
			[]string{"connect-src wss://evil.example"}},
		{"[" + to("csp-violation", "connect-src", page, "") + "," + to("deprecation", "x", "", "") + "," +
			to("csp-violation", "img-src", "data:image/png;base64,411111", "") + "]",
			[]string{"connect-src https://pay.example", "img-src data"}},
		{uri("script-src", "chrome-extension", page), nil},
		{uri("script-src", "moz-extension://0f/"+session, page), nil},
		{uri("script-src-elem", "inline", "safari-web-extension://0f/content.js"), nil},
		{"[" + to("csp-violation", "script-src", "eval", "chrome-extension") + "]", nil},
		{uri("made-up "+session, "made-up-"+session, ""), []string{"other other"}},
		{uri("script-src", "%zz", ""), []string{"script-src other"}},
		{uri("script-src", "https://"+strings.Repeat("a", 101), ""), []string{"script-src other"}},
		{uri("script-src", "https://evil.example"+strings.Repeat("/a", maxReports), ""), nil},
		{many, slices.Repeat([]string{"img-src inline"}, reportsCounted)},
		{`[null,{"type":"csp-violation"},{"type":"csp-violation","body":7}]`, nil},
		{`{"csp-report":null}`, nil}, {`[]`, nil}, {`{}`, nil}, {``, nil}, {`7`, nil}, {"broken", nil},
	} {
		got, log := reported(t, c.body)
		if !slices.Equal(got, c.want) {
			t.Errorf("%.300s: %q, want %q", c.body, got, c.want)
		}
		for _, secret := range []string{session, "411111", "user:word"} {
			if strings.Contains(log, secret) {
				t.Errorf("the log has %s: %s", secret, log)
			}
		}
	}
	if maxReports > request.MaxBody {
		t.Error("a report may be larger than a request")
	}
}
