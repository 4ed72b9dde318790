package browser

import (
	"fmt"
	"net/url"
)

// frameStories are about the checkout in a merchant's frame; url_target says which frame returns to the merchant.
var frameStories = []story{
	{"in a frame, back in the frame", inFrame(1, "", "/frame/1", "success")},
	{"in a frame, _self", inFrame(1, "_self", "/frame/1", "success")},
	{"in a frame, _parent", inFrame(1, "_parent", "/success", "")},
	{"in a frame, _top", inFrame(1, "_top", "/success", "")},
	// Browsers let no other site navigate a frame in the middle, so the payer goes on in the innermost one.
	{"in a frame in a frame, _parent", func(v *visit) {
		inFrame(2, "_parent", "/frame/2", "success")(v)
		v.expectFault("Unsafe attempt to initiate navigation")
	}},
	{"in a frame in a frame, _top", inFrame(2, "_top", "/success", "")},
}

// inFrame is the story of a payment in a frame of that depth. Then the tab shows tabPath and, unless it is "", a frame
// framePath.
func inFrame(depth int, targetName, tabPath, framePath string) func(*visit) {
	return func(v *visit) {
		more := object{"url_target": targetName}
		if targetName == "" {
			more = object{"url_target": nil}
		}
		s := v.session(paying, more)
		v.open(fmt.Sprintf("%s/frame/%d?src=%s", v.shop.origin, depth, url.QueryEscape(s.URL)))
		inside := &visit{v.frame(v.target.BaseURL), v.target, v.shop, v.watch}
		inside.until(element("pay"))
		inside.pay("0138")
		if framePath != "" {
			v.frame(v.shop.origin + "/" + framePath)
		}
		v.until("location.origin == " + quote(v.shop.origin) + " && location.pathname == " + quote(tabPath))
		v.checkPayments(s, "settled")
		if got := v.shop.visited(s.Order, "success"); got != 1 {
			v.t.Errorf("%d times at success_url", got)
		}
	}
}
