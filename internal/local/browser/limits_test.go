package browser

import (
	"flag"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

var limits = flag.Bool("limits", false, "measure the page on a slow phone; needs a machine that does nothing else")

// A slow phone on a slow network, and what its payer may wait.
const (
	slowerCPU    = 4
	latency      = 150 // ms
	bitsPerS     = 1_600_000
	mostUntil    = 900.0 // ms until the form is shown
	mostBlocked  = 150.0 // ms of long tasks, beyond 50 ms of each
	mostShift    = 0.02
	mostReturn   = 600.0  // ms from the response that it is paid to the shop's page
	mostUseful   = 1000.0 // ms until a view of the admin page has what it shows, on a slow computer
	measurements = 5      // of which the median counts
)

const observers = `
	window.measured = {form: 0, shift: 0};
	new PerformanceObserver(l => { for (const e of l.getEntries()) measured.shift += e.value })
		.observe({type: 'layout-shift', buffered: true});
	(function look() {
		if (document.getElementById('pay')) measured.form ||= performance.now();
		else requestAnimationFrame(look);
	})();`

// measured are a language's visits, in their order.
type measured struct{ form, shift []float64 }

// TestLimits measures what a payer with a slow phone sees of the page. The languages take turns, and each visit is a
// test of its own, so that its tab is closed before the next one: a tab that was made slow keeps half a processor
// busy for as long as it is open, even when nothing happens in it, and five of them doubled the times of those that
// came after.
func TestLimits(t *testing.T) {
	if !*limits {
		t.Skip("make limits runs it")
	}
	at, _ := embedded(t, time.Now)
	shop := openShop(t)
	languages := []string{"en", "de", "ru", "kk", "ar", "zh"} // Latin, Cyrillic, the heaviest, right to left, Chinese
	found := map[string]*measured{}
	for i := range measurements {
		for _, language := range languages {
			if i == 0 {
				found[language] = &measured{}
			}
			t.Run(language, func(t *testing.T) {
				v := firstVisit(t, at, shop)
				s := v.session(paying, object{"checkout_language": language})
				found[language].add(v, s.URL)
			})
		}
	}
	for _, language := range languages {
		found[language].check(t, language)
	}
}

// TestReturnTime measures how long who has paid waits for the shop: from the service's response until the shop's page
// has come, the tick included.
func TestReturnTime(t *testing.T) {
	if !*limits {
		t.Skip("make limits runs it")
	}
	at, _ := embedded(t, time.Now)
	shop := openShop(t)
	var all []float64
	for range measurements {
		t.Run("paid", func(t *testing.T) {
			v := firstVisit(t, at, shop)
			known := make(chan time.Time, 1)
			v.play(syntheticForm(), func(sent) object {
				known <- time.Now()
				return goTo(shop.url("success"), "paid")
			})
			v.until(element("payer_card"))
			v.write("payer_card", cardNumber)
			v.click("pay")
			v.arrives("success")
			v.until("document.readyState == 'complete'")
			come := get[float64](v.tab,
				"performance.timeOrigin + performance.getEntriesByType('navigation')[0].responseEnd")
			all = append(all, come-float64((<-known).UnixMicro())/1000)
		})
	}
	t.Logf("%.0f ms until the shop, of at most %.0f: %.0f", median(all), mostReturn, all)
	if median(all) > mostReturn {
		t.Errorf("%.0f ms until the shop", median(all))
	}
}

// TestUsefulViews measures how long operators with a slow computer wait for a view.
func TestUsefulViews(t *testing.T) {
	if !*limits {
		t.Skip("make limits runs it")
	}
	run := startAdmin(t)
	for range 50 {
		run.pay(t, pensKey, "01/38")
	}
	places := []string{"payments", "merchants", "merchants/pens?section=Mappings%20and%20MIDs"}
	useful := map[string][]float64{}
	for range measurements {
		for _, place := range places {
			t.Run(place, func(t *testing.T) {
				a := run.enter(t, 0, hand{width: 1280})
				call(a.tab, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slowerCPU})
				a.onNew(`window.useful = 0; (function look() {
					const there = document.querySelector('main h1') && document.querySelector('main table, main fieldset');
					if (there && !document.querySelector('.read[aria-busy=true]')) useful ||= performance.now();
					else requestAnimationFrame(look);
				})();`)
				a.view(place)
				a.until("window.useful")
				useful[place] = append(useful[place], get[float64](a.tab, "useful"))
			})
		}
	}
	for place, all := range useful {
		t.Logf("%s: %.0f ms until it is useful, of at most %.0f: %.0f", place, median(all), mostUseful, all)
		if median(all) > mostUseful {
			t.Errorf("%s: %.0f ms until it is useful", place, median(all))
		}
	}
}

// add visits an address on a slow phone.
func (m *measured) add(v *visit, address string) {
	v.t.Helper()
	v.slow()
	v.open(address)
	v.until("document.readyState == 'complete' && " + element("pay"))
	get[bool](v.tab, "new Promise(done => setTimeout(() => done(true), 500))") // for what comes after it
	m.form = append(m.form, get[float64](v.tab, "measured.form"))
	m.shift = append(m.shift, get[float64](v.tab, "measured.shift"))
}

func (m *measured) check(t *testing.T, language string) {
	t.Helper()
	for _, of := range []struct {
		what string
		all  []float64
		most float64
	}{{"ms until the form is shown", m.form, mostUntil}, {"layout shift", m.shift, mostShift}} {
		got := median(of.all)
		t.Logf("%s: %.3f %s, of at most %.2f: %.3f", language, got, of.what, of.most, of.all)
		if got > of.most {
			t.Errorf("%s: %.3f %s, more than %.2f", language, got, of.what, of.most)
		}
	}
}

func median(all []float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// slow makes the tab one of a slow phone, and measures what it shows.
func (v *visit) slow() {
	v.t.Helper()
	v.do(chromedp.EmulateViewport(390, 844))
	call(v.tab, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{Latency: latency, DownloadThroughput: bitsPerS / 8,
			UploadThroughput: bitsPerS / 8}}})
	call(v.tab, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slowerCPU})
	v.onNew(observers)
}
