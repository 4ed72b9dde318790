package browser

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"checkout/internal/local"
)

// lines is a log that may be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// TestWhatThePolicyBlocksIsReported plants a script in the page, which the policy blocks and the browser reports as
// report-uri says, where it knows no report-to.
func TestWhatThePolicyBlocksIsReported(t *testing.T) {
	t.Parallel()
	front, log := secure(t, func(h http.Header) {
		h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "; report-to csp", "", 1))
		h.Del("Reporting-Endpoints")
	})
	reportsOnce(t, takeProfile(t).tab(t, &watch{}), front, log)
}

// The same as report-to says, which browsers do over https alone, and Chromium's headless shell not at all.
func TestWhatThePolicyBlocksIsReportedTo(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("report-to was not tried: it needs the whole Chromium: ", err)
	}
	front, log := secure(t, func(http.Header) {})
	allocator, stop := chromedp.NewExecAllocator(context.Background(), append(append(flags(), trusted(front)...),
		chromedp.ExecPath(program), chromedp.UserDataDir(t.TempDir()), chromedp.Flag("short-reporting-delay", true))...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(allocator)
	t.Cleanup(end)
	reportsOnce(t, newTab(t, ctx, &watch{}), front, log)
}

// secure serves the service over https, with changed headers, and its log.
func secure(t *testing.T, change func(http.Header)) (*httptest.Server, *lines) {
	t.Helper()
	log := &lines{}
	server, err := local.Start(t.Context(), local.Config{Root: root, Now: time.Now, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	to, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewTLSServer(&httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(to) },
		ModifyResponse: func(r *http.Response) error { change(r.Header); return nil },
	})
	t.Cleanup(front.Close)
	return front, log
}

// reportsOnce plants a script in the page, and waits until the one report of it is counted.
func reportsOnce(t *testing.T, b *tab, front *httptest.Server, log *lines) {
	t.Helper()
	call(b, page.Navigate, page.NavigateParams{URL: front.URL + "/?session=secret-session"})
	b.until("document.querySelector('main') != null")
	get[bool](b, `(() => { const s = document.createElement('script'); s.textContent = 'window.bad = 1';
		document.body.append(s); return true })()`)
	const want = `"msg":"policy violated","directive":"script-src-elem","blocked":"inline","csp_reports":1,`
	eventually(t, func() bool { return strings.Contains(log.String(), want) },
		func() string { return "no report: " + log.String() })
	if get[bool](b, "'bad' in window") || strings.Count(log.String(), "policy violated") != 1 ||
		strings.Contains(log.String(), "secret-session") {
		t.Errorf("the log is %s", log.String())
	}
}
