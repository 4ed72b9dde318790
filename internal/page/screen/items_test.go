package screen

import (
	"reflect"
	"strings"
	"testing"

	"checkout/internal/money"
	"checkout/internal/request"
)

func TestScreenItems(t *testing.T) {
	read := func(parameters string, hosts ...string) []Item {
		items, _ := Items(&request.Session{Options: request.Options{Parameters: []byte(parameters)}}, hosts)
		return items
	}
	const items = `{"crypto":{"crypto_type":"BTC"},"card":{"descriptor":"SHOP","cart":{"items":[
		{"name":"Pen","quantity":"2","price":"1.50","currency":"EUR","sku":"1",
		 "imageUrl":"https://images.shop.example/pen.png"},
		{"price":"1.50"},
		{"name":"Ink","imageUrl":"https://other.example/ink.png"},
		{"name":"Pad","imageUrl":"http://images.shop.example/pad.png"},
		{"name":"Cap","imageUrl":"https://images.shop.example@other.example/cap.png"}]}}}`
	want := []Item{
		{Name: "Pen", Quantity: "2", Price: "1.50", Currency: "EUR", Image: "https://images.shop.example/pen.png"},
		{Name: "Ink"}, {Name: "Pad"}, {Name: "Cap"},
	}
	if got := read(items, "Images.Shop.example"); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := read(items); len(got) != 4 || got[0].Image != "" {
		t.Errorf("without hosts: %+v", got)
	}
	many := `{"card":{"cart":{"items":[` + strings.Repeat(`{"name":"Pen"},`, maxScreenItems) + `{"name":"Ink"}]}}}`
	if got := read(many); len(got) != maxScreenItems {
		t.Errorf("%d items", len(got))
	}
	if got, totals := Items(&request.Session{}, nil); got != nil || totals != nil {
		t.Errorf("without parameters: %+v %+v", got, totals)
	}
}

