package method

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nyaruka/phonenumbers"
)

var addressData = flag.String("addresses", "", "folder of libaddressinput's data, for -update: make addresses")

// What the page knows of addresses, by country.
const (
	// all countries, by the order of the parts: A line, C city, S state, Z postal code; ADE is AD and AE
	ordersFile = "../../infra/page/src/fields/orders.json"
	// what is fetched when a form asks for a postal code or a phone number
	addressesFile = "../../infra/page/src/told/addresses.json"
)

type addressRow struct {
	Postal *postalRow  `json:"postal,omitempty"` // absent: the country has no postal codes
	Phone  *callingRow `json:"phone,omitempty"`
}

type postalRow struct {
	Pattern string `json:"pattern"` // of the whole code, without spaces and hyphens
	Example string `json:"example"`
}

type callingRow struct {
	Code   string `json:"code"`            // calling code
	Trunk  string `json:"trunk,omitempty"` // what is dialled before a number within the country
	Digits [2]int `json:"digits"`          // least and most of a line or a mobile, after the calling code

	Example string `json:"example"` // a mobile's number, whole
}

// The page's table of postal codes is libaddressinput's, that of phone numbers is libphonenumber's.
func TestAddresses(t *testing.T) {
	if *update && *addressData != "" {
		orders, rows := readAddresses(t, *addressData)
		writeRows(t, ordersFile, orders)
		writeRows(t, addressesFile, rows)
	}
	ordered := 0
	for order, words := range readRows[string](t, ordersFile) {
		for word := range strings.FieldsSeq(words) {
			for _, second := range word[1:] {
				ordered++
				if country := word[:1] + string(second); len(order) != 4 || !IsCountry(country) {
					t.Errorf("the order %s of %s", order, country)
				}
			}
		}
	}
	if all := len(Countries()); ordered != all {
		t.Errorf("orders of %d countries, there are %d", ordered, all)
	}
	rows := readRows[addressRow](t, addressesFile)
	numbers := callingCodes(t)
	codes := 0
	for country, row := range rows {
		if got, want := row.Phone, numbers[country]; (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("phone numbers of %s: %+v, and %+v in the library", country, got, want)
		}
		if row.Postal == nil {
			continue
		}
		codes++
		bare := strings.NewReplacer(" ", "", "-", "").Replace(row.Postal.Example)
		if !regexp.MustCompile("^(?:" + row.Postal.Pattern + ")$").MatchString(bare) {
			t.Errorf("%s: %s does not match %s", country, row.Postal.Example, row.Postal.Pattern)
		}
	}
	if codes < 175 || len(rows) < 240 {
		t.Errorf("%d countries, %d with postal codes", len(rows), codes)
	}
}

func callingCodes(t *testing.T) map[string]*callingRow {
	all, err := phonenumbers.MetadataCollection()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]*callingRow{}
	for _, region := range all.GetMetadata() {
		code := strconv.Itoa(int(region.GetCountryCode()))
		var lengths []int32
		for _, kind := range []*phonenumbers.PhoneNumberDesc{region.GetFixedLine(), region.GetMobile()} {
			if lengths = append(lengths, kind.GetPossibleLength()...); len(kind.GetPossibleLength()) == 0 {
				lengths = append(lengths, region.GetGeneralDesc().GetPossibleLength()...)
			}
		}
		if lengths = slices.DeleteFunc(lengths, func(n int32) bool { return n <= 0 }); len(lengths) > 0 {
			digits := [2]int{int(slices.Min(lengths)), int(slices.Max(lengths))}
			rows[region.GetId()] = &callingRow{
				Code: code, Trunk: region.GetNationalPrefix(), Digits: digits, Example: exampleIn(region.GetId()),
			}
		}
	}
	return rows
}

func exampleIn(region string) string {
	example := phonenumbers.GetExampleNumberForType(region, phonenumbers.MOBILE)
	if example == nil {
		example = phonenumbers.GetExampleNumber(region)
	}
	return phonenumbers.Format(example, phonenumbers.INTERNATIONAL)
}

// readAddresses reads a file for each country, such as de.json: {"DE": {"fmt": "%N%n%A%n%Z %C", "zip": "\\d{5}", …}}.
func readAddresses(t *testing.T, folder string) (orders map[string]string, rows map[string]addressRow) {
	states := readRows[json.RawMessage](t, "states.json")
	numbers := callingCodes(t)
	orders, rows = map[string]string{}, map[string]addressRow{}
	for _, country := range Countries() {
		file := filepath.Join(folder, strings.ToLower(country)+".json")
		d := readRows[struct{ Fmt, Zip, Zipex string }](t, file)[country]
		row := addressRow{Phone: numbers[country]}
		if example, _, _ := strings.Cut(d.Zipex, ","); example != "" {
			row.Postal = &postalRow{Pattern: withoutSeparators(d.Zip), Example: example}
		}
		if row != (addressRow{}) {
			rows[country] = row
		}
		order := orderOf(d.Fmt, states[country] != nil)
		words := strings.Split(orders[order], " ")
		if strings.HasPrefix(words[len(words)-1], country[:1]) {
			orders[order] += country[1:]
		} else {
			orders[order] = strings.TrimSpace(orders[order] + " " + country)
		}
	}
	return orders, rows
}

const usualOrder = "AZCS"

// orderOf is the order of the parts in a format such as %A%n%C, %S %Z. Parts that it lacks stand where they usually do,
// the city behind the state that it is in, and the state last where the page asks for none.
func orderOf(format string, hasStates bool) string {
	order := ""
	for _, part := range regexp.MustCompile("%[ACSZ]").FindAllString(format, -1) {
		if part != "%S" || hasStates {
			order += part[1:]
		}
	}
	for i, part := range strings.Split(usualOrder, "") {
		if strings.Contains(order, part) {
			continue
		}
		at := 0
		if i > 0 {
			at = 1 + strings.IndexByte(order, usualOrder[i-1])
		}
		if part == "C" {
			at = max(at, 1+strings.Index(order, "S"))
		}
		if part == "S" {
			at = len(order)
		}
		order = order[:at] + part + order[at:]
	}
	return order
}

// withoutSeparators takes spaces and hyphens, and each ? behind them, out of a pattern.
func withoutSeparators(pattern string) string {
	pattern = strings.ReplaceAll(pattern, `[ \-]`, "")
	var out strings.Builder
	class := false
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case !class && (c == ' ' || c == '-'):
			if strings.HasPrefix(pattern[i+1:], "?") {
				i++
			}
			continue
		case c == '[':
			class = true
		case c == ']':
			class = false
		}
		out.WriteByte(pattern[i])
	}
	return out.String()
}

func readRows[T any](t *testing.T, file string) map[string]T {
	rows := map[string]T{}
	content, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(content, &rows)
	}
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// writeRows writes a line for each row.
func writeRows[T any](t *testing.T, file string, rows map[string]T) {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		row, err := json.Marshal(rows[key])
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, "  "+strconv.Quote(key)+": "+string(row))
	}
	content := "{\n" + strings.Join(lines, ",\n") + "\n}\n"
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
