package browser

import (
	"flag"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"checkout/internal/request"

	"github.com/chromedp/chromedp"
)

// accessWhole has axe-core look at every screen in every language, and the other checks at every screen. Without it a
// third of the screens is drawn: axe-core sees each in English and in another language, all languages once at least,
// and the other checks see a third of these each. Stories let axe-core look at what they show, too.
var accessWhole = flag.Bool("access", false, "look at every screen in every language")

// share is how many screens there are for each that is drawn, and how many of these for each that a check sees, unless
// all are seen.
const share = 3

// TestScreens draws screens on a phone and looks at them: that they fit windows, with axe-core in light and dark, and
// in turns by what axe-core passes over.
func TestScreens(t *testing.T) {
	t.Parallel()
	g := openGallery(t)
	if !*accessWhole {
		g.drawings = sampled(g.drawings)
	}
	seen := map[string]bool{}
	for i := range g.drawings {
		for _, language := range accessLanguages(i) {
			seen[language] = true
		}
	}
	if len(seen) != len(request.Languages) {
		t.Errorf("%d of %d languages are seen", len(seen), len(request.Languages))
	}
	var moved atomic.Int64
	var known knownKinds
	g.each(t, func(p *played, i int, d drawing) {
		p.draw(d, "en")
		p.accessible()
		turn := func(first int) bool { return *accessWhole || i%share == first }
		if turn(2) || strings.HasPrefix(d.name, "wait-") { // which have something that moves
			moved.Add(int64(p.checkStill(d.name)))
		}
		p.checkWindows(d.name)
		p.checkAccess(d.name)
		p.scheme("light")
		if turn(1) {
			p.checkControls(d.name)
			p.checkForcedColours(d.name)
		}
		if turn(2) {
			p.checkFocusShown(d.name, &known)
		}
		if turn(0) {
			p.checkEnlarged(d.name)
		}
		for _, language := range accessLanguages(i) {
			if language != "en" {
				p.draw(d, language)
				p.checkAccess(d.name + " in " + language)
				p.scheme("light")
			}
		}
	})
	if moved.Load() == 0 {
		t.Error("nothing moves at all, even for those who do not mind")
	}
}

func sampled[T any](all []T) (some []T) {
	for i := 0; i < len(all); i += share {
		some = append(some, all[i])
	}
	return some
}

// accessLanguages are the languages in which a screen is seen.
func accessLanguages(drawing int) []string {
	if *accessWhole {
		return request.Languages
	}
	others := slices.DeleteFunc(slices.Clone(request.Languages), func(l string) bool { return l == "en" })
	return []string{"en", others[drawing%len(others)]}
}

// checkWindows checks that the screen fits a narrow window, a wide one and that of a phone.
func (v *visit) checkWindows(screen string) {
	v.t.Helper()
	for _, window := range []struct {
		name  string
		width int64
	}{{"narrow", 320}, {"wide", 1280}, {"phone", 390}} {
		v.do(chromedp.EmulateViewport(window.width, 844))
		v.checkWidth(window.name + " " + screen)
	}
}
