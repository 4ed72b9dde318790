package demo

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Welcome is what a developer needs to begin: the shop's address, the merchant's keys and password, and CurlLine.
func (c Config) Welcome() string {
	return fmt.Sprintf(`
  demo shop   %s/demo
  callbacks   %s/demo/callbacks
  test key    %s
  live key    %s
  password    %s

Create a session from a shell:

%s
`, c.BaseURL, c.BaseURL, c.TestKey, c.LiveKey, c.Password, c.CurlLine())
}

// CurlLine is one line for bash or zsh that creates a session with the test key and prints the answer. It makes an
// order number of its own each time. It needs curl and openssl.
func (c Config) CurlLine() string {
	const amount, currency, description = "18.50", "EUR", "Coffee beans"
	inner := "md5"
	if c.SHA256 {
		inner = "sha256"
	}
	number, hash := "order number", "hash of it" // stand-ins that JSON leaves as they are
	body, _ := json.Marshal(map[string]any{      // texts always have JSON
		"merchant_key": c.TestKey,
		"operation":    "purchase",
		"order":        map[string]string{"number": number, "amount": amount, "currency": currency, "description": description},
		"success_url":  c.BaseURL + "/demo",
		"hash":         hash,
	})
	text := strings.NewReplacer(number, `'$n'`, hash, `'$h'`).Replace(quote(string(body)))
	return fmt.Sprintf(`n=shell-$(date +%%s)-$RANDOM; h=$(printf %%s "$n" %s %s %s %s | tr a-z A-Z | openssl %s | awk '{printf "%%s", $NF}' | openssl sha1 | awk '{print $NF}'); `+
		`curl -sS %s -H 'Content-Type: application/json' -d %s`,
		quote(amount), quote(currency), quote(description), quote(c.Password), inner, quote(c.BaseURL+"/api/v1/session"), text)
}

// quote makes one word of a text for the shell.
func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
