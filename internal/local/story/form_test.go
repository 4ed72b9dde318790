package story

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/method"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
	"checkout/internal/wallet/testwallet"
)

// trial is a method with parameters of every kind on the page.
var trial = method.Method{
	ID:     "trial",
	Label:  "Trial",
	Fields: []method.OwnField{{Field: "payer_email"}},
	Sets:   []method.Set{{Name: "trial", Rows: trialRows}},
}

var trialRows = []method.Param{
	{
		Name: "account", Type: method.TypeString, Need: method.Required,
		Page: &method.Input{Kind: method.FieldText, Max: 40},
	},
	{
		Name: "document_type", Type: method.TypeString, Need: method.Conditional, Values: []string{"cpf", "cnpj"},
		Page: &method.Input{Kind: method.FieldSelect},
	},
	{
		Name: "bank", Type: method.TypeString, Need: method.Conditional,
		Page: &method.Input{
			Kind:      method.FieldSelect,
			OptionsBy: "payer_country",
			Options: []method.Option{
				{Value: "first", By: []string{"US", "BR"}},
				{Value: "second", By: []string{"BR"}},
			},
		},
	},
	{
		Name: "agreed", Type: method.TypeBool, Need: method.Optional,
		Page: &method.Input{Kind: method.FieldCheckbox, Optional: true},
	},
	{
		Name: "bankDetails", Type: method.TypeObject, Need: method.Optional,
		Rows: []method.Param{
			{
				Name: "branch", Type: "N4", Need: method.Conditional,
				Page: &method.Input{Kind: method.FieldText},
			},
			{
				Name: "otp", Type: "N6", Need: method.Conditional,
				Page: &method.Input{Kind: method.FieldCode, Second: true},
			},
			{
				Name: "account", Type: method.TypeString, Need: method.Conditional,
				Page: &method.Input{Kind: method.FieldSelect, Second: true},
			},
		},
	},
	{Name: "reference", Type: method.TypeString, Need: method.Required},
	{
		Name: "pin", Type: "N8", Need: method.Conditional,
		Page: &method.Input{Kind: method.FieldCode, Format: method.FormatDigits, Sealed: true},
	},
}

// withMethod adds a method to the service until the test ends.
func withMethod(t *testing.T, m method.Method) {
	all := method.Methods
	method.Methods = append(slices.Clone(all), m)
	t.Cleanup(func() { method.Methods = all })
}

// Whatever a payer types is stored with the payment and sent to the provider: every field of every method, in the first
// form or a second one, in every operation. Sealed fields are not stored with the payment.
func TestWhatThePayerTypesArrives(t *testing.T) {
	withMethod(t, trial)
	var required []string
	missing := map[string]bool{}
	for _, f := range method.PageFields {
		if !f.Sealed {
			missing[f.ID] = true
		}
		if !f.Sealed && f.When != method.BySession && f.With == "" {
			required = append(required, f.ID)
		}
	}
	for _, m := range method.Methods {
		for _, operation := range method.Operations {
			if !m.For(operation) || m.Unfinished {
				continue
			}
			t.Run(m.ID+" "+string(operation), func(t *testing.T) {
				w := open(t, monthly(nil), operations, func(merchant *settings.Merchant) {
					merchant.Mappings[0].RequiredFields, merchant.Mappings[0].MIDs[0].Methods = required, []string{m.ID}
				})
				for _, id := range w.typesEverything(m, operation) {
					delete(missing, id)
				}
			})
		}
	}
	if len(missing) > 0 {
		t.Errorf("no form asked for %v", missing)
	}
}

