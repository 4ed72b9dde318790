package story

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
)

// Every row of every method is sent in a session request: good values as people may write them reach the provider, bad
// ones are refused by their path, and a missing one is refused or asked for on the page.
func TestEveryRowIsSent(t *testing.T) {
	rows, values := 0, 0
	for i, m := range method.Methods {
		if _, offered := method.Find(m.ID); !offered || len(m.Sets) == 0 || LeftOut(i) {
			continue
		}
		t.Run(m.ID, func(t *testing.T) {
			s := newRowSender(t, m)
			for _, row := range s.rows() {
				rows++
				s.isRefusedOrAskedFor(t, row)
				for _, sent := range row.bad(t) {
					values++
					s.isRefused(t, row, sent)
				}
				for _, sent := range row.good(t) {
					values++
					s.reachesTheProvider(t, row, sent)
				}
			}
		})
	}
	if rows < 200 && !RaceDetector || values < 600 && !RaceDetector || values == 0 {
		t.Errorf("only %d values of %d rows were sent", values, rows)
	}
}

// rowSender sends session requests with one method, in a world whose provider records what reaches it.
type rowSender struct {
	w      *World
	m      method.Method
	bank   *provider
	number int // of the last order
}

func newRowSender(t *testing.T, m method.Method) *rowSender {
	w := open(t, all, func(shop *settings.Merchant) { shop.Mappings[0].MIDs[0].Methods = []string{m.ID} })
	s := &rowSender{w: w, m: m, bank: &provider{}}
	w.connects(settings.SandboxConnector, s.bank)
	return s
}

// sentRow is a row with its path, [] standing for an item of a list, and the set and object in which it is.
type sentRow struct {
	method.Param
	path string
	m    method.Method
	set  method.Set
	with map[string]any // other values that this one needs, by path
}

// rows returns the method's rows. One whose form depends on another row is there once for each value of that.
func (s *rowSender) rows() (all []sentRow) {
	for _, set := range s.m.Sets {
		var walk func(rows []method.Param, under string)
		walk = func(rows []method.Param, under string) {
			for _, p := range rows {
				row := sentRow{Param: p, path: under + p.Name, m: s.m, set: set, with: besides[p.Name]}
				if forms := formsBy[s.m.Label+" "+row.path]; forms.row != "" {
					for value, check := range forms.checks {
						one := row
						one.Check, one.with = method.Check(check), map[string]any{forms.row: value}
						all = append(all, one)
					}
				} else {
					all = append(all, row)
				}
				if walk(p.Rows, row.path+"."); p.Type == method.TypeList {
					all = slices.DeleteFunc(all, func(r sentRow) bool { return strings.HasPrefix(r.path, row.path+".") })
					walk(p.Rows, row.path+"[].")
				}
			}
		}
		walk(set.Rows, "")
	}
	return all
}

// besides are values that others need beside them.
var besides = map[string]map[string]any{
	"SecurityQuestionAnswer": {"SecurityQuestion": "Which pen?"},
	"NarrativeFileBase64":    {"NarrativeFileName": "file.pdf"},
	"NarrativeFileName":      {"NarrativeFileBase64": "SGVsbG8="},
	"network_type":           {"crypto_type": "USDT"},
	"type_fine":              {"fine.value": "1"},
	"value":                  {"fine.type_fine": "VALUE"},
}

// formsBy are rows whose form another row decides, with the check for each of its values.
var formsBy = map[string]struct {
	row    string
	checks map[string]string
}{
	"M16 address": {"withdrawCurrency", map[string]string{
		"BTC": "btc", "BCH": "bch", "ETH": "eth", "USDT": "usdt", "SOL": "solana", "usdt": "usdt", "XRP": "coin_address",
	}},
	"M21 payee_identifications[].identification": {"payee_identifications[].type", map[string]string{
		"SORT_CODE": "sort_code", "ACCOUNT_NUMBER": "account_number", "IBAN": "iban", "BBAN": "bban", "BIC": "bic",
		"MASKED_PAN": "masked_pan", "MSISDN": "msisdn", "BSB": "bsb", "NCC": "bank_code", "ABA": "aba", "ABA_WIRE": "aba",
		"ABA_ACH": "aba", "ROLL_NUMBER": "roll_number", "BLZ": "blz", "IFS": "ifsc", "CLABE": "clabe", "CTN": "bank_code",
		"BRANCH_CODE": "bank_code", "VIRTUAL_ACCOUNT_ID": "bank_code",
	}},
	"M23 debtor_document": {"type_document", map[string]string{"CPF": "cpf", "CNPJ": "cnpj"}},
	"WD5 cashAccount": {"paymentMethod", map[string]string{
		"CPF": "cpf", "CNPJ": "cnpj", "PHONE": "transfer_phone", "EMAIL": "email", "EVP": "random_key",
	}},
	"WD6 identity": {"idType", map[string]string{"CC": "cc_co", "CE": "ce_co"}},
	"WD7 identity": {"idType", map[string]string{"DNI": "dni_pe", "CE": "ce_pe", "PAS": "pas_pe", "RUC": "ruc"}},
}

