package adminpage

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"io"
	"net/http"
	"sync"
)

const enterPath = "/enter"

// entry has the secrets that let a browser in.
type entry struct {
	cookie string // its name; browsers send cookies of one port to all ports of a host
	secret string // its value, for as long as the process runs

	mu   *sync.Mutex
	code string // of the last link
	used bool   // it does not work any more
}

func newEntry(port string) entry {
	return entry{cookie: "checkout-admin-" + port, secret: rand.Text(), mu: new(sync.Mutex), code: rand.Text()}
}

func (e *entry) current() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.code
}

// use reports whether a code works, which it does once. For one that is used a second time it makes a new one, and
// returns that.
func (e *entry) use(code string) (ok bool, renewed string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case !same(code, e.code):
		return false, ""
	case !e.used:
		e.used = true
		return true, ""
	}
	e.code, e.used = rand.Text(), false
	return false, e.code
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// knows reports whether a request comes from a browser that was let in.
func (e *entry) knows(r *http.Request) bool {
	for _, c := range r.CookiesNamed(e.cookie) {
		if same(c.Value, e.secret) {
			return true
		}
	}
	return false
}

// enter gives the browser that opens the link its cookie. The browser that has it may open the link again.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	known := s.entry.knows(r)
	ok, renewed := false, ""
	if !known {
		ok, renewed = s.entry.use(r.URL.Query().Get("code"))
	}
	if renewed != "" && s.config.Renewed != nil {
		s.config.Renewed(s.linkOf(renewed))
	}
	if !known && !ok {
		show(w, http.StatusForbidden, usedPage)
		return
	}
	if ok {
		http.SetCookie(w, &http.Cookie{Name: s.entry.cookie, Value: s.entry.secret, Path: "/", HttpOnly: true,
			SameSite: http.SameSiteStrictMode})
	}
	w.Header().Set("Location", "/")
	w.WriteHeader(http.StatusSeeOther)
}

// turnAway responds to a browser without the cookie. One that follows a link of another site does not send its cookie,
// but does when a page of this server sends it on. The fragment names the view, and only a script sees it.
func turnAway(w http.ResponseWriter, r *http.Request) {
	from := r.Header.Get("Sec-Fetch-Site")
	if r.Method != http.MethodGet || from != "cross-site" && from != "same-site" {
		show(w, http.StatusForbidden, usedPage)
		return
	}
	sum := sha256.Sum256([]byte(againScript))
	w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'sha256-"+
		base64.StdEncoding.EncodeToString(sum[:])+"'; frame-ancestors 'none'; base-uri 'none'")
	show(w, http.StatusOK, againPage)
}

// againScript leads to the page by enterPath, from where browsers take the fragment along.
const againScript = `location.replace("` + enterPath + `" + location.hash)`

const (
	usedPage = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>No access</title>
<h1>This link does not work any more</h1>
<p>Each link to the admin page opens it in one browser, once, while the command that has printed it runs.</p>
<p>When a link is opened a second time, the command prints a new one: look there. Or end it and start it again.</p>
<p>If you have not opened the link before, somebody else has: end the command at once.</p></html>
`
	againPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Admin page</title>
<p><a href="` + enterPath + `">Open the admin page</a></p><script>` + againScript + `</script></html>
`
)

func show(w http.ResponseWriter, status int, page string) {
	w.Header().Set("Content-Type", types[".html"])
	w.WriteHeader(status)
	_, _ = io.WriteString(w, page)
}
