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
	"slices"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "take the README's screenshots anew")

// readmeScreenshots are the drawings in the README, with the widths of their windows.
var readmeScreenshots = map[string]int64{"form-shop": 1200, "wait-qr": 390, "end-paid": 390}

// adminScreenshot is the admin page in the README.
const adminScreenshot = "admin-payment"

const mostBytes = 80 << 10 // of each

// TestReadmeScreenshots takes the README's images with -update. They have to be small for slow connections.
func TestReadmeScreenshots(t *testing.T) {
	if !*update {
		for _, name := range append(slices.Collect(maps.Keys(readmeScreenshots)), adminScreenshot) {
			if info, err := os.Stat(screenshotFile(name)); err != nil || info.Size() > mostBytes {
				t.Errorf("%s is missing or too large: %v", name, err)
			}
		}
		return
	}
	g := openGallery(t)
	v := newVisit(t, g.at, g.shop).stage(nil)
	v.scheme("light")
	for name, width := range readmeScreenshots {
		v.do(chromedp.EmulateViewport(width, 880)) // which the QR code's screen fills
		i := slices.IndexFunc(g.drawings, func(d drawing) bool { return d.name == name })
		v.draw(g.drawings[i], "en")
		get[bool](v.tab, "(document.activeElement.blur(), true)")
		v.until("document.getAnimations().every(a => a.playState == 'finished')")
		v.takeScreenshot(name)
	}
	v.watch.found()
	takeAdminScreenshot(t)
}

// takeAdminScreenshot shows a payment of which a person has refunded a part.
func takeAdminScreenshot(t *testing.T) {
	run := startAdmin(t)
	a := run.enter(t, 0, hand{width: 1280})
	paid := run.pay(t, pensKey, "01/38")
	a.view("payments/" + paid.id)
	a.refund(paid)
	a.do(chromedp.EmulateViewport(1280, 880))
	a.view("payments/" + paid.id)
	a.takeScreenshot(adminScreenshot)
}

func (v *visit) takeScreenshot(name string) {
	v.t.Helper()
	taken := call(v.tab, page.CaptureScreenshot, page.CaptureScreenshotParams{}).Data
	if err := os.WriteFile(screenshotFile(name), fewColours(v.t, taken), 0o644); err != nil {
		v.t.Fatal(err)
	}
}

func screenshotFile(name string) string { return root + "/infra/page/screenshots/" + name + ".png" }

// fewColours returns a PNG with the most frequent of its colours that are easily told apart, which is a third of its
// size.
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
	var colours color.Palette
	for _, c := range slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int { return count[b] - count[a] }) {
		if len(colours) < 256 && !slices.ContainsFunc(colours, func(other color.Color) bool { return alike(c, other) }) {
			colours = append(colours, c)
		}
	}
	small := image.NewPaletted(area, colours)
	draw.Draw(small, area, whole, area.Min, draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// alike reports whether no part of two colours differs by more than 3 %.
func alike(a, b color.Color) bool {
	const most = 0xffff * 3 / 100
	near := func(x, y uint32) bool { return max(x, y)-min(x, y) <= most }
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	return near(ar, br) && near(ag, bg) && near(ab, bb)
}
