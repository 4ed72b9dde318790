package browser

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"checkout/internal/screen"
)

// drawing is a screen whose data a test makes, and what the payer does before somebody looks at it.
type drawing struct {
	name   string
	screen screen.Screen
	wait   string // JavaScript that is true when the screen is drawn; "": the page's panel is there
	act    func(*visit)
	pay    *screen.Screen // the response to Pay; nil: there is none, and the page stays busy
}

// gallery is the page of a running service with drawings instead of sessions. The session's id is the drawing's name,
// a tilde and the language.
type gallery struct {
	*shop
	t        *testing.T
	url      string
	drawings []drawing
}

func openGallery(t *testing.T) *gallery {
	t.Helper()
	at, _ := embedded(t, time.Now)
	g := &gallery{shop: openShop(t), t: t}
	origin, err := url.Parse(at.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
	closing, closed := context.WithCancel(t.Context())
	mux := http.NewServeMux()
	mux.Handle("/", &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(origin) }})
	mux.HandleFunc("/page/v1/{session}", func(w http.ResponseWriter, r *http.Request) { g.respond(closing, w, r) })
	mux.HandleFunc("/page/v1/{session}/{step}", func(w http.ResponseWriter, r *http.Request) { g.respond(closing, w, r) })
	server := httptest.NewServer(mux)
	t.Cleanup(func() { closed(); server.Close() })
	g.url = server.URL
	g.drawings = drawings(t, newVisit(t, at, g.shop))
	return g
}

// respond sends the drawing, or its response to Pay.
func (g *gallery) respond(closing context.Context, w http.ResponseWriter, r *http.Request) {
	name, language, _ := strings.Cut(r.PathValue("session"), "~")
	for _, d := range g.drawings {
		if d.name != name {
			continue
		}
		shown := d.screen
		if r.Method == http.MethodPost {
			if d.pay == nil {
				select {
				case <-r.Context().Done():
				case <-closing.Done():
				}
				return
			}
			shown = *d.pay
		}
		shown.Language = language
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(shown)
		return
	}
	http.NotFound(w, r)
}

// draw opens a drawing in a language and waits until it is drawn.
func (g *gallery) draw(v *visit, d drawing, language string) {
	v.t.Helper()
	v.open("about:blank")
	v.open(g.url + "/?session=" + d.name + "~" + language)
	drawn := d.wait
	if drawn == "" {
		drawn = "document.querySelector('main .panel') && document.querySelector('main .amount, #message h2, #message p')"
	}
	v.until(drawn)
	v.until("document.documentElement.lang && document.fonts.status == 'loaded'")
	if d.act != nil {
		d.act(v)
	}
}
