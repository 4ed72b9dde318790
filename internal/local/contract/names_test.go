package contract

import (
	"cmp"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/api"
	"checkout/internal/merchant"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/payer"
	"checkout/internal/reason"
	"checkout/internal/routing"
)

func TestPathsAreRoutes(t *testing.T) {
	comparePaths(t, read(t), api.All(&api.Services{}))
	comparePaths(t, readAdmin(t), api.Admin(&api.Services{}))
}

func comparePaths(t *testing.T, d document, routes api.Routes) {
	t.Helper()
	var documented, served []string
	for path, item := range d.object("paths") {
		operations, _ := asObject(item)
		for verb := range operations {
			if verb != "parameters" {
				documented = append(documented, strings.ToUpper(verb)+" "+path)
			}
		}
	}
	for _, route := range routes {
		served = append(served, route.Method+" "+route.Path)
	}
	same(t, "paths", documented, served)
}

// same compares two sets of names.
func same(t *testing.T, what string, documented, served []string) {
	t.Helper()
	slices.Sort(documented)
	slices.Sort(served)
	for _, name := range documented {
		if !slices.Contains(served, name) {
			t.Errorf("%s: %s is in the document alone", what, name)
		}
	}
	for _, name := range served {
		if !slices.Contains(documented, name) {
			t.Errorf("%s: %s is not in the document", what, name)
		}
	}
}

// The fields of requests, callbacks and responses, as protocol.md, Endpoints, and protocol.md, Callback fields, have
// them, reason_code and what is unknown. Those of a session request are held against the rows that it is read by, in
// internal/request.
var fieldNames = map[string]string{
	"StatusRequest":    `merchant_key hash payment_id order_id size`,
	"AmountRequest":    `merchant_key payment_id amount hash`,
	"PaymentRequest":   `merchant_key payment_id hash`,
	"RecurringRequest": `merchant_key recurring_init_trans_id recurring_token order schedule_id custom_data customer hash`,
	"StopRequest":      `merchant_key recurring_init_trans_id recurring_token hash`,
	"StopResponse":     `recurring_init_trans_id result`,
	"Payment": `payment_id date status reason reason_code order customer recurring_token schedule_id redirect_url
		digital_wallet pan_type card unknown_since unknown_operation waits_for_person card_expiration_date rrn approval_code
		connector_name mid_name transactions`,
	"CaptureResponse": `payment_id status trans_status date`,
	"Accepted":        `payment_id result`,
	"VoidResponse":    `payment_id status trans_status payment_status date reason reason_code order`,
	"CallbackJSON": `id order_number order_amount order_currency order_description transaction_amount order_status
		type status customer_ip date hash reason reason_code card card_expiration_date card_token recurring_token
		recurring_init_trans_id schedule_id consent_id consent_state customer_name customer_email customer_phone
		customer_country customer_state customer_city customer_address payee_name payee_email payee_country
		payee_state payee_city payee_address payee_card crypto_network crypto_address exchange_rate
		exchange_rate_base exchange_currency exchange_amount vat_amount digital_wallet pan_type custom_data
		connector_name rrn approval_code gateway_id extra_gateway_id merchant_name mid_name issuer_country
		issuer_bank eci liability_shift three_ds_version ds_transaction_id`,
}

func TestFieldsAreTheSpecifications(t *testing.T) {
	d := read(t)
	for name, fields := range fieldNames {
		same(t, name, names(d.properties(d.schema(t, name))), strings.Fields(fields))
	}
}

func TestParametersAreTheMethods(t *testing.T) {
	d := read(t)
	var ids, keyed []string
	for _, m := range method.Methods {
		if _, offered := method.Find(m.ID); !offered {
			continue
		}
		ids = append(ids, m.ID)
		var rows []method.Param
		for _, set := range m.Sets {
			rows = append(rows, set.Rows...)
		}
		if method.IsWallet(m.ID) {
			keyed = append(keyed, m.ID) // its payment_token is no row
		}
		if len(rows) > 0 {
			keyed = append(keyed, m.ID)
			if m.ID == method.Card {
				// of protocol.md, Fields of operations
				rows = append(rows, method.Param{Name: "payee_last_name", Type: "PayeeName"})
			}
			compareRows(t, d, d.properties(d.schema(t, "Parameters"))[m.ID], rows, m.ID)
		}
	}
	same(t, "methods", texts(d.schema(t, "Method")["enum"]), ids)
	same(t, "parameters", names(d.properties(d.schema(t, "Parameters"))), keyed)
}

