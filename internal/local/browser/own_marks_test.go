package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"checkout/internal/local"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// The page is built with an operator's own marks, of other sizes than ours. They stand where the page has its drawings,
// and move nothing. One that does not load leaves the drawing.
func TestOwnMarks(t *testing.T) {
	t.Parallel()
	wide := `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="90"><rect width="900" height="90"/></svg>`
	high := `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="400"><rect width="20" height="400"/></svg>`
	page := builtWith(t, map[string]string{"networks/visa.svg": wide, "networks/amex.svg": high, "methods/card.svg": high,
		"methods/bank_debit.svg": wide})
	start := func(page string) *visit {
		server, err := local.Start(t.Context(), local.Config{Root: root, Page: page, Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(server.Stop)
		return newVisit(t, target{server.URL, server.Demo.TestKey, server.Demo.Password}, openShop(t))
	}
	const (
		places = "JSON.stringify([...document.querySelectorAll('.marks, .marks > *, .icon-box, input, button')]" +
			".map(e => e.getBoundingClientRect()))"
		shown = "[...document.querySelectorAll('.marks > *, .icon-box')].filter(e => " +
			"getComputedStyle(e).backgroundImage != 'none').map(e => e.getAttribute('class')).sort().join()"
		empty = "[...document.querySelectorAll('.marks > *, .icon-box')].filter(e => " +
			"getComputedStyle(e).backgroundImage == 'none' && " +
			"[...e.children].some(c => getComputedStyle(c).visibility == 'hidden')).length"
	)
	ours, theirs := start(""), start(page)
	h := theirs.pause(fetch.RequestPattern{URLPattern: "*/logos/networks/amex*"})
	for _, width := range []int64{320, 1280} {
		for _, v := range []*visit{ours, theirs} {
			v.do(chromedp.EmulateViewport(width, 844))
			v.form(v.session(paying))
		}
		theirs.until(shown + " == 'icon-box m-card,n-amex,n-visa'")
		h.lose(h.wait())
		h.lose(h.wait()) // which is tried once more
		theirs.until(shown + " == 'icon-box m-card,n-visa'")
		if n := get[float64](theirs.tab, empty); n > 0 {
			t.Errorf("%d px wide: %v places are empty", width, n)
		}
		if got, want := get[string](theirs.tab, places), get[string](ours.tab, places); got != want {
			t.Errorf("%d px wide: with marks it is\n%s, without\n%s", width, got, want)
		}
	}
}

// builtWith returns the folder of a page that was built with logos of these names.
func builtWith(t *testing.T, logos map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range logos {
		file := filepath.Join(folder, "logos", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const script = `cd "$0" && mkdir -p "$1/infra/page" "$1/internal/method" &&
		cp internal/method/states.json "$1/internal/method/" && cp infra/methods.json "$1/infra/" && cd infra/page &&
		cp -r admin build frame src *.mjs *.json "$1/infra/page/" && ln -s "$PWD/node_modules" "$1/infra/page/" &&
		cd "$1/infra/page" && LOGOS="$1/logos" node build.mjs`
	whole, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "bash", "-c", script, whole, folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return filepath.Join(folder, "infra", "page", "dist")
}
