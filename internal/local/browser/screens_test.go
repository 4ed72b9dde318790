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

// TestScreens draws every screen and checks that it fits the window. With -screens it does so in four languages, light
// and dark, on a desktop and a phone, and writes a picture of each and one contact sheet of all.
func TestScreens(t *testing.T) {
	t.Parallel()
	folder, looks := *screensFolder, sheetLooks()
	if folder == "" {
		folder, looks = t.ArtifactDir(), []sheetLook{{"en", "light", true}}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	g := openGallery(t)
	only := regexp.MustCompile(*onlyScreens)
	g.drawings = slices.DeleteFunc(g.drawings, func(d drawing) bool { return !only.MatchString(d.name) })
	t.Run("in", func(t *testing.T) { // so that the sheet is made after the last of them
		for _, look := range looks {
			t.Run(look.file("each"), func(t *testing.T) {
				t.Parallel()
				v := newVisit(t, target{BaseURL: g.url}, g.shop)
				v.window(look.Phone)
				v.scheme(look.Scheme)
				for _, d := range g.drawings {
					g.draw(v, d, look.Language)
					v.checkWidth(look.file(d.name))
					if err := os.WriteFile(filepath.Join(folder, look.file(d.name)), v.shot(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				v.watch.found() // requests that the page gave up when it was left
			})
		}
	})
	if *screensFolder != "" {
		contactSheet(t, folder, g.drawings)
	}
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

var sheetPage = template.Must(template.New("").Parse(`<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>body{font:13px system-ui;background:#888;margin:8px}tr{vertical-align:top}td img{width:180px}
td.phone img{width:80px}th{text-align:left;color:#fff}</style><table>{{range .}}<tr><th colspan="16">{{.Name}}</th></tr>
<tr>{{range .Files}}<td{{if .Phone}} class="phone"{{end}}>
<a href="{{.File}}"><img src="{{.File}}" alt=""></a></td>{{end}}</tr>{{end}}</table>`))

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
	for _, d := range drawings {
		r := row{Name: d.name}
		for _, look := range sheetLooks() {
			r.Files = append(r.Files, cell{look.file(d.name), look.Phone})
		}
		rows = append(rows, r)
	}
	var text bytes.Buffer
	if err := sheetPage.Execute(&text, rows); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "index.html"), text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer server.Close()
	v := newVisit(t, target{BaseURL: server.URL}, openShop(t))
	v.do(chromedp.EmulateViewport(2240, 1000))
	v.open(server.URL)
	v.until("[...document.images].every(i => i.complete && i.naturalWidth)")
	if err := os.WriteFile(filepath.Join(folder, "contact-sheet.png"), v.shot(), 0o644); err != nil {
		t.Fatal(err)
	}
	v.watch.found()
	t.Logf("%d screens in %s", len(drawings), folder)
}
