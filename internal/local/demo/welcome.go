package demo

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Welcome has what a developer needs first: the shop's address, the merchant's keys and password.
func (c Config) Welcome() string {
	return fmt.Sprintf(`
  demo shop   %s/demo
  callbacks   %s/demo/callbacks
  playground  %s/demo/playground
  test key    %s
  live key    %s
  password    %s%s%s
`, c.BaseURL, c.BaseURL, c.BaseURL, c.TestKey, c.LiveKey, c.Password, c.wallet(), c.simulated())
}

// Shell has what a developer types: the keys as the environment of the playground's programs, and CurlLine.
func (c Config) Shell() string {
	return fmt.Sprintf(`
For the playground's programs, and a session from this shell:

export CHECKOUT_KEY=%s CHECKOUT_PASSWORD=%s
%s
`, quote(c.TestKey), quote(c.Password), c.CurlLine())
}

// wallet is a line about the frame of Google Pay, "" if it is not known.
func (c Config) wallet() string {
	if c.WalletURL == "" {
		return ""
	}
	return "\n  wallet      " + c.WalletURL + " (the frame of Google Pay)"
}

// simulated is a line about the providers of the live key, "" if they are not known.
func (c Config) simulated() string {
	if c.SimulatorURL == "" {
		return ""
	}
	return "\n  simulator   " + c.SimulatorURL + " (the providers of the live key)"
}

// CurlLine is one line for bash or zsh that creates a session with the test key and prints the response. It makes
// another order number each time. It needs curl and openssl.
func (c Config) CurlLine() string {
	const amount, currency, description = "18.50", "EUR", "Coffee beans"
	inner := "md5"
	if c.SHA256 {
		inner = "sha256"
	}
	number, hash := "order number", "hash of it" // placeholders without special characters
	body, _ := json.Marshal(map[string]any{      // strings can always be encoded
		"merchant_key": c.TestKey,
		"operation":    "purchase",
		"order": map[string]string{
			"number": number, "amount": amount, "currency": currency, "description": description,
		},
		"success_url": c.BaseURL + "/demo",
		"hash":        hash,
	})
	text := strings.NewReplacer(number, `'$n'`, hash, `'$h'`).Replace(quote(string(body)))
	hashLine := fmt.Sprintf(`printf %%s "$n" %s %s %s %s | tr a-z A-Z | openssl %s | awk '{printf "%%s", $NF}' | `+
		`openssl sha1 | awk '{print $NF}'`, quote(amount), quote(currency), quote(description), quote(c.Password), inner)
	return fmt.Sprintf(`n=shell-$(date +%%s)-$RANDOM; h=$(%s); curl -sS %s -H 'Content-Type: application/json' -d %s`,
		hashLine, quote(c.BaseURL+"/api/v1/session"), text)
}

// quote makes one shell word of a text.
func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
