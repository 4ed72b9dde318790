package endpoint

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/cloud/template"
)

// TestS3 sends one request after the other to a bucket whose objects are locked for a day, and one without a lock.
func TestS3(t *testing.T) {
	now := time.Date(2030, 3, 4, 12, 0, 0, 0, time.UTC)
	allow := func(action, resource string) template.Statement {
		return template.Statement{Actions: []string{action}, Resources: []string{resource}}
	}
	e, err := New(Config{
		Callers: map[string]Caller{"LOCALF": {Name: "f", FullName: "stack-f", Policies: []template.Statement{
			allow("s3:PutObject", "arn:aws:s3:::logs/audit/*"), allow("s3:ListBucketVersions", "arn:aws:s3:::logs"),
			allow("s3:PutObject", "arn:aws:s3:::own/*")}},
			"LOCALO": {Name: "o", FullName: "stack-o", RoleARN: "arn:aws:iam::1:role/owner",
				Policies: []template.Statement{allow("s3:PutObject", "arn:aws:s3:::own/*")}}},
		Buckets: []template.Bucket{
			{Name: "logs", ARN: "arn:aws:s3:::logs", LockDays: 1}, {ARN: "arn:aws:s3:::free"},
			{ARN: "arn:aws:s3:::own", Denials: []template.Statement{{
				Deny: true, Actions: []string{"s3:PutObject"}, Resources: []string{"arn:aws:s3:::own/*"},
				Conditions: []template.Condition{
					{Operator: "ArnNotEquals", Key: "aws:PrincipalArn", Values: []string{"arn:aws:iam::1:role/owner"}}},
			}}},
		},
		Now: func() time.Time { return now },
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e)
	defer server.Close()
	send := func(key, method, path, body, header string) (int, string) {
		r, _ := http.NewRequest(method, server.URL+path, strings.NewReader(body))
		sum := sha256.Sum256([]byte(body))
		r.Header.Set("X-Amz-Content-Sha256", hex.EncodeToString(sum[:]))
		r.Header.Set("X-Amz-Checksum-Sha256", base64.StdEncoding.EncodeToString(sum[:]))
		r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+key+"/20300304/r/s3/aws4_request, Signature=0")
		if name, value, ok := strings.Cut(header, "="); ok {
			r.Header.Set(name, value)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		return response.StatusCode, string(text)
	}
	const once, f, admin = "If-None-Match=*", "LOCALF", AdminKey
	for _, c := range []struct {
		after                   time.Duration
		key, method, path, body string
		header                  string
		status                  int
		want                    string
	}{
		{0, f, "PUT", "/logs/audit/a", "1", once, 200, ""},
		{0, f, "PUT", "/logs/audit/a", "2", once, 412, "PreconditionFailed"},
		{0, f, "PUT", "/logs/other", "1", once, 403, "AccessDenied"},
		{0, f, "GET", "/logs/audit/a", "", "", 403, "AccessDenied"},
		{0, f, "DELETE", "/logs/audit/a", "", "", 403, "AccessDenied"},
		{0, "NOBODY", "GET", "/logs/audit/a", "", "", 400, "UnrecognizedClientException"},
		{0, admin, "PUT", "/logs/audit/b", "1", "X-Amz-Checksum-Sha256=", 400, "InvalidRequest"},
		{0, admin, "PUT", "/logs/audit/b", "1", "X-Amz-Checksum-Sha256=AAAA", 400, "BadDigest"},
		{0, admin, "PUT", "/logs/audit/b", "1", "X-Amz-Content-Sha256=00", 400, "XAmzContentSHA256Mismatch"},
		{0, admin, "PUT", "/free/b", "1", "X-Amz-Checksum-Sha256=", 200, ""},
		{0, admin, "DELETE", "/free/b?versionId=v2", "", "", 204, ""},
		{0, admin, "GET", "/free/b", "", "", 404, "NoSuchKey"},
		{0, admin, "GET", "/none/b", "", "", 404, "NoSuchBucket"},
		{0, admin, "GET", "/logs/audit/a", "", "", 200, "1"},
		{0, admin, "DELETE", "/logs/audit/a?versionId=v1", "", "", 403, "AccessDenied"},
		{0, admin, "DELETE", "/logs/audit/a", "", "", 204, ""}, // hides it
		{0, admin, "GET", "/logs/audit/a", "", "", 404, "NoSuchKey"},
		{0, admin, "GET", "/logs/audit/a?versionId=v1", "", "", 200, "1"},
		{0, admin, "GET", "/logs/audit/a?versionId=v3", "", "", 405, "MethodNotAllowed"},
		{0, f, "PUT", "/logs/audit/a", "2", once, 200, ""},
		{0, f, "GET", "/logs?versions&prefix=audit/", "", "", 200, "<Version><Key>audit/a</Key><VersionId>v4</VersionId>" +
			"</Version><DeleteMarker><Key>audit/a</Key><VersionId>v3</VersionId></DeleteMarker>" +
			"<Version><Key>audit/a</Key><VersionId>v1</VersionId></Version></ListVersionsResult>"},
		{0, f, "GET", "/logs?versions&prefix=b", "", "", 200, "<IsTruncated>false</IsTruncated></ListVersionsResult>"},
		{0, admin, "POST", "/logs?delete", "", "", 400, "UnknownOperationException"},
		{24 * time.Hour, admin, "DELETE", "/logs/audit/a?versionId=v1", "", "", 204, ""},
		{0, admin, "GET", "/logs/audit/a?versionId=v1", "", "", 404, "NoSuchKey"},
		{0, "LOCALO", "PUT", "/own/a", "1", once, 200, ""},
		{0, f, "PUT", "/own/b", "1", once, 403, "AccessDenied"},
	} {
		now = now.Add(c.after)
		status, body := send(c.key, c.method, c.path, c.body, c.header)
		if status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s %s %s: %d %s", c.key, c.method, c.path, status, body)
		}
	}
	if used := e.Counts()["f"].Requests["s3:PutObject"]; used != 3 {
		t.Errorf("%d objects put are counted", used)
	}
}
