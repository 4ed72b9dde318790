package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Pages of totals are added up: each group, currency and reason once, amounts to the last digit.
func TestTotals(t *testing.T) {
	f := newAPI(t)
	f.handled = func(call sentCall) {
		f.has["GET /totals"] = `{"groups":[{"day":"2030-01-02",
			"currency":"EUR","method":"card","mid":"bank","type":"sale",
			"succeeded":2,"failed":1,"amount":"99999999999999.99","moved":"-0.01"}],
			"sums":[{"currency":"EUR","paid":"0.10","returned":"0.00",
			"net":"-0.20","attempts":3,"accepted":2}],"declines":[{"reason_code":"a","text":"A","count":1}],"lines":3,
			"cursor":"next"}`
		if strings.Contains(call.query, "cursor=next") {
			f.has["GET /totals"] = `{"groups":[{"day":"2030-01-02",
				"currency":"EUR","method":"card","mid":"bank","type":"sale",
				"succeeded":1,"failed":0,"amount":"0.02","moved":"0.03"},
				{"day":"2030-01-02","currency":"KWD","method":"card","mid":"bank",
				"type":"sale","succeeded":1,"failed":0,"amount":"1.500",
				"moved":"1.500"}],"sums":[{"currency":"EUR",
				"paid":"0.20","returned":"0.00","paid_out":"0.07","net":"0.05","attempts":1,
				"accepted":1},{"currency":"KWD","paid":"1.500","returned":"0.000",
				"net":"1.500","attempts":1,"accepted":1}],"declines":[{"reason_code":"b","text":"B","count":5},
				{"reason_code":"a","text":"A","count":1}],"lines":8}`
		}
	}
	const want = `{"groups":[{"day":"2030-01-02","currency":"EUR","method":"card","mid":"bank","type":"sale",` +
		`"succeeded":3,"failed":1,"amount":"100000000000000.01","moved":"0.02"},` +
		`{"day":"2030-01-02","currency":"KWD","method":"card","mid":"bank",` +
		`"type":"sale","succeeded":1,"failed":0,"amount":"1.500","moved":"1.500"}],"sums":[{"currency":"EUR",` +
		`"paid":"0.30","returned":"0.00","paid_out":"0.07","net":"-0.15","attempts":4,` +
		`"accepted":3},{"currency":"KWD","paid":"1.500","returned":"0.000",` +
		`"net":"1.500","attempts":1,"accepted":1}],"declines":[{"reason_code":"b","text":"B","count":5},` +
		`{"reason_code":"a","text":"A","count":2}],"lines":11}` + "\n"
	if result := f.do(typing{}, "totals"); result.out != want || result.code != exitDone {
		t.Errorf("%+v, want %s", result, want)
	}
	f.handled, f.has["GET /totals"] = nil, `{"groups":[],"sums":[],"declines":[],"lines":0}`
	if none := f.do(typing{}, "totals"); none.out != f.has["GET /totals"]+"\n" {
		t.Errorf("%+v", none)
	}
}

// Totals are tables for people.
func TestTotalsForPeople(t *testing.T) {
	f := newAPI(t)
	f.has["GET /totals"] = `{"groups":[],"sums":[{"currency":"EUR",
		"paid":"0.30","returned":"0.00","paid_out":"0.05",
		"net":"-0.15","attempts":4,"accepted":3}],"declines":[{"reason_code":"b","text":"B","count":5}],"lines":11}`
	table := f.do(typing{terminal: true}, "totals")
	for _, part := range []string{"currency  paid  returned  paid_out  net",
		"EUR       0.30  0.00      0.05      -0.15", "5      b ",
		"11 transactions\n"} {
		if !strings.Contains(table.out, part) {
			t.Errorf("no %q in\n%s", part, table.out)
		}
	}
}

// The overview is two tables for people, and all of it one line for programs.
func TestOverview(t *testing.T) {
	f := newAPI(t)
	f.has["GET /overview"] = `{"at":"2030-01-02T03:04:05Z","items":[{"kind":"parked","label":"Parked callbacks",
		"count":100,"more":true,"merchant":"pens"}],"hours":{"hours":[{"at":"2030-01-02T03:00:00Z",
		"charges":{"ended":7,"accepted":6},"week_before":{"ended":5,"accepted":4}}],"counted_from":"2030-01-02T03:00:00Z"}}`
	table := f.do(typing{terminal: true}, "overview --live --day 2030-01-02 --zone Europe/Oslo")
	for _, part := range []string{"Parked callbacks  100    true", "2030-01-02T03:00:00Z  7      6         5 ",
		"charges before 2030-01-02T03:00:00Z are too many to be counted\n"} {
		if !strings.Contains(table.out+table.notes, part) {
			t.Errorf("no %q in\n%+v", part, table)
		}
	}
	if query := f.seen[len(f.seen)-1].query; query != "day=2030-01-02&mode=live&zone=Europe%2FOslo" {
		t.Errorf("it asks for %s", query)
	}
	line := f.do(typing{}, "overview")
	if strings.Count(line.out, "\n") != 1 || !strings.Contains(line.out, `"more":true`) {
		t.Errorf("%+v", line)
	}
}

