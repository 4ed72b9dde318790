package browser

import (
	"encoding/json"
	"net/url"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// played is a service whose screens a test writes.
type played struct {
	mu      sync.Mutex
	screen  object
	asked   []sent // with a body
	respond func(sent) object
	status  int64 // of all responses; 0: 200
}

// sent is what the page sent: path is its end, such as pay.
type sent struct {
	path string
	body map[string]any
}

// play opens the page of a service that the test plays. respond returns the next screen for what the page sends.
func (v *visit) play(first object, respond func(sent) object) *played {
	v.t.Helper()
	p := v.plays(first, respond)
	v.open(v.target.BaseURL + "/?session=played")
	return p
}

// plays is play without opening the page.
func (v *visit) plays(first object, respond func(sent) object) *played {
	v.t.Helper()
	p := &played{screen: first, respond: respond}
	err := chromedp.Listen(v.ctx, func(event any) {
		if paused, ok := event.(*fetch.EventRequestPaused); ok {
			go p.reply(v, paused)
		}
	})
	if err != nil {
		v.t.Fatal(err)
	}
	call(v.tab, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*/page/v1/*"}}})
	return p
}

// show changes what the page gets from now on.
func (p *played) show(screen object) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.screen = screen
}

// fails makes all responses have a status.
func (p *played) fails(status int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = status
}

// last is what was sent last.
func (p *played) last() sent {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.asked) == 0 {
		return sent{}
	}
	return p.asked[len(p.asked)-1]
}

func (p *played) reply(v *visit, paused *fetch.EventRequestPaused) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, _ := url.Parse(paused.Request.URL)
	if paused.Request.Method == "POST" && p.status == 0 {
		q := sent{path: at.Path[strings.LastIndex(at.Path, "/")+1:]}
		var body strings.Builder
		for _, part := range paused.Request.PostDataEntries {
			body.Write(part.Bytes)
		}
		_ = json.Unmarshal([]byte(body.String()), &q.body)
		p.asked = append(p.asked, q)
		if next := p.respond(q); next != nil {
			p.screen = next
		}
	}
	text, _ := json.Marshal(p.screen)
	status := p.status
	if status == 0 {
		status = 200
	}
	// A page that is being left needs no response, so that a failure is none of the test.
	_, _ = chromedp.Call(v.ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{RequestID: paused.RequestID,
		ResponseCode: status, Body: text})
}
