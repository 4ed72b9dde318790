package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// SAM releases no function for a parameter's new value alone, so the deployment has a checksum of the functions'
// variables. A parameter that only alarms or logs use does not change it.
func TestVariablesChangeWithWhatFunctionsRead(t *testing.T) {
	t.Chdir("../../../..")
	const certificate = "arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef"
	printed := func(given map[string]string) string {
		t.Helper()
		text, err := json.Marshal(given)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "config.json")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := run([]string{"-variables", file}, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	seen := map[string]map[string]string{printed(nil): nil}
	for _, given := range []map[string]string{
		{"OriginCheck": "off"},
		{"OriginSecretSerial": "2"},
		{"PaymentRetentionDays": "5"},
		{"RestoredTableName": "restored"},
		{"RestoredSecretsKeyArn": "arn:aws:kms:eu-central-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef"},
		{"DomainName": "pay.example.com", "CertificateArn": certificate},
		{"WalletDomainName": "wallet.example.com", "WalletCertificateArn": certificate},
	} {
		word := printed(given)
		if other, taken := seen[word]; taken {
			t.Errorf("%v are not released after %v", given, other)
		}
		seen[word] = given
	}
	for _, given := range []map[string]string{
		{"AlarmEmail": "a@example.com"}, {"Canary": "false"}, {"LogRetentionDays": "30"}, {"ConnectorConcurrency": "5"},
	} {
		if printed(given) != printed(nil) {
			t.Errorf("%v release every function", given)
		}
	}
}
