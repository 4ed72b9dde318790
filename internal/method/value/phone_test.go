package value

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nyaruka/phonenumbers"
)

var update = flag.Bool("update", false, "write calling_codes.go instead of comparing with it")

// The table of calling codes is that of the library, which is too large for the functions: 4 MB and 8 ms at each start.
func TestCallingCodes(t *testing.T) {
	codes := phonenumbers.GetSupportedGlobalNetworkCallingCodes()
	for region := range phonenumbers.GetSupportedRegions() {
		codes[phonenumbers.GetCountryCodeForRegion(region)] = true
	}
	sorted := slices.Sorted(maps.Keys(codes))
	if len(sorted) < 200 {
		t.Fatalf("the library has only %d codes", len(sorted))
	}
	var table strings.Builder
	table.WriteString("package value\n\n" +
		"// callingCodes are the calling codes of E.164 with the least and most digits of the numbers that follow.\n" +
		"// Made by `go test ./internal/method/value -run CallingCodes -update` from libphonenumber's data.\n" +
		"const callingCodes = `")
	for i, code := range sorted {
		least, most := possibleLengths(code)
		if least == 0 {
			t.Fatalf("no length is possible after +%d", code)
		}
		fmt.Fprintf(&table, " %d:%02d-%02d", code, least, most)
		if i%10 == 9 {
			table.WriteString("\n")
		}
	}
	table.WriteString(" `\n")
	if *update {
		if err := os.WriteFile("calling_codes.go", []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile("calling_codes.go")
	if err != nil || string(file) != table.String() {
		t.Errorf("calling_codes.go differs from the library; see the change with -update and git diff (%v)", err)
	}
}

func possibleLengths(code int) (least, most int) {
	national := uint64(1)
	for n := 1; n <= 17; n, national = n+1, national*10 {
		country, number := int32(code), national
		got := phonenumbers.IsPossibleNumberWithReason(
			&phonenumbers.PhoneNumber{CountryCode: &country, NationalNumber: &number})
		if got == phonenumbers.IS_POSSIBLE && least == 0 {
			least = n
		}
		if got == phonenumbers.IS_POSSIBLE {
			most = n
		}
	}
	return least, most
}

// Every valid number that the library knows as an example passes.
func TestExampleNumbers(t *testing.T) {
	tried := 0
	for region := range phonenumbers.GetSupportedRegions() {
		for _, kind := range []phonenumbers.PhoneNumberType{phonenumbers.MOBILE, phonenumbers.FIXED_LINE} {
			example := phonenumbers.GetExampleNumberForType(region, kind)
			if example == nil {
				continue
			}
			tried++
			number := phonenumbers.Format(example, phonenumbers.E164)
			if plain, ok := MSISDN(phonenumbers.Format(example, phonenumbers.INTERNATIONAL)); !ok || plain != number {
				t.Errorf("%s: %s is %s, good: %t", region, number, plain, ok)
			}
		}
	}
	if tried < 400 {
		t.Errorf("only %d numbers tried", tried)
	}
}
