package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// adminView is a view of the admin page: its name, and the fragment of its address.
type adminView struct{ name, place string }

// allViews are all views, of a service where payments have ended in several ways.
func (a *adminVisit) allViews() []adminView {
	t, r := a.t, a.run
	t.Helper()
	paid, declined := r.pay(t, pensKey, "01/38"), r.pay(t, pensKey, "02/38")
	refunded, elsewhere := r.pay(t, pensKey, "01/38"), r.pay(t, pensKey, "12/38")
	parked := r.pay(t, "ink-live", "01/38") // whose merchant has no address for callbacks
	a.view("payments/" + refunded.id)
	a.refund(refunded)
	r.pens.closed.Store(true)
	untold := r.pay(t, pensKey, "01/38")
	eventually(t, r.pens.refused.Load, func() string { return "no try of the callback" })
	a.view("payments/" + elsewhere.id)
	a.hand.press(a, control("Block…"))
	a.hand.press(a, "document.querySelector('dialog[open] [value=card]')")
	a.does("Block the card", "chargebacks")
	a.shows("dialog[open] .said", "is blocked")
	r.index(t)
	return []adminView{
		{"overview", ""}, {"overview-test", "?mode=test"}, {"find", "find"}, {"found", "?q=ada%40example.com"},
		{"payments", "payments"}, {"totals", "payments?totals=shown"}, {"refund-list", "payments?amount=10.00&refunds=new"},
		{"paid", "payments/" + paid.id}, {"declined", "payments/" + declined.id}, {"parked", "payments/" + parked.id},
		{"refunded", "payments/" + refunded.id}, {"elsewhere", "payments/" + elsewhere.id},
		{"untold", "payments/" + untold.id},
		{"refund", "payments/" + paid.id + "?do=refund"}, {"under-way", "under-way"}, {"waiting", "waiting"},
		{"callbacks", "callbacks"}, {"addresses", "addresses"}, {"circuits", "circuits"}, {"blocks", "blocks"},
		{"operators", "operators"},
		{"audit", "audit"}, {"no-view", "none"}, {"test", "payments?mode=test"},
		{"merchants", "merchants"}, {"merchant-new", "merchants/new"}, {"merchant", "merchants/pens"},
		{"merchant-start", "merchants/pens?section=Start&payment_id=" + paid.id},
		{"merchant-switches", "merchants/demo?section=Switches"},
		{"merchant-mids", "merchants/demo?section=Mappings%20and%20MIDs"},
		{"merchant-routing", "merchants/demo?section=Pre-routing"},
		{"merchant-wallets", "merchants/demo?section=Wallets"}, {"merchant-schedules", "merchants/demo?section=Schedules"},
		{"merchant-forms", "merchants/demo?section=Forms"}, {"merchant-page", "merchants/demo?section=Page"},
		{"merchant-limits", "merchants/pens?section=Limits"},
		{"merchant-compatibility", "merchants/pens?section=Compatibility"},
		{"merchant-history", "merchants/pens?section=History"}, {"merchant-secrets", "merchants/pens?section=Secrets"},
	}
}

// TestAdminScreens looks at views in a narrow and a wide window, with axe-core in light and dark: at every third one in
// turns, and with -access at all in both.
func TestAdminScreens(t *testing.T) {
	t.Parallel()
	run := startAdmin(t)
	a := run.enter(t, 0, hand{width: 1280})
	views := a.allViews()
	if !*accessWhole {
		views = sampled(views)
	}
	for i, v := range views {
		a.view(v.place)
		for j, width := range []int64{1280, 320} {
			a.do(chromedp.EmulateViewport(width, 844))
			a.checkWidth(fmt.Sprintf("%s, %d px", v.name, width))
			if i%2 == j || *accessWhole {
				a.checkAccess(fmt.Sprintf("%s, %d px", v.name, width))
			}
		}
	}
}

// TestAdminPictures writes a picture of every view, light and dark, on a desktop and a phone.
func TestAdminPictures(t *testing.T) {
	folder := *screensFolder
	if folder == "" {
		t.Skip("make screens runs it")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	run := startAdmin(t)
	a := run.enter(t, 0, hand{width: 1280})
	for _, v := range a.allViews() {
		for _, scheme := range []string{"light", "dark"} {
			a.scheme(scheme)
			for window, width := range map[string]int64{"desktop": 1280, "phone": 390} {
				a.do(chromedp.EmulateViewport(width, 844))
				a.view(v.place)
				name := fmt.Sprintf("admin-%s-%s-%s.png", v.name, scheme, window)
				if err := os.WriteFile(filepath.Join(folder, name), a.shot(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
