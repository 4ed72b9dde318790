package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestConnectAProvider types the commands of that part of infra/merchants.md, with its file, for a merchant that is
// stored already.
func TestConnectAProvider(t *testing.T) {
	text, err := os.ReadFile("../../../../infra/merchants.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "\n## Connect a provider\n")
	part, _, _ = strings.Cut(part, "\n## ")
	_, settings, _ := strings.Cut(part, "\n```json\n")
	settings, _, _ = strings.Cut(settings, "\n```\n")
	file, before := filepath.Join(t.TempDir(), "merchants.json"), filepath.Join(t.TempDir(), "before.json")
	known := strings.Replace(settings, `"id": "pens",`, `"id": "pens", "live_key": "live-1", "test_key": "test-1",
		"password": "password-1", "callback_secret": "whsec_ZGVtby1jYWxsYmFjay1zZWNyZXQtMDEyMzQ1Njc4OQ==",`, 1)
	for name, text := range map[string]string{file: settings, before: known} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, table := newTable(t)
	getenv := func(name string) string {
		return map[string]string{"SECRETS_KEY_ID": "secrets", "TABLE": table, "BASE_URL": "https://pay.example"}[name]
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"merchants", "put", before}, getenv, &out); err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^go run \./internal/local/cmd/checkout (.*)$`).FindAllStringSubmatch(part, -1)
	for _, c := range commands {
		args := strings.Fields(strings.Replace(c[1], "merchants.json", file, 1))
		if err := run(t.Context(), args, getenv, &out); err != nil {
			t.Errorf("%s: %v", c[1], err)
		}
	}
	if len(commands) != 2 || !strings.Contains(out.String(), `"path": "/api/v1/notify/mobilemoney/`) {
		t.Errorf("%d commands print\n%s", len(commands), out.String())
	}
	if strings.Contains(out.String(), "SECRET") || strings.Contains(out.String(), `"KEY"`) {
		t.Errorf("a credential is shown: %s", out.String())
	}
}

// TestCommandsOfWallets checks that the commands of infra/wallets.md exist, with their flags and as many arguments;
// TestWalletsCommands types them all.
func TestCommandsOfWallets(t *testing.T) {
	text, err := os.ReadFile("../../../../infra/wallets.md")
	if err != nil {
		t.Fatal(err)
	}
	typed := map[string]bool{}
	commands := regexp.MustCompile(`(?m)^go run \./internal/local/cmd/checkout wallets (\S+) (.*)$`)
	for _, line := range commands.FindAllStringSubmatch(string(text), -1) {
		typed[line[1]] = true
		at := slices.IndexFunc(walletCommands, func(c command) bool { return c.name == line[1] })
		if at < 0 {
			t.Errorf("%s: no such command", line[0])
			continue
		}
		usage, options := walletCommands[at].args, 0
		for _, word := range strings.Fields(line[2]) {
			if strings.HasPrefix(word, "-") {
				options++
				if !strings.Contains(usage, word+" ") {
					t.Errorf("%s: no %s in %s", line[0], word, usage)
				}
			}
		}
		wanted := len(strings.Fields(regexp.MustCompile(`\[[^]]*\]`).ReplaceAllString(usage, "")))
		if got := len(strings.Fields(line[2])) - 2*options; got != wanted {
			t.Errorf("%s: %d arguments, not %d as in %s", line[0], got, wanted, usage)
		}
	}
	for _, c := range walletCommands {
		if !typed[c.name] {
			t.Errorf("wallets %s is not told of", c.name)
		}
	}
}
