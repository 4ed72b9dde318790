package api

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"checkout/internal/fault"
	"checkout/internal/operator/signin"
)

const callbackPath = signInPath + "/callback"

// CallbackURL is where an OpenID provider sends browsers back to, for the page of an origin.
func CallbackURL(origin string) string { return origin + callbackPath }

// adminLogin signs people in and out, for the page of an origin and for the command.
type adminLogin struct {
	sessions *signin.Sessions
	provider signin.Provider
	origin   string
}

// AdminLogin returns the routes by which people sign in and out whom an OpenID provider knows.
func AdminLogin(sessions *signin.Sessions, provider signin.Provider, origin string) Routes {
	l := adminLogin{sessions, provider, origin}
	return Routes{
		{"GET", signInPath, step(l.begin)},
		{"GET", callbackPath, step(l.finish)},
		{"POST", signInPath + "/token", step(l.redeem)},
		{"POST", signInPath + "/refresh", step(l.refresh)},
		{"POST", "/admin/logout", step(l.end)},
	}
}

// step handles the request of a step of signing in.
type step func(a *API, w http.ResponseWriter, r *http.Request) error

func (f step) handle(a *API, w http.ResponseWriter, r *http.Request) error { return f(a, w, r) }

// begin sends a browser to the provider. The attempt is a secret of this browser, so that nobody can have it finish an
// attempt of theirs.
func (l adminLogin) begin(a *API, w http.ResponseWriter, r *http.Request) error {
	command, err := readCommand(r)
	if err != nil {
		return err
	}
	attempt := signin.NewAttempt(a.Core.Random)
	address, err := l.provider.SignInURL(r.Context(), attempt)
	if err != nil {
		return err
	}
	setCookie(w, http.Cookie{
		Name: attemptCookie, Value: string(attempt) + command.text(), SameSite: http.SameSiteLaxMode,
		MaxAge: int(signin.AttemptTTL.Seconds()),
	})
	http.Redirect(w, r, address, http.StatusSeeOther)
	return nil
}

