package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
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
	printed, err := typed(t, getenv, "merchants", "put", "--yes", "--reason", "why", before)
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^bin/checkout (.*)$`).FindAllStringSubmatch(part, -1)
	for _, c := range commands {
		args := strings.Fields(strings.Replace(c[1], "merchants.json", file, 1))
		if args[1] == "put" { // a terminal would ask
			args = append(args, "--yes", "--reason", "why")
		}
		out, err := typed(t, getenv, args...)
		if printed += out; err != nil {
			t.Errorf("%s: %v", c[1], err)
		}
	}
	if len(commands) != 2 || !strings.Contains(printed, `"path": "/api/v1/notify/mobilemoney/`) {
		t.Errorf("%d commands print\n%s", len(commands), printed)
	}
	if strings.Contains(printed, "SECRET") || strings.Contains(printed, `"KEY"`) {
		t.Errorf("a credential is shown: %s", printed)
	}
}

var (
	// documented are the commands of a document: lines of their own, and those between backquotes.
	documented = regexp.MustCompile("(?m)(?:^|`)bin/checkout ([^`#\n]+)")
	word       = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)
)

// Every command line of the documents is one that the command takes: its name, its flags, and as many arguments. Every
// command of wallets is told of.
func TestCommandsOfDocuments(t *testing.T) {
	var files []string
	for _, pattern := range []string{"README.md", "infra/*.md", "infra/plugins/*/README.md"} {
		found, err := filepath.Glob(filepath.Join("../../../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	count, told := 0, map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "cmd/checkout") {
			t.Errorf("%s speaks of a folder instead of bin/checkout", file)
		}
		for _, line := range documented.FindAllStringSubmatch(string(text), -1) {
			count++
			name, err := takes(line[1])
			if told[name] = true; err != nil {
				t.Errorf("%s: %s: %v", file, line[0], err)
			}
		}
	}
	for _, c := range (&call{}).leaves() {
		if path := c.CommandPath(); strings.HasPrefix(path, "checkout wallets") && !told[path] {
			t.Errorf("%s is not told of", path)
		}
		if _, err := takes(strings.TrimPrefix(strings.TrimSpace(c.Example), "checkout ")); err != nil {
			t.Errorf("%s: its example: %v", c.CommandPath(), err)
		}
	}
	if count < 30 {
		t.Errorf("%d command lines", count)
	}
}

// words splits a line as a shell does.
func words(line string) []string {
	all := word.FindAllString(strings.TrimSpace(line), -1)
	for i, one := range all {
		all[i] = strings.Trim(one, `'"`)
	}
	return all
}

// takes returns the name of the command that a line is for, and why it would be refused.
func takes(line string) (name string, err error) {
	args := words(line)
	cmd, rest, err := (&call{}).root().Find(args)
	if err != nil {
		return "", err
	}
	if cmd.HasSubCommands() {
		return cmd.CommandPath(), errors.New("it is no command by itself")
	}
	if err := cmd.ParseFlags(rest); err != nil {
		return cmd.CommandPath(), err
	}
	if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
		return cmd.CommandPath(), err
	}
	return cmd.CommandPath(), cmd.ValidateRequiredFlags()
}

// leaves returns all commands that do something.
func (c *call) leaves() (all []*cobra.Command) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if !cmd.HasSubCommands() {
			all = append(all, cmd)
		}
		for _, below := range cmd.Commands() {
			walk(below)
		}
	}
	walk(c.root())
	return all
}