// typeNames are the schemas of type codes that have another name there.
var typeNames = map[string]string{method.TypeString: "Text", method.TypeDate: "Date", method.TypeCountry: "Country",
	method.TypeCountry3: "Country3", method.TypeCountryOrN3: "CountryOrN3", method.TypeURL: "WebURL",
	method.TypeBool: "Flag", method.TypeNumber: "N13", method.TypeBase64: "Base64", "AN": "AN2048Text"}

// typeName is the schema of a type code. No name ends with the number of AN10, because generators of clients number
// alternatives: the first of AN10 would have the name of AN100.
func typeName(code string) string {
	if name := typeNames[code]; name != "" || !strings.HasPrefix(code, "AN") {
		return cmp.Or(name, code)
	}
	return code + "Text"
}

func compareRows(t *testing.T, d document, schema document, rows []method.Param, path string) {
	t.Helper()
	properties := d.properties(schema)
	var sent []string
	for _, row := range rows {
		sent = append(sent, row.Name)
		property, at := properties[row.Name], path+"."+row.Name
		switch {
		case row.Type == method.TypeObject:
			compareRows(t, d, property, row.Rows, at)
		case row.Type == method.TypeList:
			for _, option := range d.options(property) {
				if items, _ := asObject(option["items"]); len(items) > 0 {
					compareRows(t, d, items, row.Rows, at)
				}
			}
		case row.Values != nil:
			var listed []string
			for _, option := range d.options(property) {
				listed = append(listed, texts(option["enum"])...)
			}
			same(t, at, listed, slices.Clone(row.Values))
		default:
			want := "#/components/schemas/" + typeName(row.Type)
			if got := property["$ref"]; len(property) > 0 && got != want {
				t.Errorf("%s has the schema %v, a row of type %q has %s", at, got, row.Type, want)
			}
		}
	}
	same(t, path, names(properties), sent)
}

func TestErrorCodesAreDocumented(t *testing.T) {
	served := []string{"400"} // of a duplicate
	for name, value := range constants(t, "fault/errors.go") {
		if strings.HasPrefix(name, "Number") {
			served = append(served, value)
		}
	}
	if len(served) < 10 {
		t.Errorf("only %d codes in fault/errors.go", len(served))
	}
	code := read(t).schema(t, "ErrorCode")
	same(t, "error codes", texts(code["enum"]), served)
	for _, value := range served {
		if text, _ := code["description"].(string); !strings.Contains(text, "| "+value+" |") {
			t.Errorf("the description does not explain %s", value)
		}
	}
}

// constants are the constants of a file that are written as literals, unquoted.
func constants(t *testing.T, file string) map[string]string {
	t.Helper()
	found := map[string]string{}
	ast.Inspect(source(t, file), func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, value := range spec.Values {
			if literal, ok := value.(*ast.BasicLit); ok {
				text, err := strconv.Unquote(literal.Value)
				if err != nil {
					text = literal.Value
				}
				found[spec.Names[i].Name] = text
			}
		}
		return true
	})
	return found
}

// source is a file below internal.
func source(t *testing.T, file string) ast.Node {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "internal", filepath.FromSlash(file)), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestReasonsAreTheServices(t *testing.T) {
	var served []string
	for _, file := range []string{"routing/rules.go", "routing/wallet_rules.go", "routing/evaluate.go"} {
		ast.Inspect(source(t, file), func(n ast.Node) bool {
			reason, ok := n.(*ast.CompositeLit)
			if !ok || len(reason.Elts) != 2 {
				return true
			}
			named, ok := reason.Type.(*ast.Ident)
			code, literal := reason.Elts[0].(*ast.BasicLit)
			if ok && literal && named.Name == "Reason" {
				served = append(served, strings.Trim(code.Value, `"`))
			}
			return true
		})
	}
	same(t, "reasons", texts(read(t).object("components", "schemas", "Reason", "properties", "code")["enum"]), served)
}

func TestResponsesAreTheServices(t *testing.T) {
	d, seen := read(t), map[string]bool{}
	for _, of := range []reflect.Type{
		reflect.TypeFor[screen.Screen](), reflect.TypeFor[form.Request](),
		reflect.TypeFor[payer.SecondForm](), reflect.TypeFor[merchant.Created](),
		reflect.TypeFor[routing.Explanation](), reflect.TypeFor[merchant.PaymentObject](),
		reflect.TypeFor[merchant.CaptureResponse](),
		reflect.TypeFor[merchant.VoidResponse](), reflect.TypeFor[merchant.Accepted](),
	} {
		compareType(t, d, of, seen)
	}
	if len(seen) != 47 {
		t.Errorf("%d types were compared: %v", len(seen), names(seen))
	}
}

