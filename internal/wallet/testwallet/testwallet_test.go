package testwallet

import (
	"crypto/x509"
	"encoding/pem"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
	"time"
)

func content() Content {
	return Content{ID: "1", At: time.Date(2026, 11, 22, 10, 30, 0, 0, time.UTC), Number: "5555555555554444",
		ExpiryMonth: 12, ExpiryYear: 2038, Amount: "1050", Currency: "840", SessionID: "s"}
}

// One content makes one token, and each fault another one.
func TestTokensDependOnTheirContent(t *testing.T) {
	for _, kind := range []Kind{ApplePay, GooglePay} {
		seen := map[string]Fault{}
		for _, fault := range append(Faults(kind), "") {
			first, err := Make(kind, content(), fault)
			if err != nil {
				t.Fatal(err)
			}
			if second, err := Make(kind, content(), fault); err != nil || second != first {
				t.Errorf("%s %s: the same content makes another token", kind, fault)
			}
			if other, ok := seen[first]; ok {
				t.Errorf("%s: %q and %q make the same token", kind, fault, other)
			}
			seen[first] = fault
			if strings.Contains(first, content().Number) {
				t.Errorf("%s: the number is not encrypted", kind)
			}
		}
	}
}

func TestTokensThatNoWalletMakes(t *testing.T) {
	for name, change := range map[string]func(c *Content) Kind{
		"no id":                  func(c *Content) Kind { c.ID = ""; return GooglePay },
		"another wallet":         func(*Content) Kind { return "card" },
		"Apple Pay's own number": func(c *Content) Kind { c.PANOnly = true; return ApplePay },
		"amount with point":      func(c *Content) Kind { c.Amount = "10.50"; return ApplePay },
		"no amount":              func(c *Content) Kind { c.Amount = ""; return ApplePay },
	} {
		c := content()
		kind := change(&c)
		if made, err := Make(kind, c, ""); err == nil || made != "" {
			t.Errorf("%s: a token is made", name)
		}
	}
	if Faults("card") != nil {
		t.Error("another method has faults")
	}
}

// The keys and certificates are the same in every deployment and for a long time, and can't be taken for the vendor's.
func TestKeysAndCertificates(t *testing.T) {
	block, _ := pem.Decode([]byte(ProcessingCertificate()))
	c, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*x509.Certificate{AppleRoot(), sandbox().intermediate, sandbox().leaf, c} {
		if c.NotAfter.Year() != 2099 || !strings.Contains(c.Subject.String(), "not to be trusted") {
			t.Errorf("%s, until %v", c.Subject, c.NotAfter)
		}
	}
	if again := apple(""); !again.leaf.Equal(sandbox().leaf) || !again.root.Equal(AppleRoot()) {
		t.Error("certificates differ when they are made again")
	}
	other := apple(" of nobody").root
	if other.Equal(AppleRoot()) || other.Subject.String() != AppleRoot().Subject.String() {
		t.Error("the other root is not one of the same name")
	}
	if ProcessingKey() == RecipientKey() || !strings.HasPrefix(RecipientKey(), "-----BEGIN PRIVATE KEY-----\n") {
		t.Error("the keys are not two in PEM")
	}
}

// Functions that link this package link nothing for it.
func TestImportsTheStandardLibraryAlone(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), entry.Name(), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		read++
		for _, spec := range file.Imports {
			if first, _, _ := strings.Cut(spec.Path.Value, "/"); strings.Contains(first, ".") || first == `"checkout` {
				t.Errorf("%s imports %s", entry.Name(), spec.Path.Value)
			}
		}
	}
	if read < 5 {
		t.Errorf("%d files read", read)
	}
}
