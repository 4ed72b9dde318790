package bench

import (
	"bytes"
	"regexp"
	"testing"
	"time"
)

// TestRun measures very little, to check that every row of the tables is there. It does not test speed.
func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := Run(t.Context(), Options{Root: "../../..", Handlers: "2x", Requests: 2, Starts: 1}, &out); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{
		`session creation( +\d+){4}`, `status by order_id( +\d+){4}`,
		`session creation +[\d.]+ +[\d.]+ +[\d.]+`, `  only its DynamoDB transaction +[\d.]+ +[\d.]+ *`,
		`status by payment_id +[\d.]+ +[\d.]+ +[\d.]+`, `  only its DynamoDB read +[\d.]+ +[\d.]+ *`,
		`an empty function +[\d.]+ +1\.00 +[\d.]+ +[\d.]+`, `one with a DynamoDB call( +[\d.]+){4}`,
		`session( +[\d.]+){4}`, `status( +[\d.]+){4}`, `page( +[\d.]+){4}`, `notify( +[\d.]+){4}`,
		`connector( +[\d.]+){4}`, `callback( +[\d.]+){4}`, `sweep( +[\d.]+){4}`,
	} {
		if !regexp.MustCompile(`(?m)^` + row + `$`).Match(out.Bytes()) {
			t.Errorf("no row %s in\n%s", row, out.String())
		}
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
