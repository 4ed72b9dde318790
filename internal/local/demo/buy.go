package demo

import (
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// product is one thing to buy. Picture names a drawing in parts.html.
type product struct {
	ID, Name, Text, Price, Currency, Picture string
}

var products = []product{
	{"coffee", "Coffee beans", "Dark roast, one kilogram", "18.50", "EUR", "cup"},
	{"lamp", "Desk lamp", "Oak and steel, warm light", "64.00", "EUR", "lamp"},
	{"book", "Field guide", "Birds of the city, hardcover", "29.90", "EUR", "book"},
}

// order is what the shop stores of a purchase.
type order struct {
	Key, Number, Amount, Currency, Description string

	Asked    string // refund, capture or void, the latest; "" if none
	Response []pair // of the service to it
}

// window is the data of shop.html.
type window struct {
	BaseURL  string
	Products []product
	Chosen   product
	Form     form
	Cards    []TestCard
	Monthly  bool // the merchant has a schedule of months
	Problem  string
	Faults   []string
}

// form is what the buyer chose.
type form struct {
	Live             bool
	Amount, Currency string
	Customer, Auth   bool // send the customer along; authorise only
	Save, Saved      bool // save the card; offer the saved ones
	Monthly, Crypto  bool // charge again every month; offer crypto too
}

// window is GET /demo.
func (s *Shop) window(w http.ResponseWriter, r *http.Request) {
	chosen := find(r.FormValue("product"))
	s.showWindow(w, http.StatusOK, window{Chosen: chosen, Form: form{Amount: chosen.Price, Currency: chosen.Currency}})
}

func (s *Shop) showWindow(w http.ResponseWriter, status int, data window) {
	data.BaseURL, data.Products, data.Cards, data.Monthly = s.config.BaseURL, products, TestCards, s.config.Monthly != ""
	show(w, status, "shop.html", data)
}

// find returns the product of that id, the first one if there is none.
func find(id string) product {
	for _, p := range products {
		if p.ID == id {
			return p
		}
	}
	return products[0]
}

// buy is POST /demo/buy: it creates a session and redirects the buyer to the checkout page.
func (s *Shop) buy(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, mostBody)
	chosen := find(r.FormValue("product"))
	ticked := func(name string) bool { return r.FormValue(name) != "" }
	f := form{
		Live: r.FormValue("key") == "live", Customer: ticked("customer"), Auth: ticked("auth"),
		Save: ticked("save"), Saved: ticked("saved"), Monthly: ticked("monthly"), Crypto: ticked("crypto"),
		Amount:   strings.TrimSpace(r.FormValue("amount")),
		Currency: strings.ToUpper(strings.TrimSpace(r.FormValue("currency"))),
	}
	o := order{
		Key: s.config.TestKey, Number: s.newOrderNumber(), Amount: f.Amount, Currency: f.Currency, Description: chosen.Name,
	}
	if f.Live {
		o.Key = s.config.LiveKey
	}
	var created struct {
		RedirectURL string `json:"redirect_url"`
	}
	err := s.post(r.Context(), "/api/v1/session", s.sessionRequest(o, f, chosen), &created)
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		data := window{Chosen: chosen, Form: f, Problem: refused.Error()}
		for _, fault := range refused.Errors {
			data.Faults = append(data.Faults, fault.Message)
		}
		s.showWindow(w, http.StatusUnprocessableEntity, data)
		return
	case err != nil:
		s.showWindow(w, http.StatusBadGateway, window{Chosen: chosen, Form: f, Problem: err.Error()})
		return
	}
	s.mu.Lock()
	s.orders.add(o.Number, o)
	s.mu.Unlock()
	http.Redirect(w, r, created.RedirectURL, http.StatusSeeOther)
}

// newOrderNumber returns another number for every attempt to buy, as the service requires.
func (s *Shop) newOrderNumber() string {
	return "shop-" + s.config.Now().UTC().Format("060102-150405-") + hex.EncodeToString(s.config.Random(4))
}

func (s *Shop) sessionRequest(o order, f form, p product) map[string]any {
	back := func(ending string) string {
		return s.config.BaseURL + "/demo/return/" + ending + "?order=" + url.QueryEscape(o.Number)
	}
	request := map[string]any{
		"merchant_key": o.Key,
		"operation":    "purchase",
		"order": map[string]string{
			"number": o.Number, "amount": o.Amount, "currency": o.Currency, "description": o.Description,
		},
		"success_url": back("success"), "cancel_url": back("cancel"),
		"expiry_url": back("expiry"), "error_url": back("error"),
		"custom_data": map[string]string{"product": p.ID},
		"hash":        s.config.hash(strings.ToUpper, o.Number, o.Amount, o.Currency, o.Description),
	}
	if f.Auth {
		request["auth"] = true
	}
	if f.Save {
		request["req_token"] = true
	}
	if f.Saved {
		request["card_token"] = s.cards(o.Key)
	}
	if f.Monthly {
		request["recurring_init"], request["recurring_consent_required"] = true, true
		request["schedule_id"] = s.config.Monthly
	}
	if f.Crypto {
		request["parameters"] = map[string]any{"crypto": map[string]string{"crypto_type": "USDT", "network_type": "tron"}}
	}
	if f.Customer {
		request["customer"] = map[string]string{"name": "Ada Example", "email": "ada@example.com"}
		request["billing_address"] = map[string]string{
			"country": "US", "state": "CA", "city": "Los Angeles", "address": "1 Sample Street", "zip": "90001",
			"phone": "+1-555-0100",
		}
	}
	return request
}
