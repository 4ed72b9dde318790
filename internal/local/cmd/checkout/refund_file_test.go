package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"checkout/internal/operator/listing"
)

func written(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "refunds.csv")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// Files are read as they are written elsewhere, with a mark at their beginning or lines of another system.
func TestReadRefunds(t *testing.T) {
	want := []refundLine{{line: 2, paymentID: "p-1", amount: "1.50", reason: "one, two"}, {line: 3, paymentID: "p-2"}}
	whole := []refundLine{{line: 1, paymentID: "p-1"}, {line: 2, paymentID: "p-2"}}
	lines := listing.CSV([]listing.Line{{PaymentID: "p-0", Amount: "9.00"}, {PaymentID: "p-1"}, {PaymentID: "p-0"}})
	jsonl := listing.JSONLines([]listing.Line{{PaymentID: "p-1", Amount: "9.00"}, {PaymentID: "p-2"}, {PaymentID: "p-1"}})
	for name, test := range map[string]struct {
		text   string
		want   []refundLine
		export bool
	}{
		"CSV":       {"payment_id,amount,reason\np-1,1.50,\"one, two\"\np-2,,\n", want, false},
		"other CSV": {"\ufeffreason, amount ,payment_id\r\n\"one, two\", 1.50,p-1\r\n,,p-2", want, false},
		"one column": {"payment_id\np-1\np-2\n", []refundLine{{line: 2, paymentID: "p-1"},
			{line: 3, paymentID: "p-2"}}, false},
		"JSON lines": {`{"payment_id":"p-1"}` + "\r\n" + `{"payment_id":"p-2"}`, whole, false},
		"JSON": {"\n" + `{"payment_id":"p-1","amount":"1.50","reason":"one, two"}` + "\n" + `{"payment_id":"p-2"}`, want,
			false},
		"export":       {string(lines), []refundLine{{line: 2, paymentID: "p-0"}, {line: 3, paymentID: "p-1"}}, true},
		"JSON, export": {string(jsonl), whole, true},
	} {
		got, err := readRefunds(written(t, test.text))
		if err != nil || fmt.Sprint(got.lines) != fmt.Sprint(test.want) || got.export != test.export {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// Every fault of a file is told with its line.
func TestFaultyRefundFiles(t *testing.T) {
	many := "payment_id\n"
	for i := range mostRefunds + 1 {
		many += fmt.Sprintf("p-%d\n", i)
	}
	for text, want := range map[string]string{
		"":                                 "line 1: the file is empty",
		" \r\n":                            "line 1: the file is empty",
		"payment_id\n":                     "line 1: the file names no payment",
		"\xff\xfep\x00a\x00":               "line 1: the file is no UTF-8 text",
		"payment_id;amount\np-1;10,00\n":   "line 1: other characters than commas",
		"payment_id\tamount\np-1\t10.00\n": "line 1: other characters than commas",
		"payment_id,ammount\np-1,1.00\n":   `line 1: column "ammount" is none of payment_id, amount, reason`,
		"p-1,1.00\n":                       `line 1: column "p-1" is none of`,
		"amount\n1.00\n":                   "line 1: there is no payment_id",
		"payment_id,payment_id\np-1,p-2\n": `line 1: column "payment_id" is there twice`,
		"payment_id,amount\np-1\n,1.00\n":  "line 2: wrong number of fields\n  line 3: there is no payment_id",
		"payment_id\n\"p-1\np-2\n":         "line 2: extraneous or missing",
		"payment_id\np-1\np-2\nP-1\np-2\n": "line 4: payment P-1 is in line 2, too\n  line 5: payment p-2 is in line 3",
		"payment_id,reason\np-1,é" + strings.Repeat("x", mostReason) + "\n": "line 2: the reason has more than 120",
		many:                                 "line 5002: there are 5001 payments, and at most 5000 at once",
		"{\"payment_id\":\"p-1\"}\nnix\n":    "line 2: it is no JSON object",
		`{"payment_id":"p-1","amount":1.5}`:  "line 1: amount is no text",
		`{"payment_id":"p-1","amount":""}`:   "line 1: amount is no text, or an empty one",
		`{"payment_id":"p-1","amount":null}`: "line 1: amount is no text, or an empty one",
		`{"payment_id":" "}`:                 "line 1: payment_id is no text, or an empty one",
		`{"id":"p-1"}`:                       `line 1: column "id" is none of`,
		"{\"payment_id\":\"p-1\"}\n" + `{"payment_id":"p-2","order":"","type":"","status":"","at":"","amount":"",` +
			`"currency":"","method":""}`: "line 2: some lines are of an export, and others are not",
	} {
		got, err := readRefunds(written(t, text))
		if exitCode(err) != exitMisused || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %+v, %v, want %s", text, got, err, want)
		}
	}
}
