package request

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The fields of every text that is signed with a merchant's password are joined without separators. So each kind of
// text is compared with each other kind: someone who knows the hash of one text must not be able to use it for another
// request. forms are the forms of the texts of each kind in upper case, for requests whose fields can exist. The key is
// the function of signed.go that returns the text.
var forms = map[string]string{
	"SignedSession": `^[^\x00-\x1f]{1,255}(-1|[0-9]+(\.[0-9]+)?)?[A-Z][A-Z0-9]{2,5}[^\x00-\x1f]{2,}$`,
	// except those that ReadsAsReturn refuses
	"SignedPayment":   `^` + idForm + `$`,
	"SignedOrder":     `^[^\x00-\x1f]{1,255}$`, // an order that a session or a recurring call was made for
	"SignedAmount":    `^` + idForm + `([0-9]+(\.[0-9]+)?)?$`,
	"SignedRecurring": `^` + idForm + uuidForm + `[^\x00-\x1f]{1,255}[0-9]+(\.[0-9]+)?[^\x00-\x1f]{2,}$`,
	"SignedStop":      `^` + idForm + uuidForm + `$`,
	"SignedCallback":  `^` + idForm + `[^\x00-\x1f]{1,255}(-1|[0-9]+(\.[0-9]+)?)?[A-Z][A-Z0-9]{2,5}[^\x00-\x1f]{2,}$`,
}

const (
	uuidForm = `[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}`
	idForm   = `[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}`
)

// Reasons why the hash of one kind of text can't be used for another.
const (
	byForm = "no text of the one kind has the form of the other"
	secret = "only the merchant and the service ever see the known hash: it travels in a request's body over TLS, " +
		"and is logged nowhere"
	token4 = "the text would have to hold the chain's recurring_token, random and shown to nobody but the " +
		"merchant, right behind the id"
	reads = "it only reads, and only an order that the merchant itself has numbered with a payment id and the " +
		"whole order behind it"
	itself = "the text names all that the request does"
)

// pairs[known][wanted] is the reason why the hash of a known text can't be used for a request of the wanted kind. The
// payer knows the hash of a return, which is also that of a callback; only the merchant knows the others.
var pairs = map[string]map[string]string{
	"SignedCallback": {
		"SignedSession": byForm, "SignedPayment": byForm, "SignedOrder": reads, "SignedAmount": byForm,
		"SignedRecurring": token4, "SignedStop": token4, "SignedCallback": itself,
	},
	"SignedSession": {
		"SignedSession": secret, "SignedPayment": byForm, "SignedOrder": secret, "SignedAmount": byForm,
		"SignedRecurring": byForm, "SignedStop": byForm, "SignedCallback": byForm,
	},
	"SignedPayment": {
		"SignedSession": byForm, "SignedPayment": secret, "SignedOrder": secret, "SignedAmount": secret,
		"SignedRecurring": byForm, "SignedStop": byForm, "SignedCallback": byForm,
	},
	"SignedOrder": {
		"SignedSession": secret, "SignedPayment": secret, "SignedOrder": itself, "SignedAmount": secret,
		"SignedRecurring": secret, "SignedStop": secret, "SignedCallback": secret,
	},
	"SignedAmount": {
		"SignedSession": byForm, "SignedPayment": secret, "SignedOrder": secret, "SignedAmount": itself,
		"SignedRecurring": byForm, "SignedStop": byForm, "SignedCallback": byForm,
	},
	"SignedRecurring": {
		"SignedSession": byForm, "SignedPayment": byForm, "SignedOrder": secret, "SignedAmount": byForm,
		"SignedRecurring": itself, "SignedStop": byForm, "SignedCallback": secret,
	},
	"SignedStop": {
		"SignedSession": byForm, "SignedPayment": byForm, "SignedOrder": secret, "SignedAmount": byForm,
		"SignedRecurring": byForm, "SignedStop": itself, "SignedCallback": secret,
	},
}

// Every function that returns a signed text is in the table, so that it is compared with all others.
func TestEverySignedTextIsInTheTable(t *testing.T) {
	file, err := parser.ParseFile(gotoken.NewFileSet(), "signed.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Type.Results != nil {
			if name, ok := f.Type.Results.List[0].Type.(*ast.Ident); ok && name.Name == "Signed" {
				all = append(all, f.Name.Name)
			}
		}
	}
	slices.Sort(all)
	if got := slices.Sorted(maps.Keys(forms)); !slices.Equal(got, all) {
		t.Errorf("forms of %q, want %q", got, all)
	}
	for _, known := range all {
		if got := slices.Sorted(maps.Keys(pairs[known])); !slices.Equal(got, all) {
			t.Errorf("%s is held against %q, want %q", known, got, all)
		}
	}
}

// If the reason is the form, no text of one kind can be one of the other kind, wherever its fields end.
func TestSignedTextsByForm(t *testing.T) {
	wanted := map[string]*regexp.Regexp{}
	for kind, form := range forms {
		wanted[kind] = regexp.MustCompile(form)
	}
	rapid.Check(t, func(t *rapid.T) {
		for known, reasons := range pairs {
			text := strings.ToUpper(strings.Join(drawSigned(t, known), ""))
			if !wanted[known].MatchString(text) {
				t.Fatalf("%s: %q has not the form of its own kind", known, text)
			}
			for kind, reason := range reasons {
				taken := wanted[kind].MatchString(text) && !(kind == "SignedSession" && beginsLikePaymentID(text))
				if reason == byForm && taken {
					t.Fatalf("%q of %s can be sent as %s", text, known, kind)
				}
			}
		}
	})
}

// drawSigned draws fields of one kind that are as similar to those of other kinds as its checks allow.
func drawSigned(t *rapid.T, kind string) Signed {
	id := rapid.StringMatching(strings.ToLower(idForm)).Draw(t, "id")
	o := Order{
		Number:      rapid.SampledFrom([]string{"1", "0", "10.00", "pen-1", id + "1", "8E2" + id}).Draw(t, "number"),
		Amount:      Amount{Text: rapid.SampledFrom([]string{"", "-1", "10.00", "1", "100.000"}).Draw(t, "amount")},
		Currency:    rapid.SampledFrom([]string{"USD", "BTC", "B10955", "EE1E5"}).Draw(t, "currency"),
		Description: rapid.SampledFrom([]string{"00", "A pen", "10.00", id, id + "10.00"}).Draw(t, "description"),
	}
	switch kind {
	case "SignedSession":
		if ReadsAsReturn(o) {
			o.Number = "x" + o.Number
		}
		return SignedSession(o)
	case "SignedPayment":
		return SignedPayment(id)
	case "SignedOrder":
		return SignedOrder(o.Number)
	case "SignedAmount":
		return SignedAmount(id, rapid.SampledFrom([]string{"", "1", "10.00"}).Draw(t, "part"))
	case "SignedStop":
		return SignedStop(id, rapid.StringMatching(strings.ToLower(uuidForm)).Draw(t, "token"))
	case "SignedRecurring":
		o.Amount.Text = rapid.SampledFrom([]string{"1", "10.00"}).Draw(t, "recurring amount")
		return SignedRecurring(id, rapid.StringMatching(strings.ToLower(uuidForm)).Draw(t, "token"), o)
	}
	return SignedCallback(id, o)
}
