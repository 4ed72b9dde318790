package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/cloud/lambda"
	"checkout/internal/local/cloud/template"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

var signedAt = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// signedCall is a call of an API with two callers: ann may do everything, bob only GET /admin/v1/*.
type signedCall struct {
	method, path, body string
	key, secret        string
	service, region    string
	at                 time.Time
	change             func(r *http.Request) // after it was signed; nil for nothing
}

func (c signedCall) request(t *testing.T) *http.Request {
	t.Helper()
	r := httptest.NewRequest(c.method, "http://localhost:3000"+c.path, strings.NewReader(c.body))
	r.RemoteAddr = "203.0.113.9:5000"
	r.Header.Set("X-Admin-Via", "page")
	r.Header.Set("X-Amz-Security-Token", "session")
	sum := sha256.Sum256([]byte(c.body))
	err := v4.NewSigner().SignHTTP(t.Context(), aws.Credentials{AccessKeyID: c.key, SecretAccessKey: c.secret}, r,
		hex.EncodeToString(sum[:]), c.service, c.region, c.at)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("User-Agent", "test")
	if c.change != nil {
		c.change(r)
	}
	return r
}

// signedAPI is such an API. It also returns where the last event is stored.
func signedAPI() (*Gateway, *events.APIGatewayV2HTTPRequest) {
	const stage = "arn:aws:execute-api:eu-central-1:000000000000:adminapi/$default"
	got := &events.APIGatewayV2HTTPRequest{}
	return New(Config{
		Now: func() time.Time { return signedAt },
		Routes: []template.Route{
			{Method: "GET", Path: "/admin/v1/{path+}", Function: "read", Signed: true},
			{Method: "POST", Path: "/admin/v1/{path+}", Function: "act", Signed: true},
		},
		IAM: &IAM{Region: "eu-central-1", ARN: stage, Callers: map[string]Caller{
			"ANN": {ARN: "arn:ann", Secret: "secret of ann"},
			"BOB": {ARN: "arn:bob", Secret: "secret of bob", Policies: []template.Statement{
				{Actions: []string{"execute-api:Invoke"}, Resources: []string{stage + "/GET/admin/v1/*"}},
			}},
		}},
		Invoke: func(_ context.Context, function string, payload []byte) (lambda.Result, error) {
			return lambda.Result{Payload: []byte(`"` + function + `"`)}, json.Unmarshal(payload, got)
		},
	}), got
}

// A request is served if it was signed with its caller's key as it is, within five minutes, and IAM allows it.
func TestSignedRequests(t *testing.T) {
	good := signedCall{method: "POST", path: "/admin/v1/payments/a%20b/refund?a=1&b=%2F", body: `{"amount":"1"}`,
		key: "ANN", secret: "secret of ann", service: "execute-api", region: "eu-central-1", at: signedAt}
	for name, c := range map[string]struct {
		status int
		change func(c *signedCall)
	}{
		"as it should be": {200, func(*signedCall) {}},
		"by another who may read": {200, func(c *signedCall) {
			c.method, c.path, c.body, c.key, c.secret = "GET", "/admin/v1/me", "", "BOB", "secret of bob"
		}},
		"by another who may not act": {403, func(c *signedCall) { c.key, c.secret = "BOB", "secret of bob" }},
		"almost too old":             {200, func(c *signedCall) { c.at = signedAt.Add(-5 * time.Minute) }},
		"too old":                    {403, func(c *signedCall) { c.at = signedAt.Add(-5*time.Minute - time.Second) }},
		"too early":                  {403, func(c *signedCall) { c.at = signedAt.Add(5*time.Minute + time.Second) }},
		"unsigned": {403, func(c *signedCall) {
			c.change = func(r *http.Request) { r.Header.Del("Authorization") }
		}},
		"by nobody":         {403, func(c *signedCall) { c.key = "EVE" }},
		"with another key":  {403, func(c *signedCall) { c.secret = "secret of bob" }},
		"as somebody else":  {403, func(c *signedCall) { c.key, c.secret = "ANN", "secret of bob" }},
		"for another place": {403, func(c *signedCall) { c.region = "us-east-1" }},
		"for another use":   {403, func(c *signedCall) { c.service = "dynamodb" }},
		"no date":           {403, func(c *signedCall) { c.change = func(r *http.Request) { r.Header.Del("X-Amz-Date") } }},
		"another method":    {403, func(c *signedCall) { c.change = func(r *http.Request) { r.Method = "GET" } }},
		"another path":      {403, func(c *signedCall) { c.change = func(r *http.Request) { r.URL.Path = "/admin/v1/x" } }},
		"another query":     {403, func(c *signedCall) { c.change = func(r *http.Request) { r.URL.RawQuery = "a=2" } }},
		"another host":      {403, func(c *signedCall) { c.change = func(r *http.Request) { r.Host = "example.com" } }},
		"another header": {403, func(c *signedCall) {
			c.change = func(r *http.Request) { r.Header.Set("X-Admin-Via", "") }
		}},
		"a path of no route": {404, func(c *signedCall) { c.path = "/admin/v2/me" }},
		"another body": {403, func(c *signedCall) {
			c.change = func(r *http.Request) { r.Body = http.NoBody }
		}},
	} {
		g, _ := signedAPI()
		call := good
		c.change(&call)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, call.request(t))
		if w.Code != c.status || w.Code == 403 && w.Body.String() != `{"message":"Forbidden"}` {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, c.status)
		}
	}
}

// The function is told who has called, from where, and what was sent; no CloudFront is between them.
func TestFunctionsAreToldWhoHasSigned(t *testing.T) {
	g, got := signedAPI()
	w := httptest.NewRecorder()
	g.ServeHTTP(w, signedCall{method: "GET", path: "/admin/v1/me?q=1", key: "BOB", secret: "secret of bob",
		service: "execute-api", region: "eu-central-1", at: signedAt}.request(t))
	if w.Body.String() != "read" || got.RequestContext.Authorizer == nil || got.RequestContext.Authorizer.IAM == nil {
		t.Fatalf("%d %s: %+v", w.Code, w.Body, got.RequestContext)
	}
	iam, context := got.RequestContext.Authorizer.IAM, got.RequestContext
	if iam.UserARN != "arn:bob" || iam.AccessKey != "BOB" || iam.AccountID != account {
		t.Errorf("called by %+v", iam)
	}
	if context.HTTP.SourceIP != "203.0.113.9" || context.HTTP.UserAgent != "test" || got.RawQueryString != "q=1" ||
		got.Headers["via"] != "" || got.Headers["x-forwarded-for"] != "203.0.113.9" {
		t.Errorf("%+v with %v", context, got.Headers)
	}
}
