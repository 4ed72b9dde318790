package browser

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "take the README's screenshots anew")

// readmeScreenshots are the drawings in the README, with the widths of their windows.
var readmeScreenshots = map[string]int64{"form-shop": 1200, "wait-qr": 390, "end-paid": 390}

const mostBytes = 80 << 10 // of each

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

// TestReadmeScreenshots takes the README's images with -update. They have to be small for slow connections.
func TestReadmeScreenshots(t *testing.T) {
	if !*update {
		for name := range readmeScreenshots {
			if info, err := os.Stat(screenshotFile(name)); err != nil || info.Size() > mostBytes {
				t.Errorf("%s is missing or too large: %v", name, err)
			}
		}
		return
	}
	g := openGallery(t)
	v := newVisit(t, target{BaseURL: g.url}, g.shop)
	v.scheme("light")
	for name, width := range readmeScreenshots {
		v.do(chromedp.EmulateViewport(width, 880)) // which the QR code's screen fills
		i := slices.IndexFunc(g.drawings, func(d drawing) bool { return d.name == name })
		g.draw(v, g.drawings[i], "en")
		get[bool](v.tab, "(document.activeElement.blur(), true)")
		v.until("document.getAnimations().every(a => a.playState == 'finished')")
		taken := call(v.tab, page.CaptureScreenshot, page.CaptureScreenshotParams{}).Data
		if err := os.WriteFile(screenshotFile(name), fewColours(t, taken), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	v.watch.found()
}

func screenshotFile(name string) string { return root + "/infra/page/screenshots/" + name + ".png" }

// fewColours returns a PNG with the 256 most frequent of its colours, which is a third of its size.
func fewColours(t *testing.T, data []byte) []byte {
	whole, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	count, area := map[color.Color]int{}, whole.Bounds()
	for y := range area.Dy() {
		for x := range area.Dx() {
			count[whole.At(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int { return count[b] - count[a] })
	small := image.NewPaletted(area, colours[:min(len(colours), 256)])
	draw.Draw(small, area, whole, area.Min, draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
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
