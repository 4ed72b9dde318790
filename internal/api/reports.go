package api

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"checkout/internal/checkout"
	"checkout/internal/metric"
)

// The limits of what browsers report. Anybody can send anything here.
const (
	maxReports     = 16 << 10 // bytes of a request's body
	reportsCounted = 10       // reports of a request
)

// policyReports handles what browsers report.
type policyReports struct{ core *checkout.Core }

// Reports returns the route of what browsers report.
func Reports(core *checkout.Core) Routes {
	return Routes{{"POST", "/page/reports", raw(policyReports{core}.take)}}
}

// take handles what browsers report of the page's and the frame's Content-Security-Policy, in the form of report-to
// and in that of report-uri. Each report is counted by its directive and logged without its addresses but the origin of
// what was blocked: the page's own has the session id, which opens the page. The response is always 204.
func (p policyReports) take(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxReports))
	if err == nil {
		for _, v := range violations(body) {
			p.measureViolation(r.Context(), v)
		}
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (p policyReports) measureViolation(ctx context.Context, v violation) {
	p.core.Measure(ctx, metric.Line{
		Message: "policy violated", Dimension: "directive", Total: true,
		Metrics: []metric.Metric{metric.Count("csp_reports")},
	}, slog.String("directive", v.directive), slog.String("blocked", v.blocked))
}

// violation is one thing that a browser has blocked.
type violation struct{ directive, blocked string }

// report is a report in the form of report-uri, whose names have dashes, or of report-to.
type report struct {
	Directive  string `json:"effective-directive"`
	Violated   string `json:"violated-directive"` // of browsers that know no other
	Blocked    string `json:"blocked-uri"`
	SourceFile string `json:"source-file"`

	EffectiveDirective string `json:"effectiveDirective"`
	BlockedURL         string `json:"blockedURL"`
	Source             string `json:"sourceFile"`
}

// violations reads the body of a request. What is no report is left out, and what a browser's extension did.
func violations(body []byte) (all []violation) {
	var of struct {
		Report *report `json:"csp-report"`
	}
	var list []struct {
		Type string  `json:"type"`
		Body *report `json:"body"`
	}
	var reports []*report
	if json.Unmarshal(body, &of) == nil {
		reports = append(reports, of.Report)
	} else if json.Unmarshal(body, &list) == nil {
		for _, r := range list {
			if r.Type == "csp-violation" {
				reports = append(reports, r.Body)
			}
		}
	}
	for _, r := range reports {
		if r == nil || len(all) == reportsCounted {
			continue
		}
		blocked := r.Blocked + r.BlockedURL
		if ofExtension(blocked) || ofExtension(r.SourceFile+r.Source) {
			continue
		}
		directive, _, _ := strings.Cut(r.Directive+r.EffectiveDirective, " ")
		if directive == "" {
			directive, _, _ = strings.Cut(r.Violated, " ")
		}
		if !slices.Contains(directives, directive) {
			directive = "other"
		}
		all = append(all, violation{directive, originOf(blocked)})
	}
	return all
}

// directives are those that are counted by themselves, since each is a metric of its own.
var directives = []string{
	"script-src", "script-src-elem", "script-src-attr", "style-src", "style-src-elem", "style-src-attr", "img-src",
	"connect-src", "font-src", "frame-src", "form-action", "base-uri", "default-src", "frame-ancestors",
}

// ofExtension reports whether an address is that of a browser's extension. Browsers may report its scheme alone.
func ofExtension(address string) bool {
	scheme, _, _ := strings.Cut(address, ":")
	return strings.HasSuffix(scheme, "-extension") // chrome, moz, safari, safari-web, ms-browser
}

// blockedWords are what browsers report in place of an address, and schemes of addresses without an origin.
var blockedWords = []string{"inline", "eval", "wasm-eval", "self", "data", "blob", "filesystem", "about"}

// originOf is the origin of an address, a word or a scheme in the place of one, or else "other".
func originOf(blocked string) string {
	u, err := url.Parse(blocked)
	switch {
	case slices.Contains(blockedWords, blocked):
		return blocked
	case err != nil:
		return "other"
	case slices.Contains([]string{"http", "https", "ws", "wss"}, u.Scheme) && u.Host != "" && len(u.Host) <= 100:
		return u.Scheme + "://" + u.Host
	case slices.Contains(blockedWords, u.Scheme):
		return u.Scheme
	}
	return "other"
}
