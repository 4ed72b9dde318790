package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const arn = "arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef"

// initialised runs init in the repository's folder with these lines and a file that has a text, "" for none.
func initialised(t *testing.T, before string, lines ...string) (printed string, after map[string]string, err error) {
	t.Helper()
	t.Chdir("../../../..")
	file := filepath.Join(t.TempDir(), "deploy.json")
	if before != "" {
		if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	c := &call{getenv: none, in: strings.NewReader(strings.Join(append(lines, ""), "\n")), out: &out, notes: &out}
	err = run(t.Context(), c, []string{"init", "--config", file})
	text, failed := os.ReadFile(file)
	if err == nil {
		failed = errors.Join(failed, json.Unmarshal(text, &after))
	} else if string(text) != before {
		t.Errorf("%v, but the file has become %s", err, text)
	} else {
		failed = nil
	}
	if failed != nil {
		t.Fatal(failed)
	}
	return out.String(), after, err
}

// A new deployment is asked for by at most eight prompts, and says what to do next.
func TestInit(t *testing.T) {
	for name, c := range map[string]struct {
		before string
		lines  []string
		want   map[string]string
		says   []string
	}{
		"nothing decided": {"", []string{"", "", "", "", ""},
			map[string]string{"DomainName": "", "CertificateArn": "", "AlarmEmail": ""},
			[]string{"about $27 a month with 100,000 payments", "not for production",
				"make deploy STACK=checkout REGION=eu-central-1 "}},
		"a domain with a certificate": {"", []string{"pens", "eu-west-1", "pay.example.com", arn, "a@example.com", "large"},
			map[string]string{"DomainName": "pay.example.com", "CertificateArn": arn, "AlarmEmail": "a@example.com",
				"ConnectorPollers": "20", "CallbackPollers": "20", "ConnectorConcurrency": "600", "PageRate": "4000",
				"PayRate": "1000", "MerchantRate": "2000", "RouteBurst": "5000", "ConcurrencyLimit": "3200"},
			[]string{"point pay.example.com to CloudFront", "STACK=pens REGION=eu-west-1"}},
		"a domain without one": {"", []string{"", "", "pay.example.com", "none", "", "try"},
			map[string]string{"DomainName": "", "CertificateArn": "", "AlarmEmail": "", "Canary": "false",
				"LogRetentionDays": "30"},
			[]string{"--domain-name pay.example.com", "run checkout init again", "is at an address of CloudFront's"}},
		"another domain without one": {`{"DomainName": "pay.example.com", "CertificateArn": "` + arn + `"}`,
			[]string{"", "", "pay.example.org", "no", "", ""},
			map[string]string{"DomainName": "pay.example.com", "CertificateArn": arn, "AlarmEmail": ""},
			[]string{"--domain-name pay.example.org", "Until then the stack is at pay.example.com."}},
		"large letters": {"", []string{"Pens", "EU-West-1", "Pay.Example.com", arn, "Ann@example.com", "SMALL"},
			map[string]string{"DomainName": "pay.example.com", "CertificateArn": arn, "AlarmEmail": "Ann@example.com"},
			[]string{"STACK=Pens REGION=eu-west-1"}},
		"wrong replies": {"", []string{"my_stack", "pens", "Frankfurt", "", "https://pay.example.com", "pay.example.com",
			strings.Replace(arn, "us-east-1", "eu-west-1", 1), arn, "me", `"a"@example.com`, "a@example.com", "huge", "small"},
			map[string]string{"DomainName": "pay.example.com", "CertificateArn": arn, "AlarmEmail": "a@example.com"},
			[]string{"letters, digits and -", "such as eu-central-1", "It should be a domain", "no other Region's",
				"one e-mail address", "It should be one of try, small, large."}},
		"a file that has more": {`{"WebAclArn": "", "DomainName": "pay.example.com", "CertificateArn": "` + arn +
			`", "AlarmEmail": "a@example.com", "Canary": "false", "LogRetentionDays": "30", "PageRate": "7"}`,
			[]string{"", "", "", "", "none", "small"},
			map[string]string{"WebAclArn": "", "DomainName": "pay.example.com", "CertificateArn": arn, "AlarmEmail": "",
				"PageRate": "7"}, []string{"[pay.example.com]", "Size [try]"}},
	} {
		t.Run(name, func(t *testing.T) {
			printed, after, err := initialised(t, c.before, c.lines...)
			asked := strings.Count(printed, "] ") - strings.Count(printed, "It should be")
			if err != nil || !maps.Equal(after, c.want) || asked < 5 || asked > 8 {
				t.Errorf("%v: %v\n%s", err, after, printed)
			}
			for _, want := range c.says {
				if !strings.Contains(printed, want) {
					t.Errorf("no %q in\n%s", want, printed)
				}
			}
		})
	}
}

// Whatever ends it early, the file stays as it was.
func TestInitWritesAllOrNothing(t *testing.T) {
	for name, c := range map[string]struct {
		before string
		lines  []string
		want   string
	}{
		"no more replies":   {"{}", []string{"pens"}, "there was no reply; "},
		"no JSON":           {`{"DomainName": }`, nil, "mend it or move it away"},
		"no texts":          {`{"PageRate": 5}`, nil, "should be a JSON object of texts"},
		"another parameter": {`{"Domain": "a"}`, nil, "the template has no Domain"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := initialised(t, c.before, c.lines...); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Error(err)
			}
		})
	}
	t.Run("Ctrl-C", func(t *testing.T) {
		t.Chdir("../../../..")
		ctx, cancel := context.WithCancel(t.Context())
		in, typed := io.Pipe() // on which nobody types
		defer typed.Close()
		cancel()
		file := filepath.Join(t.TempDir(), "deploy.json")
		c := &call{getenv: none, in: in, out: io.Discard, notes: io.Discard}
		if err := run(ctx, c, []string{"init", "--config", file}); !errors.Is(err, errNo) {
			t.Error(err)
		}
		if _, err := os.Stat(file); err == nil {
			t.Error("the file was written")
		}
	})
	t.Run("another folder", func(t *testing.T) {
		t.Chdir(t.TempDir())
		c := &call{getenv: none, in: strings.NewReader(""), out: io.Discard, notes: io.Discard}
		if err := run(t.Context(), c, []string{"init"}); err == nil || !strings.Contains(err.Error(), "no template.yaml") {
			t.Error(err)
		}
	})
}
