package browser

import (
	"github.com/chromedp/cdproto/page"
	"github.com/makiuchi-d/gozxing"
)

// scan reads a code from the page as a camera does.
func (v *visit) scan(selector string, reader gozxing.Reader) string {
	v.t.Helper()
	box := get[page.Viewport](v.tab, `(() => {
		const r = document.querySelector(`+quote(selector)+`).getBoundingClientRect();
		return {x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height, scale: 2} })()`)
	taken := call(v.tab, page.CaptureScreenshot,
		page.CaptureScreenshotParams{Clip: &box, CaptureBeyondViewport: new(true)})
	bitmap, err := gozxing.NewBinaryBitmapFromImage(decoded(v.t, taken.Data))
	if err != nil {
		v.t.Fatal(err)
	}
	found, err := reader.Decode(bitmap, nil)
	if err != nil {
		v.t.Fatalf("%s can't be scanned: %v", selector, err)
	}
	return found.GetText()
}
