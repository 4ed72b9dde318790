package browser

import (
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// enlarged are the ways in which payers read the page: WCAG 2.2, 1.4.4, 1.4.10 and 1.4.12. A width of 320 px is that of
// a window of 1280 px at four times its size.
var enlarged = []struct {
	name          string
	width, height int64
	scale         float64
	style         string
}{
	{"400 % zoom", 320, 256, 4, ""},
	{"twice the text", 390, 844, 1, ":root { font-size: 200% }"},
	{"twice the text on a wide screen", 1280, 844, 1, ":root { font-size: 200% }"},
	{"spaced text", 320, 640, 1, `* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
		word-spacing: 0.16em !important } p { margin-block-end: 2em !important }`},
}

// checkEnlarged reads the screen in each of these ways: nothing is cut, overlaps or needs scrolling to the side, and
// nothing that has the focus is hidden.
func (v *visit) checkEnlarged(screen string) {
	v.t.Helper()
	for _, how := range enlarged {
		v.do(chromedp.EmulateViewport(how.width, how.height, chromedp.EmulateScale(how.scale)))
		v.styled(how.style)
		name := screen + ", " + how.name
		v.checkWidth(name)
		v.none(name, "access.cut()")
		if how.scale == 4 {
			v.checkTabbing(name)
		}
	}
	v.do(chromedp.EmulateViewport(390, 844))
}

// checkCutFound spoils a screen, so that each kind of text that is cut or printed over another is found.
func checkCutFound(v *visit) {
	v.do(chromedp.EmulateViewport(390, 844))
	form := manyMethods(3)
	form["methods"].([]object)[0]["fields"] = []object{{"id": "bank", "kind": "select", "required": true,
		"options": []object{{"value": "A long name of a bank"}}}}
	v.play(form, nil)
	v.until(element("bank"))
	v.accessible()
	v.none("as it is", "access.cut()")
	for style, fault := range map[string]string{
		"#pay { position: relative; left: 300px }":                                           "leaves the window",
		"#pay { width: 30px; white-space: nowrap }":                                          "is too wide for",
		"#pay { height: 4px; min-height: 0; padding: 0 }":                                    "leaves",
		"#page { width: 60px; overflow: hidden }":                                            "is cut by",
		"#pay { display: block; width: 30px; word-break: break-all }":                        "is broken",
		"#bank { padding-inline: 48%; max-width: 90px }":                                     "is cut by its list",
		"select { height: 8px !important; min-height: 0 !important; padding: 0 !important }": "is too low for its text",
		"main label { position: absolute; top: 9px; left: 0 }":                               "overlaps",
	} {
		v.styled(style)
		if all := strings.Join(get[[]string](v.tab, "access.cut()"), "\n"); !strings.Contains(all, fault) {
			v.t.Errorf("with %s nothing %s:\n%s", style, fault, all)
		}
	}
}

// styled gives the page a style of its reader's, in place of the one before.
func (v *visit) styled(style string) {
	v.t.Helper()
	get[bool](v.tab, "(() => { const sheet = new CSSStyleSheet(); sheet.replaceSync("+quote(style)+
		"); document.adoptedStyleSheets = [sheet]; return true })()")
}

// checkForcedColours looks at the screen in colours that the payer's system sets: buttons and drawings are told from
// their ground, and Pay is filled.
func (v *visit) checkForcedColours(screen string) {
	v.t.Helper()
	v.colours("forced")
	v.none(screen, "access.filled()")
	v.checkDrawings(screen)
	v.scheme("light")
}

// checkDrawings looks at a picture of each drawing: a part of it differs from its ground by 3:1.
func (v *visit) checkDrawings(screen string) {
	v.t.Helper()
	for _, at := range get[[]focusPlace](v.tab, "access.drawings()") {
		picture := decoded(v.t, v.clip(at))
		ground, best := picture.At(0, 0), 1.0
		for y := range picture.Bounds().Dy() {
			for x := range picture.Bounds().Dx() {
				best = max(best, contrast(picture.At(x, y), ground))
			}
		}
		if best < 3 {
			v.t.Errorf("%s: the drawing in %s has a contrast of %.2f", screen, at.Name, best)
		}
	}
}

// checkStill checks that nothing moves for a payer who wants that, and returns how much does for others.
func (v *visit) checkStill(screen string) int {
	v.t.Helper()
	const moving = "document.getAnimations().length"
	if still := get[int](v.tab, moving); still > 0 {
		v.t.Errorf("%s: %d animations", screen, still)
	}
	call(v.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "no-preference"}}})
	moved := get[int](v.tab, moving)
	v.scheme("light")
	return moved
}

// checkLoadingStill checks that who wants nothing to move is not told at once that the page could not be loaded: that
// text waits for the script.
func checkLoadingStill(v *visit) {
	h := v.pause(fetch.RequestPattern{URLPattern: "*.js"}) // never sent
	v.open(v.session(paying).URL)
	v.until("document.querySelector('.failed')?.getAnimations()[0]?.animationName == 'appear'")
	h.off()
	v.until(element("pay"))
	v.watch.found()
}

// checkPrinted prints the receipt: what was paid to whom, and none of what can only be pressed.
func checkPrinted(v *visit) {
	screen := manyMethods(0)
	screen["kind"], screen["message"] = "message", object{"text": "paid"}
	screen["go"] = object{"url": v.shop.url("success"), "target": "_self"}
	screen["payment"] = object{"at": "2026-11-21T14:07:00Z", "method": "card", "mask": "411111******1111"}
	v.play(screen, nil)
	v.until(element("print"))
	v.accessible()
	call(v.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print",
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
	v.until("['North Roastery', '€48.40', '2026-1187', 'Paid'].every(text => document.body.innerText.includes(text))")
	v.until("!document.querySelector('.panel button, .panel a')?.checkVisibility()")
	v.until("getComputedStyle(document.querySelector('.panel')).backgroundColor == 'rgb(255, 255, 255)'")
	v.none("printed", "access.contrasts()")
}
