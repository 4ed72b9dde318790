package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/app"
	"checkout/internal/audit"
	"checkout/internal/local"
	shop "checkout/internal/local/client"
	"checkout/internal/local/simulator"
	"checkout/internal/page/screen"
)

// A newcomer adds a merchant to `make run`, and its session is paid at the simulator. The file that leads the command
// there is for this user alone, and goes with the run.
func TestPutOnARunInMemory(t *testing.T) {
	server, err := local.Start(t.Context(), local.Config{Root: filepath.Join("..", "..", "..", ".."), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	file, err := server.ServeCommand(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Dir(file)} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	do := func(config, line string) string {
		var out bytes.Buffer
		c := &call{getenv: none, in: strings.NewReader(""), out: &out, notes: &out, config: config}
		if err := run(t.Context(), c, words(line)); err != nil {
			return out.String() + "error: " + err.Error()
		}
		return out.String()
	}
	// It has a live key, whose MID leads to the simulator by an account of Stripe that no other shop has.
	out := do(file, "merchants put --yes --reason trying testdata/ink_shop.json")
	if !strings.Contains(out, `"text":"is new"`) || strings.Contains(out, "error: ") {
		t.Fatal(out)
	}
	service := shop.Service{URL: server.URL, HTTP: http.DefaultClient}
	by := shop.Merchant{Key: "inks-live", Password: "Pass-w0rd-of-inks"}
	ended, err := service.Buy(t.Context(), by, "ink-1", "01/38")
	if err != nil || ended.Kind != screen.KindGo || !strings.HasPrefix(ended.Go.URL, "https://shop.example/paid") {
		t.Fatalf("it ends on %s: %v", shop.Words(ended), err)
	}
	for _, line := range []struct{ command, want string }{
		{"merchants list", "The Ink Shop"},
		{"merchants rotate --yes --reason why inks password", `"password":"`},
		{"merchants disable --yes --reason why inks", ""}, {"merchants show inks", `"disabled":true`},
		{"merchants versions inks", `"version":2`}, {"find --live ink-1", `"order":"ink-1"`},
		{"check", "error: no table"},
	} {
		if out := do(file, line.command); !strings.Contains(out, line.want) ||
			strings.Contains(out, "error: ") != strings.Contains(line.want, "error: ") {
			t.Errorf("%s: %s", line.command, out)
		}
	}
	told := server.Simulator.Providers.Notices()
	if !slices.ContainsFunc(told, func(n simulator.SentNotice) bool {
		return strings.Contains(n.To, "/notify/stripe/aW5rcw.") // the merchant's id in base64
	}) {
		t.Errorf("no notice came to the MID: %+v", told)
	}
	acts, err := audit.List(t.Context(), server.App.Store, audit.Query{Until: time.Now(), Limit: 100})
	acts.Entries = slices.DeleteFunc(acts.Entries, func(e audit.Entry) bool { return e.What == "list/find" })
	if err != nil || len(acts.Entries) != 3 || acts.Entries[0].Who != app.LocalOperator ||
		acts.Entries[2].Reason != "trying" {
		t.Errorf("the audit log has %+v, %v", acts.Entries, err)
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(file), "session.json"))
	if err != nil {
		t.Fatal(err)
	}
	var read session
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "session.json")
	guessed := strings.ReplaceAll(string(text), read.Token, "guessed")
	if err := os.WriteFile(other, []byte(guessed), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := do(other, "merchants list"); !strings.Contains(out, "not signed in any more") {
		t.Errorf("with another token: %s", out)
	}
	server.Stop()
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("%s stays: %v", file, err)
	}
}
