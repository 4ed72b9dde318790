package conformance

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"testing"
)

// TestSecretsAreFound finds secrets in every form in which they could leave.
func TestSecretsAreFound(t *testing.T) {
	found := func(secret, text string) bool {
		w := &watch{secrets: map[string]*regexp.Regexp{}}
		w.add("it", secret)
		return w.secrets["it"].MatchString(text)
	}
	const key = "sk/live+1 234"
	for _, text := range []string{
		"the key " + key, "?key=" + url.QueryEscape(key), "/" + url.PathEscape(key), "x" + key + "x",
		base64.StdEncoding.EncodeToString([]byte(key)), base64.StdEncoding.EncodeToString([]byte("user:" + key + ":x")),
		base64.URLEncoding.EncodeToString([]byte("ab" + key)), base64.RawURLEncoding.EncodeToString([]byte("{" + key + "}")),
	} {
		if !found(key, text) {
			t.Errorf("%q is not found in %q", key, text)
		}
	}
	for text, want := range map[string]bool{"code 9173.": true, "id 8f9173ab": false, "91730": false, "9173": true} {
		if found("9173", text) != want {
			t.Errorf("that 9173 is in %q is not %v", text, want)
		}
	}
}
