package demo

import (
	"net/url"
	"slices"
	"strings"
)

// languages are the values of checkout_language with their own names.
var languages = []pair{
	{"ar", "العربية"}, {"az", "Azərbaycanca"}, {"de", "Deutsch"}, {"en", "English"}, {"es", "Español"},
	{"fr", "Français"}, {"kk", "Қазақша"}, {"no", "Norsk"}, {"ru", "Русский"}, {"ua", "Українська"}, {"zh", "简体中文"},
	{"zho", "繁體中文"},
}

// form is what the buyer chose.
type form struct {
	Amount, Currency string
	Operation        string
	Method           string // "": whatever the service shows
	Schedule         string // of recurring payments, "": none
	Language         string // "": the browser's
	Outcome          string // an e-mail address that chooses what the sandbox does, "": none
	Live             bool   // use the live key
	Customer         bool   // send name, e-mail and address along
	Ask              bool   // leave out of the parameters what the page asks for
	Auth             bool   // authorise only
	Save, Saved      bool   // save the card; offer the saved ones
	Frame            bool   // show the page inside the shop
}

// newForm is what the shop suggests.
func newForm() form {
	return form{Amount: product.Price, Currency: product.Currency, Operation: "purchase", Customer: true}
}

// readForm reads a form. What is not in it and must be sent follows from the method: its operation, and the money of
// its country.
func (s *Shop) readForm(values url.Values) form {
	text := func(name string) string { return strings.TrimSpace(values.Get(name)) }
	f := form{
		Amount: text("amount"), Currency: strings.ToUpper(text("currency")), Operation: text("operation"),
		Method: text("method"), Schedule: text("schedule"), Language: text("language"), Outcome: text("outcome"),
		Live:     text("key") == "live",
		Customer: values.Has("customer"), Ask: values.Has("ask"), Auth: values.Has("auth"), Save: values.Has("save"),
		Saved: values.Has("saved"), Frame: values.Has("frame"),
	}
	m := s.methods.find(f.Method)
	if f.Operation == "" {
		f.Operation = "purchase"
	}
	if m.ID != "" && !slices.Contains(m.Operations, f.Operation) {
		f.Operation = m.Operations[0]
	}
	home := m.home()
	if !values.Has("amount") {
		f.Amount = home.Amount
	}
	if !values.Has("currency") {
		f.Currency = home.Currency
		if len(m.Currencies) > 0 && !slices.Contains(m.Currencies, f.Currency) {
			f.Currency = m.Currencies[0]
		}
	}
	return f
}