// finish starts the session of a browser that the provider has sent back. For the command it sends the browser on to
// the command, with a code for which that gets the session.
func (l adminLogin) finish(a *API, w http.ResponseWriter, r *http.Request) error {
	setCookie(w, http.Cookie{Name: attemptCookie, MaxAge: -1, SameSite: http.SameSiteLaxMode})
	who, command, err := l.identify(r)
	if err != nil {
		return l.refused(a, w, r, err)
	}
	logCaller(r.Context(), who.Who())
	if command.port != "" {
		code, err := l.sessions.HandOver(r.Context(), who, command.challenge)
		if err != nil {
			return l.refused(a, w, r, err)
		}
		back := url.Values{"code": {code}, "state": {command.state}}
		http.Redirect(w, r, "http://127.0.0.1:"+command.port+"/?"+back.Encode(), http.StatusSeeOther)
		return nil
	}
	token, _, err := l.sessions.Start(r.Context(), who, l.origin)
	if err != nil {
		return l.refused(a, w, r, err)
	}
	setCookie(w, http.Cookie{Name: sessionCookie, Value: token, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// identify returns who has signed in with the attempt of this browser, and for which command. Errors: a
// *signin.Refusal.
func (l adminLogin) identify(r *http.Request) (who signin.Identity, command loopback, err error) {
	cookie, err := r.Cookie(attemptCookie)
	if err != nil {
		return who, command, signin.Refuse("this browser has begun no attempt, or one that is too old")
	}
	attempt, rest, _ := strings.Cut(cookie.Value, ".")
	query := r.URL.Query()
	state := signin.Attempt(attempt).State()
	switch {
	case subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(state)) != 1:
		return who, command, signin.Refuse("the state is another attempt's")
	case query.Get("error") != "":
		return who, command, signin.Refuse("the provider says " + query.Get("error"))
	}
	who, err = l.provider.Identify(r.Context(), query.Get("code"), signin.Attempt(attempt))
	return who, loopbackIn(rest), err
}

// refused logs why a sign-in is refused, and leads the browser to the page, which says so. An error of another kind
// stays one.
func (l adminLogin) refused(a *API, w http.ResponseWriter, r *http.Request, err error) error {
	if !l.isRefusal(a, r, err) {
		return err
	}
	http.Redirect(w, r, "/?refused="+fault.RequestID(r.Context()), http.StatusSeeOther)
	return nil
}

// isRefusal reports whether an error is that of a refused sign-in, and logs why.
func (l adminLogin) isRefusal(a *API, r *http.Request, err error) bool {
	refusal := new(signin.Refusal)
	if !errors.As(err, &refusal) {
		return false
	}
	a.Core.Log.WarnContext(r.Context(), "sign-in refused", "why", refusal.Why, "ip", payerIP(r))
	return true
}

// redeemed is what the command gets for its code.
type redeemed struct {
	Token string `json:"token"`
	state
}

// state is what somebody who has signed in is told about that.
type state struct {
	Who    string `json:"who"`
	Email  string `json:"email,omitempty"`
	EndsAt string `json:"ends_at"` // if nothing is done until then
}

func stateOf(of *signin.Session) state {
	return state{of.Who, of.Email, of.EndsAt().Format("2006-01-02T15:04:05Z07:00")}
}

// redeem starts the session of a command.
func (l adminLogin) redeem(a *API, w http.ResponseWriter, r *http.Request) error {
	var sent struct {
		Code     string `json:"code"`
		Verifier string `json:"verifier"`
	}
	if err := readAct(r, &sent); err != nil {
		return err
	}
	token, of, err := l.sessions.Redeem(r.Context(), sent.Code, sent.Verifier)
	if l.isRefusal(a, r, err) {
		return errSignedOut()
	}
	if err != nil {
		return err
	}
	logCaller(r.Context(), of.Who)
	writeJSON(w, http.StatusOK, redeemed{token, stateOf(of)})
	return nil
}

// refresh stores that a session is used, and says whose it is.
func (l adminLogin) refresh(_ *API, w http.ResponseWriter, r *http.Request) error {
	of, err := l.sessionOf(r)
	if err != nil {
		return err
	}
	if err := l.sessions.Refresh(r.Context(), of); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, stateOf(of))
	return nil
}

// end ends a session.
func (l adminLogin) end(_ *API, w http.ResponseWriter, r *http.Request) error {
	of, err := l.sessionOf(r)
	if err != nil {
		return err
	}
	if err := l.sessions.End(r.Context(), of); err != nil {
		return err
	}
	setCookie(w, http.Cookie{Name: sessionCookie, MaxAge: -1, SameSite: http.SameSiteStrictMode})
	writeJSON(w, http.StatusOK, struct{}{})
	return nil
}

// sessionOf returns the session of a request. Errors: CodeSignedOut, CodeDenied.
func (l adminLogin) sessionOf(r *http.Request) (*signin.Session, error) {
	token := tokenOf(r)
	if token.text == "" {
		return nil, errSignedOut()
	}
	of, err := l.sessions.Of(r.Context(), token.text)
	if err != nil {
		return nil, err
	}
	return of, token.check(r, of)
}

func setCookie(w http.ResponseWriter, c http.Cookie) {
	c.Path, c.Secure, c.HttpOnly = "/", true, true
	http.SetCookie(w, &c)
}

// loopback is a command that waits for its code on a port of the person's machine.
type loopback struct{ port, challenge, state string }

var random = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// readCommand returns the command that an attempt is for, nothing where it is for the page. Another site, or a link in
// a message, can't begin one: the page asks the person first.
func readCommand(r *http.Request) (loopback, error) {
	query := r.URL.Query()
	c := loopback{query.Get("port"), query.Get("challenge"), query.Get("state")}
	if c == (loopback{}) {
		return c, nil
	}
	if r.Header.Get("Sec-Fetch-Site") != "same-origin" {
		return c, denied("The request does not come from the admin page.")
	}
	port, err := strconv.ParseUint(c.port, 10, 16)
	if err != nil || port < 1024 || strconv.FormatUint(port, 10) != c.port {
		return c, fault.At("port", "It should be a number from 1024 to 65535.")
	}
	if !random.MatchString(c.challenge) {
		return c, fault.At("challenge", "It should be the S256 challenge of a verifier.")
	}
	if !random.MatchString(c.state) {
		return c, fault.At("state", "It should be 43 letters and digits.")
	}
	return c, nil
}

// text is the command as a part of a cookie, as loopbackIn reads it.
func (c loopback) text() string {
	if c == (loopback{}) {
		return ""
	}
	return "." + c.port + "." + c.challenge + "." + c.state
}

func loopbackIn(text string) loopback {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return loopback{}
	}
	return loopback{parts[0], parts[1], parts[2]}
}