// typesEverything pays by a method and fills in all fields of the page. It returns the ids of those that aren't sealed.
func (w *World) typesEverything(m method.Method, operation method.Operation) (requested []string) {
	w.t.Helper()
	bank := &provider{}
	w.connects(settings.SandboxConnector, bank)
	if second := m.SecondFields(operation); len(second) > 0 {
		bank.charge = onCharge(needsFields(second))
	}
	payer := w.shop.visits("pen-1", askingForAll(m, operation)...)
	form := payer.screen()
	c := paymentCard(w.t, "01/38")
	c.PayeeNumber, c.Values = payoutCard, map[string]string{"unasked": "x"}
	if kind := testwallet.Kind(m.ID); method.IsWallet(m.ID) {
		c.Token = w.Token(kind, payer.Content("01/38"), "") // beside which all other sealed data is ignored
	}
	typed, sealed := map[string]string{}, map[string]string{}
	for _, f := range form.Methods[0].Fields {
		switch row, named := method.FindPageField(f.ID); {
		case !f.Sealed:
			typed[f.ID] = sample(m, f)
		case !named || row.Place != method.InSealedCard:
			sealed[f.ID] = sample(m, f)
		}
	}
	maps.Copy(c.Values, sealed)
	pay := payer.Fill(form, c)
	pay.Fields = maps.Clone(typed)
	payer.send(pay)
	w.work()
	charge := bank.charges[0]
	if wait := payer.screen(); len(wait.Fields) > 0 {
		more := map[string]string{}
		for _, f := range wait.Fields {
			more[f.ID] = sample(m, f)
		}
		payer.submits(wait.Step, more)
		w.work()
		charge = bank.continued[0]
		maps.Copy(typed, more)
	}
	for _, f := range append(m.PageFields(operation, nil), m.SecondFields(operation)...) {
		if _, named := method.FindPageField(f.ID); !named && typed[f.ID]+sealed[f.ID] == "" {
			w.t.Errorf("the page does not ask for %s", f.ID)
		}
	}
	if !maps.Equal(bank.charges[0].Card.Values, sealed) {
		w.t.Errorf("sealed were %v, not %v", bank.charges[0].Card.Values, sealed)
	}
	w.arrived(m, payer.payment(), charge, typed)
	return slices.Collect(maps.Keys(typed))
}

// needsFields is a provider's result that requires a second form with these fields.
func needsFields(fields []method.PageField) connector.Result {
	r := needsMore()
	for _, f := range fields {
		step := connector.FormField{ID: f.ID}
		if f.Kind == method.FieldSelect && len(f.Options) == 0 {
			step.Options = []connector.FieldOption{{Value: "of the provider"}}
		}
		r.RequiredAction.Fields = append(r.RequiredAction.Fields, step)
	}
	return r
}

// arrived checks that every typed value is at its place in the payment and in the provider request.
func (w *World) arrived(m method.Method, payment payment.Payment, charge connector.Charge, typed map[string]string) {
	w.t.Helper()
	sent := append(leafTexts(charge), fmt.Sprint(charge.Amount))
	for id, value := range typed {
		place := string(method.InParameters) + "." + m.ID + "." + id
		if f, named := method.FindPageField(id); named {
			place = string(f.Place)
		}
		if place == string(method.RecurringConsent) {
			if payment.ConsentID == "" || payment.ConsentState != "active" {
				w.t.Errorf("the consent is lost: %q %q", payment.ConsentID, payment.ConsentState)
			}
			continue
		}
		if got := storedAt(payment, place); got != value {
			w.t.Errorf("%s: %q is stored with the payment where %q was typed", place, got, value)
		}
		if !slices.Contains(sent, value) {
			w.t.Errorf("%s: %q does not reach the provider: %+v", id, value, charge)
		}
	}
}

