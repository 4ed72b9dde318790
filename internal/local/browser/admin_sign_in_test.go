package browser

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"checkout/internal/operator/signin"
)

// signInAs begins at the page's link to sign in, and chooses a person at the provider.
func (b *tab) signInAs(person string) {
	b.t.Helper()
	const links = "[...document.querySelectorAll('a')]"
	for _, text := range []string{"Sign in", person} {
		link := links + ".find(e => e.innerText == " + quote(text) + ")"
		b.until(link)
		get[bool](b, "("+link+".click(), true)")
	}
}

// showsText waits until the page shows a text.
func (b *tab) showsText(text string) {
	b.t.Helper()
	b.until("document.body?.innerText.replace(/\\s+/g, ' ').includes(" + quote(text) + ")")
}

// TestSignInPage signs people in to the admin page, in the browser that it is made for: one who may do everything, one
// without a role, and again after the session has ended.
func TestSignInPage(t *testing.T) {
	t.Parallel()
	var away atomic.Int64 // minutes
	run := startAdminAt(t, func() time.Time { return time.Now().Add(time.Duration(away.Load()) * time.Minute) })
	in, err := run.server.StartSignIn(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	b := newVisit(t, run.at, run.shop).profile.tab(t, &watch{}) // whose requests are refused, which is an error there
	b.open(in.URL)
	b.showsText("You are not signed in")
	b.signInAs("admin")
	b.showsText("What waits for somebody")
	b.showsText("admin@pens.example")
	if got := get[string](b, "document.cookie + location.search"); got != "" {
		t.Errorf("a script can read %q", got)
	}
	b.open("about:blank")
	b.open(in.URL + "/#/operators")
	b.showsText("Signed in")
	get[bool](b, "("+control("Sign out…")+".click(), true)")
	b.until(dialogField("reason"))
	get[bool](b, "("+dialogField("reason")+".focus(), true)")
	b.press("She has left")
	get[bool](b, "(document.querySelector('dialog[open] form button:not([type=button])').click(), true)")
	b.showsText("You are not signed in any more") // it was this session

	b.open("about:blank")
	b.open(in.URL)
	b.signInAs("nobody")
	b.showsText("You have no grant")
	b.showsText("/oidc/nobody")
	if text := get[string](b, "document.body.innerText"); strings.Contains(text, "Find") {
		t.Errorf("somebody without a grant sees %q", text)
	}
	get[bool](b, "("+control("Sign out")+".click(), true)")
	b.signInAs("support")
	b.showsText("support@pens.example")
	// A key that is pressed is a use of the session, which then goes on for longer than without one.
	get[bool](b, "(Date.now = (now => () => now() + 6e5)(Date.now), true)")
	away.Add(10)
	b.press("j")
	eventually(t, func() bool {
		all, _, err := run.server.App.People.Sessions(t.Context())
		return err == nil && len(all) > 0 && all[0].UsedAt.Sub(all[0].StartedAt) >= 10*time.Minute
	}, func() string { return "the session is not refreshed" })
	away.Add(10)
	b.open("about:blank")
	b.open(in.URL)
	b.showsText("support@pens.example")
	away.Add(15)
	b.open("about:blank")
	b.open(in.URL)
	b.showsText("You are not signed in")
}

// TestTheCommandSignsInByThePage opens the link of checkout login: the page asks, and leads the browser back to a port
// of this machine with a code. What the page leads to leads nowhere without the page.
func TestTheCommandSignsInByThePage(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	in, err := run.server.StartSignIn(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan url.Values, 1)
	command := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			got <- r.URL.Query()
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><h1>Signed in</h1>"))
	}))
	t.Cleanup(command.Close)
	at, err := url.Parse(command.URL)
	if err != nil {
		t.Fatal(err)
	}
	state := strings.Repeat("s", 43)
	query := url.Values{"port": {at.Port()}, "challenge": {signin.Challenge("v")}, "state": {state}}.Encode()
	b := newVisit(t, run.at, run.shop).profile.tab(t, &watch{})
	b.open(in.URL + "/admin/login?" + query)
	b.showsText("The request does not come from the admin page.")
	b.open(in.URL + "/#command?" + query)
	b.showsText("Sign in the command?")
	get[bool](b, "("+control("Sign in the command")+".click(), true)")
	b.until("[...document.querySelectorAll('a')].find(e => e.innerText == 'support')")
	get[bool](b, "([...document.querySelectorAll('a')].find(e => e.innerText == 'support').click(), true)")
	b.showsText("Signed in")
	if values := <-got; values.Get("state") != state || len(values.Get("code")) != 43 {
		t.Errorf("the command gets %v", values)
	}
}

// TestTheSignInPageIsInNoFrame opens it in a frame of a page of another port of this machine, which is the same site.
func TestTheSignInPageIsInNoFrame(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	in, err := run.server.StartSignIn(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	around := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><iframe src='" + in.URL + "' onload='document.title = 1'></iframe>"))
	}))
	t.Cleanup(around.Close)
	b := newVisit(t, run.at, run.shop).profile.tab(t, &watch{})
	b.open(strings.Replace(around.URL, "127.0.0.1", "localhost", 1))
	b.until("document.title == '1'")
	shown := call(b, page.GetFrameTree, cdp.Empty{}).FrameTree.ChildFrames[0].Frame
	if strings.HasPrefix(shown.URL, in.URL) || !strings.HasPrefix(shown.UnreachableURL, in.URL) {
		t.Errorf("the frame shows %s", shown.URL)
	}
}
