package browser

import (
	"flag"
	"slices"
	"testing"

	"checkout/internal/request"

	"github.com/chromedp/chromedp"
)

// accessWhole has axe-core look at every screen in every language. Without it a screen is seen in English and in one
// other language, so that every screen and every language are seen.
var accessWhole = flag.Bool("access", false, "look at every screen in every language")

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
	onDrawings(g, func(v *visit, i int, d drawing) {
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
	others := slices.DeleteFunc(slices.Clone(request.Languages), func(l string) bool { return l == "en" })
	return []string{"en", others[drawing%len(others)]}
}

// onDrawings calls look with every drawing, a few at a time, on a phone.
func onDrawings(g *gallery, look func(v *visit, i int, d drawing)) {
	const tabs = 3
	g.t.Run("each", func(t *testing.T) { // so that the gallery is closed after the last of them
		for part := range tabs {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				v := newVisit(t, target{BaseURL: g.url}, g.shop)
				v.do(chromedp.EmulateViewport(390, 844))
				for i := part; i < len(g.drawings); i += tabs {
					look(v, i, g.drawings[i])
				}
				v.watch.found() // requests that the page gave up when it was left
			})
		}
	})
}
