package conformance

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/settings"
)

// watch knows what is secret in a test, and reads what is logged while it runs.
type watch struct {
	mu      sync.Mutex
	secrets map[string]*regexp.Regexp // by what they are
	logged  bytes.Buffer
}

// newWatch begins to read the default logs, and checks them when the test ends.
func newWatch(t *testing.T, declared []settings.Credential, credentials map[string]string) *watch {
	w := &watch{secrets: map[string]*regexp.Regexp{}}
	for _, credential := range declared {
		if credential.Secret {
			w.add(credential.Name+" of the MID", credentials[credential.Name])
		}
	}
	logger, writer, flags := slog.Default(), log.Writer(), log.Flags()
	slog.SetDefault(slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() {
		slog.SetDefault(logger)
		log.SetOutput(writer)
		log.SetFlags(flags)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.find(t, "the log", w.logged.String())
	})
	return w
}

// Write adds to the log.
func (w *watch) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.logged.Write(line)
}

// hide adds what is secret in a charge: of its card, of a wallet's token, of other sealed fields, and what the payer
// filled in.
func (w *watch) hide(c connector.Charge) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.add("the card's number "+c.Card.Number, c.Card.Number)
	w.add("the security code", c.Card.SecurityCode)
	w.add("the cryptogram", c.Card.Cryptogram)
	if c.Wallet != nil {
		w.add("the token "+c.Wallet.Token, c.Wallet.Token)
		for i, part := range partsOfTokens.FindAllString(c.Wallet.Token, -1) {
			w.add(fmt.Sprintf("part %d of the token %s", i, c.Wallet.Token), part)
		}
	}
	for name, value := range c.Card.Values {
		w.add("the sealed "+name, value)
	}
	var parameters any
	if json.Unmarshal(c.Parameters, &parameters) == nil {
		w.addAll("parameter", parameters)
	}
}

// partsOfTokens finds what is secret in a token: ids, keys, signatures and encrypted texts, but no names of fields.
var partsOfTokens = regexp.MustCompile(`[A-Za-z0-9+/_=-]*[0-9+/_=-][A-Za-z0-9+/_=-]{10,}|[A-Za-z0-9+/=]{24,}`)

func (w *watch) addAll(name string, value any) {
	switch value := value.(type) {
	case string:
		w.add(name+" "+value, value)
	case map[string]any:
		for member, inner := range value {
			w.addAll(name+"."+member, inner)
		}
	}
}

// shortest is the length from which a value is searched for inside of words, too.
const shortest = 8

// add adds a secret. One of less than 4 characters is in many texts by chance.
func (w *watch) add(what, secret string) {
	if len(secret) < 4 || w.secrets[what] != nil {
		return
	}
	plain := regexp.QuoteMeta(secret)
	if len(secret) < shortest {
		plain = `(^|[^0-9A-Za-z])` + plain + `($|[^0-9A-Za-z])`
	}
	forms := []string{plain, regexp.QuoteMeta(url.QueryEscape(secret)), regexp.QuoteMeta(url.PathEscape(secret))}
	if len(secret) < shortest {
		forms = forms[:1]
	}
	w.secrets[what] = regexp.MustCompile(strings.Join(append(forms, inBase64(secret)...), "|"))
}

// inBase64 returns what a secret looks like inside of a longer text in base64, which depends on where it begins there.
func inBase64(secret string) (forms []string) {
	for before := range 3 {
		text := append(make([]byte, before), secret...)
		begin, end := (before*8+5)/6, len(text)*8/6 // others have bits of what is beside it
		if end-begin < 5 {
			continue
		}
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			forms = append(forms, regexp.QuoteMeta(encoding.EncodeToString(text)[begin:end]))
		}
	}
	return forms
}

// check fails the test if a result or error has something secret.
func (w *watch) check(t *testing.T, r connector.Result, err error) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.find(t, "the result", fmt.Sprintf("%+v %+v", r, r.RequiredAction))
	w.find(t, "the error", fmt.Sprint(err))
}

func (w *watch) find(t *testing.T, where, text string) {
	t.Helper()
	for what, secret := range w.secrets {
		if secret.MatchString(text) {
			t.Errorf("%s has %s: %s", where, what, text)
		}
	}
}
