package bench

import (
	"bytes"
	"regexp"
	"testing"
	"time"
)

// TestRun measures next to nothing, to see that every row of the tables is there. Speed is no test, but size is one.
func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := Run(t.Context(), Options{Root: "../../..", Handlers: "2x", Requests: 2, Starts: 1}, &out); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		`session creation( +\d+){4}`, `status by order_id( +\d+){4}`,
		`session creation( +[\d.]+){5}`, `  only its DynamoDB transaction( +[\d.]+){3} *`,
		`status by payment_id( +[\d.]+){5}`, `  only its DynamoDB read( +[\d.]+){3} *`,
		`an empty function( +[\d.]+){7}`, `one with a DynamoDB call +[\d.]+ +1\.00 +[\d.]+ +1\.00 +[\d.]+ +1\.00 +[\d.]+`,
		`session( +[\d.]+){7}`, `status( +[\d.]+){7}`, `page( +[\d.]+){7}`, `notify( +[\d.]+){7}`,
		`connector( +[\d.]+){7}`, `callback( +[\d.]+){7}`, `sweep( +[\d.]+){7}`,
	} {
		if !regexp.MustCompile(`(?m)^` + row + `$`).Match(out.Bytes()) {
			t.Errorf("no row %s in\n%s", row, out.String())
		}
	}
	sizes := regexp.MustCompile(`(?m)^(\w+) +[\d.]+ +(\d)\.(\d{3})$`).FindAllStringSubmatch(out.String(), -1)
	if len(sizes) != 13 {
		t.Errorf("%d binaries in\n%s", len(sizes), out.String())
	}
	for _, row := range sizes {
		limit, own := limits[row[1]]
		if !own {
			limit = largest
		}
		if row[2]+row[3] > limit {
			t.Errorf("%s has %s.%s times the size of its libraries: what is in it that it does not use?", row[1], row[2], row[3])
		}
	}
}

// The cold starts of one function are measured beside what they are compared with, and nothing else is.
func TestRunOfOneFunction(t *testing.T) {
	var out bytes.Buffer
	if err := Run(t.Context(), Options{Root: "../../..", Starts: 1, Function: "status"}, &out); err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^(\S[a-zA-Z ]*?)( +[\d.]+){7}$`).FindAllStringSubmatch(out.String(), -1)
	if len(rows) != 3 || rows[2][1] != "status" {
		t.Errorf("the rows %q in\n%s", rows, out.String())
	}
	if err := Run(t.Context(), Options{Root: "../../..", Starts: 1, Function: "stat"}, &out); err == nil {
		t.Error("a function that there is not is measured")
	}
}

// largest is how many thousandths of its libraries a binary may have, the table of all payment methods included.
const largest = "1180"

// limits are the same of functions with every connector: one reads notices, the other charges and opens wallets'
// tokens.
var limits = map[string]string{"notify": "1210", "connector": "1280"}

func TestNumbers(t *testing.T) {
	list := timed{1, 2, 3, 4}
	for p, want := range map[int]time.Duration{0: 1, 50: 3, 99: 4, 100: 4} {
		if got := list.percentile(p); got != want {
			t.Errorf("percentile %d: %d, should be %d", p, got, want)
		}
	}
	if got := ms(1_239_999 * time.Nanosecond); got != "1.24" {
		t.Errorf("1.239999 ms is %s", got)
	}
	if got := ratio(3*time.Millisecond, 2*time.Millisecond); got != "1.50" {
		t.Errorf("3 to 2 is %s", got)
	}
}
