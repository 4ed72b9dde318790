package browser

import (
	"testing"
	"time"

	"checkout/internal/page/screen"

	"github.com/chromedp/chromedp"
)

// drawing is a screen whose data a test makes, and what the payer does before somebody looks at it.
type drawing struct {
	name   string
	screen screen.Screen
	wait   string // JavaScript that is true when the screen is drawn; "": the page's panel is there
	act    func(*visit)
}

// gallery is the page of a running service with drawings instead of sessions.
type gallery struct {
	at       target
	shop     *shop
	drawings []drawing
}

func openGallery(t *testing.T) *gallery {
	t.Helper()
	at, _ := embedded(t, time.Now)
	s := openShop(t)
	return &gallery{at, s, drawings(t, newVisit(t, at, s))}
}

// each calls look for the drawings, a few at a time, each with a phone that is to show it.
func (g *gallery) each(t *testing.T, look func(p *played, i int, d drawing)) {
	const tabs = 3
	t.Run("each", func(t *testing.T) { // so that the gallery is closed after the last of them
		for part := range tabs {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				p := newVisit(t, g.at, g.shop).stage(nil)
				p.do(chromedp.EmulateViewport(390, 844))
				for i := part; i < len(g.drawings); i += tabs {
					look(p, i, g.drawings[i])
				}
				p.watch.found() // requests that the page gave up when it was left
			})
		}
	})
}

// draw opens a drawing in a language and waits until it is drawn. What the page sends then has no response.
func (p *played) draw(d drawing, language string) {
	p.t.Helper()
	d.screen.Language = language
	p.load(d.screen)
	drawn := d.wait
	if drawn == "" {
		drawn = "document.querySelector('main .panel') && document.querySelector('main .amount, #message h2, #message p')"
	}
	p.until(drawn)
	p.until("document.documentElement.lang && document.fonts.status == 'loaded'")
	if len(d.screen.Show) > 0 { // by a script that the page loads
		p.until("document.querySelector('#show :is(.term, a, svg)')")
	}
	if d.act != nil {
		d.act(p.visit)
	}
}
