package e2e

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"checkout/internal/settings"
	"checkout/internal/store"
	"checkout/internal/wallet"
	"checkout/internal/wallet/testwallet"
)

// plain is a connector that only the functions of tests have: an adapter without 3-D Secure.
const plain = "plain"

var certificate = regexp.MustCompile(`(?s)-----BEGIN CERTIFICATE-----.*-----END CERTIFICATE-----\n`)

// functionsOfTests builds the functions of a repository with two changes of their sources, for which the product has
// no switch: the root of Apple Pay's tokens is that of the test wallet, and there is the connector plain. It returns
// the folder of the binaries, and what plain declares.
func functionsOfTests(t *testing.T, root string) (folder string, declared settings.Declaration) {
	t.Helper()
	internal, folder := filepath.Join(root, "internal"), t.TempDir()
	overlay := map[string]map[string]string{"Replace": {}}
	replace := func(name, from string, change func(string) string) {
		text, err := os.ReadFile(filepath.Join(internal, from))
		after := change(string(text))
		if err != nil || after == string(text) {
			t.Fatalf("%s has nothing to change: %v", from, err)
		}
		file := filepath.Join(folder, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(file, []byte(after), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][filepath.Join(internal, name)] = file
	}
	replace("wallet/appleroot.go", "wallet/appleroot.go", func(text string) string {
		block := &pem.Block{Type: "CERTIFICATE", Bytes: testwallet.AppleRoot().Raw}
		return certificate.ReplaceAllLiteralString(text, string(pem.EncodeToMemory(block)))
	})
	replace("connector/list/list.go", "connector/list/list.go", func(text string) string {
		return strings.Replace(text, `"adapter": `, `"`+plain+`": adapter.New, "adapter": `, 1)
	})
	replace("connector/"+plain+"/declaration.json", "connector/adapter/declaration.json", func(text string) string {
		text = strings.Replace(text, `"three_d_secure": true,`, "", 1)
		if err := json.Unmarshal([]byte(text), &declared); err != nil {
			t.Fatal(err)
		}
		return text
	})
	text, err := json.Marshal(overlay)
	file := filepath.Join(folder, "overlay.json")
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	build(t, root, folder, "-overlay", file)
	return folder, declared
}

// build builds all functions into a folder, as make lambda does.
func build(t *testing.T, root, folder string, flags ...string) {
	t.Helper()
	flags = append(flags, "-trimpath", "-tags", "lambda.norpc", "-ldflags", "-s -w", "-o", folder+"/built/",
		"./functions/...")
	command := exec.CommandContext(t.Context(), "go", append([]string{"build"}, flags...)...)
	command.Dir, command.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	binaries, err := filepath.Glob(filepath.Join(folder, "built", "*"))
	if err != nil || len(binaries) == 0 {
		t.Fatalf("no binary was built: %v", err)
	}
	for _, binary := range binaries {
		place := filepath.Join(folder, filepath.Base(binary))
		err := os.Mkdir(place, 0o700)
		if err == nil {
			err = os.Rename(binary, filepath.Join(place, "bootstrap"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// publishesRoots stores a copy of Google Pay's root keys, which is that of the test wallet alone, so that no function
// fetches them.
func (w *providerWorld) publishesRoots() {
	w.t.Helper()
	key, err := x509.MarshalPKIXPublicKey(testwallet.GoogleRoot())
	if err != nil {
		w.t.Fatal(err)
	}
	list := wallet.KeyList{Until: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), Text: string(store.CompactJSON(
		map[string]any{"keys": []map[string]string{{"keyValue": base64.StdEncoding.EncodeToString(key),
			"protocolVersion": "ECv2", "keyExpiration": "4102444800000"}}}))}
	record := store.Encode(store.WalletRootsKey(wallet.GoogleTestKeys), 0, list)
	if err := w.operator.Store.Save(w.t.Context(), time.Now(), record); err != nil {
		w.t.Fatal(err)
	}
}
