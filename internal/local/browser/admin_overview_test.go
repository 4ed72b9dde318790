package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// hours has the overview show charges that ended in each hour of a day, three of four accepted, and twice as many a
// week before.
const hours = `(ended => {
	const fetched = window.fetch, start = Date.parse("2026-11-22T00:00:00Z");
	const of = n => ({ended: n, accepted: Math.ceil(n * 3 / 4)});
	const hours = ended.map((n, i) => ({at: new Date(start + i * 3600000).toISOString(), charges: of(n),
		week_before: of(2 * n)}));
	window.fetch = async (...args) => {
		const response = await fetched(...args);
		if (!args[0].includes("/overview")) return response;
		return Response.json({...await response.json(), hours: {hours}});
	};
})(%s)`

// The chart of the overview is drawn in its box for each day, and says the same in words and in numbers.
func TestAdminOverview(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	for i, row := range []struct{ name, ended, says string }{
		{"empty", "[0, 0, 0]", ""},
		{"one", "[0, 0, 1]", "1 today, 2 in"},
		{"full", "Array.from({length: 24}, (_, i) => i * i * 37)", "119,994 today, 239,988 in"},
		{"longest", "Array.from({length: 25}, (_, i) => 1000000 + i)", "18,750,"},
	} {
		a := run.enter(t, 0, hand{width: 1280})
		call(a.tab, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: fmt.Sprintf(hours, row.ended)})
		for _, width := range []int64{320, 1280} {
			a.do(chromedp.EmulateViewport(width, 844))
			a.view("")
			name := fmt.Sprintf("%s, %d px", row.name, width)
			a.checkWidth(name)
			if i%2 == 0 || width == 320 {
				a.checkAccess(name)
			}
			if row.says == "" {
				a.shows(".empty", "No charge has ended")
				continue
			}
			label := get[string](a.tab, "document.querySelector('.chart svg').getAttribute('aria-label')")
			if !strings.Contains(label, row.says) {
				t.Errorf("%s: the chart says %q", name, label)
			}
			const outside = "(box => [...document.querySelectorAll('.chart rect')].map(e => e.getBoundingClientRect())" +
				".filter(b => b.left < box.left - 1 || b.right > box.right + 1 || b.top < box.top - 1).length)" +
				"(document.querySelector('.chart svg').getBoundingClientRect())"
			if n := get[float64](a.tab, outside); n > 0 {
				t.Errorf("%s: %v bars are outside", name, n)
			}
		}
		if row.says != "" {
			a.hand.press(a, control("All numbers"))
			a.until("document.querySelector('main details table').checkVisibility()")
		}
	}
}
