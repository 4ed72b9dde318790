package story

import (
	"net/url"
	"strings"
	"unicode"
)

// showsNumber finds the card number in a text, whatever signs stand between its digits.
func showsNumber(text string) bool {
	digits := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
	return strings.Contains(digits, TestCard)
}

// shows finds a secret in a text. A short one, such as a PIN, is in an id, a time or base64 now and then: it has to
// stand alone.
func shows(text, secret string) bool {
	goesOn := func(at int) bool {
		const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_+/-"
		return len(secret) <= 6 && at >= 0 && at < len(text) && strings.IndexByte(signs, text[at]) >= 0
	}
	for at := 0; ; at++ {
		next := strings.Index(text[at:], secret)
		if next < 0 {
			return false
		}
		if at += next; !goesOn(at-1) && !goesOn(at+len(secret)) {
			return true
		}
	}
}

// findLeaks searches all data that a story leaves behind for card data and secrets.
func (w *World) findLeaks() {
	w.FindSealedCards()
	for line := range strings.Lines(w.log.String()) {
		if !w.repeats && strings.Contains(line, "a provider repeats secret data") {
			w.t.Errorf("something was left out of what a provider reported, which repeats no secrets: %s", line)
		}
	}
	for place, text := range w.Places(w.shop) {
		if showsNumber(text) {
			w.t.Errorf("the %s has the card number", place)
		}
		if shows(text, securityCode) {
			w.t.Errorf("the %s has the security code", place)
		}
		w.hasNoToken(place, text)
		w.hasNoKey(text)
		for _, secret := range []string{password, callbackSecret, strings.TrimPrefix(callbackSecret, "whsec_")} {
			if strings.Contains(text, secret) {
				w.t.Errorf("the %s has a secret of the merchant", place)
			}
		}
	}
}

// Places are all data that a story leaves behind, with the callbacks of these shops.
func (w *World) Places(shops ...*Shop) map[string]string {
	var stored, callbacks strings.Builder
	for _, record := range w.app.Store.Dump() {
		stored.WriteString(record.Key.Partition + " " + record.Key.Sort + " " + string(record.Doc) + "\n")
	}
	for _, s := range shops {
		for _, r := range s.Received() {
			body, _ := url.QueryUnescape(string(r.Body))
			callbacks.WriteString(string(r.Body) + "\n" + body + "\n")
		}
	}
	return map[string]string{"log": w.log.String(), "queues": w.queue.messages(),
		"store": stored.String(), "callbacks": callbacks.String()}
}
