package browser

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	protocol "github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// profile is a payer's browser: what it stores, and its tabs.
type profile struct {
	id   cdp.BrowserContextID
	tabs []protocol.ID
	used int // by the story that has the profile
}

// profiles are those that no story has. A story leaves its tabs without a page or a history. What it has told them to
// emulate, to hold up or to run goes with its connection, and what pages store is of one session or one origin.
var profiles = make(chan *profile, 100)

// takeProfile returns a profile that may have been used, and a story that passes leaves it to others.
func takeProfile(t *testing.T) *profile {
	t.Helper()
	var p *profile
	select {
	case p = <-profiles:
		p.used = 0
	default:
		p = newProfile(t)
	}
	t.Cleanup(func() {
		if t.Failed() {
			p.dispose()
		} else {
			profiles <- p
		}
	})
	return p
}

// newProfile returns one in which nothing was ever opened.
func newProfile(t *testing.T) *profile {
	t.Helper()
	made, err := chromedp.CallBrowser(chrome, protocol.CreateBrowserContext, protocol.CreateBrowserContextParams{})
	if err != nil {
		t.Fatal(err)
	}
	return &profile{id: made.BrowserContextID}
}

// dispose closes the tabs.
func (p *profile) dispose() {
	_, _ = chromedp.CallBrowser(chrome, protocol.DisposeBrowserContext,
		protocol.DisposeBrowserContextParams{BrowserContextID: p.id})
}

// tab returns a tab that the story does not use yet. watch gets its events.
func (p *profile) tab(t *testing.T, watch *watch) *tab {
	t.Helper()
	if p.used == len(p.tabs) {
		made, err := chromedp.CallBrowser(chrome, protocol.CreateTarget, protocol.CreateTargetParams{
			URL: "about:blank", BrowserContextID: p.id, NewWindow: new(true)})
		if err != nil {
			t.Fatal(err)
		}
		p.tabs = append(p.tabs, made.TargetID)
	}
	ctx, _ := chromedp.NewContext(chrome, chromedp.WithTargetID(p.tabs[p.used]), chromedp.WithDetachOnCancel())
	p.used++
	b := newTab(t, ctx, watch)
	t.Cleanup(func() {
		if !t.Failed() {
			b.open("about:blank")
			b.until("location.href == 'about:blank'")
			call(b, page.ResetNavigationHistory, cdp.Empty{})
		}
		if err := chromedp.Cancel(ctx); err != nil {
			t.Error(err)
		}
	})
	return b
}
