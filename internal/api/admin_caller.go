package api

import (
	"context"
	"log/slog"
	"mime"
	"net/http"
	"strings"

	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/signin"
)

type callerKey struct{}

// WithCaller returns the context of a request to the admin API: who calls, as whoever has authenticated them knows
// them, and via what, command or page. A request without a caller is that of a person who has signed in, or refused.
func WithCaller(ctx context.Context, who, via string) context.Context {
	if via != "command" && via != "page" {
		via = ""
	}
	return context.WithValue(ctx, callerKey{}, grant.Person{Who: who, Via: via})
}

// WithPerson is WithCaller for somebody whose grants are known, so that none are looked for.
func WithPerson(ctx context.Context, p grant.Person) context.Context {
	return context.WithValue(ctx, callerKey{}, p)
}

func callerOf(ctx context.Context) grant.Person {
	caller, _ := ctx.Value(callerKey{}).(grant.Person)
	return caller
}

func logCaller(ctx context.Context, who string) {
	note := fault.NoteOf(ctx)
	note.Attrs = append(note.Attrs, slog.String("who", who))
}

// The cookies of the admin page. Only the host itself can set ones with these names, and no script can read them. The
// provider sends the browser back from another site, which a strict cookie would not be sent after.
const (
	sessionCookie = "__Host-admin-session" // SameSite=Strict
	attemptCookie = "__Host-admin-attempt" // SameSite=Lax, for minutes
)

// sessionToken is what a request carries of a session: the page's in its cookie, the command's in the header
// Authorization.
type sessionToken struct {
	text   string
	bearer bool
}

func tokenOf(r *http.Request) sessionToken {
	if text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return sessionToken{text, true}
	}
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		return sessionToken{cookie.Value, false}
	}
	return sessionToken{}
}

// check refuses a request unless its token is that of a session, and of one that is used in this way. What a cookie
// comes with has to be sent by the page itself: browsers send it with whatever asks for it.
func (t sessionToken) check(r *http.Request, of *signin.Session) error {
	if of == nil || t.bearer != (of.Origin == "") {
		return errSignedOut()
	}
	logCaller(r.Context(), of.Who)
	if !t.bearer && !sentByPage(r, of.Origin) {
		return denied("The request comes from another site.")
	}
	if r.Method != http.MethodGet && !isJSON(r) {
		return denied("The request is not JSON.")
	}
	return nil
}

// sentByPage reports whether a request is that of the page of an origin. Pages of the same site are others.
func sentByPage(r *http.Request, own string) bool {
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	if origin != "" && origin != own {
		return false
	}
	switch site {
	case "same-origin":
		return true
	case "":
		return r.Method == http.MethodGet || origin == own
	}
	return r.Method == http.MethodGet && site == "none" // typed in
}

func isJSON(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// errSignedOut is the error for a request without a session.
func errSignedOut() error {
	return fault.Refuse(fault.CodeSignedOut, "You are not signed in, or not any more.")
}

func denied(text string) error { return fault.Refuse(fault.CodeDenied, text) }
