package function

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"checkout/internal/api"
	"checkout/internal/fault"
	"checkout/internal/merchant"
	"checkout/internal/operator"
	"checkout/internal/operator/query"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

// The handler gets the request of an event, and API Gateway gets the handler's response.
func TestGateway(t *testing.T) {
	const event = `{"version":"2.0","rawPath":%q,"rawQueryString":"a=1&b=%%20#\u0001","cookies":["x=1","y=2"],
		"headers":{"x-forwarded-for":"10.0.0.1, 203.0.113.9, 192.0.2.1","idempotency-key":"one, two",
		"stripe-signature":"t=1,v1=a","content-type":"text/plain"},
		"requestContext":{"domainName":"api.example","requestId":"id=","http":{"method":"POST","sourceIp":"192.0.2.1"}},
		"body":%q,"isBase64Encoded":%t}`
	for _, test := range []struct {
		path, body string
		encoded    bool
		want       string
	}{
		{"/a/b", "text", false, "/a/b text"},
		{"/a%20b", "text", false, "/a b text"},
		{"/a b", "text", false, "/a b text"},
		{"/100%", "text", false, "/100% text"},
		{"", "", false, "/ "},
		{"/a", "AP8=", true, "/a \x00\xff"},
	} {
		var got string
		g := lambda.NewHandler(Gateway(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			got = r.URL.Path + " " + string(body)
			seen := fmt.Sprintln(r.Method, r.Host, r.RemoteAddr, fault.RequestID(r.Context()), r.URL.Query(), r.Header)
			want := "POST api.example 192.0.2.1 id= map[a:[1] b:[ #\x01]] map[Content-Type:[text/plain] Cookie:[x=1; y=2] " +
				"Idempotency-Key:[one, two] Stripe-Signature:[t=1,v1=a] X-Forwarded-For:[10.0.0.1, 203.0.113.9, 192.0.2.1]]\n"
			if seen != want {
				t.Errorf("%s\nwant\n%s", seen, want)
			}
			w.Header()["X-Two"] = []string{"1", "2"}
			w.WriteHeader(http.StatusTeapot)
			io.WriteString(w, `{"é":"<"}`)
		})))
		text, err := g.Invoke(t.Context(), fmt.Appendf(nil, event, test.path, test.body, test.encoded))
		if err != nil || got != test.want {
			t.Errorf("%q: %q, want %q: %v", test.path, got, test.want, err)
		}
		var response struct {
			StatusCode int
			Headers    map[string]string
			Body       string
		}
		if err := json.Unmarshal(text, &response); err != nil || response.StatusCode != http.StatusTeapot ||
			response.Headers["X-Two"] != "1,2" || response.Body != `{"é":"<"}` {
			t.Errorf("%s, %v", text, err)
		}
	}
}

// A body that is not base64 although the event says so is a bad request. Invoke fails if there is no event.
func TestGatewayOfBrokenEvents(t *testing.T) {
	b := newBuilder(func(string) string { return "" }, Logger(io.Discard))
	core := b.Core("")
	served := lambda.NewHandler(b.HTTP(core, api.Status(merchant.NewStatuses(core, nil))))
	const request = `"rawPath":"/api/v1/payment/status","requestContext":{"http":{"method":"POST"}}`
	response, err := served.Invoke(t.Context(), []byte(`{`+request+`,"body":"%","isBase64Encoded":true}`))
	if err != nil || !strings.HasPrefix(string(response), `{"statusCode":400,`) {
		t.Errorf("%s, %v", response, err)
	}
	for _, event := range []string{``, `[]`, `{"requestContext":{"http":{"method":"A B"}}}`} {
		if response, err := served.Invoke(t.Context(), []byte(event)); err == nil {
			t.Errorf("%s: %s", event, response)
		}
	}
}

// Headers and bodies are not changed. Adding to a header changes no other header. A status that is not set is 200.
func TestGatewayKeepsTexts(t *testing.T) {
	const strange = "<é>\x00\n\u2028\U0001F600\\\"\x7f\xff"
	for _, test := range []struct{ sent, want string }{
		{strange, "\U0001F600\x00\\" + strange}, {"", "\U0001F600\x00\\"}, {"nothing", ""},
	} {
		g := lambda.NewHandler(Gateway(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Header.Add("A", "more")
			r.Header.Add("B", "more")
			w.Header().Set("Location", `https://pay.example/?a="ü"&b=`+fmt.Sprint(r.Header["A"], r.Header["B"]))
			if test.sent == "nothing" {
				return
			}
			w.Header().Set("Content-Type", "text/plain")
			body, _ := io.ReadAll(r.Body)
			w.Write(append(body, test.sent...))
		})))
		text, err := g.Invoke(t.Context(), []byte(`{"rawPath":"/","headers":{"a":"1","b":"2"},`+
			`"body":"\ud83d\ude00\u0000\\","requestContext":{"http":{"method":"GET"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		var response events.APIGatewayV2HTTPResponse
		if err := json.Unmarshal(text, &response); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		body := []byte(response.Body)
		if response.IsBase64Encoded {
			body, err = base64.StdEncoding.DecodeString(response.Body)
		}
		if err != nil || string(body) != test.want || response.StatusCode != http.StatusOK {
			t.Errorf("%d %q, want %q: %v", response.StatusCode, body, test.want, err)
		}
		const location = `https://pay.example/?a="ü"&b=[1 more] [2 more]`
		if response.Headers["Location"] != location || len(response.Headers) > 2 {
			t.Errorf("%q", response.Headers)
		}
	}
}

// Who calls the admin API is whom the authorizer of API Gateway has found out, whatever the request says.
func TestCallersOfTheAdminAPI(t *testing.T) {
	documents := memory.NewStore()
	grants := store.Encode(store.GrantsKey(), 0, map[string]any{"grants": []map[string]any{
		{"who": "arn:aws:iam::111122223333:user/ann", "role": "viewer", "mode": "both", "merchants": []string{"*"}},
	}})
	if err := documents.Save(t.Context(), time.Now(), grants); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"ORIGIN_SECRET": "secret"}
	b := newBuilder(func(name string) string { return env[name] }, Logger(io.Discard))
	core := b.Core("")
	core.Store = documents
	people, reader, auditor := operator.NewPeople(core), query.NewReader(core), operator.NewAuditor(core, nil)
	g := lambda.NewHandler(b.AdminHTTP(core, api.AdminRead(people, reader, auditor)))
	for authorizer, want := range map[string]int{
		`"authorizer":{"iam":{"userArn":"arn:aws:iam::111122223333:user/ann"}},`: http.StatusOK,
		`"authorizer":{"iam":{"userArn":"arn:aws:iam::111122223333:user/eve"}},`: http.StatusForbidden,
		`"authorizer":{"iam":{"userArn":""}},`:                                   http.StatusForbidden,
		``:                                                                       http.StatusForbidden,
		`"came":"through CloudFront",`:                                           http.StatusUnauthorized,
	} {
		secret := map[bool]string{true: "secret"}[strings.Contains(authorizer, "CloudFront")]

		text, err := g.Invoke(t.Context(), []byte(`{"rawPath":"/admin/v1/describe","requestContext":{`+authorizer+
			`"http":{"method":"GET"}},"headers":{"userarn":"arn:aws:iam::111122223333:user/ann","x-admin-via":"page",
				"x-origin-secret":"`+secret+`"}}`))
		var response events.APIGatewayV2HTTPResponse
		if err != nil || json.Unmarshal(text, &response) != nil || response.StatusCode != want {
			t.Errorf("%s: %s %v", authorizer, text, err)
		}
	}
}
