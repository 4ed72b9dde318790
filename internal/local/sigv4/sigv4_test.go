package sigv4

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
)

// The same request has the same signature, anything else another one, and it arrives as it was made.
func TestTransport(t *testing.T) {
	now := time.Date(2030, 3, 4, 5, 6, 7, 0, time.UTC)
	type seen struct{ body, authorization, token, via string }
	var got seen
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got = seen{string(body), r.Header.Get("Authorization"), r.Header.Get("X-Amz-Security-Token"), r.Header.Get("X-Via")}
	}))
	defer server.Close()
	sign := func(by *Transport, path, body string) seen {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), "POST", server.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "admin.example"
		r.Header.Set("X-Via", "test")
		response, err := by.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := response.Body.Close(); err != nil {
			t.Fatal(err)
		}
		if r.Header.Get("Authorization") != "" {
			t.Error("the caller's request is changed")
		}
		return got
	}
	by := Transport{
		Credentials: credentials.NewStaticCredentialsProvider("KEY", "secret", "token"), Region: "eu-central-1",
		Now: func() time.Time { return now },
	}
	first := sign(&by, "/admin/v1/me?mode=test", `{"a":1}`)
	const scope = "AWS4-HMAC-SHA256 Credential=KEY/20300304/eu-central-1/execute-api/aws4_request, SignedHeaders="
	if first.body != `{"a":1}` || first.token != "token" || first.via != "test" ||
		!strings.HasPrefix(first.authorization, scope) {
		t.Errorf("%+v", first)
	}
	if again := sign(&by, "/admin/v1/me?mode=test", `{"a":1}`); again != first {
		t.Errorf("%+v, then %+v", first, again)
	}
	other := by
	other.Service = "cloudformation"
	for name, one := range map[string]seen{
		"another body":    sign(&by, "/admin/v1/me?mode=test", `{"a":2}`),
		"another query":   sign(&by, "/admin/v1/me?mode=live", `{"a":1}`),
		"another path":    sign(&by, "/admin/v1/you?mode=test", `{"a":1}`),
		"no body":         sign(&by, "/admin/v1/me?mode=test", ""),
		"another service": sign(&other, "/admin/v1/me?mode=test", `{"a":1}`),
	} {
		if one.authorization == first.authorization {
			t.Errorf("%s has the same signature", name)
		}
	}
}

// Without credentials nothing is sent.
func TestNoCredentials(t *testing.T) {
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_REGION",
		"AWS_DEFAULT_REGION"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_CONFIG_FILE", "/none")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", "/none")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	if _, err := Default(t.Context()); err == nil || !strings.Contains(err.Error(), "AWS_REGION") {
		t.Errorf("without a Region: %v", err)
	}
	t.Setenv("AWS_REGION", "eu-central-1")
	by, err := Default(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("GET", "http://127.0.0.1:1/", nil)
	if _, err := by.RoundTrip(r); err == nil || !strings.Contains(err.Error(), "get AWS credentials") {
		t.Errorf("%v", err)
	}
}
