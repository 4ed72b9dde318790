package story

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"checkout/internal/card"
	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/request/requesttest"
	"checkout/internal/settings"
)

// goodValue returns a good value for a row: one of the check, a choice, or one of the type.
func goodValue(t *testing.T, m method.Method, name string, p method.Param) any {
	t.Helper()
	if text := byOtherRows[m.Label+" "+name]; text != "" {
		return checkedValue(t, method.Check(text))
	}
	switch {
	case p.Check != "":
		return checkedValue(t, p.Check)
	case len(p.Values) > 0:
		return p.Values[0]
	}
	switch p.Type {
	case method.TypeNumber, "N4", "N25", "NN":
		return "12"
	case method.TypeCountry:
		return "BR"
	case method.TypeObject:
		return sentRows(t, m, p.Rows)
	case method.TypeList:
		return []any{sentRows(t, m, p.Rows)}
	}
	return "BTC"
}

// byOtherRows are the checks of values whose form another row decides, with that row's first choice.
var byOtherRows = map[string]string{
	"M16 address": "btc", "M21 identification": "sort_code",
	"WD5 cashAccount": "cpf", "WD6 identity": "cc_co", "WD7 identity": "dni_pe",
}

func checkedValue(t *testing.T, check method.Check) string {
	t.Helper()
	return valuesOf(t, check).Good[0]
}

// checkValues are values of a check: good ones, bad ones, and good ones as people write them.
type checkValues struct {
	Good, Bad []string
	Written   map[string]string
}

// readChecks returns the values with which the checks are tested.
var readChecks = sync.OnceValues(func() (all map[method.Check]checkValues, err error) {
	text, err := requesttest.ReadFile("internal/method/testdata/checks.golden.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	return all, err
})

func valuesOf(t *testing.T, check method.Check) checkValues {
	t.Helper()
	all, err := readChecks()
	if err != nil || len(all[check].Good) == 0 {
		t.Fatalf("check %q has no good value: %v", check, err)
	}
	return all[check]
}

// sentRows returns good values for all rows that a merchant must send.
func sentRows(t *testing.T, m method.Method, rows []method.Param) map[string]any {
	sent := map[string]any{}
	for _, p := range rows {
		if p.MustBeSent() {
			sent[p.Name] = goodValue(t, m, p.Name, p)
		}
	}
	if m.Label == "M23" { // a fine of no value
		sent["fine"] = map[string]any{"type_fine": "NONE"}
	}
	return sent
}

// chosen is a payer who has chosen one method.
type chosen struct {
	*Visit
	m method.Method
}

// chooses opens a visit with one method of the table, and good values for its parameters. value is the part of
// customer.email before @.
func (s *Shop) chooses(t *testing.T, m method.Method, country, value string) chosen {
	t.Helper()
	v := s.visits(strings.ReplaceAll(fmt.Sprintf("%s-%s-%s", m.ID, country, value), "_", "-"),
		Choosing(t, m, country, value)...)
	return chosen{v, m}
}

// Choosing are the changes of a session request that chooses does.
func Choosing(t *testing.T, m method.Method, country, value string) []func(map[string]any) {
	t.Helper()
	var rows []method.Param
	for _, set := range m.Sets {
		rows = append(rows, set.Rows...)
	}
	operation := method.Purchase
	if !m.For(operation) {
		operation = method.Credit
	}
	changes := []func(map[string]any){
		with("operation", operation), with("methods", []string{m.ID}),
		with("customer", map[string]any{"email": value + "@shop.example"}),
		with("billing_address", map[string]any{"country": country}),
		with("parameters", map[string]any{m.ID: sentRows(t, m, rows)}),
	}
	if operation == method.Credit {
		changes = append(changes, with("payee", map[string]any{"name": "Jane Doe"}))
	}
	return changes
}

// pays sends the method's form with good values.
func (c chosen) pays(t *testing.T) {
	t.Helper()
	page := c.screen()
	if page.Kind != screen.KindForm || len(page.Methods) != 1 || page.Methods[0].ID != c.m.ID {
		t.Fatalf("%s: the payer sees %q with %d methods", c.m.ID, words(page), len(page.Methods))
	}
	if got := words(c.send(c.Fill(page, card.Card{}))); got != "wait: processing" {
		t.Errorf("%s: having paid, the payer sees %q", c.m.ID, got)
	}
	c.w.work()
}

// fillsIn fills in the second form. The account is the option of that number, if there is a choice.
func (c chosen) fillsIn(code string, account int) string {
	c.w.t.Helper()
	page, fields := c.screen(), map[string]string{}
	for _, f := range page.Fields {
		fields[f.ID] = code
		if f.Kind == method.FieldSelect {
			fields[f.ID] = f.Options[account].Value
		}
	}
	said := c.submits(page.Step, fields)
	c.w.work()
	return said
}

// all allows every offered method and operation.
func all(m *settings.Merchant) {
	mid := &m.Mappings[0].MIDs[0]
	mid.Methods = nil
	for _, one := range method.Methods {
		if _, offered := method.Find(one.ID); offered {
			mid.Methods = append(mid.Methods, one.ID)
		}
	}
	mid.Operations = method.Operations
}

// CountriesOf returns a billing country of a method, and one where it behaves differently.
func CountriesOf(m method.Method) []string {
	countries := []string{"CO"}
	if len(m.Countries) > 0 {
		countries = m.Countries[:1]
	}
	for country := range m.BehaviourIn {
		countries = append(countries, country)
	}
	return countries
}
