package story

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/connector"
	"checkout/internal/method"
	operatorwords "checkout/internal/operator/words"
	"checkout/internal/settings"
)

// sensitiveRows returns the paths of a method's sensitive rows in an operation, with those inside objects and lists.
func sensitiveRows(m method.Method, operation method.Operation) (paths []string) {
	var walk func(prefix string, rows []method.Param, all bool)
	walk = func(prefix string, rows []method.Param, all bool) {
		for _, row := range rows {
			if len(row.Rows) > 0 {
				walk(prefix+row.Name+".", row.Rows, all || row.Sensitive)
			} else if all || row.Sensitive {
				paths = append(paths, prefix+row.Name)
			}
		}
	}
	for _, set := range m.Sets {
		if set.For(operation) {
			walk("", set.Rows, false)
		}
	}
	return paths
}

// Sensitive values reach the provider as they are, and nothing else: no log, no explanation, no export and no page of
// the sandbox has them, also where the provider repeats them in its reason or its error.
func TestSensitiveValuesAreMasked(t *testing.T) {
	tried := map[string]bool{} // rows by name, since methods share them
	for _, m := range method.Methods {
		for _, operation := range method.Operations {
			if m.Unfinished || !m.For(operation) {
				continue
			}
			for _, path := range sensitiveRows(m, operation) {
				if tried[path] {
					continue
				}
				tried[path] = true
				name := fmt.Sprint(m.ID, " ", operation, " ", path)
				t.Run(name, func(t *testing.T) { staysSecret(t, m, operation, path, path) })
				if slices.ContainsFunc(m.PageFields(operation, nil), func(f method.PageField) bool { return f.ID == path }) {
					t.Run(name+" on the page", func(t *testing.T) { staysSecret(t, m, operation, path, "") })
				}
			}
		}
	}
	if len(tried) < 20 {
		t.Errorf("only %d sensitive rows", len(tried))
	}
}

// staysSecret sends a value for a sensitive row, or types it on the page if sent is "", and looks for it everywhere.
func staysSecret(t *testing.T, m method.Method, operation method.Operation, path, sent string) {
	bank := &provider{}
	w := open(t, monthly(nil), operations, func(settings *settings.Merchant) {
		settings.Mappings[0].MIDs[0].Methods = []string{m.ID}
	})
	w.connects(settings.SandboxConnector, bank)
	body := w.sendsRow(m, operation, sent)
	code, explained := w.call("POST", "/api/v1/session/explain", body)
	if code != 200 {
		t.Fatalf("explain: %d %s", code, explained)
	}
	payer := w.shop.opens("/api/v1/session", "pen-1", body)
	var secret string
	repeats := func(c connector.Charge) string {
		secret = textAt(c.Parameters, path)
		if secret == "" {
			secret = c.Card.Values[path]
		}
		return "Account " + secret + " is not known"
	}
	n := 0
	bank.charge = func(c connector.Charge) (connector.Result, error) {
		if n++; n == 1 {
			return connector.Result{}, fmt.Errorf("%w: %s", connector.ErrNotSent, repeats(c))
		}
		if c.Card.Values[path] != "" { // a sealed value is not stored, so a look-up can't know it
			return connector.Result{Outcome: connector.OutcomeDeclined, Reason: repeats(c)}, nil
		}
		return connector.Result{}, errors.New(repeats(c))
	}
	bank.lookUp = func(connector.ProviderRequest) (connector.Result, error) {
		return connector.Result{Outcome: connector.OutcomeDeclined, Reason: "Account " + secret + " is not known"}, nil
	}
	payer.typesAll(m)
	w.pass(10 * time.Minute)
	if secret == "" || len(bank.charges) != 2 {
		t.Fatalf("%q reached the provider in %d charges", secret, len(bank.charges))
	}
	history, err := operatorwords.PaymentHistory(context.Background(), w.app.Store, w.clock.Now(), payer.paymentID())
	if err != nil {
		t.Fatal(err)
	}
	_, sandboxPage := w.call("GET", "/sandbox/"+payer.paymentID(), nil)
	for place, text := range map[string]string{
		"log": w.log.String(), "explanation": string(explained), "history": history.String(), "sandbox": string(sandboxPage),
	} {
		if shows(text, secret) || shows(text, url.QueryEscape(secret)) {
			t.Errorf("the %s has %q", place, secret)
		}
	}
	if !strings.Contains(w.log.String(), method.Masked) || !strings.Contains(history.String(), method.Masked) {
		t.Error("log and history do not say that something is masked")
	}
}

// sendsRow returns a signed request with a value for a row, "" for none.
func (w *World) sendsRow(m method.Method, operation method.Operation, path string) map[string]any {
	body := w.shop.Order("pen-1", askingForAll(m, operation)...)
	parameters := body["parameters"].(map[string]any)
	own := maps.Clone(parameters[m.ID].(map[string]any))
	parameters[m.ID] = own
	name, _, _ := strings.Cut(path, ".")
	for _, set := range m.Sets {
		if !set.For(operation) || !slices.ContainsFunc(set.Rows, func(p method.Param) bool { return p.Name == name }) {
			continue
		}
		for _, row := range set.Rows {
			if row.Name == name || row.Need == method.Required && own[row.Name] == nil && row.Page == nil {
				own[row.Name] = secretSample(row)
			}
		}
	}
	maps.Copy(own, beside[name])
	return w.shop.Sign(body)
}

// beside are parameters without which a row is ignored or refused.
var beside = map[string]map[string]any{
	"SecurityQuestionAnswer": {"SecurityQuestion": "Which pen?"},
	"NarrativeFileBase64":    {"NarrativeFileName": "file.pdf"},
	"document_number":        {"fiscal_country": "BR"},
	"debtor_document":        {"debtor_document": "52998224725"},
}

// secretSample returns a valid value for a row that occurs nowhere else, of an object with all its members.
func secretSample(row method.Param) any {
	if row.Type == method.TypeObject {
		members := map[string]any{}
		for _, in := range row.Rows {
			members[in.Name] = secretSample(in)
		}
		return members
	}
	for _, text := range []string{"Zq7-secret", "8675309", "86753"} {
		if samples[row.Name] == "" && len(row.Values) == 0 && row.Fault(text) == "" {
			return text
		}
	}
	if value, special := samples[row.Name]; special {
		return value
	}
	return sampleOf(row)
}

// typesAll fills in the first form of a visit, and sends it.
func (v *Visit) typesAll(m method.Method) {
	v.w.t.Helper()
	page := v.screen()
	c := paymentCard(v.w.t, "01/38")
	c.PayeeNumber, c.Values = payoutCard, map[string]string{}
	typed := map[string]string{}
	for _, f := range page.Methods[0].Fields {
		if f.Sealed {
			c.Values[f.ID] = sample(m, f)
		} else {
			typed[f.ID] = sample(m, f)
		}
	}
	pay := v.Fill(page, c)
	pay.Fields = typed
	v.send(pay)
	v.w.work()
}

// textAt returns the text at a path of parameters: of a list that of its first item.
func textAt(parameters json.RawMessage, path string) string {
	var value any
	_ = json.Unmarshal(parameters, &value)
	for name := range strings.SplitSeq(path, ".") {
		if list, ok := value.([]any); ok && len(list) > 0 {
			value = list[0]
		}
		members, _ := value.(map[string]any)
		value = members[name]
	}
	text, _ := value.(string)
	return text
}
