package api

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/callback"
	"checkout/internal/fault"
	"checkout/internal/operator/listing"
	"checkout/internal/operator/query"
	"checkout/internal/operator/words"
	"checkout/internal/request"
)

func TestQueriesOfOperators(t *testing.T) {
	day := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	const all = filters + " zone cursor limit q day url format"
	india := time.FixedZone("+05:30", 19800)
	for text, want := range map[string]adminQuery{
		"":                                 {},
		"q=pen%201&url=https://a.example":  {q: "pen 1", url: "https://a.example"},
		"from=2026-11-23&until=2026-11-23": {Filter: query.Filter{From: day, Until: day.AddDate(0, 0, 1)}},
		"day=2026-11-23&zone=%2B05:30": {Filter: query.Filter{
			From: day.Add(-5*time.Hour - 30*time.Minute), Until: day.Add(18*time.Hour + 30*time.Minute), Zone: india}},
		"day=2026-11-23": {Filter: query.Filter{From: day, Until: day.AddDate(0, 0, 1)}},
		"until=2026-11-23T14:05:06.5%2B02:00": {Filter: query.Filter{
			Until: day.Add(12*time.Hour + 5*time.Minute + 6500*time.Millisecond)}},
		"merchant=m&mode=test&status=settled&method=card&mid=a&currency=EUR&amount=1&country=DE&card=4242&" +
			"approval_code=b&callbacks=parked&reason_code=c&cursor=d&limit=500&format=csv": {
			format: "csv", Filter: query.Filter{
				Merchant: "m", Mode: "test", Status: "settled", Method: "card", MID: "a", Currency: "EUR", Amount: "1",
				Country: "DE", Card: "4242", ApprovalCode: "b", Callbacks: callback.Parked, ReasonCode: "c", Cursor: "d",
				Limit: 500}},
	} {
		values, err := url.ParseQuery(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readQuery(values, strings.Fields(all))
		if want.Zone == nil {
			want.Zone = time.UTC
		}
		if got.Zone.String() != want.Zone.String() || !got.From.Equal(want.From) || !got.Until.Equal(want.Until) {
			t.Errorf("%s: %+v %v", text, got, err)
		}
		if got.Zone, got.From, got.Until = want.Zone, want.From, want.Until; err != nil || got != want {
			t.Errorf("%s: %+v %v", text, got, err)
		}
	}
}

// A day of a zone is 23 hours long where the clocks are put forward. What is no zone is refused.
func TestZones(t *testing.T) {
	values := url.Values{"from": {"2030-03-31"}, "until": {"2030-03-31"}, "zone": {"Europe/Oslo"}}
	q, err := readQuery(values, []string{"from", "until", "zone"})
	if want := time.Date(2030, 3, 30, 23, 0, 0, 0, time.UTC); err != nil || !q.From.Equal(want) ||
		q.Until.Sub(q.From) != 23*time.Hour {
		t.Errorf("%+v, %v", q, err)
	}
	for _, name := range []string{"Local", "Nowhere/City", "../zone", "+5", "+05:30x"} {
		if _, err := readQuery(url.Values{"zone": {name}}, []string{"zone"}); fault.CodeOf(err) != fault.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The filters that are described are those that the API takes, with the values that it takes.
func TestDescribedFilters(t *testing.T) {
	var names []string
	for _, f := range words.Describe().Filters {
		names = append(names, f.Name)
		for _, choice := range f.Choices {
			if _, err := readQuery(url.Values{f.Name: {choice}}, []string{f.Name}); err != nil {
				t.Errorf("%s %s: %v", f.Name, choice, err)
			}
		}
	}
	if got := strings.Join(names, " "); got != filters {
		t.Errorf("%s, want %s", got, filters)
	}
}

// All faults of a query are named at once.
func TestWrongQueriesOfOperators(t *testing.T) {
	for text, want := range map[string]string{
		"limit=0": "limit", "limit=501": "limit", "limit=ten": "limit", "mode=both": "mode", "callbacks=lost": "callbacks",
		"from=yesterday": "from", "until=2026-13-01": "until", "format=pdf": "format", "Mode=live": "Mode",
		"cursor=a&cursor=a": "cursor", "z=1&mode=&from=x&a=1": "a z from",
	} {
		values, err := url.ParseQuery(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = readQuery(values, strings.Fields("mode from until cursor limit callbacks format"))
		if faultPaths(err) != want {
			t.Errorf("%s: %q, want %q", text, faultPaths(err), want)
		}
	}
}

func TestBodiesOfOperators(t *testing.T) {
	for text, want := range map[string]string{
		`{"reason":"a","who":"b","role":"viewer","merchants":["*"],"mode":"live"}`: "",
		`{}`: "who role merchants mode reason",
		`{"reason":"a","who":"","role":null,"merchants":["*"],"mode":"live","by":"me","at":1}`:  "at by who role",
		`{"reason":"a","who":"b","role":"viewer","merchants":"*","mode":"live"}`:                "merchants",
		`{"reason":"a","who":7,"role":"viewer","merchants":["*"],"mode":"live"}`:                "who",
		`{"reason":"a","Reason":"b","who":"b","role":"viewer","merchants":["*"],"mode":"live"}`: "Reason",
		`{"reason":"a","reason":"b","who":"b","role":"viewer","merchants":["*"],"mode":"live"}`: "(body)",
		`[]`: "(body)", ``: "(body)", `{} {}`: "(body)",
		`{"reason":"` + strings.Repeat("a", request.MaxBody) + `"}`: "(body)",
	} {
		var body grantBody
		err := readAct(httptest.NewRequest("POST", "/", strings.NewReader(text)), &body)
		paths := faultPaths(err)
		if err != nil && paths == "" {
			paths = "(body)"
		}
		if paths != want {
			t.Errorf("%.100s: %q, want %q", text, paths, want)
		}
	}
}

// A line of the journal as CSV and as JSON. Nothing in CSV is a formula.
func TestExports(t *testing.T) {
	line := listing.Line{
		Merchant: "m", Mode: "live",
		PaymentID: "p", Order: `=HYPERLINK("http://a.example";"b")`, At: time.Unix(1795186800, 500e6).UTC(),
		Amount: "12.50", Currency: "EUR", MID: "@SUM(1)", Reference: "-2+3", ProviderID: "-12.50", ApprovalCode: "+1",
	}
	e := export{lines: []listing.Line{line, line}, cursor: "next"}
	w := httptest.NewRecorder()
	e.write(w)
	rows, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || len(rows) != 3 || w.Header().Get("X-Next-Cursor") != "next" {
		t.Fatalf("%q %v", rows, err)
	}
	got := map[string]string{}
	for i, name := range rows[0] {
		got[name] = rows[1][i]
	}
	for name, want := range map[string]string{
		"order": `'=HYPERLINK("http://a.example";"b")`, "mid": "'@SUM(1)", "reference": "'-2+3", "provider_id": "-12.50",
		"approval_code": "'+1", "amount": "12.50", "at": "2026-11-20T15:00:00Z", "connector": "", "merchant": "m",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	w = httptest.NewRecorder()
	e.jsonl = true
	e.write(w)
	for text := range bytes.Lines(w.Body.Bytes()) {
		var members map[string]any
		var back listing.Line
		if json.Unmarshal(text, &members) != nil || json.Unmarshal(text, &back) != nil || !reflect.DeepEqual(back, line) {
			t.Errorf("%s", text)
		}
		for name := range members {
			if !slices.Contains(rows[0], name) {
				t.Errorf("CSV has no %s", name)
			}
		}
	}
}

// Whoever calls past the authorizer, or without a grant, gets nothing. What a caller says of the way is told to nobody
// unless it is one of those that there are.
func TestCallers(t *testing.T) {
	for via, want := range map[string]string{"page": "page", "command": "command", "": "", "<script>": ""} {
		r := httptest.NewRequest("GET", "/", nil)
		if got := callerOf(WithCaller(r.Context(), "ann", via)); got.Via != want || got.Who != "ann" {
			t.Errorf("%q: %+v", via, got)
		}
	}
	for who, want := range map[string]string{
		"arn:aws:sts::111122223333:assumed-role/Support/ann@pens.example": "ann@pens.example",
		"arn:aws:iam::111122223333:user/ann":                              "ann", "local/admin": "admin", "ann": "ann",
	} {
		if got := nameOf(who); got != want {
			t.Errorf("%s: %q", who, got)
		}
	}
	for pattern, want := range map[string]string{
		"POST /admin/v1/payments/{id}/refund":               "payments refund",
		"POST /admin/v1/payments/{id}/callbacks/{seq}/send": "payments callbacks send",
		"POST /admin/v1/operators/grant":                    "operators grant",
	} {
		if got := command(pattern); got != want {
			t.Errorf("%s: %q", pattern, got)
		}
	}
}

// Each route of the admin API names a right, and none of them is a route of the public API.
func TestAdminRoutesHaveRights(t *testing.T) {
	for _, route := range Admin(&Services{}) {
		if route.Rule().Right == "" || !strings.HasPrefix(route.Path, "/admin/v1/") {
			t.Errorf("%s %s: right %q", route.Method, route.Path, route.Rule().Right)
		}
	}
	for _, route := range All(&Services{}) {
		if route.Rule().Right != "" || strings.HasPrefix(route.Path, "/admin") {
			t.Errorf("%s %s is public", route.Method, route.Path)
		}
	}
}