// schemaNames are the schemas of types that have another name there.
var schemaNames = map[string]string{
	"Support": "ScreenSupport", "View": "CircuitBreaker", "Need": "MissingParameter", "Page": "AuditLog",
	"Writing": "ScreenWriting",
	"Request": "PayRequest", "Created": "SessionResponse", "PaymentObject": "Payment",
	"OrderObject":    "PaidOrder",
	"CustomerObject": "PaidCustomer", "TransactionObject": "Transaction"}

// unsent are the members of types that are stored alone.
var unsent = map[string][]string{"Row": {"seen", "handles", "lines", "lines_hash"}}

// compareType compares a struct and the structs in it with the schemas of their names: members, and which of them are
// always present.
func compareType(t *testing.T, d document, of reflect.Type, seen map[string]bool) {
	t.Helper()
	name := of.Name()
	if strings.HasSuffix(of.PkgPath(), "/screen") && name != "Screen" || of == reflect.TypeFor[reason.Reason]() {
		name = "Screen" + name
	}
	if seen[name] {
		return
	}
	seen[name] = true
	schema := d.object("components", "schemas", name)
	if len(schema) == 0 {
		schema = d.schema(t, cmp.Or(schemaNames[name], name))
	}
	var all, always []string
	for _, field := range reflect.VisibleFields(of) {
		if !field.IsExported() || field.Anonymous {
			continue // is not sent, or its fields are
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || slices.Contains(unsent[of.Name()], name) {
			continue
		}
		all = append(all, name)
		if !strings.Contains(options, "omit") {
			always = append(always, name)
		}
		inner := field.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice || inner.Kind() == reflect.Map {
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && inner != reflect.TypeFor[time.Time]() {
			compareType(t, d, inner, seen)
		}
	}
	same(t, of.Name(), names(d.properties(schema)), all)
	same(t, of.Name()+", always there", texts(schema["required"]), always)
}

func TestScreensWordsAreTheServices(t *testing.T) {
	d := read(t)
	for _, words := range []struct{ file, prefix, schema, member string }{
		{"page/screen/screen.go", "Kind", "Screen", "kind"},
		{"page/screen/screen.go", "Action", "Screen", "actions"},
		{"page/screen/screen.go", "Text", "ScreenMessage", "text"},
		{"page/screen/screen.go", "Shown", "ScreenShown", "type"},
		{"page/screen/screen.go", "Total", "ScreenTotal", "kind"},
		{"reason/reason.go", "", "ReasonCode", ""},
		{"method/method.go", "Action", "ScreenMethod", "action"},
		{"method/page_field.go", "Format", "ScreenField", "format"},
		{"method/writing.go", "Signs", "ScreenWriting", "signs"},
		{"method/page_field.go", "Field", "FieldKind", ""},
	} {
		documented := d.schema(t, words.schema)
		if words.member != "" {
			documented = d.object("components", "schemas", words.schema, "properties", words.member)
		}
		if items, list := asObject(documented["items"]); list {
			documented = items
		}
		var served []string
		for name, value := range constants(t, words.file) {
			if ast.IsExported(name) && strings.HasPrefix(name, words.prefix) {
				served = append(served, value)
			}
		}
		same(t, words.schema+" "+words.member, texts(documented["enum"]), served)
	}
	same(t, "ScreenReason", texts(d.object("components", "schemas", "ScreenReason", "properties", "code")["enum"]), told())
}

// told returns the reasons that the page may get.
func told() (codes []string) {
	for _, row := range reason.All {
		if (&reason.Reason{Code: row.Code}).ForPayer().Code == row.Code {
			codes = append(codes, string(row.Code))
		}
	}
	return codes
}

// The page has a text for each message and each reason that the service may send, and for no other reason.
func TestThePageHasATextForEveryWord(t *testing.T) {
	const file = "infra/page/src/texts/words/en.json"
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	var english struct{ Messages, Reasons, Notes map[string]string }
	if err := json.Unmarshal(content, &english); err != nil {
		t.Fatal(err)
	}
	for name, value := range constants(t, "page/screen/screen.go") {
		if strings.HasPrefix(name, "Text") && english.Messages[value] == "" {
			t.Errorf("%s: messages lacks %q, %s of internal/page/screen/screen.go", file, value, name)
		}
	}
	for _, m := range method.Methods {
		note := m.NoteFor("")
		if known := english.Notes[note] != ""; known == (m.Group == "card" || m.Group == "wallet") {
			t.Errorf("%s has the note %q: in English, %t", m.ID, note, known)
		}
	}
	reasons := slices.Sorted(maps.Keys(english.Reasons))
	same(t, "reasons of the page, against those that it may get", reasons, told())
}
