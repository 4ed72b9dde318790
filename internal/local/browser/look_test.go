package browser

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// checkWidth checks that nothing is wider than the window.
func (v *visit) checkWidth(screen string) {
	v.t.Helper()
	if wide := get[int](v.tab, "document.scrollingElement.scrollWidth - innerWidth"); wide > 0 {
		v.t.Errorf("%s is %d pixels too wide", screen, wide)
	}
	const outside = "[...document.querySelectorAll('input, select, button')]" +
		".filter(e => e.getBoundingClientRect().right > innerWidth).map(e => e.id)"
	if out := get[[]string](v.tab, outside); len(out) > 0 {
		v.t.Errorf("%s: %v are cut off", screen, out)
	}
}

// axe is the source of axe-core, one of the page's development dependencies.
var axe = sync.OnceValues(func() ([]byte, error) {
	return os.ReadFile(filepath.Join(root, "infra", "page", "node_modules", "axe-core", "axe.min.js"))
})

// schemes are the runs of axe-core: all rules in light, then the colours in dark.
var schemes = []struct {
	name, options string
	least         int // how many rules have to pass, so that a run without checks fails
}{
	{"light", "{resultTypes: ['violations']}", 10},
	{"dark", "{resultTypes: ['violations'], runOnly: ['color-contrast']}", 1},
}

// checkAccess runs axe-core on the screen, in light and dark.
func (v *visit) checkAccess(screen string) {
	v.t.Helper()
	source, err := axe()
	if err != nil {
		v.t.Fatalf("axe-core is missing, run `make tools`: %v", err)
	}
	get[bool](v.tab, "(() => { if (!window.axe) {"+string(source)+"}; return true })()")
	for _, scheme := range schemes {
		v.scheme(scheme.name)
		type report struct {
			Violations []string
			Passes     int
		}
		r := get[report](v.tab, `axe.run(document, `+scheme.options+`).then(r => ({Passes: r.passes.length,
			Violations: r.violations.map(x => x.id + ': ' + x.nodes.map(n => n.html + ' ' + n.failureSummary).join(' | '))}))`)
		if r.Passes < scheme.least {
			v.t.Errorf("%s, %s: only %d rules passed: axe-core did not look", screen, scheme.name, r.Passes)
		}
		if len(r.Violations) > 0 {
			v.t.Errorf("%s, %s:\n%s", screen, scheme.name, strings.Join(r.Violations, "\n"))
		}
	}
	v.scheme("light")
}
