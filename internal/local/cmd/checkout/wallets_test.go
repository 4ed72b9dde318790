package main

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"checkout/internal/settings/settingstest"
)

const shopWithWallets = `[{"id": "pens", "name": "Pens", "live_key": "l", "test_key": "t", "password": "p",
"callback_secret": "whsec_ZGVtby1jYWxsYmFjay1zZWNyZXQtMDEyMzQ1Njc4OQ==", "mappings": [],
"wallets": {
 "applepay": {"disabled": %t, "merchant_identifier": "merchant.pens", "country": "DE", "shop_name": "Pens",
  "identity_certificate": "", "capabilities": ["supports3DS"], "networks": ["visa"], "domains": ["pay.pens.example"]},
 "googlepay": {"terms_accepted_at": "2026-11-01T00:00:00Z", "environment": "TEST", "auth_methods": ["CRYPTOGRAM_3DS"],
  "networks": ["VISA"], "gateway": "g", "gateway_merchant_id": "m"}}}]`

// All commands of wallets, as an operator types them, from the first key to its replacement.
func TestWalletsCommands(t *testing.T) {
	client, table := newTable(t)
	at := atTable{t, table, "secrets"}
	write, do := at.write, at.do
	expect := func(got, pattern string) {
		t.Helper()
		if !regexp.MustCompile(pattern).MatchString(got) {
			t.Errorf("%q, want %s", got, pattern)
		}
		if strings.Contains(got, "PRIVATE KEY") {
			t.Errorf("a key is shown")
		}
	}
	disabled, enabled := write("disabled.json", fmt.Sprintf(shopWithWallets, true)),
		write("enabled.json", fmt.Sprintf(shopWithWallets, false))
	end := time.Now().AddDate(0, 0, 20).Add(time.Hour)
	identity, first := settingstest.Identity(t, "merchant.pens", end), settingstest.Processing(t, "merchant.pens", end)
	second := settingstest.Processing(t, "merchant.pens", end.AddDate(2, 0, 0))
	block, _ := pem.Decode([]byte(second.Certificate))
	google := settingstest.Key(t)
	googleKey := write("google.key", google)
	pair := func(name string, p settingstest.Pair) string {
		return fmt.Sprintf("--%s %s --%s-key %s", name, write(name+".cer", p.Certificate), name, write(name+".key", p.Key))
	}

	expect(do("wallets put --yes pens --google-key %s", googleKey), "^error: .*\n.*Merchant does not exist")
	expect(do("merchants put --yes %s", enabled), "identity_certificate: This value should not be blank")
	expect(do("merchants put --yes %s", disabled), `pens: stored as version \d`)
	expect(do("wallets put --yes pens"), "^error: name a file")
	expect(do("wallets put --yes pens --mapping m --mid none --google-key %s", googleKey), "^error: .*\n.*mid: ")
	expect(do("wallets put --yes pens %s",
		strings.Replace(pair("processing", first), "processing-key", "identity-key", 1)), "^error: ")
	expect(do("wallets put --yes pens %s %s --google-key %s", pair("identity", identity), pair("processing", first),
		googleKey), "^stored")

	withCertificates := write("put.json", strings.Replace(fmt.Sprintf(shopWithWallets, false),
		`"identity_certificate": ""`, fmt.Sprintf(`"identity_certificate": %q, "processing": [{"certificate": %q}]`,
			identity.Certificate, first.Certificate), 1))
	expect(do("merchants put --yes %s", withCertificates), `pens: stored as version \d`)
	expect(do("wallets list pens"), `^domain +pay.pens.example\n`+
		`certificate +wallets.applepay.identity_certificate +ends .* in 20 days\n`+
		`certificate +wallets.applepay.processing\[0\].certificate +ends .* in 20 days\n$`)
	expect(do("wallets put --yes pens --processing %s --processing-key %s", write("second.cer", string(block.Bytes)),
		write("second.key", second.Key)), "^stored")
	expect(do("wallets list pens"), `processing\[0\].certificate +ends .* in 7\d\d days\n$`)
	expect(do("merchants show pens"), `(?s)"processing": \[.*"certificate".*"certificate".*"public_keys": \[`)

	all := stored(t, client, table)
	shown := do("merchants list") + do("merchants show pens") + do("wallets list pens") + do("check")
	if !strings.Contains(shown, "all holds") {
		t.Errorf("check: %s", shown)
	}
	for _, key := range []string{identity.Key, first.Key, second.Key, google} {
		for _, line := range strings.Split(key, "\n")[1:3] {
			if strings.Contains(all, line) {
				t.Error("a private key is stored in clear")
			}
			if strings.Contains(shown, line) {
				t.Error("a command shows a private key")
			}
		}
	}
	for _, setting := range []string{`"identity_key"`, `"private_keys"`, `"key"`} {
		if strings.Contains(shown, setting) {
			t.Errorf("a command shows %s", setting)
		}
	}
}

func TestCertificateRequests(t *testing.T) {
	for purpose, algorithm := range map[string]x509.PublicKeyAlgorithm{"identity": x509.RSA, "processing": x509.ECDSA} {
		name := filepath.Join(t.TempDir(), purpose)
		if _, err := typed(t, none, "wallets", "request", purpose, name); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name + ".csr")
		if err != nil {
			t.Fatal(err)
		}
		block, _ := pem.Decode(text)
		request, err := x509.ParseCertificateRequest(block.Bytes)
		if err != nil || request.CheckSignature() != nil || request.PublicKeyAlgorithm != algorithm {
			t.Errorf("%s: %v", purpose, err)
		}
		info, err := os.Stat(name + ".key")
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: the key's file is %v", purpose, info.Mode())
		}
		if _, err := typed(t, none, "wallets", "request", purpose, name); err == nil {
			t.Error("a key is replaced")
		}
	}
	if _, err := typed(t, none, "wallets", "request", "x", "y"); err == nil {
		t.Error("a purpose of nobody is taken")
	}
}

// Apple Pay takes the file with status 200 alone, and follows no redirect.
func TestFetchAssociation(t *testing.T) {
	for name, test := range map[string]struct {
		handle http.HandlerFunc
		want   string
	}{
		"good":       {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "7B22") }, ""},
		"absent":     {http.NotFound, "status 404"},
		"redirected": {http.RedirectHandler("/x", http.StatusFound).ServeHTTP, "status 302"},
		"empty":      {func(http.ResponseWriter, *http.Request) {}, "no association file"},
		"a page":     {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, "no association file"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(test.handle)
			defer server.Close()
			err := fetchAssociation(t.Context(), server.URL+associationPath, http.DefaultTransport)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}
