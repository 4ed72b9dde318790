package browser

import (
	"github.com/chromedp/cdproto/page"
	"github.com/makiuchi-d/gozxing"
)

// scan reads a code from the page as a camera does.
func (v *visit) scan(selector string, reader gozxing.Reader) (text string) {
	v.t.Helper()
	var err error
	eventually(v.t, func() bool { // what stands above it may still come, and move it
		box := get[page.Viewport](v.tab, `(() => {
			const r = document.querySelector(`+quote(selector)+`).getBoundingClientRect();
			return {x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height, scale: 2} })()`)
		taken := call(v.tab, page.CaptureScreenshot,
			page.CaptureScreenshotParams{Clip: &box, CaptureBeyondViewport: new(true)})
		var bitmap *gozxing.BinaryBitmap
		if bitmap, err = gozxing.NewBinaryBitmapFromImage(decoded(v.t, taken.Data)); err != nil {
			return false
		}
		found, wrong := reader.Decode(bitmap, nil)
		if err = wrong; err == nil {
			text = found.GetText()
		}
		return err == nil
	}, func() string { return selector + " can't be scanned: " + err.Error() })
	return text
}
