package plugins

import (
	"encoding/json"
	"strings"
)

// order is what a shop stores of an order.
type order struct {
	ID            int                        `json:"id"`
	Status        string                     `json:"status"`
	Paid          bool                       `json:"paid"` // whether the shop tells when
	Total         string                     `json:"total"`
	Currency      string                     `json:"currency"`
	Key           string                     `json:"key"`
	PaymentMethod string                     `json:"payment_method"`
	TransactionID string                     `json:"transaction_id"`
	Billing       map[string]string          `json:"billing"`
	Meta          map[string]json.RawMessage `json:"meta"`
	Notes         []string                   `json:"notes"`
	Refunds       []refund                   `json:"refunds"`
}

type refund struct {
	ID     int    `json:"id"`
	Amount string `json:"amount"`
	Asked  bool   `json:"asked"` // the shop has requested it
}

// buyersKey is the key of every order.
const buyersKey = "wc_order_k3y"

// order places an order and returns its id.
func (s *shop) order(total, currency string) (id int) {
	s.t.Helper()
	o := order{Status: "pending", Total: total, Currency: currency, Key: buyersKey,
		PaymentMethod: "hosted_checkout", Meta: map[string]json.RawMessage{"_a": []byte("1")},
		Billing: map[string]string{"first_name": "Ada", "last_name": "Lovelace", "email": "ada@example.org",
			"country": "DE", "city": "Köln", "address_1": "Am Dom 1", "postcode": "50667", "phone": "0221 / 1234-5"},
		Notes: []string{}, Refunds: []refund{}}
	s.parse(s.send("order", o), &id)
	return id
}

// read reads an order.
func (s *shop) read(id int) (o order) {
	s.t.Helper()
	s.parse(s.do("read?id=%d", id), &o)
	return o
}

// change changes a stored order as another plugin would.
func (s *shop) change(id int, change func(*order)) {
	s.t.Helper()
	o := s.read(id)
	change(&o)
	s.send("change", o)
}

// parse reads what the shop has responded.
func (s *shop) parse(response string, to any) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(response), to); err != nil {
		s.t.Fatalf("%v: %s", err, response)
	}
}

// number is the number by which the service knows an order.
func (s *shop) number(id int) (number string) {
	s.t.Helper()
	s.parse(string(s.read(id).Meta["_hosted_checkout_number"]), &number)
	return number
}

// words say what a note is, by a part of its text.
var words = [][2]string{
	{" of payment ", "reported"},
	{"was paid by payment", "paid"}, {"paid a second time", "second"}, {"was authorised by", "authorised"},
	{"was declined", "declined"}, {"is not decided yet", "waits"}, {"has arrived, but", "odd"},
	{"was refunded", "refunded"}, {"could not be added", "not added"}, {"has failed, and nothing", "refund failed"},
	{"was voided", "voided"}, {"The dispute of", "won"}, {"charged back or reversed", "disputed"},
	{"did not respond", "unknown"}, {"refused this", "refused"},
	{"no payment to refund", "unpaid"}, {"was made just now", "twice"}, {"none of the currency", "amount"},
	{"no authorised payment", "unauthorised"}, {"no page to pay on", "nowhere"},
	{"Stock levels reduced", "stock"}, {"Stock levels increased", "restock"}, {"Order status changed from", ">"},
}

// is checks what has happened to an order, in the order of its notes, and which status it has now.
func (s *shop) is(id int, want string) {
	s.t.Helper()
	o := s.read(id)
	var story []string
	for _, note := range o.Notes {
		word := note
		for _, w := range words {
			if strings.Contains(note, w[0]) {
				word = w[1]
			}
		}
		if word == ">" {
			word += strings.TrimSuffix(note[strings.LastIndex(note, " ")+1:], ".")
		}
		story = append(story, word)
	}
	if got := strings.Join(append(story, o.Status), " "); got != want {
		s.t.Errorf("order %d: %s\nwant %s\n%s", id, got, want, strings.Join(o.Notes, "\n"))
	}
}
