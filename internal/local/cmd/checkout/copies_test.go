package main

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"checkout/internal/app"
	"checkout/internal/audit"
	"checkout/internal/local/cloud/endpoint"
	"checkout/internal/operator"
	"checkout/internal/operator/archive"
	"checkout/internal/operator/archive/s3"
)

// copyAll copies what has no copy, by the credentials of whoever types.
func (s *stackOfPeople) copyAll(key string) (int, error) {
	url := os.Getenv("AWS_ENDPOINT_URL")
	bucket := s3.NewBucket(aws.Config{
		Region: testRegion, BaseEndpoint: &url, HTTPClient: http.DefaultClient,
		Credentials: credentials.NewStaticCredentialsProvider(key, "test", ""),
	}, s.bucket, time.Now)
	return archive.NewArchive(s.docs, bucket, time.Now).Repair(s.t.Context())
}

// verifyLately is the command for two days: all 400 take a while.
func verifyLately() string {
	return "audit verify --from " + time.Now().Add(-24*time.Hour).Format(time.DateOnly)
}

// What has no copy is named, and compared with its copy once it has one. People put none, whatever rights they have.
func TestCopiesOfChanges(t *testing.T) {
	s := newStackOfPeople(t)
	act := app.Act{ID: "a", Who: "ann"}
	began := time.Now().Add(-time.Hour)
	if err := act.Save(t.Context(), s.docs, began, audit.Change{What: "merchant/pens"}); err != nil {
		t.Fatal(err)
	}
	s.is("operator")
	from := func(days int) string { return " --from " + time.Now().UTC().AddDate(0, 0, days).Format(time.DateOnly) }
	for _, line := range []struct{ command, want string }{
		{"audit verify", ".json: has no copy\nerror: 1 faults in 1 entries"},
		{"audit verify" + from(1), "0 entries, none was altered\n"},
		{"copied", ""},
		{"audit verify" + from(-99), "1 entries, none was altered\n"},
		{"audit verify --from yesterday", "no time such as 2026-11-23T15:04:05Z"},
	} {
		if line.command == "copied" {
			for _, person := range []string{"operator", "privileged"} {
				if n, err := s.copyAll(person); n != 0 || err == nil || !strings.Contains(err.Error(), denied) {
					t.Errorf("%s has copied %d: %v", person, n, err)
				}
			}
			if n, err := s.copyAll(endpoint.AdminKey); n != 1 || err != nil {
				t.Fatalf("%d copied, %v", n, err)
			}
			continue
		}
		if out := s.do(line.command); !strings.Contains(out, line.want) || strings.Contains(out, "not compared") {
			t.Errorf("%s: %q", line.command, out)
		}
	}
	s.is("reader")
	const refused = "error: not compared with the locked copies: list copies: s3: 403 AccessDenied"
	if out := s.do(verifyLately()); out != refused {
		t.Errorf("reader: %q", out)
	}
}

// The API compares the log with its copies part by part. What it has compared is not compared again; what it has not
// can't be said to be whole.
func TestVerifyByParts(t *testing.T) {
	f := newAPI(t)
	const fault = "audit/2030-01-02/0/000000000001.json: differs from its copy"
	none := typedResult{notes: "checkout: not compared with the locked copies: no bucket: name a stack with checkout " +
		"use STACK, or set --bucket or AUDIT_BUCKET\n", code: exitMisused}
	for _, test := range []struct {
		faults string
		copies [2]string // of both parts
		want   typedResult
	}{
		{"", [2]string{operator.Compared, operator.Compared}, typedResult{out: "10 entries, none was altered\n"}},
		{`"` + fault + `"`, [2]string{operator.Compared, operator.Compared},
			typedResult{out: fault + "\n", notes: "checkout: 1 faults in 10 entries\n", code: exitFailed}},
		{"", [2]string{operator.NoCopies, operator.NoCopies}, none},
		{"", [2]string{operator.NoCopies, operator.Compared}, none},
		{"", [2]string{"", operator.Compared}, none},
	} {
		f.handled = func(call sentCall) {
			f.has["GET /audit/verify"] = `{"entries":7,"faults":[],"copies":"` + test.copies[0] + `","cursor":"next"}`
			if call.query == "cursor=next" {
				f.has["GET /audit/verify"] = `{"entries":3,"faults":[` + test.faults + `],"copies":"` + test.copies[1] + `"}`
			}
		}
		if result := f.do(typing{}, "audit verify"); result != test.want {
			t.Errorf("%q: %+v", test.copies, result)
		}
	}
}
