package story

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"checkout/internal/method"
	"checkout/internal/settings"
)

// oracle is a setting of a merchant, and a request that shows it to whoever can sign.
type oracle struct {
	setting string
	set     func(*settings.Merchant)
	body    func(map[string]any)
}

const (
	aForm     = "5f0c3a52-8d2f-4d0b-9a4e-3a3f2a1c7e11"
	aSchedule = "monthly"
)

// compatible returns a setting of one compatibility switch.
func compatible(name, value string) func(*settings.Merchant) {
	return func(m *settings.Merchant) {
		m.Mappings[0].Compatibility = settings.Compatibility{name: value}
	}
}

// mid returns a setting of the shop's only MID.
func mid(change func(*settings.MID)) func(*settings.Merchant) {
	return func(m *settings.Merchant) { change(&m.Mappings[0].MIDs[0]) }
}

// ordered returns a change of one field of order.
func ordered(name string, value any) func(map[string]any) {
	return func(body map[string]any) { body["order"].(map[string]any)[name] = value }
}

// oracles has every setting on which the response to a session request depends.
var oracles = []oracle{
	{"order_number", compatible("order_number", "any"), ordered("number", "pen=1")},
	{"billing: ask", compatible("billing", "ask"), with("customer", map[string]any{"email": "nobody"})},
	{"methods: known", compatible("methods", "known"), with("methods", []string{"card", "no-method"})},
	{"methods: known, a list", compatible("methods", "known"), with("methods", []any{"card", []any{}})},
	{"methods: known, parameters", compatible("methods", "known"), with("methods", []string{"card", "voucher"})},
	{"errors", compatible("errors", "first"), with("form_id", aForm)},
	{"preset", compatible("preset", "shop plugin"), with("customer", map[string]any{"name": "Łukasz"})},
	{"customer_name off", func(m *settings.Merchant) { m.Mappings[0].CustomerName = "off" },
		with("customer", map[string]any{"name": "Łukasz"})},
	{"customer_name required", func(m *settings.Merchant) { m.Mappings[0].CustomerName = "required" },
		with("customer", map[string]any{})},
	{"schedules", func(m *settings.Merchant) {
		monthly := settings.Interval{IntervalLength: 1, IntervalUnit: "month"}
		m.Schedules = []settings.Schedule{{ID: aSchedule, Name: "Monthly", Interval: monthly}}
	}, func(body map[string]any) { body["recurring_init"], body["schedule_id"] = true, aSchedule }},
	{"return_schemes", func(m *settings.Merchant) { m.Mappings[0].ReturnSchemes = []string{"penapp"} },
		with("success_url", "otherapp://paid")},
	{"return_schemes, none", func(m *settings.Merchant) { m.Mappings[0].ReturnSchemes = []string{} },
		with("cancel_url", "otherapp://left")},
	{"forms", func(m *settings.Merchant) {
		m.Forms = []settings.Form{{ID: aForm, Name: "A form", RequiredFields: []string{"payer_name"}}}
	}, with("form_id", aForm)},
	{"channel_id", mid(func(mid *settings.MID) { mid.ChannelID = "shop" }), with("channel_id", "shop")},
	{"methods", mid(func(mid *settings.MID) { mid.Methods = append(mid.Methods, "mobile_money") }),
		with("methods", []string{"mobile_money"})},
	{"presets", mid(func(mid *settings.MID) {
		mid.Methods, mid.Operations = []string{"local_payout"}, []method.Operation{"credit"}
		mid.Presets = map[string]map[string]string{
			"local_payout": {"source_account_number": "0012345", "branch_identifier": "0001"}}
	}), func(body map[string]any) {
		body["operation"], body["methods"] = "credit", []string{"local_payout"}
		body["payee"] = map[string]any{"name": "Ada Lovelace"}
	}},
	{"currencies", mid(func(mid *settings.MID) { mid.Currencies = []string{"EUR"} }), with("", nil)},
	{"operations", mid(func(mid *settings.MID) { mid.Operations = []method.Operation{"debit"} }), with("", nil)},
	{"limits", mid(func(mid *settings.MID) { mid.Limits = []settings.Limit{{Currency: "USD", Max: "5"}} }), with("", nil)},
	{"capture_type", mid(func(mid *settings.MID) { mid.CaptureType = "SMS" }), with("auth", true)},
	{"MID disabled", mid(func(mid *settings.MID) { mid.Disabled = true }), with("", nil)},
	{"mapping disabled", func(m *settings.Merchant) { m.Mappings[0].Disabled = true }, with("", nil)},
	{"merchant disabled", func(m *settings.Merchant) { m.Disabled = true }, with("", nil)},
	{"pre_routing", func(m *settings.Merchant) {
		m.Mappings[0].PreRouting = []settings.PreRoute{{Methods: []string{"voucher"}}}
	}, with("", nil)},
	{"vat_rates", func(m *settings.Merchant) { m.Mappings[0].VATRates = map[string]string{"DE": "19"} },
		with("vat_calc", true)},
	{"required_fields", func(m *settings.Merchant) { m.Mappings[0].RequiredFields = []string{"payer_email"} },
		with("", nil)},
	{"sha256", func(m *settings.Merchant) { m.SHA256 = true }, with("", nil)},
	{"another mapping", func(m *settings.Merchant) {
		second := m.Mappings[0]
		second.Name, second.Compatibility = "second", settings.Compatibility{"order_number": "any"}
		second.MIDs = []settings.MID{{Name: "mid-2", Connector: realBank, Methods: []string{"card"}, ChannelID: "second"}}
		m.Mappings = append(m.Mappings, second)
	}, func(body map[string]any) {
		body["channel_id"], body["order"].(map[string]any)["number"] = "second", "pen=1"
	}},
}

