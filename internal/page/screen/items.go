package screen

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/request"
)

// maxScreenItems and maxItemText limit the items that are sent to the page.
const (
	maxScreenItems = 50
	maxItemText    = 255 // characters
)

// Items returns the cart items that a request has for any method, and what the order's amount is made of if that adds
// up. Pictures are left out unless they are from one of hosts, which the merchant allows.
func Items(req *request.Session, hosts []string) (items []Item, totals []Total) {
	var sent map[string]cart
	if req.Parameters == nil || json.Unmarshal(req.Parameters, &sent) != nil {
		return nil, nil
	}
	var all []cart
	for _, m := range method.Methods {
		if len(sent[m.ID].Cart.Items) == 0 {
			continue
		}
		all = append(all, sent[m.ID])
		for _, item := range sent[m.ID].Cart.Items {
			if item.Name == "" || len(items) == maxScreenItems {
				continue
			}
			shown := Item{
				Name:     fault.Printable(item.Name, maxItemText),
				Quantity: item.Quantity,
				Price:    item.Price,
				Currency: item.Currency,
			}
			if allowedImage(item.ImageURL, hosts) {
				shown.Image = item.ImageURL
			}
			items = append(items, shown)
		}
	}
	if len(all) == 1 && len(all[0].Cart.Items) == len(items) {
		totals = all[0].totals(req.Order.Amount.Value, items)
	}
	return items, totals
}

// allowedImage reports whether the page may load a picture: over https, from one of the hosts.
func allowedImage(text string, hosts []string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.User == nil &&
		slices.ContainsFunc(hosts, func(host string) bool { return strings.EqualFold(u.Host, host) })
}
