package adminpage

import (
	"crypto/rand"
	"crypto/subtle"
	"sync"
	"time"
)

// idleEnd is after how long without a request a token works no more.
const idleEnd = 30 * time.Minute

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