// An export has all pages and one line of names. It replaces no file, and says where it is not complete.
func TestExport(t *testing.T) {
	f := newAPI(t)
	broken := false
	f.handled = func(call sentCall) {
		f.has["GET /export"], f.header = "id,amount\np-1,1.00\n", http.Header{"X-Next-Cursor": {"next"}}
		if strings.Contains(call.query, "cursor=next") {
			f.has["GET /export"], f.header = "id,amount\np-2,2.00\n", nil
			f.fails["GET /export"] = map[bool]int{true: 500}[broken]
		}
	}
	const want = "id,amount\np-1,1.00\np-2,2.00\n"
	if result := f.do(typing{terminal: true}, "export --live"); result.out != want || result.code != exitDone ||
		f.seen[1].query != "cursor=next&format=csv&mode=live" {
		t.Errorf("%+v %+v", result, f.seen)
	}
	file := filepath.Join(t.TempDir(), "november.csv")
	if result := f.do(typing{}, "export --out %s", file); result.code != exitDone || result.out != "" {
		t.Errorf("%+v", result)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != want {
		t.Errorf("%s %v", text, err)
	}
	if result := f.do(typing{}, "export --out %s", file); result.code != exitFailed ||
		!strings.Contains(result.notes, "file exists") {
		t.Errorf("%+v", result)
	}
	broken = true
	if result := f.do(typing{}, "export --out %s.2", file); result.code != exitFailed ||
		!strings.Contains(result.notes, file+".2 is not complete") {
		t.Errorf("%+v", result)
	}
}

// A payment, its callbacks, the audit log and a person's rights are told in words, or as they are.
func TestShow(t *testing.T) {
	f := newAPI(t)
	f.has["GET /audit"] = `{"entries":[{"at":"2030-01-02T03:04:05Z","who":"ann","command":"payments refund",
		"what":"payment/p","reason":"one pen is missing","changes":["5.00 EUR are refunded"],"via":"page"}]}`
	f.has["GET /me"] = `{"who":"ann","via":"command","grants":[{"who":"ann","role":"support","merchants":["pens","ink"],
		"mode":"both"}],"rights":{"money":{"live":"full","test":"full"},"find":{"live":"masked"}},"stack":"checkout",
		"version":"v1"}`
	for line, parts := range map[string][]string{
		"payments show " + testPayment: {"payment         " + testPayment + "\n",
			"state           settled: The money is the merchant's.\n",
			"whose turn      nobody\n", "tell the payer  You have paid.\n", "MID             bank\n",
			"2030-01-02T03:04:05Z  outcome  sale of 12.50\n", "Refund   possible, at most 5.00\n", "seq  id     event"},
		"callbacks show " + testPayment + " 1": {"1    msg-1  sale success settled  parked", "\n  2030-01-02T03:05:05Z  500",
			"\n  2030-01-02T03:06:05Z  no response  no response in time\n"},
		"audit list": {"2030-01-02T03:04:05Z  ann  payments refund  payment/p  one pen is missing\n" +
			"  5.00 EUR are refunded\n"},
		"me": {"ann on checkout v1\n", "ann  support  pens, ink  both", "find   masked  \nmoney  full    full\n"},
	} {
		people := f.do(typing{terminal: true}, "%s", line)
		for _, part := range parts {
			if !strings.Contains(people.out, part) || people.code != exitDone {
				t.Errorf("%s: no %q in\n%+v", line, part, people)
			}
		}
		if program := f.do(typing{}, "%s", line); !strings.HasPrefix(program.out, "{") ||
			strings.Count(program.out, "\n") != 1 {
			t.Errorf("%s: %+v", line, program)
		}
	}
	if other := f.do(typing{}, "callbacks show %s 2", testPayment); other.code != exitNotFound {
		t.Errorf("%+v", other)
	}
}
