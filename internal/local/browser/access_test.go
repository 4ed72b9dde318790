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

// accessWhole has axe-core and the other checks look at every screen in every language. Without it axe-core and the
// other checks see a third of the screens in English. Every screen is seen in another language, too: a half of them
// from right to left.
var accessWhole = flag.Bool("access", false, "look at every screen in every language")

// share is how many screens there are for each that axe-core sees, and how many of these for each that another check
// sees, unless all are seen.
const share = 3

// TestScreens draws screens on a phone and looks at them: that they fit windows, in other languages, with axe-core in
// light and dark, and in turns by what axe-core passes over.
func TestScreens(t *testing.T) {
	t.Parallel()
	g := openGallery(t)
	var moved atomic.Int64
	var known knownKinds
	g.each(t, func(p *played, i int, d drawing) {
		for _, language := range accessLanguages(i) {
			p.draw(d, language)
			p.see(language, d.name)
			if *accessWhole {
				p.checkAccess(d.name + " in " + language)
			}
		}
		if i%share > 0 && !*accessWhole {
			return
		}
		p.draw(d, "en")
		p.accessible()
		turn := func(of int) bool { return *accessWhole || i/share%share == of }
		if turn(2) || strings.HasPrefix(d.name, "wait-") { // which have something that moves
			moved.Add(int64(p.checkStill(d.name)))
		}
		p.checkWindows(d.name)
		p.checkAccess(d.name)
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

// accessLanguages are the other languages in which a screen is seen.
func accessLanguages(drawing int) []string {
	if *accessWhole {
		return slices.DeleteFunc(slices.Clone(request.Languages), func(l string) bool { return l == "en" })
	}
	return []string{[]string{"ar", "de", "ar", "zh"}[drawing%4]}
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
