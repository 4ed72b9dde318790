package browser

import (
	"bytes"
	_ "embed"
	"fmt"
	"image"
	"image/png"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp/kb"
)

// accessScript is what these checks ask about what is drawn.
//
//go:embed testdata/access.js
var accessScript string

// accessible loads the script into the page that is shown.
func (v *visit) accessible() {
	v.t.Helper()
	get[bool](v.tab, "(() => {"+accessScript+"; return true })()")
}

// none reports the faults that an expression finds.
func (v *visit) none(screen, expression string) {
	v.t.Helper()
	if faults := get[[]string](v.tab, expression); len(faults) > 0 {
		v.t.Errorf("%s: %s", screen, strings.Join(faults, "\n\t"))
	}
}

// checkControls looks for what axe-core passes over: contrasts of what is disabled, pointed at or a placeholder, what
// marks a control, sizes, what the Tab key reaches and whether something hides it.
func (v *visit) checkControls(screen string) {
	v.t.Helper()
	for _, scheme := range []string{"light", "dark"} {
		v.scheme(scheme)
		v.none(screen+", "+scheme, "access.contrasts()")
		v.none(screen+", "+scheme, "access.marks()")
		v.checkPointed(screen + ", " + scheme)
	}
	v.scheme("light")
	v.none(screen, "access.targets()")
	v.none(screen, "access.structure()")
	v.checkTabbing(screen)
}

// checkPointed checks the contrasts of each kind of control with the pointer on it.
func (v *visit) checkPointed(screen string) {
	v.t.Helper()
	for i := range get[int](v.tab, "access.kinds().length") {
		control := fmt.Sprintf("access.kinds()[%d]", i)
		v.point(get[spot](v.tab, "access.centre("+control+")"))
		v.none(screen+", pointed at", "access.contrasts("+control+".closest('label') ?? "+control+")")
	}
	v.point(spot{})
}

// focusPlace is what has the focus and where.
type focusPlace struct {
	Name, Kind                   string
	Hidden                       bool
	X, Y, Width, Height, Outline float64
}

// checkTabbing goes through the screen by the Tab key: everything that can be used has its turn and is seen whole.
func (v *visit) checkTabbing(screen string) {
	v.t.Helper()
	get[bool](v.tab, "access.begin()")
	want := get[int](v.tab, "access.controls().filter(e => !e.disabled && !e.closest('[inert]') && "+
		"(e.type != 'radio' || e.checked)).length")
	if want == 0 {
		return
	}
	reached := map[string]bool{}
	turns := 0
	for range want + 2 {
		v.press(kb.Tab)
		at := get[focusPlace](v.tab, "access.focus()")
		if at.Name == "" || reached[fmt.Sprint(at.Name, at.X, at.Y)] {
			break
		}
		reached[fmt.Sprint(at.Name, at.X, at.Y)] = true
		turns++
		if at.Hidden {
			v.t.Errorf("%s: %s has the focus and is hidden", screen, at.Name)
		}
	}
	if turns != want {
		v.t.Errorf("%s: the Tab key reaches %d of %d controls: %v", screen, turns, want, reached)
	}
}

// knownKinds are the kinds of controls that were looked at, by their scheme.
type knownKinds struct{ sync.Map }

// checkFocusShown compares pictures of each new kind of control with the focus and without: at least its outline
// differs by 3:1, in light, dark and in the payer's own colours.
func (v *visit) checkFocusShown(screen string, known *knownKinds) {
	v.t.Helper()
	for _, scheme := range []string{"light", "dark", "forced"} {
		v.colours(scheme)
		v.compareFocus(screen+", "+scheme, func(kind string) bool {
			_, old := known.LoadOrStore(scheme+" "+kind, true)
			return !old
		})
	}
	v.scheme("light")
}

// colours emulates a scheme, or "forced": colours that the payer's system sets.
func (v *visit) colours(scheme string) {
	v.t.Helper()
	if scheme != "forced" {
		v.scheme(scheme)
		return
	}
	call(v.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"},
			{Name: "prefers-color-scheme", Value: "dark"}}})
}

// compareFocus looks at the kinds of controls that are new.
func (v *visit) compareFocus(screen string, isNew func(kind string) bool) {
	v.t.Helper()
	get[bool](v.tab, "access.begin()")
	v.point(spot{})
	for range 40 {
		v.press(kb.Tab)
		at := get[focusPlace](v.tab, "access.focus()")
		if at.Name == "" {
			return
		}
		if !isNew(at.Kind) {
			continue
		}
		with := v.clip(at)
		get[bool](v.tab, "(window.had = document.activeElement, had.blur(), true)")
		without := v.clip(at)
		get[bool](v.tab, "(had.focus({focusVisible: true}), true)")
		if changed, least := changedPixels(v.t, with, without), int(at.Outline); changed < least {
			v.t.Errorf("%s: the focus on %s changes %d pixels by 3:1, not %d", screen, at.Name, changed, least)
		}
	}
}

// clip is a picture of a place with its surroundings.
func (v *visit) clip(at focusPlace) []byte {
	v.t.Helper()
	const margin = 6
	return call(v.tab, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: new(true),
		Clip: &page.Viewport{X: at.X - margin, Y: at.Y - margin, Width: at.Width + 2*margin,
			Height: at.Height + 2*margin, Scale: 1}}).Data
}

// changedPixels counts the pixels of two pictures that differ by at least 3:1.
func changedPixels(t *testing.T, one, other []byte) int {
	t.Helper()
	a, b := decoded(t, one), decoded(t, other)
	if a.Bounds() != b.Bounds() {
		t.Fatalf("pictures of %v and %v", a.Bounds(), b.Bounds())
	}
	changed := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if contrast(a.At(x, y), b.At(x, y)) >= 3 {
				changed++
			}
		}
	}
	return changed
}

func decoded(t *testing.T, picture []byte) image.Image {
	t.Helper()
	got, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	return got
}
