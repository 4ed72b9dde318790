package checkout

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	tag "golang.org/x/text/language"
)

type vector struct {
	Use      string   `json:"use"`
	Parts    []string `json:"parts"`
	Password string   `json:"password"`
	Mode     string   `json:"mode"`
	Upper    string   `json:"upper"`
	Hash     string   `json:"hash"`
}

func vectors(t *testing.T) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) != 13 {
		t.Fatalf("%d vectors", len(all))
	}
	return all
}

func (v vector) merchant() *Merchant {
	return &Merchant{Password: v.Password, SHA256: v.Mode == "sha256"}
}

func TestVectorsVerify(t *testing.T) {
	for _, v := range vectors(t) {
		m := v.merchant()
		if !verifyHash(v.Hash, m, v.Parts...) || !verifyHash(strings.ToUpper(v.Hash), m, v.Parts...) {
			t.Errorf("%s (%s): good hash refused", v.Use, v.Upper)
		}
		m.SHA256 = !m.SHA256
		if verifyHash(v.Hash, m, v.Parts...) {
			t.Errorf("%s: taken under the other hash mode", v.Use)
		}
		m = v.merchant()
		m.Password += "x"
		if verifyHash(v.Hash, m, v.Parts...) {
			t.Errorf("%s: taken under another password", v.Use)
		}
	}
}

func TestVectorsSign(t *testing.T) {
	for _, v := range vectors(t) {
		if v.Upper == "unicode" && !isASCII([]byte(strings.Join(v.Parts, ""))) {
			continue // not how the service signs
		}
		if got := signHash(v.merchant(), v.Parts...); got != v.Hash {
			t.Errorf("%s: %s, want %s", v.Use, got, v.Hash)
		}
	}
}

// Each use's function puts the parts in the order of its vectors.
func TestVectorsByUse(t *testing.T) {
	order := func(p []string) Order {
		return Order{Number: p[0], Amount: p[1], Currency: p[2], Description: p[3]}
	}
	session := func(p []string) []string { return signedSession(order(p)) }
	callback := func(p []string) []string { return signedCallback(p[0], order(p[1:])) }
	uses := map[string]func(p []string) []string{
		"session": session, "session transfer -1": session, "session, beyond ASCII": session, "session, sharp s": session,
		"session, SHA-256 setting": session,
		"session without amount": func(p []string) []string {
			return signedSession(Order{Number: p[0], Currency: p[1], Description: p[2]})
		},
		"status by payment_id, void, retry": func(p []string) []string { return signedPayment(p[0]) },
		"status by order_id":                func(p []string) []string { return signedOrder(p[0]) },
		"refund, capture":                   func(p []string) []string { return signedAmount(p[0], p[1]) },
		"recurring": func(p []string) []string {
			return signedRecurring(p[0], p[1], Order{Number: p[2], Amount: p[3], Currency: "USD", Description: p[4]})
		},
		"callback, return":       callback,
		"callback, beyond ASCII": callback,
	}
	for _, v := range vectors(t) {
		if uses[v.Use] == nil {
			t.Errorf("%s: no function", v.Use)
		} else if !verifyHash(v.Hash, v.merchant(), uses[v.Use](v.Parts)...) {
			t.Errorf("%s: refused", v.Use)
		}
	}
}

func TestVerifyUpperCasings(t *testing.T) {
	m := &Merchant{Password: "pässword"}
	for _, text := range []string{"STRASSE ÇAY PÄSSWORD", "STRAßE ÇAY PÄSSWORD", "STRAßE ÇAY PäSSWORD"} {
		if !verifyHash(m.hashKey().digest([]byte(text)), m, "Straße ", "Çay ") {
			t.Errorf("%q is refused", text)
		}
	}
	if verifyHash(m.hashKey().digest([]byte("Straße Çay pässword")), m, "Straße ", "Çay ") {
		t.Error("text without upper-casing is taken")
	}
}

func TestVerifyRefuses(t *testing.T) {
	if m := (&Merchant{}); verifyHash(signHash(m, "a"), m, "a") {
		t.Error("a merchant without a password has a good hash")
	}
	m := &Merchant{Password: "p"}
	for _, bad := range []string{"", "0", strings.Repeat("0", 40), signHash(m, "a") + "0", signHash(m, "a")[:39]} {
		if verifyHash(bad, m, "a") {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestUpperFull(t *testing.T) {
	for text, want := range map[string]string{"straße": "STRASSE", "ﬁn": "FIN", "ŉ": "ʼN", "ǰ": "J̌", "ᾳ": "ΑΙ", "çğ": "ÇĞ", "a1": "A1", "": ""} {
		if got := upperFull(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestUpperFullIsUnicodes compares all characters with the Go team's own table.
func TestUpperFullIsUnicodes(t *testing.T) {
	upper := cases.Upper(tag.Und)
	for c := rune(0); c <= unicode.MaxRune; c++ {
		if text := string(c); utf8.ValidRune(c) && upperFull(text) != upper.String(text) {
			t.Errorf("%U: %+q, want %+q", c, upperFull(text), upper.String(text))
		}
	}
}

func BenchmarkVerifySession(b *testing.B) {
	m := &Merchant{Password: "abc123Pass"}
	o := Order{Number: "order-1234", Amount: "100.99", Currency: "USD", Description: "Important gift - # 9"}
	hash := signHash(m, signedSession(o)...)
	for b.Loop() {
		if !verifyHash(hash, m, signedSession(o)...) {
			b.Fatal("refused")
		}
	}
}

// A session whose signed text begins like a payment id could be signed with the hash of a return.
func TestReadsAsReturn(t *testing.T) {
	const id = "e9942f2c-f795-82e7-832a-0052b109abcd"
	for _, test := range []struct {
		order Order
		want  bool
	}{
		{Order{"pen-1", "10.00", "USD", "A pen"}, false},
		{Order{id + "pen-1", "10.00", "USD", "A pen"}, true},
		{Order{strings.ToUpper(id), "10.00", "USD", "A pen"}, true},
		{Order{id[:35], "10.00", "USD", "A pen"}, true}, // the amount ends it
		{Order{id[:26], "52", "B109AB", "CD and more"}, true},
		{Order{id[:26], "", "B109AB", "12cd and more"}, true},
		{Order{id[:20], "8.00", "USD", "A pen"}, false},
		{Order{"e9942f2c-f795-42e7-832a-0052b109abcd", "10.00", "USD", "A pen"}, false}, // a UUID of version 4 is a fine order number
		{Order{"e9942f2c-f795-82e7-c32a-0052b109abcd", "10.00", "USD", "A pen"}, false},
		{Order{"xe9942f2c-f795-82e7-832a-0052b109abcd", "10.00", "USD", "A pen"}, false},
		{Order{id[:26], "", "B109AB", "1ﬀ1 and more"}, true}, // a ligature is two letters in upper case
		{Order{id[:26], "", "B109AB", "ﬀ and more"}, false},
	} {
		if got := readsAsReturn(test.order); got != test.want {
			t.Errorf("%q: %v", test.order, got)
		}
	}
}
