package demo

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// endings are the texts of the shop by the return URL that the buyer comes from, or after an action.
var endings = map[string]string{
	"success": "Thank you for your order",
	"order":   "Your order",
	"cancel":  "The payment was not made",
	"expiry":  "The checkout has expired",
	"error":   "The checkout had a problem",
}

// result is the data of result.html.
type result struct {
	top
	Title     string
	Order     order
	Status    string // of the payment, "" if the service would not say
	Unused    bool   // the payer never tried to pay: there is no callback
	Payment   []pair
	Actions   []string // what can be asked for
	Problem   string
	Return    string // what the signature of the return says, "" if there is none
	ReturnOK  bool
	Callbacks list
	RefreshTo string // the same page again in two seconds, "" to stay
}

// How often the page looks again, every two seconds: while a payment is in progress, and until its callback has come.
const (
	looksForPayment  = 90
	looksForCallback = 15
)

// returned is GET /demo/return/{ending}: the buyer is back. The address proves nothing, so the shop requests the
// status.
func (s *Shop) returned(w http.ResponseWriter, r *http.Request) {
	title, known := endings[r.PathValue("ending")]
	o, bought := s.bought(r.FormValue("order"))
	if !known || !bought {
		s.lost(w)
		return
	}
	data := result{top: s.top(""), Title: title, Order: o}
	payment, err := s.payment(r.Context(), o)
	if err != nil {
		data.Problem = err.Error()
	} else {
		data.Status, _ = payment["status"].(string)
		data.Actions = actions[data.Status]
		data.Unused = unused(payment)
		data.Payment = pairs("", payment)
	}
	data.Callbacks = s.list(o.Number, maxRecent)
	s.checkReturn(r.URL.Query(), &data)
	data.RefreshTo = refreshTo(r.URL, data)
	show(w, http.StatusOK, "result.html", data)
}

// unused reports whether a session ended without an attempt to pay. The service says so by these codes alone.
func unused(payment map[string]any) bool {
	return payment["status"] == "decline" &&
		(payment["reason_code"] == "session_cancelled" || payment["reason_code"] == "session_expired")
}

// checkReturn checks the hash that the service may add to the merchant's URLs.
func (s *Shop) checkReturn(query url.Values, data *result) {
	sent := query.Get("hash")
	if sent == "" {
		return
	}
	o := data.Order
	data.ReturnOK = query.Get("order_id") == o.Number && strings.EqualFold(sent, s.config.hash(upperASCII,
		query.Get("payment_id"), o.Number, o.Amount, o.Currency, o.Description))
	data.Return = "does not match"
	if data.ReturnOK {
		data.Return = "matches"
	}
}

// refreshTo returns the address to reload, while the payment is in progress or a callback is missing. The address has
// the number of callbacks before an action.
func refreshTo(here *url.URL, data result) string {
	query := here.Query()
	looked, _ := strconv.Atoi(query.Get("looked"))
	after, _ := strconv.Atoi(query.Get("after"))
	limit := looksForCallback
	if slices.Contains([]string{"", "prepare", "3ds", "redirect"}, data.Status) {
		limit = looksForPayment
	} else if data.Unused || len(data.Callbacks.Rows) > after {
		return ""
	}
	if looked >= limit {
		return ""
	}
	query.Set("looked", strconv.Itoa(looked+1))
	return here.Path + "?" + query.Encode()
}
