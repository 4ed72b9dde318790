// Package requesttest makes session requests for tests, and reads the document that they agree with.
package requesttest

import (
	"encoding/json"
	"strings"
	"testing"
)

// ValidSession is the body of a session request, valid but for its hash.
const ValidSession = `{
 "merchant_key": "11111111-2222-3333-4444-555555555555",
 "operation": "purchase",
 "success_url": "https://example.com/success",
 "hash": "0000000000000000000000000000000000000000",
 "order": {"number": "order-1234", "amount": "100.99", "currency": "USD", "description": "Important gift - # 9"}
}`

// SessionWith returns ValidSession with changes: pairs of a member's path and its JSON value, "" to remove the member.
func SessionWith(t testing.TB, changes ...string) string {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal([]byte(ValidSession), &body); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(changes); i += 2 {
		inner, names := body, strings.Split(changes[i], ".")
		for _, name := range names[:len(names)-1] {
			if inner[name] == nil {
				inner[name] = map[string]any{}
			}
			inner = inner[name].(map[string]any)
		}
		inner[names[len(names)-1]] = json.RawMessage(changes[i+1])
		if changes[i+1] == "" {
			delete(inner, names[len(names)-1])
		}
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