// storedAt returns the value at a path of a payment's document.
func storedAt(payment payment.Payment, path string) string {
	text, _ := json.Marshal(payment)
	var value any
	_ = json.Unmarshal(text, &value) // the result has no value then
	for name := range strings.SplitSeq(path, ".") {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	return fmt.Sprint(value)
}

// askingForAll changes a session request so that the payer has to enter whatever the page can ask for.
func askingForAll(m method.Method, operation method.Operation) (changes []func(map[string]any)) {
	sent := map[string]any{}
	for _, set := range m.Sets {
		for _, row := range set.Rows {
			if row.MustBeSent() && !set.Extra && set.For(operation) {
				sent[row.Name] = sampleOf(row)
			}
		}
	}
	if len(m.Countries) > 0 {
		changes = append(changes, with("billing_address", map[string]any{"country": m.Countries[0]}))
	}
	changes = append(changes, with("operation", operation), with("parameters", map[string]any{m.ID: sent}))
	switch {
	case operation == "transfer":
		order := map[string]any{"number": "pen-1", "amount": "-1", "currency": "USD", "description": "A pen"}
		changes = append(changes, payee, with("order", order))
	case operation == "credit":
		changes = append(changes, payee)
	case m.Card:
		changes = append(changes, with("recurring_init", true), with("schedule_id", "monthly"),
			with("recurring_consent_required", true))
	}
	return changes
}

// sample returns a valid value for a field, a different one for each field that is a text.
func sample(m method.Method, f screen.Field) string {
	switch f.Kind {
	case method.FieldCardName:
		return "Ada Lovelace"
	case method.FieldEmail:
		return "ada@example.org"
	case method.FieldCountry:
		return "US"
	case method.FieldState:
		return "NY"
	case method.FieldPhone:
		if slices.Contains(m.Countries, "TG") {
			return "+22890112345"
		}
		return "+12025550123"
	case method.FieldAmount:
		return "12.50"
	case method.FieldConsent:
		return "true"
	}
	if len(f.Options) > 0 {
		return f.Options[0].Value
	}
	rows, row := []method.Param(nil), method.Param{Type: method.TypeString}
	for _, set := range m.Sets {
		rows = append(rows, set.Rows...)
	}
	for name := range strings.SplitSeq(f.ID, ".") {
		if i := slices.IndexFunc(rows, func(r method.Param) bool { return r.Name == name }); i >= 0 {
			row, rows = rows[i], rows[i].Rows
		}
	}
	if row.Type == method.TypeBool {
		return "true"
	}
	if value, byAnother := samples[f.ID]; byAnother {
		return value
	}
	for _, text := range append([]string{"my " + f.ID}, candidates...) {
		if row.Fault(text) == "" && row.Plain(text) == text {
			return text
		}
	}
	return ""
}

// samples are values of rows whose form another row names, with its first choice, and of rows with a form of their own.
var samples = map[string]string{
	"cashAccount": "52998224725", "identity": "10117410", "bank_cuil": "20055361682", "bank_curp": "HEGG560427MVZRRL04",
	"bank_rfc": "GODE561231GR8", "identification": "200000", "bankDetails.alias": "mi.cuenta.sueldo",
}

// candidates are values of which every row takes one, if it does not take any text.
var candidates = []string{
	"4711", "ABC", "20123456", "1714307103", "2001-02-03", "EUR", "success@upi", "ada@example.org", "DEUTDEFF",
	"SBIN0000300", "2019-08-24T14:15:22Z", "52998224725", "125319092", "1020304050", "01136600010003254221",
	"2850590940090418135201",
}

// sampleOf returns a valid value for a row that the merchant sends.
func sampleOf(row method.Param) any {
	switch row.Type {
	case method.TypeObject:
		return map[string]any{row.Rows[0].Name: sampleOf(row.Rows[0])}
	case method.TypeList:
		item := map[string]any{}
		for _, in := range row.Rows {
			if item[in.Name] = sampleOf(in); samples[in.Name] != "" {
				item[in.Name] = samples[in.Name]
			}
		}
		return []any{item}
	}
	for _, text := range slices.Concat(row.Values, []string{"sent"}, candidates) {
		if row.Fault(text) == "" {
			return text
		}
	}
	return ""
}

// leafTexts returns all texts and booleans inside a value, also those of JSON in it.
func leafTexts(value any) (all []string) {
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		if raw, ok := reflect.TypeAssert[json.RawMessage](v); ok && len(raw) > 0 {
			var inside any
			if json.Unmarshal(raw, &inside) == nil {
				walk(reflect.ValueOf(inside))
			}
			return
		}
		switch v.Kind() {
		case reflect.String:
			all = append(all, v.String())
		case reflect.Bool:
			all = append(all, fmt.Sprint(v.Bool()))
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				walk(v.MapIndex(key))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i))
				}
			}
		}
	}
	walk(reflect.ValueOf(value))
	return all
}

