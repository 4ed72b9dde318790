package s3

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/local/cloud/template"
	"checkout/internal/operator/archive"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
)

// name is a name with what has to be escaped.
const name = "audit/2030-03-04/1/2030-03-04T12:00:00.000Z/id/operator/ü & +=?#%25~'(*) 日本//é.json"

// open opens a bucket of the local endpoint, where each request has to have the right signature. change may see to
// requests before the endpoint does, and return true for those that it has served.
func open(t *testing.T, change func(w http.ResponseWriter, r *http.Request) bool) *Bucket {
	t.Helper()
	local, err := endpoint.New(endpoint.Config{
		Buckets: []template.Bucket{{Name: "logs", ARN: "arn:aws:s3:::logs", LockDays: 400}},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		checkSignature(t, r)
		if change == nil || !change(w, r) {
			local.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return NewBucket(aws.Config{
		Region: "eu-central-1", BaseEndpoint: &server.URL, HTTPClient: server.Client(),
		Credentials: credentials.NewStaticCredentialsProvider(endpoint.AdminKey, "secret", "token"),
	}, "logs", time.Now)
}

// checkSignature computes a request's signature as S3's documentation says, with the path as it was sent.
func checkSignature(t *testing.T, r *http.Request) {
	t.Helper()
	algorithm, rest, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	part := map[string]string{}
	for one := range strings.SplitSeq(rest, ", ") {
		key, value, _ := strings.Cut(one, "=")
		part[key] = value
	}
	path, query, _ := strings.Cut(r.RequestURI, "?")
	canonical := r.Method + "\n" + path + "\n" + query + "\n" // the client sends the query in its canonical form
	for name := range strings.SplitSeq(part["SignedHeaders"], ";") {
		value := r.Header.Get(name)
		switch name {
		case "host":
			value = r.Host
		case "content-length":
			value = fmt.Sprint(r.ContentLength)
		}
		canonical += name + ":" + value + "\n"
	}
	for _, needed := range []string{"host", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token"} {
		if !strings.Contains(";"+part["SignedHeaders"]+";", ";"+needed+";") {
			t.Errorf("%s is not signed", needed)
		}
	}
	canonical += "\n" + part["SignedHeaders"] + "\n" + r.Header.Get("X-Amz-Content-Sha256")
	scope := strings.SplitN(part["Credential"], "/", 2)[1]
	sum := sha256.Sum256([]byte(canonical))
	text := algorithm + "\n" + r.Header.Get("X-Amz-Date") + "\n" + scope + "\n" + hex.EncodeToString(sum[:])
	key := []byte("AWS4secret")
	for _, step := range append(strings.Split(scope, "/"), text) {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(step))
		key = mac.Sum(nil)
	}
	if part["Signature"] != hex.EncodeToString(key) || !strings.HasSuffix(scope, "/eu-central-1/s3/aws4_request") {
		t.Errorf("%s %s is signed as another request", r.Method, r.RequestURI)
	}
}

// An object is put once, with its bytes, and read by its version.
func TestBucket(t *testing.T) {
	b := open(t, nil)
	for _, content := range []string{"{\"a\":\"\u00fc\x00\"}", "another"} {
		if err := b.Put(t.Context(), name, []byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	all, err := b.List(t.Context(), "audit/2030-03-04/1/")
	if err != nil || len(all) != 1 || all[0].Name != name || all[0].Deleted {
		t.Fatalf("%+v, %v", all, err)
	}
	content, err := b.Get(t.Context(), all[0])
	if err != nil || string(content) != "{\"a\":\"\u00fc\x00\"}" {
		t.Errorf("%q, %v", content, err)
	}
	if other, err := b.List(t.Context(), "audit/2030-03-04/2/"); err != nil || other != nil {
		t.Errorf("%v, %v", other, err)
	}
	if _, err := b.Get(t.Context(), archive.Version{Name: name, ID: "x"}); fmt.Sprint(err) != "s3: 404 NoSuchKey" {
		t.Errorf("%v", err)
	}
	other := NewBucket(b.config, "other", time.Now)
	if err := other.Put(t.Context(), name, nil); fmt.Sprint(err) != "s3: 404 NoSuchBucket" {
		t.Errorf("%v", err)
	}
}

// A list of more than a thousand versions comes in pages, the first of which ends within the versions of an object.
func TestLongList(t *testing.T) {
	b := open(t, nil)
	for i := range 1100 {
		if err := b.Put(t.Context(), fmt.Sprintf("audit/%04d", i), nil); err != nil {
			t.Fatal(err)
		}
	}
	sum := sha256.Sum256(nil)
	header := http.Header{"X-Amz-Checksum-Sha256": {base64.StdEncoding.EncodeToString(sum[:])}}
	for range 2 {
		again := request{method: http.MethodPut, name: "audit/0998", header: header}
		if _, err := b.send(t.Context(), again); err != nil {
			t.Fatal(err)
		}
	}
	all, err := b.List(t.Context(), "audit/")
	if err != nil || len(all) != 1102 {
		t.Fatalf("%d, %v", len(all), err)
	}
	seen := map[archive.Version]bool{}
	for i, v := range all {
		if seen[v] || i > 0 && v.Name < all[i-1].Name {
			t.Fatalf("%d is %s", i, v.Name)
		}
		seen[v] = true
	}
}

// What S3 can't do now is tried again, also where it was done and the response was lost.
func TestTries(t *testing.T) {
	for _, c := range []struct {
		status, fails int
		done          bool // before it fails
		requests      int
		want          string
	}{
		{status: 503, fails: 2, requests: 3, want: "<nil>"},
		{status: 503, fails: 2, done: true, requests: 3, want: "<nil>"},
		{status: 409, fails: 1, requests: 2, want: "<nil>"},
		{status: 0, fails: 1, done: true, requests: 2, want: "<nil>"},
		{status: 500, fails: 9, requests: 3, want: "s3: 500 Told"},
		{status: 403, fails: 9, requests: 1, want: "s3: 403 Told"},
		{status: 301, fails: 9, requests: 1, want: "s3: 301 Told"},
	} {
		var requests atomic.Int64
		local, _ := endpoint.New(endpoint.Config{
			Buckets: []template.Bucket{{Name: "logs", ARN: "arn:aws:s3:::logs", LockDays: 1}},
		})
		b := open(t, func(w http.ResponseWriter, r *http.Request) bool {
			if requests.Add(1) > int64(c.fails) {
				local.ServeHTTP(w, r)
				return true
			}
			if c.done {
				local.ServeHTTP(httptest.NewRecorder(), r)
			}
			if c.status == 0 {
				panic(http.ErrAbortHandler)
			}
			w.WriteHeader(c.status)
			io.WriteString(w, "<Error><Code>Told</Code><Message>secret</Message></Error>")
			return true
		})
		err := b.Put(t.Context(), name, []byte("{}"))
		if fmt.Sprint(err) != c.want || requests.Load() != int64(c.requests) {
			t.Errorf("%+v: %v after %d requests", c, err, requests.Load())
		}
	}
}

func TestPutEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := open(t, func(w http.ResponseWriter, _ *http.Request) bool {
		cancel()
		w.WriteHeader(http.StatusInternalServerError)
		return true
	})
	if err := b.Put(ctx, name, nil); err == nil {
		t.Error("put")
	}
}

// On AWS the bucket is the first part of the host.
func TestAddress(t *testing.T) {
	b := NewBucket(aws.Config{Region: "eu-central-1"}, "logs", time.Now)
	if b.url != "https://logs.s3.eu-central-1.amazonaws.com/" {
		t.Error(b.url)
	}
}