// What is shown of a cart adds up to the order's amount, or there are no sums at all.
func TestCartAddsUp(t *testing.T) {
	const pens = `{"name":"Pen","quantity":"2","price":"1.50"}`
	for name, test := range map[string]struct {
		order, cart string
		lines, want string // "": no sums
	}{
		"one line": {"3.00 USD", `"cart":{"items":[` + pens + `]}`, "3.00", "total 3.00"},
		"two lines": {"4.25 USD", `"cart":{"items":[` + pens + `,{"name":"Ink","price":"1.25"}]}`,
			"3.00 1.25", "total 4.25"},
		"as much as it says":  {"3.00 USD", `"cart":{"totalAmount":"3","items":[` + pens + `]}`, "3.00", "total 3.00"},
		"more than it says":   {"3.00 USD", `"cart":{"totalAmount":"2.99","items":[` + pens + `]}`, "", ""},
		"a total of words":    {"3.00 USD", `"cart":{"totalAmount":"3 dollars","items":[` + pens + `]}`, "", ""},
		"more than the order": {"2.99 USD", `"cart":{"items":[` + pens + `]}`, "", ""},
		"an amount not known": {"", `"cart":{"items":[` + pens + `]}`, "", ""},
		"in its own currency": {"3.00 USD", `"cart":{"items":[{"name":"Pen","price":"3","currency":"USD"}]}`,
			"3.00", "total 3.00"},
		"in another currency": {"3.00 USD", `"cart":{"items":[{"name":"Pen","price":"3","currency":"EUR"}]}`, "", ""},
		"without a price":     {"3.00 USD", `"cart":{"items":[` + pens + `,{"name":"Gift"}]}`, "", ""},
		"a gift for nothing": {"3.00 USD", `"cart":{"items":[` + pens + `,{"name":"Gift","price":"0"}]}`,
			"3.00 0.00", "total 3.00"},
		"an item without name": {"4.00 USD", `"cart":{"items":[` + pens + `,{"price":"1"}]}`, "", ""},
		"half a metre":         {"3.00 USD", `"cart":{"items":[{"name":"Silk","quantity":"0.5","price":"6"}]}`, "", ""},
		"half a metre, summed": {"3.00 USD",
			`"cart":{"items":[{"name":"Silk","quantity":"0.5","price":"6","totalAmount":"3.0000"}]}`, "3.00", "total 3.00"},
		"too many decimals": {"3.00 USD", `"cart":{"items":[{"name":"Pen","quantity":"3","price":"1.0001"}]}`, "", ""},
		"a price below 0":   {"3.00 USD", `"cart":{"items":[` + pens + `,{"name":"Less","price":"-1"}]}`, "", ""},
		"too much to count": {"3.00 USD",
			`"cart":{"items":[{"name":"Pen","quantity":"99999","price":"9999999999999"}]}`, "", ""},
		"delivery": {"7.90 USD", `"shipping":{"cost":"4.90"},"cart":{"items":[` + pens + `]}`,
			"3.00", "items 3.00, delivery 4.90, total 7.90"},
		"delivery that is not charged": {"3.00 USD", `"shipping":{"cost":"4.90"},"cart":{"items":[` + pens + `]}`, "", ""},
		"delivery of each item": {"8.00 USD", `"cart":{"items":[{"name":"Pen","price":"3","shipping":"2.50"},
			{"name":"Ink","price":"1","shipping":"1.50"}]}`, "3.00 1.00", "items 4.00, delivery 4.00, total 8.00"},
		"delivery of the order": {"5.00 USD", `"shipping":{"cost":"2"},"cart":{"items":[
			{"name":"Pen","price":"3","shipping":"2"}]}`, "3.00", "items 3.00, delivery 2.00, total 5.00"},
		"a promotion": {"2.00 USD", `"cart":{"items":[` + pens + `],"payments":[{"amount":"1","type":"PROMOTION"}]}`,
			"3.00", "items 3.00, discount -1.00, total 2.00"},
		"a voucher in euros": {"2.00 USD", `"cart":{"items":[` + pens + `],"payments":[{"amount":"1","currency":"EUR"}]}`,
			"", ""},
		"a discount inside prices": {"3.00 USD",
			`"cart":{"items":[{"name":"Pen","quantity":"2","price":"1.50","totalDiscountAmount":"0.50"}]}`,
			"3.00", "total 3.00"},
		"a discount beside them": {"2.50 USD",
			`"cart":{"items":[{"name":"Pen","quantity":"2","price":"1.50","totalDiscountAmount":"0.50"}]}`,
			"3.00", "items 3.00, discount -0.50, total 2.50"},
		"VAT inside prices": {"3.00 USD",
			`"cart":{"items":[{"name":"Pen","quantity":"2","price":"1.50","totalTaxAmount":"0.48"}]}`, "3.00", "total 3.00"},
		"VAT beside them, with all": {"7.48 USD", `"shipping":{"cost":"4.90"},"cart":{"items":[{"name":"Pen","quantity":"2",
			"price":"1.50","totalTaxAmount":"0.48"}],"payments":[{"amount":"0.90","currency":"USD"}]}`,
			"3.00", "items 3.00, delivery 4.90, discount -0.90, vat 0.48, total 7.48"},
		"yen": {"1200.00 JPY", `"shipping":{"cost":"200"},"cart":{"items":[{"name":"Pen","price":"1000.00"}]}`,
			"1000", "items 1000, delivery 200, total 1200"},
		"dinars": {"1.125 KWD", `"cart":{"items":[{"name":"Pen","quantity":"3","price":"0.375"}]}`,
			"1.125", "total 1.125"},
	} {
		t.Run(name, func(t *testing.T) {
			req := &request.Session{Options: request.Options{Parameters: []byte(`{"card":{` + test.cart + `}}`)}}
			if amount, code, known := strings.Cut(test.order, " "); known {
				currency, _ := money.Find(code)
				req.Order.Amount.Value, _ = money.Parse(amount, currency)
			}
			items, totals := Items(req, nil)
			var lines, got []string
			for _, item := range items {
				if item.Total != "" {
					lines = append(lines, item.Total)
				}
			}
			for _, total := range totals {
				got = append(got, string(total.Kind)+" "+total.Amount)
			}
			if strings.Join(lines, " ") != test.lines || strings.Join(got, ", ") != test.want {
				t.Errorf("lines %q, totals %q", lines, got)
			}
		})
	}
	const one = `{"cart":{"items":[{"name":"Pen","price":"1"}]}}`
	both := `{"card":` + one + `,"card_brand_a":` + one + `}`
	req := &request.Session{Options: request.Options{Parameters: []byte(both)}}
	usd, _ := money.Find("USD")
	req.Order.Amount.Value, _ = money.Parse("1", usd)
	if items, totals := Items(req, nil); len(items) != 2 || totals != nil {
		t.Errorf("two carts: %+v %+v", items, totals)
	}
}
