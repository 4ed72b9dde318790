package request

import (
	"encoding/json"
	"strings"
	"testing"

	"checkout/internal/request/requesttest"
)

// Values that are read for every shop, because they can have only one meaning (protocol.md, Plugins as they are).
func TestReadingsForEverybody(t *testing.T) {
	for _, test := range []struct {
		field, sent string
		country     string
		want        string // "" absent
	}{
		{"state", "California", "US", "CA"}, {"state", "US-CA", "US", "CA"}, {"state", "New South Wales", "AU", "NSW"},
		{"state", "Tokyo", "JP", "13"}, {"state", "JP13", "JP", "13"}, {"state", "Dadra and Nagar Haveli and Daman and Diu",
			"IN", "DH"},
		{"phone", "(212) 555-0100", "US", "(212)555-0100"}, {"phone", "030 1234567", "DE", "0301234567"}, {"phone",
			"+49.30/1234 567", "DE", "+49301234567"},
		{"phone", "12345678901234567890 12345678901234567890"[:36], "DE", "12345678901234567890123456789012345"[:35]},
		{"city", "NA", "DE", ""}, {"address", "N/A", "DE", ""}, {"zip", "n/a", "DE", ""}, {"zip", "-", "DE", ""}, {"district",
			"undefined", "DE", ""},
		{"phone", "null", "DE", ""}, {"state", "NA", "US", ""}, {"house_number", " - ", "DE", ""}, {"language", "undefined",
			"DE", ""},
		{"phone", "٠١٢ ٣٤٥", "EG", "012345"}, {"zip", "１２３-４５６７", "JP", "123-4567"}, {"house_number", "४२", "IN", "42"},
		{"city", "Nairobi", "KE", "Nairobi"}, {"address", "-1", "DE", "-1"}, {"country", "NA", "NA", "NA"},
	} {
		r, faults := checkFaults(t, requesttest.SessionWith(t, "billing_address.country", `"`+test.country+`"`,
			"billing_address."+test.field, `"`+test.sent+`"`), Rules{})
		a := r.BillingAddress
		got := map[string]string{"state": a.State, "phone": a.Phone, "city": a.City, "address": a.Address, "zip": a.Zip,
			"district":     a.District,
			"house_number": a.HouseNumber, "language": a.Language, "country": a.Country}[test.field]
		if tooLong := len(test.want) > 32; tooLong == (len(faults) == 0) || !tooLong && got != test.want {
			t.Errorf("%s %q: %q %v, want %q", test.field, test.sent, got, faults, test.want)
		}
	}
}

// With "billing: ask", what payers typed is read where it can have only one meaning, and too long texts are cut at a
// word. Other rules refuse both.
func TestReadingsOfWhatPayersTyped(t *testing.T) {
	const long = "Calle de la Independencia Nacional 1234, Colonia Centro"
	for _, test := range []struct{ path, sent, want string }{
		{"billing_address.country", "de", "DE"}, {"billing_address.country", " De ", "DE"},
		{"billing_address.country", "xx", ""}, {"billing_address.country", "Germany", ""},
		{"customer.name", "Ada\x00 Byron", "Ada Byron"},
		{"customer.email", "  ann@shop.example ", "ann@shop.example"}, {"customer.email", "ann at shop", ""},
		{"billing_address.address", long, long},
		{"billing_address.address", strings.Repeat(long+" ", 5), strings.Repeat(long+" ", 4) + "Calle de la Independencia"},
		{"billing_address.address", strings.Repeat("é", 300), strings.Repeat("é", 255)},
		{"billing_address.address", "Calle\x00 1\x1b", "Calle 1"},
		{"billing_address.city", long, "Calle de la Independencia Nacional 1234"},
		{"billing_address.district", long, long}, {"billing_address.district", "x", ""},
	} {
		text, err := json.Marshal(test.sent)
		if err != nil {
			t.Fatal(err)
		}
		body := requesttest.SessionWith(t, test.path, string(text))
		if _, faults := checkFaults(t, body, Rules{}); len(faults) == 0 {
			t.Errorf("%s: %q is taken by the rules of the protocol", test.path, test.sent)
		}
		r, faults := checkFaults(t, body, Rules{AskBilling: true})
		a := r.BillingAddress
		got := map[string]string{"billing_address.country": a.Country, "customer.email": r.Customer.Email,
			"customer.name":           r.Customer.Name,
			"billing_address.address": a.Address, "billing_address.city": a.City,
			"billing_address.district": a.District}[test.path]
		if len(faults) > 0 || got != test.want || (test.want == "") != (len(r.LeftOut) > 0) {
			t.Errorf("%s: %q is %q, want %q; %v %v", test.path, test.sent, got, test.want, faults, r.LeftOut)
		}
	}
}

// A line of an address is cut at a word.
func TestCutAddress(t *testing.T) {
	for line, want := range map[string]string{
		"Calle de la Independencia Nacional 1234": "Calle de la Independencia",
		strings.Repeat("é", 40):                   strings.Repeat("é", 32),
		"Calle de la Independencia 12345, 2":      "Calle de la Independencia 12345",
		"Calle 1":                                 "Calle 1",
	} {
		if got := (Address{Address: line, District: line}).Cut(32); got.Address != want || got.District != want {
			t.Errorf("%q is cut to %q and %q", line, got.Address, got.District)
		}
	}
}

// With "order_number: any", too, no session may have the signed text of a customer's return (protocol.md, Hashes), with
// any upper-casing: the ligature ff becomes the hex digits FF.
func TestAnyOrderNumberIsNoReturn(t *testing.T) {
	const id = "E9942F2C-F795-82E7-832A-005253DC0B02"
	for number, refused := range map[string]bool{
		id: true, strings.ToLower(id) + " 1=": true, strings.Replace(id, "F2C", "ﬀC",
			1) + "_1": true, id[:34]: true, " " + id: false, "_" + id: false,
	} {
		text, _ := json.Marshal(number)
		_, faults := readUnder(t, requesttest.SessionWith(t, "order.number", string(text)), Rules{AnyNumber: true})
		if got := len(faults) > 0 && strings.HasPrefix(faults[0].String(),
			"order.number: This value is not valid."); got != refused {
			t.Errorf("%q: %v", number, faults)
		}
	}
}
