package stack

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/local/cloud/template"
	"checkout/internal/metric"
	"checkout/internal/operator/guard"
	records "checkout/internal/store"
	"checkout/internal/store/memory"
)

// delivered responds with the headers of each host, and with nothing else.
type delivered map[string]http.Header

func (d delivered) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	for name, values := range d[r.URL.Host] {
		w.Header()[name] = values
	}
	return w.Result(), nil
}

// TestTheGuardKnowsTheHeadersOfTheTemplate checks that the guard wants the headers that both sites have, and each.
func TestTheGuardKnowsTheHeadersOfTheTemplate(t *testing.T) {
	const certificate = "arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef"
	for _, parameters := range []map[string]string{nil, {
		"DomainName": "pay.example.com", "CertificateArn": certificate, "FrameAncestors": "https://shop.example",
		"WalletDomainName": "wallet.example.com", "WalletCertificateArn": certificate,
	}} {
		read, err := stack(t, parameters)
		if err != nil {
			t.Fatal(err)
		}
		f := read.Functions[slices.IndexFunc(read.Functions, func(f template.Function) bool { return f.Name == "guard" })]
		page := guard.Site{URL: f.Environment["BASE_URL"], Policy: f.Environment["PAGE_POLICY"]}
		frame := guard.Site{URL: f.Environment["WALLET_URL"], Policy: f.Environment["WALLET_POLICY"]}
		all := delivered{}
		for id, url := range map[string]string{template.PageSite: page.URL, template.WalletSite: frame.URL} {
			header := http.Header{}
			behaviors := read.Sites[id].Behaviors
			for _, h := range behaviors[len(behaviors)-1].Headers {
				header.Set(h.Name, h.Value)
			}
			all[strings.TrimPrefix(url, "https://")] = header
		}
		if log := guarded(t, page, frame, all); !strings.Contains(log, `"headers_changed":0`) {
			t.Errorf("%v: the guard wants other headers: %s", parameters, log)
		}
		for host, header := range all {
			if len(header) < 5 {
				t.Errorf("%s has only %v", host, header)
			}
			for name, values := range header {
				header[name] = []string{"another"}
				if log := guarded(t, page, frame, all); !strings.Contains(log, `"path":"`+name+`"`) ||
					!strings.Contains(log, `"headers_changed":1`) {
					t.Errorf("%s: the guard does not look at %s: %s", host, name, log)
				}
				header[name] = values
			}
		}
	}
}

// guarded is what the guard logs of two sites.
func guarded(t *testing.T, page, frame guard.Site, sites delivered) string {
	t.Helper()
	var log bytes.Buffer
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	documents := memory.NewStore()
	key := records.Key{Partition: records.PageReleases(1).Partition, Sort: "at/" + now.Format(time.RFC3339)}
	if err := documents.Save(t.Context(), now, records.Encode(key, 0, guard.Release{})); err != nil {
		t.Fatal(err)
	}
	g := guard.Guard{
		Meter: metric.Meter{Log: slog.New(slog.NewJSONHandler(&log, nil)), Now: func() time.Time { return now }},
		Store: documents, HTTP: sites, Page: page, Frame: frame,
	}
	if err := g.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	return log.String()
}

// The frame has no API on its own domain, so that what browsers report of it goes to the page's, if that has a name.
func TestWhereReportsGo(t *testing.T) {
	const certificate = "arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef"
	for domain, want := range map[string]string{
		"": "", "pay.example.com": "; report-uri https://pay.example.com/page/reports;",
	} {
		parameters := map[string]string{"DomainName": domain}
		if domain != "" {
			parameters["CertificateArn"] = certificate
		}
		read, err := stack(t, parameters)
		if err != nil {
			t.Fatal(err)
		}
		for id, part := range map[string]string{
			template.PageSite: "; report-uri /page/reports; report-to csp;", template.WalletSite: want,
		} {
			policy := read.Sites[id].Behaviors[len(read.Sites[id].Behaviors)-1].Headers[0].Value
			if !strings.Contains(policy, part) || strings.Contains(policy, "report") != (part != "") {
				t.Errorf("with the domain %q: the policy of %s is %s", domain, id, policy)
			}
		}
	}
}
