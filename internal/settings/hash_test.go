package settings

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	tag "golang.org/x/text/language"

	"checkout/internal/request"
	"checkout/internal/request/requesttest"
	"checkout/internal/signature"
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
	if len(all) != 14 {
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
		if !VerifyHash(v.Hash, m, v.Parts...) || !VerifyHash(strings.ToUpper(v.Hash), m, v.Parts...) {
			t.Errorf("%s (%s): valid hash refused", v.Use, v.Upper)
		}
		m.SHA256 = !m.SHA256
		if VerifyHash(v.Hash, m, v.Parts...) {
			t.Errorf("%s: valid in the other hash mode", v.Use)
		}
		m = v.merchant()
		m.Password += "x"
		if VerifyHash(v.Hash, m, v.Parts...) {
			t.Errorf("%s: valid with another password", v.Use)
		}
	}
}

func TestVectorsSign(t *testing.T) {
	for _, v := range vectors(t) {
		if v.Upper == "unicode" && !signature.IsASCII([]byte(strings.Join(v.Parts, ""))) {
			continue // not how the service signs
		}
		if got := SignHash(v.merchant(), v.Parts...); got != v.Hash {
			t.Errorf("%s: %s, want %s", v.Use, got, v.Hash)
		}
	}
}

// Each use's function puts the parts in the order of its vectors.
func TestVectorsByUse(t *testing.T) {
	order := func(p []string) request.Order {
		return request.Order{Number: p[0], Amount: request.Amount{Text: p[1]}, Currency: p[2], Description: p[3]}
	}
	session := func(p []string) []string { return request.SignedSession(order(p)) }
	callback := func(p []string) []string { return request.SignedCallback(p[0], order(p[1:])) }
	uses := map[string]func(p []string) []string{
		"session": session, "session transfer -1": session, "session, beyond ASCII": session, "session, sharp s": session,
		"session, SHA-256 setting": session,
		"session without amount": func(p []string) []string {
			return request.SignedSession(request.Order{Number: p[0], Currency: p[1], Description: p[2]})
		},
		"status by payment_id, void, retry": func(p []string) []string { return request.SignedPayment(p[0]) },
		"status by order_id":                func(p []string) []string { return request.SignedOrder(p[0]) },
		"refund, capture":                   func(p []string) []string { return request.SignedAmount(p[0], p[1]) },
		"recurring": func(p []string) []string {
			return request.SignedRecurring(p[0], p[1], order([]string{p[2], p[3], "USD", p[4]}))
		},
		"recurring stop":         func(p []string) []string { return request.SignedStop(p[0], p[1]) },
		"callback, return":       callback,
		"callback, beyond ASCII": callback,
	}
	for _, v := range vectors(t) {
		if uses[v.Use] == nil {
			t.Errorf("%s: no function", v.Use)
		} else if !VerifyHash(v.Hash, v.merchant(), uses[v.Use](v.Parts)...) {
			t.Errorf("%s: refused", v.Use)
		}
	}
}

// The worked hashes of infra/protocol.md are those of the vectors, each made again of the text that its row shows.
func TestProtocolHasTheHashes(t *testing.T) {
	rows, all := requesttest.ProtocolRows(t, "Worked hashes"), vectors(t)
	if len(rows) != len(all) {
		t.Fatalf("%d rows, %d vectors", len(rows), len(all))
	}
	first := md5.Sum([]byte(strings.Trim(rows[0][1], "`")))
	if !strings.Contains(requesttest.Protocol(t), "whose MD5 is "+requesttest.Code(hex.EncodeToString(first[:]))) {
		t.Errorf("the first text has the MD5 %x", first)
	}
	for i, v := range all {
		text, inner := strings.Join(v.Parts, "")+v.Password, "MD5"
		if v.Upper == "unicode" {
			text = signature.UpperFull(text)
		} else {
			text = string(signature.UpperASCII([]byte(text)))
		}
		if v.Mode == "sha256" {
			inner = "SHA-256"
		}
		hash := v.merchant().hashKey().Digest([]byte(text))
		if want := []string{v.Use, requesttest.Code(text), inner, requesttest.Code(hash)}; !slices.Equal(rows[i], want) {
			t.Errorf("row %q, want %q", rows[i], want)
		}
	}
}

func TestVerifyUpperCasings(t *testing.T) {
	m := &Merchant{Password: "pässword"}
	for _, text := range []string{
		"STRASSE ÇAY IŞIK PÄSSWORD", "STRAßE ÇAY IŞIK PÄSSWORD", "STRAßE ÇAY IŞıK PÄSSWORD", // .NET's is the last
		"STRAßE ÇAY IşıK PäSSWORD",
	} {
		if !VerifyHash(m.hashKey().Digest([]byte(text)), m, "Straße ", "Çay ", "Işık ") {
			t.Errorf("%q is refused", text)
		}
	}
	if VerifyHash(m.hashKey().Digest([]byte("Straße Çay Işık pässword")), m, "Straße ", "Çay ", "Işık ") {
		t.Error("text without upper-casing is accepted")
	}
}

func TestVerifyRefuses(t *testing.T) {
	if m := (&Merchant{}); VerifyHash(SignHash(m, "a"), m, "a") {
		t.Error("a merchant without a password has a valid hash")
	}
	m := &Merchant{Password: "p"}
	for _, bad := range []string{"", "0", strings.Repeat("0", 40), SignHash(m, "a") + "0", SignHash(m, "a")[:39]} {
		if VerifyHash(bad, m, "a") {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestUpperFull(t *testing.T) {
	for text, want := range map[string]string{
		"straße": "STRASSE", "ﬁn": "FIN", "ŉ": "ʼN", "ǰ": "J̌", "ᾳ": "ΑΙ", "çğ": "ÇĞ", "a1": "A1", "": "",
	} {
		if got := signature.UpperFull(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestUpperFullIsUnicodes compares all characters with the table of golang.org/x/text.
func TestUpperFullIsUnicodes(t *testing.T) {
	upper := cases.Upper(tag.Und)
	for c := rune(0); c <= unicode.MaxRune; c++ {
		if text := string(c); utf8.ValidRune(c) && signature.UpperFull(text) != upper.String(text) {
			t.Errorf("%U: %+q, want %+q", c, signature.UpperFull(text), upper.String(text))
		}
	}
}

func BenchmarkVerifySession(b *testing.B) {
	m := &Merchant{Password: "abc123Pass"}
	o := request.Order{
		Number: "order-1234", Amount: request.Amount{Text: "100.99"}, Currency: "USD",
		Description: "Important gift - # 9",
	}
	hash := SignHash(m, request.SignedSession(o)...)
	for b.Loop() {
		if !VerifyHash(hash, m, request.SignedSession(o)...) {
			b.Fatal("refused")
		}
	}
}
