package browser

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// played is a service whose screens a test writes. Requests to it are caught in the browser, so that one without a
// response takes no connection: a page that is left stays in the browser's cache with its open requests, and a browser
// has six connections to a host.
type played struct {
	*visit
	mu      sync.Mutex
	loads   int
	screen  any               // a screen.Screen, or an object
	asked   []sent            // with a body
	respond func(sent) object // nil: each screen is the response to one request only
	unsent  bool              // the screen is still to be sent, if respond is nil
	waiting []fetch.RequestID // requests that wait for the next screen
	status  int64             // of all responses; 0: 200
}

// sent is what the page sent: path is its end, such as pay.
type sent struct {
	path string
	body map[string]any
}

// play opens the page of a service that the test plays. respond returns the next screen for what the page sends.
// Without it a request waits until show brings a screen that was not sent yet.
func (v *visit) play(first any, respond func(sent) object) *played {
	v.t.Helper()
	p := v.stage(respond)
	p.load(first)
	return p
}

// stage is play without a screen.
func (v *visit) stage(respond func(sent) object) *played {
	v.t.Helper()
	p := &played{visit: v, respond: respond}
	err := chromedp.Listen(v.ctx, func(event any) {
		if paused, ok := event.(*fetch.EventRequestPaused); ok {
			go p.reply(paused)
		}
	})
	if err != nil {
		v.t.Fatal(err)
	}
	call(v.tab, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*/page/v1/*"}}})
	return p
}

// load opens the page anew with a screen.
func (p *played) load(screen any) {
	p.t.Helper()
	p.open("about:blank")
	p.mu.Lock()
	p.loads++
	p.screen, p.unsent, p.waiting = screen, true, nil
	session := p.session()
	p.mu.Unlock()
	p.open(p.target.BaseURL + "/?session=" + session)
}

// session is the id of the page that was loaded last, so that a request of an earlier one takes no screen of its.
func (p *played) session() string { return fmt.Sprintf("played-%d", p.loads) }

// show changes what the page gets from now on.
func (p *played) show(screen any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.screen, p.unsent = screen, true
	for p.unsent && len(p.waiting) > 0 {
		p.send(p.waiting[0])
		p.waiting = p.waiting[1:]
	}
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

func (p *played) reply(paused *fetch.EventRequestPaused) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, _ := url.Parse(paused.Request.URL)
	if !strings.HasPrefix(at.Path+"/", "/page/v1/"+p.session()+"/") {
		return
	}
	if paused.Request.Method == "POST" && p.status == 0 {
		q := sent{path: at.Path[strings.LastIndex(at.Path, "/")+1:]}
		_ = json.Unmarshal([]byte(bodyOf(paused.Request)), &q.body)
		p.asked = append(p.asked, q)
		if p.respond != nil {
			if next := p.respond(q); next != nil {
				p.screen = next
			}
		}
	}
	if p.respond == nil && !p.unsent {
		p.waiting = append(p.waiting, paused.RequestID)
		return
	}
	p.send(paused.RequestID)
}

// send sends the screen, unless the page has given its request up.
func (p *played) send(id fetch.RequestID) {
	text, _ := json.Marshal(p.screen)
	status := p.status
	if status == 0 {
		status = 200
	}
	_, err := chromedp.Call(p.ctx, fetch.FulfillRequest, fetch.FulfillRequestParams{RequestID: id, ResponseCode: status,
		Body: text})
	p.unsent = err != nil
}
