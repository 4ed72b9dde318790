package browser

import (
	"flag"
	"slices"
	"testing"

	"checkout/internal/request"

	"github.com/chromedp/chromedp"
)

// accessWhole has axe-core look at every screen in every language, and the other checks at every screen. Without it
// axe-core sees every screen in English and every other language on some, and the other checks see a third each.
var accessWhole = flag.Bool("access", false, "look at every screen in every language")

// share is how many screens there are for each that a check sees, unless it sees all.
const share = 3

// TestAccess has axe-core look at the screens, in light and dark.
func TestAccess(t *testing.T) {
	t.Parallel()
	g := openGallery(t)
	seen := map[string]bool{}
	for i := range g.drawings {
		for _, language := range accessLanguages(i) {
			seen[language] = true
		}
	}
	if len(seen) != len(request.Languages) {
		t.Errorf("%d of %d languages are seen", len(seen), len(request.Languages))
	}
	onDrawings(g, g.drawings, func(v *visit, i int, d drawing) {
		for _, language := range accessLanguages(i) {
			g.draw(v, d, language)
			v.checkAccess(d.name + " in " + language)
		}
	})
}

// accessLanguages are the languages in which a screen is seen.
func accessLanguages(drawing int) []string {
	if *accessWhole {
		return request.Languages
	}
	if drawing%share != 0 {
		return []string{"en"}
	}
	others := slices.DeleteFunc(slices.Clone(request.Languages), func(l string) bool { return l == "en" })
	return []string{"en", others[drawing/share%len(others)]}
}

// someDrawings are a third of the drawings, from the first of them on, or with accessWhole all.
func (g *gallery) someDrawings(first int) []drawing {
	if *accessWhole {
		return g.drawings
	}
	var some []drawing
	for i := first; i < len(g.drawings); i += share {
		some = append(some, g.drawings[i])
	}
	return some
}

// onDrawings calls look with the drawings, a few at a time, on a phone.
func onDrawings(g *gallery, drawings []drawing, look func(v *visit, i int, d drawing)) {
	const tabs = 3
	g.t.Run("each", func(t *testing.T) { // so that the gallery is closed after the last of them
		for part := range tabs {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				v := newVisit(t, target{BaseURL: g.url}, g.shop)
				v.do(chromedp.EmulateViewport(390, 844))
				for i := part; i < len(drawings); i += tabs {
					look(v, i, drawings[i])
				}
				v.watch.found() // requests that the page gave up when it was left
			})
		}
	})
}
