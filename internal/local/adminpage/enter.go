package adminpage

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	enterPath     = "/enter"  // where the page gets a token for the code of its link
	enterFragment = "#enter=" // of a link; browsers send no fragment to a server, nor to other sites
	maxEntry      = 1 << 10   // bytes of a request for a token
	// idleEnd is after how long without a request a token works no more.
	idleEnd = 30 * time.Minute
)

// entry has the secrets that let a browser in.
type entry struct {
	mu     sync.Mutex
	code   string // of the last link
	used   bool   // it does not work any more
	tokens []*access
}

// access is what a browser has got for a code.
type access struct {
	token string
	last  time.Time // when it was used; without a monotonic reading, which stands still while a laptop sleeps
}

func newEntry() *entry { return &entry{code: rand.Text()} }

func (e *entry) current() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.code
}

// use returns a new token for a code, which works once, and "" for another one. For a code that is used a second time
// it makes a new code, and returns that.
func (e *entry) use(code string, now time.Time) (token, renewed string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case !same(code, e.code):
		return "", ""
	case e.used:
		return "", e.renew()
	}
	e.used = true
	e.tokens = append(e.tokens, &access{token: rand.Text(), last: now.Round(0)})
	return e.tokens[len(e.tokens)-1].token, ""
}

// renew makes a new code and returns it.
func (e *entry) renew() string {
	e.code, e.used = rand.Text(), false
	return e.code
}

// knows reports whether a token works, and notes its use. One that nobody has used for idleEnd is forgotten. If no link
// works then, it makes a new code and returns that.
func (e *entry) knows(token string, now time.Time) (ok bool, renewed string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, a := range e.tokens {
		if !same(token, a.token) {
			continue
		}
		if now.Round(0).Sub(a.last) < idleEnd {
			a.last = now.Round(0)
			return true, ""
		}
		e.tokens = append(e.tokens[:i], e.tokens[i+1:]...)
		if !e.used {
			return false, ""
		}
		return false, e.renew()
	}
	return false, ""
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// bearer is the token that a request carries, "" for none.
func bearer(r *http.Request) string {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return ""
	}
	return token
}

// knows reports whether a token works.
func (s *Server) knows(token string) bool {
	ok, renewed := s.entry.knows(token, s.config.Now())
	s.renewed("Nobody has used the admin page for 30 minutes, so its access has ended.", renewed)
	return ok
}

// renewed passes on a new link, if there is a code of one.
func (s *Server) renewed(why, code string) {
	if code != "" && s.config.Renewed != nil {
		s.config.Renewed(why, s.linkOf(code))
	}
}

// enter sends the page its token for the code of the link that has opened it. A page that has a token may have been
// opened by a link that is used, and keeps it.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	if status, why := refused(r); why != "" {
		refuse(w, status, why)
		return
	}
	var link struct {
		Code string `json:"code"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxEntry)).Decode(&link); err != nil {
		refuse(w, http.StatusBadRequest, "The request can't be read.")
		return
	}
	token := bearer(r)
	if !s.knows(token) {
		var renewed string
		token, renewed = s.entry.use(link.Code, s.config.Now())
		s.renewed("The link was opened a second time. If it was not you, end this now.", renewed)
	}
	if token == "" {
		refuse(w, http.StatusForbidden, "This link does not work any more.")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"token": token})
}
