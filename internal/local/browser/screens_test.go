package browser

import (
	"bytes"
	"flag"
	"fmt"
	"html/template"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// screensFolder is where a picture of every screen is written.
var screensFolder = flag.String("screens", "", "write a picture of every screen to this folder")

// onlyScreens are the screens that -screens writes.
var onlyScreens = flag.String("only", "", "with -screens: the screens whose names match this regular expression")

// sheetLook is a column of the contact sheet.
type sheetLook struct {
	Language, Scheme string
	Phone            bool
}

// sheetLooks are four languages, light and dark, on a desktop and a phone.
func sheetLooks() (all []sheetLook) {
	for _, language := range []string{"en", "de", "ar", "zh"} {
		for _, scheme := range []string{"light", "dark"} {
			all = append(all, sheetLook{language, scheme, false}, sheetLook{language, scheme, true})
		}
	}
	return all
}

func (l sheetLook) file(screen string) string {
	window := "desktop"
	if l.Phone {
		window = "phone"
	}
	return fmt.Sprintf("%s-%s-%s-%s.png", screen, l.Language, l.Scheme, window)
}

// TestPictures writes a picture of every screen in four languages, light and dark, on a desktop and a phone, and one
// contact sheet of all.
func TestPictures(t *testing.T) {
	folder := *screensFolder
	if folder == "" {
		t.Skip("make screens runs it")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	g := openGallery(t)
	only := regexp.MustCompile(*onlyScreens)
	g.drawings = slices.DeleteFunc(g.drawings, func(d drawing) bool { return !only.MatchString(d.name) })
	t.Run("in", func(t *testing.T) { // so that the sheet is made after the last of them
		for _, look := range sheetLooks() {
			t.Run(look.file("each"), func(t *testing.T) {
				t.Parallel()
				p := newVisit(t, g.at, g.shop).stage(nil)
				p.window(look.Phone)
				p.scheme(look.Scheme)
				for _, d := range g.drawings {
					p.draw(d, look.Language)
					p.checkWidth(look.file(d.name))
					if err := os.WriteFile(filepath.Join(folder, look.file(d.name)), p.shot(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				p.watch.found() // requests that the page gave up when it was left
			})
		}
	})
	contactSheet(t, folder, g.drawings)
}

// shot is a picture of the whole page, in a window of its height. (What Chromium captures beyond the window is moved
// aside where the page is written from right to left.)
func (v *visit) shot() []byte {
	v.t.Helper()
	type size struct{ Width, Height, Whole int64 }
	window := get[size](v.tab, "({Width: innerWidth, Height: innerHeight, Whole: document.documentElement.scrollHeight})")
	v.do(chromedp.EmulateViewport(window.Width, window.Whole))
	defer v.do(chromedp.EmulateViewport(window.Width, window.Height))
	return call(v.tab, page.CaptureScreenshot, page.CaptureScreenshotParams{}).Data
}

// The beginnings of long pictures are enough to compare them; a click shows the whole.
var sheetPage = template.Must(template.New("").Parse(`<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>body{font:14px system-ui;background:#7b828c;color:#fff;margin:16px}tr{vertical-align:top}th{text-align:start}
td{padding:0 4px 12px 0}img{display:block;width:224px;max-height:280px;object-fit:cover;object-position:top}
.phone img{width:112px}tr>th{padding-inline-end:8px;white-space:nowrap}</style>
<table><tr><th></th>{{range .Looks}}<th>{{.Language}} {{.Scheme}}</th>{{end}}</tr>
{{range .Rows}}<tr><th>{{.Name}}</th>{{range .Files}}<td{{if .Phone}} class="phone"{{end}}>
<a href="{{.File}}"><img src="{{.File}}" alt=""></a></td>{{end}}</tr>{{end}}</table>`))

// tallest is the height of the largest picture that Chromium draws.
const tallest = 16384

// contactSheet writes index.html, which shows all pictures, and a picture of that.
func contactSheet(t *testing.T, folder string, drawings []drawing) {
	type cell struct {
		File  string
		Phone bool
	}
	type row struct {
		Name  string
		Files []cell
	}
	var rows []row
	pictures := 0
	for _, d := range drawings {
		r := row{Name: d.name}
		for _, look := range sheetLooks() {
			if _, err := os.Stat(filepath.Join(folder, look.file(d.name))); err == nil { // -run may have left it out
				r.Files = append(r.Files, cell{look.file(d.name), look.Phone})
				pictures++
			}
		}
		rows = append(rows, r)
	}
	var text bytes.Buffer
	if err := sheetPage.Execute(&text, object{"Looks": sheetLooks(), "Rows": rows}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "index.html"), text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer server.Close()
	v := newVisit(t, target{BaseURL: server.URL}, openShop(t))
	v.do(chromedp.EmulateViewport(3120, 1000))
	v.open(server.URL)
	v.until(fmt.Sprintf("document.images.length == %d && [...document.images].every(i => i.naturalWidth)", pictures))
	if height := get[int](v.tab, "document.documentElement.scrollHeight"); height > tallest {
		t.Errorf("the contact sheet is %d px high: its end is missing from the picture", height)
	}
	if err := os.WriteFile(filepath.Join(folder, "contact-sheet.png"), v.shot(), 0o644); err != nil {
		t.Fatal(err)
	}
	v.watch.found()
	t.Logf("%d screens in %s", len(drawings), folder)
}