// request returns a session request with good values for all that the method needs, and with a row's value; nil:
// without the row.
func (s *rowSender) request(t *testing.T, row sentRow, value any) map[string]any {
	t.Helper()
	operation := method.Purchase
	if !s.m.For(operation) {
		operation = method.Credit
	} else if len(row.set.Operations) > 0 {
		operation = row.set.Operations[0]
	}
	own := map[string]any{}
	for _, set := range s.m.Sets {
		if !set.Extra || set.Name == row.set.Name {
			for name, value := range sentRows(t, s.m, set.Rows) {
				own[name] = value
			}
		}
	}
	if value != nil {
		if row.path == "type_fine" { // it may stand beside a fine without a type
			own["fine"] = map[string]any{}
		}
		for path, other := range row.with {
			put(own, path, other)
		}
	}
	put(own, row.path, value)
	for name, forms := range formsBy { // the row decides the form of another one
		label, path, _ := strings.Cut(name, " ")
		if check := forms.checks[fmt.Sprint(value)]; label == s.m.Label && forms.row == row.path && check != "" {
			put(own, path, checkedValue(t, method.Check(check)))
		}
	}
	s.number++
	changes := []func(map[string]any){
		with("operation", operation), with("methods", []string{s.m.ID}),
		with("parameters", map[string]any{s.m.ID: own}), with("customer", map[string]any{"email": "ada@shop.example"}),
		with("billing_address", map[string]any{"country": CountriesOf(s.m)[0]}),
	}
	if operation == method.Credit {
		changes = append(changes, with("payee", map[string]any{"name": "Jane Doe"}))
	}
	return s.w.shop.Sign(s.w.shop.Order(fmt.Sprintf("row-%d", s.number), changes...))
}

// put sets a value at a path, nil removes it.
func put(members map[string]any, path string, value any) {
	name, rest, inside := strings.Cut(path, ".")
	name, list := strings.CutSuffix(name, "[]")
	switch {
	case !inside && value == nil:
		delete(members, name)
	case !inside:
		members[name] = value
	case list:
		items, _ := members[name].([]any)
		if len(items) == 0 {
			items = []any{map[string]any{}}
			members[name] = items
		}
		put(items[0].(map[string]any), rest, value)
	default:
		inner, ok := members[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			members[name] = inner
		}
		put(inner, rest, value)
	}
}

// at returns the value at a path.
func at(value any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		name, list := strings.CutSuffix(name, "[]")
		members, _ := value.(map[string]any)
		value = members[name]
		if items, ok := value.([]any); ok && list && len(items) > 0 {
			value = items[0]
		}
	}
	return value
}

func (s *rowSender) isRefused(t *testing.T, row sentRow, sent any) {
	t.Helper()
	code, body := s.w.call("POST", "/api/v1/session", s.request(t, row, sent))
	path := "parameters." + s.m.ID + "." + strings.ReplaceAll(row.path, "[]", "[0]")
	if code != 400 || !slices.Equal(faultPaths(body), []string{path}) {
		t.Errorf("%s %v = %q: %d %s", path, row.with, fmt.Sprint(sent), code, body)
	}
}

// faultPaths returns the paths that an error response names.
func faultPaths(body []byte) (paths []string) {
	var refused struct {
		Errors []struct {
			Message string `json:"error_message"`
		}
	}
	_ = json.Unmarshal(body, &refused) // a body of another form has no paths
	for _, fault := range refused.Errors {
		path, _, _ := strings.Cut(fault.Message, ": ")
		paths = append(paths, path)
	}
	return paths
}

// opens creates a session with a value of a row. ok is false if that was refused.
func (s *rowSender) opens(t *testing.T, row sentRow, value any) (payer chosen, ok bool) {
	t.Helper()
	body := s.request(t, row, value)
	code, response := s.w.post("/api/v1/session", body)
	page, _ := response["redirect_url"].(string)
	_, session, found := strings.Cut(page, "?session=")
	if code != 200 || !found {
		t.Errorf("%s %v = %q: %d %v", row.path, row.with, fmt.Sprint(value), code, response)
		return chosen{}, false
	}
	number := body["order"].(map[string]any)["number"].(string)
	return chosen{s.w.shop.Visit(session, number), s.m}, true
}

// reachesTheProvider pays with a value of a row.
func (s *rowSender) reachesTheProvider(t *testing.T, row sentRow, sent written) {
	t.Helper()
	payer, ok := s.opens(t, row, sent.value)
	if !ok {
		return
	}
	before := len(s.bank.charges)
	if s.m.ID == method.Card {
		payer.Visit.pays("01/38")
	} else {
		payer.pays(t)
	}
	if len(s.bank.charges) != before+1 {
		t.Fatalf("%s = %q: charged %d times", row.path, fmt.Sprint(sent.value), len(s.bank.charges)-before)
	}
	var got any
	charge := s.bank.charges[before]
	if err := json.Unmarshal(charge.Parameters, &got); err != nil {
		t.Fatalf("%s: %v", charge.Parameters, err)
	}
	place := row.path
	if place == "type_fine" { // it is a part of the fine
		place = "fine.type_fine"
	}
	if got := at(got, place); got != sent.plain {
		t.Errorf("%s = %q reaches the provider as %v", row.path, fmt.Sprint(sent.value), got)
	}
}

// isRefusedOrAskedFor sends a request without a row.
func (s *rowSender) isRefusedOrAskedFor(t *testing.T, row sentRow) {
	t.Helper()
	if row.path == "fine.type_fine" || row.path == "fine.value" {
		return // one of them is needed, as TestRules of the method table has it
	}
	if row.MustBeSent() {
		s.isRefused(t, row, nil)
		return
	}
	payer, ok := s.opens(t, row, nil)
	if !ok {
		return
	}
	fields := payer.screen().Methods[0].Fields
	i := slices.IndexFunc(fields, func(f screen.Field) bool { return f.ID == row.path })
	asked := row.Page != nil && !row.Page.Second
	if (i >= 0) != asked || asked && fields[i].Required == row.Page.Optional {
		t.Errorf("%s is not there, and the page has %+v", row.path, fields)
	}
}
