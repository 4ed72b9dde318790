package bench

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"
)

// TestRun measures next to nothing, to see that every row of the tables is there. Speed is no test, but size is one.
func TestRun(t *testing.T) {
	var out bytes.Buffer
	options := Options{Root: "../../..", Handlers: "2x", Requests: 2, Starts: 1, Payments: 1}
	if err := Run(t.Context(), options, &out); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		`session creation( +\d+){4}`, `status by order_id( +\d+){4}`,
		`session creation( +[\d.]+){5}`, `  only its DynamoDB transaction( +[\d.]+){3} *`,
		`status by payment_id( +[\d.]+){5}`, `  only its DynamoDB read( +[\d.]+){3} *`,
		`an empty function( +[\d.]+){7}`, `one with a DynamoDB call +[\d.]+ +1\.00 +[\d.]+ +1\.00 +[\d.]+ +1\.00 +[\d.]+`,
		`session( +[\d.]+){7}`, `status( +[\d.]+){7}`, `page( +[\d.]+){7}`, `notify( +[\d.]+){7}`,
		`connector( +[\d.]+){7}`, `callback( +[\d.]+){7}`, `sweep( +[\d.]+){7}`,
		`adminread( +[\d.]+){7}`, `adminact( +[\d.]+){7}`, `1 payments( +[\d.]+){3}`,
	} {
		if !regexp.MustCompile(`(?m)^` + row + `$`).Match(out.Bytes()) {
			t.Errorf("no row %s in\n%s", row, out.String())
		}
	}
	checkSizes(t, out.String())
}

var update = flag.Bool("update", false, "write today's sizes of the binaries instead of comparing with the stored ones")

// sizeFile has how many thousandths of a function with one DynamoDB call each binary has. Of Linux on amd64: with arm64
// status and connector have 12 and 4 more, with macOS 11 and 21 more.
const sizeFile = "testdata/sizes.json"

// checkSizes checks that no binary has grown by more than two per cent: a library in it that it does not use, or the
// table of payment methods in one that needs none, is more than that.
func checkSizes(t *testing.T, table string) {
	t.Helper()
	sizes := map[string]int{}
	for _, row := range regexp.MustCompile(`(?m)^(\w+) +[\d.]+ +(\d)\.(\d{3})$`).FindAllStringSubmatch(table, -1) {
		sizes[row[1]], _ = strconv.Atoi(row[2] + row[3])
	}
	text, err := json.MarshalIndent(sizes, "", "  ")
	if *update && err == nil {
		err = os.WriteFile(sizeFile, append(text, '\n'), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	stored, err := os.ReadFile(sizeFile)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]int
	if err := json.Unmarshal(stored, &want); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(slices.Sorted(maps.Keys(sizes)), slices.Sorted(maps.Keys(want))) {
		t.Errorf("%s has not the binaries of\n%s\nrun this test with -update", sizeFile, table)
	}
	for name, size := range sizes {
		if size*100 > want[name]*102 {
			t.Errorf("%s has %d thousandths of a function with one DynamoDB call, and had %d: what is in it that it does "+
				"not use? If it uses it, run this test with -update", name, size, want[name])
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
