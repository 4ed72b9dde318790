package browser

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "take the README's screenshot anew")

// readmeScreenshot is the image in the README. It has to be small for slow connections.
const (
	readmeScreenshot = root + "/infra/page/screenshot.png"
	mostBytes        = 80 << 10
)

// looks are the sizes and colours of the screenshots of each screen.
var looks = []struct {
	name, scheme string
	width        int64
}{{"narrow", "light", 320}, {"wide", "light", 1280}, {"dark", "dark", 1280}}

// TestScreenshots writes screenshots to the artifact folder (go test -artifacts). Each screen has to fit its window.
func TestScreenshots(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	s := openShop(t)
	t.Run("screens", func(t *testing.T) { // so that the shop is closed after the last of them
		for name, on := range map[string]func(*visit, func(string)){"every": onEveryScreen, "other": onOtherScreens} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				v := newVisit(t, at, s)
				on(v, func(screen string) {
					for _, look := range looks {
						v.do(chromedp.EmulateViewport(look.width, 844))
						call(v.tab, emulation.SetEmulatedMedia,
							emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme",
								Value: look.scheme}}})
						v.checkWidth(look.name + " " + screen)
						v.picture(look.name + "-" + screen + ".png")
					}
				})
			})
		}
	})
}

func TestReadmeScreenshot(t *testing.T) {
	if !*update {
		info, err := os.Stat(readmeScreenshot)
		if err != nil || info.Size() > mostBytes {
			t.Errorf("the README's screenshot is missing or too large: %v", err)
		}
		return
	}
	at, _ := embedded(t, time.Now)
	v := newVisit(t, at, openShop(t))
	v.do(chromedp.EmulateViewport(1100, 560))
	v.open(at.BaseURL + "/demo")
	v.until(element("buy"))
	v.click("buy")
	v.until("location.search.startsWith('?session=') && " + element("pay"))
	v.write("payer_card", cardNumber)
	v.write("payer_expiryDate", "0138")
	v.write("payer_cvv", "123")
	get[bool](v.tab, "(document.activeElement.blur(), true)")
	if err := os.WriteFile(readmeScreenshot, v.picture("readme.png"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// picture makes a screenshot of the whole page, checks that it shows something, and writes it to the artifact folder.
func (v *visit) picture(name string) []byte {
	v.t.Helper()
	taken := v.shot()
	picture, err := png.Decode(bytes.NewReader(taken))
	if err != nil || picture.Bounds().Dx() < 300 || len(taken) < 2000 {
		v.t.Fatalf("%s: %d bytes, %v", name, len(taken), err)
	}
	if err := os.WriteFile(filepath.Join(v.t.ArtifactDir(), name), taken, 0o644); err != nil {
		v.t.Fatal(err)
	}
	return taken
}