// Whoever has no valid hash gets the same bytes from every merchant, and from none at all, whatever the merchant's
// settings and the fields of the request; whoever has one sees what the setting changes.
func TestNoSettingShowsWithoutAHash(t *testing.T) {
	w := open(t)
	plain := w.newShop("-plain")
	plain.live = true
	for i, o := range oracles {
		varied := w.newShop(fmt.Sprint("-", i), o.set)
		varied.live = true
		body := w.shop.Order("pen-1", o.body)
		if p, v := plain.signed(body), varied.signed(body); p == v {
			t.Errorf("%s: shows in no signed response: %s", o.setting, p)
		}
		for _, broken := range []bool{false, true} {
			if broken {
				body["success_url"] = "nowhere"
			}
			for _, path := range []string{"session", "session/explain"} {
				unknown := w.unsigned(path, "a-key-of-nobody", body)
				if got := w.unsigned(path, varied.merchant.LiveKey, body); got != unknown {
					t.Errorf("%s: %s, a key of nobody: %s", o.setting, got, unknown)
				}
				if want := "401 "; !broken && !strings.HasPrefix(unknown, want) {
					t.Errorf("%s: %s", o.setting, unknown)
				}
			}
		}
	}
}

// signed returns what explain says of a session request that is signed with MD5 and the password of all shops.
func (s *Shop) signed(body map[string]any) string {
	s.w.t.Helper()
	signed := s.w.shop.Sign(body)
	signed["merchant_key"] = s.key()
	code, text := s.w.call("POST", "/api/v1/session/explain", signed)
	return fmt.Sprint(code, " ", string(text))
}

// unsigned returns the whole response to a request with a wrong hash, but for its id and date.
func (w *World) unsigned(path, key string, body map[string]any) string {
	w.t.Helper()
	body["merchant_key"], body["hash"] = key, strings.Repeat("0", 40)
	text, err := json.Marshal(body)
	if err != nil {
		w.t.Fatalf("%s: %v", path, err)
	}
	got, err := w.client.Post(w.server.URL+"/api/v1/"+path, "application/json", strings.NewReader(string(text)))
	if err != nil {
		w.t.Fatalf("%s: %v", path, err)
	}
	defer got.Body.Close()
	response, err := io.ReadAll(got.Body)
	if err != nil {
		w.t.Fatalf("%s: %v", path, err)
	}
	got.Header.Del("X-Request-Id")
	got.Header.Del("Date")
	return fmt.Sprint(got.StatusCode, " ", got.Header, " ", string(response))
}

// Which order numbers a recurring call may have is checked after its hash, too.
func TestNoSettingOfRecurringShowsWithoutAHash(t *testing.T) {
	w := open(t, operations, compatible("order_number", "any"))
	c := w.shop.begins("pen-1", "01/38")
	w.skip(time.Minute)
	plain := w.newShop("-plain", operations)
	body := w.shop.RecurringBody(c.initial, c.token, "pen=2", "5.00")
	var responses []string
	for _, key := range []string{"a-key-of-nobody", w.shop.merchant.LiveKey, plain.merchant.LiveKey} {
		responses = append(responses, w.unsigned("payment/recurring", key, body))
	}
	if !strings.HasPrefix(responses[0], "401 ") || responses[0] != responses[1] || responses[0] != responses[2] {
		t.Errorf("%q", responses)
	}
	for s, want := range map[*Shop]string{w.shop: "200 settled", plain: "400 100000 order.number: This value is " +
		"not valid. It should have letters, digits and - ! \" # $ % & ' ( ) * + , . / : ; @ only."} {
		got := inWords(w.post("/api/v1/payment/recurring", s.RecurringBody(c.initial, c.token, "pen=2", "5.00")))
		if got != want {
			t.Errorf("%s, signed: %s", s.merchant.ID, got)
		}
	}
}
