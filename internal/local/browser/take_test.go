package browser

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"

	"checkout/internal/page/screen"
)

// TestTakenAlong: what has to be paid until some day goes into the payer's calendar, what is scanned is a picture, and
// a form for a phone opens there.
func TestTakenAlong(t *testing.T) {
	t.Parallel()
	at, _ := embedded(t, time.Now)
	s := openShop(t)
	v := newVisit(t, at, s)
	v.do(chromedp.EmulateViewport(1280, 844))
	p := v.stage(nil)
	named := map[string]drawing{}
	for _, d := range drawings(t, v) {
		named[d.name] = d
	}
	p.draw(named["wait-voucher"], "de")
	kind, entry := v.saves("calendar")
	for _, line := range []string{"BEGIN:VCALENDAR", "DTSTART:20350401T180000Z",
		"SUMMARY:48\\,40\u00a0€ bezahlen – North Roastery", "URL:" + at.BaseURL, "Zahlungsnummer: 987012345678"} {
		if !strings.Contains(strings.ReplaceAll(entry, "\r\n ", ""), line) {
			t.Errorf("%s is missing in %s", line, entry)
		}
	}
	if kind != "text/calendar" {
		t.Errorf("it is %s", kind)
	}
	get[bool](v.tab, "(window.print = () => { window.printed = true }, true)")
	v.click("print")
	v.until("window.printed")

	p.draw(named["wait-qr"], "en")
	v.until("!" + element("calendar")) // it has no day
	kind, picture := v.saves("qr_code-save")
	bitmap, err := gozxing.NewBinaryBitmapFromImage(decoded(t, []byte(picture)))
	if err != nil || kind != "image/png" {
		t.Fatal(kind, err)
	}
	read, err := qrcode.NewQRCodeReader().Decode(bitmap, nil)
	if err != nil || read.GetText() != samplePix {
		t.Errorf("the picture says %v: %v", read, err)
	}

	form := named["form"].screen
	form.Methods = []screen.Method{{ID: "instant_qr", Label: "instant_qr", Icon: "qr", Group: "qr", Action: "submit",
		Fields: []screen.Field{{ID: "payer_email", Kind: "email", Required: true}}}}
	p.draw(drawing{screen: form}, "en")
	v.click("payer_email")
	v.until("document.querySelector('.hand-off summary')")
	get[bool](v.tab, "(document.querySelector('.hand-off summary').click(), true)")
	v.until("document.querySelector('.hand-off svg')")
	if got, page := v.scan(".hand-off svg", qrcode.NewQRCodeReader()), get[string](v.tab, "location.href"); got != page {
		t.Errorf("the phone opens %s, not %s", got, page)
	}
	p.watch.found() // requests that the page gave up when it was left
}

// saves presses what saves a file, and returns its type and content.
func (v *visit) saves(id string) (kind, content string) {
	v.t.Helper()
	get[bool](v.tab, `(window.kept = null, URL.createObjectURL = file => {
		const reader = new FileReader();
		reader.onload = () => { window.kept = reader.result };
		reader.readAsDataURL(file);
		return 'about:blank#kept' }, HTMLAnchorElement.prototype.click = () => {}, true)`)
	v.click(id)
	v.until("window.kept")
	head, encoded, _ := strings.Cut(get[string](v.tab, "window.kept"), ";base64,")
	decoded, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		v.t.Fatal(err)
	}
	return strings.TrimPrefix(head, "data:"), string(decoded)
}