// A screen has the operation, the payer's actions, its end, and the type of each value that it shows.
func TestScreensAsData(t *testing.T) {
	w := open(t, coins, func(m *settings.Merchant) {
		mid := &m.Mappings[0].MIDs[0]
		mid.Methods, mid.Networks = append(mid.Methods, "mobile_bj_tg"), []string{"amex", "visa"}
		mid.Names = map[string]string{"crypto": "Pen coins"}
	})
	crypto := map[string]any{"crypto_type": "BTC", "network_type": ""}
	payer := w.shop.visits("pen-1", with("parameters", map[string]any{"crypto": crypto}))
	form := payer.screen()
	if form.Operation != "purchase" || !slices.Equal(form.Actions, []screen.Action{screen.ActionCancel}) ||
		form.ExpiresAt != "2030-03-04T11:00:00Z" {
		t.Errorf("the form is for %q, offers %q and ends at %q", form.Operation, form.Actions, form.ExpiresAt)
	}
	for i, want := range []screen.Method{
		{
			ID: "card", Label: "card", Icon: "card", Group: "card", Action: "submit", Networks: []string{"visa", "amex"},
		},
		{ID: "crypto", Label: "crypto", Name: "Pen coins", Icon: "coin", Group: "crypto", Note: "details", Action: "submit"},
	} {
		got := form.Methods[i]
		if got.Fields = nil; !reflect.DeepEqual(got, want) {
			t.Errorf("the method is %+v, want %+v", got, want)
		}
	}
	if len(form.Methods) != 2 {
		t.Errorf("in USD there are %d methods", len(form.Methods))
	}
	inFrancs := w.shop.visits("pen-2", func(order map[string]any) { order["order"].(map[string]any)["currency"] = "XOF" })
	if all := inFrancs.screen().Methods; len(all) != 2 || !slices.Equal(all[1].Countries, []string{"BJ", "TG"}) {
		t.Errorf("in XOF the methods are %+v", all)
	}
	payer.paysByCrypto()
	wait := payer.screen()
	if wait.Operation != "purchase" || !slices.Equal(wait.Actions, []screen.Action{"paid", "another", "cancel"}) ||
		wait.ExpiresAt != "2030-03-04T10:20:00Z" {
		t.Errorf("the wait is for %q, offers %q and ends at %q", wait.Operation, wait.Actions, wait.ExpiresAt)
	}
	var rows []string
	for _, one := range wait.Show {
		rows = append(rows, one.ID+" "+string(one.Type)+" "+one.Currency)
	}
	want := []string{
		"crypto_address copy ", "crypto_coin text ", "crypto_amount amount BTC", "qr_code qr ", "app_link link ",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("shown %q, want %q", rows, want)
	}
	payer.sends(payer.paymentID(), "pay_half")
	missing := payer.screen().Show[6]
	if missing.ID != "amount_missing" || missing.Type != screen.ShownAmount || missing.Currency != "BTC" {
		t.Errorf("what is missing is %+v", missing)
	}
}

const clubForm = "0b9c7a34-58c5-4f6e-9d0a-2f1f6f0f3b13"

// The page gets the merchant's branding, a form's own before it, who may frame it, and the items of the cart.
func TestBrandingAndCart(t *testing.T) {
	w := open(t, func(m *settings.Merchant) {
		m.Branding = settings.Branding{Accent: "#0a7d4f", LegalName: "The Pen Shop Ltd",
			ImageHosts: []string{"shop.example"}, FrameOrigins: []string{"https://shop.example"}}
		m.Forms = []settings.Form{{ID: clubForm, Name: "Club", Branding: settings.Branding{LegalName: "The Pen Club"}}}
	})
	item := map[string]any{"name": "Pen", "quantity": 2, "price": "5.00", "imageUrl": "https://shop.example/pen.png"}
	cart := map[string]any{"items": []any{item}, "totalAmount": 10}
	payer := w.shop.visits("pen-1", with("form_id", clubForm),
		with("parameters", map[string]any{"card": map[string]any{"cart": cart}}))
	page := payer.screen()
	if brand := (screen.Brand{Accent: "#0a7d4f", LegalName: "The Pen Club"}); *page.Branding != brand {
		t.Errorf("branding %+v", page.Branding)
	}
	if !slices.Equal(page.Origins, []string{"https://shop.example"}) {
		t.Errorf("origins %q", page.Origins)
	}
	want := screen.Item{Name: "Pen", Quantity: "2", Price: "5.00", Total: "10.00", Image: "https://shop.example/pen.png"}
	if !slices.Equal(page.Items, []screen.Item{want}) {
		t.Errorf("items %+v, want %+v", page.Items, want)
	}
}
