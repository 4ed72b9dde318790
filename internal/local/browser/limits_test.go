package browser

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var limits = flag.Bool("limits", false, "measure the page on a slow phone; needs a machine that does nothing else")

// A slow phone on a slow network, and what its payer may wait.
const (
	slowerCPU    = 4
	latency      = 150 // ms
	bitsPerS     = 1_600_000
	mostUntil    = 1200.0 // ms until the form is shown
	mostBlocked  = 150.0  // ms of long tasks, beyond 50 ms of each
	mostShift    = 0.02
	measurements = 5 // of which the median counts
)

const observers = `
	window.measured = {form: 0, blocked: 0, shift: 0};
	new PerformanceObserver(l => { for (const e of l.getEntries()) measured.blocked += Math.max(0, e.duration - 50) })
		.observe({type: 'longtask', buffered: true});
	new PerformanceObserver(l => { for (const e of l.getEntries()) measured.shift += e.value })
		.observe({type: 'layout-shift', buffered: true});
	(function look() {
		if (document.getElementById('pay')) measured.form ||= performance.now();
		else requestAnimationFrame(look);
	})();`

// TestLimits measures what a payer with a slow phone sees of the page, in English and in the heaviest language.
func TestLimits(t *testing.T) {
	if !*limits {
		t.Skip("make limits runs it")
	}
	at, _ := embedded(t, time.Now)
	shop := openShop(t)
	compressed := compress(t, at.BaseURL)
	for _, language := range []string{"en", "kk"} {
		var form, blocked, shift []float64
		for range measurements {
			v := newVisit(t, at, shop)
			s := v.session(payer, object{"checkout_language": language})
			v.slow()
			v.open(strings.Replace(s.URL, at.BaseURL, compressed, 1))
			v.until("document.readyState == 'complete' && " + element("pay"))
			get[bool](v.tab, "new Promise(done => setTimeout(() => done(true), 500))") // for tasks that come after it
			form, blocked = append(form, v.isolated("measured.form")), append(blocked, v.isolated("measured.blocked"))
			shift = append(shift, v.isolated("measured.shift"))
		}
		for _, m := range []struct {
			what      string
			all       []float64
			most, got float64
		}{
			{"ms until the form is shown", form, mostUntil, 0}, {"ms blocked", blocked, mostBlocked, 0},
			{"layout shift", shift, mostShift, 0},
		} {
			m.got = median(m.all)
			t.Logf("%s: %.3f %s, of at most %.2f: %.3f", language, m.got, m.what, m.most, m.all)
			if m.got > m.most {
				t.Errorf("%s: %.3f %s, more than %.2f", language, m.got, m.what, m.most)
			}
		}
	}
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// slow makes the tab one of a slow phone, and measures what it shows.
func (v *visit) slow() {
	v.t.Helper()
	v.do(chromedp.EmulateViewport(390, 844))
	call(v.tab, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Latency: latency, DownloadThroughput: bitsPerS / 8,
			UploadThroughput: bitsPerS / 8}}})
	call(v.tab, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slowerCPU})
	call(v.tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: observers})
}

// compress is the address of a server that compresses what another one sends, as CloudFront does.
func compress(t *testing.T, address string) string {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ModifyResponse = func(r *http.Response) error {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return err
		}
		var small bytes.Buffer
		w := gzip.NewWriter(&small)
		_, _ = w.Write(body)
		_ = w.Close()
		r.Header.Set("Content-Encoding", "gzip")
		r.Header.Set("Content-Length", strconv.Itoa(small.Len()))
		r.Body, r.ContentLength = io.NopCloser(&small), int64(small.Len())
		return nil
	}
	server := httptest.NewServer(proxy)
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
}
