package faults

import (
	"fmt"
	"net/http"
	"strings"

	"checkout/internal/callback"
	"checkout/internal/local/simulator"
	"checkout/internal/local/story"
)

// toldAll checks that the shop was told all of its payments, in order, once and with right signatures.
func (s *faultShop) toldAll(all []callback.Callback) {
	x, stored := s.x, map[string]callback.Callback{}
	for _, c := range all {
		if c.Merchant == s.Settings().ID {
			stored[c.ID] = c
		}
	}
	last, told := map[string]int{}, map[string]bool{}
	for _, got := range s.Taken() {
		id, payment, number := got.Header.Get("webhook-id"), got.Fields.Get("id"), 0
		_, _ = fmt.Sscanf(strings.TrimPrefix(id, "msg_"+payment), "_%d", &number)
		if number <= last[payment] {
			x.Errorf("the shop took %s after number %d", id, last[payment])
		}
		last[payment] = number
		told[id] = true
	}
	for _, got := range s.Received() {
		id := got.Header.Get("webhook-id")
		c, known := stored[id]
		if !known {
			x.Errorf("the shop was told %s, which is not stored", id)
			continue
		}
		s.signedRight(got)
		s.hashedRight(got)
		if !saysAsStored(got, c) {
			x.Errorf("the shop was told differently by %s", id)
		}
	}
	for id, c := range stored {
		if !told[id] && c.State != callback.Dropped {
			x.Errorf("callback %s (%s) is %s and was not taken", id, c.Event(), c.State)
		}
	}
	s.KnowsAll(x)
}

// mayRefuse checks that a session is refused only for what the shop, its operator or nobody can help.
func (s *faultShop) mayRefuse(o *faultOrder, code int, text string) {
	twice := strings.Contains(text, "Duplicate request.")
	switch {
	case twice && o.copy == 0:
		s.x.Errorf("order %s was refused as one that was sent before", o.number)
	case !twice && !s.changed && code < 500:
		s.x.Errorf("order %s was refused: %d %s", o.number, code, text)
	}
}

// acceptedOnce checks that no order was accepted twice within duplicateWindow, by clocks that differ.
func (s *faultShop) acceptedOnce() {
	for i, first := range s.accepted {
		for _, again := range s.accepted[i+1:] {
			apart := max(again.end.Sub(first.began), first.end.Sub(again.began))
			if again.number == first.number && apart < duplicateWindow-2*maxSkew {
				s.x.Errorf("order %s was accepted twice within %s", first.number, apart)
			}
		}
	}
}

// oldEnded checks that no key and no password is taken any more that was replaced.
func (s *faultShop) oldEnded() {
	for _, what := range []string{"key", "password"} {
		for _, term := range s.secrets[what] {
			if may, _ := term.validAt(s.x.Clock.Now()); may {
				continue
			}
			old := s.AsItIs()
			in := faultShop{Shop: old, test: s.test}
			*in.inUse()[what] = term.text
			code, _ := s.x.calls("/api/v1/payment/status", old.Body(map[string]any{"order_id": "pen-1"}, "pen-1"))
			if code != http.StatusUnauthorized {
				s.x.Errorf("with a %s that was replaced the status is %d", what, code)
			}
			s.x.counts("old secret refused")
		}
	}
}

// places are everything that the world leaves behind.
func (x *faultRun) places() map[string]string {
	var shops []*story.Shop
	for _, s := range x.shops {
		shops = append(shops, s.Shop)
	}
	return x.World.Places(shops...)
}

// findSecrets searches for the numbers of all cards, and for secrets of shops and of their MIDs.
func (x *faultRun) findSecrets() {
	secrets := []string{simulator.Secret}
	for _, s := range x.shops {
		for _, what := range []string{"password", "callback-secret"} {
			for _, term := range s.secrets[what] {
				secrets = append(secrets, strings.TrimPrefix(term.text, "whsec_"))
			}
		}
	}
	for place, text := range x.places() {
		for _, number := range faultCards {
			if strings.Contains(text, number) {
				x.Errorf("the %s has a card number", place)
			}
		}
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				x.Errorf("the %s has a secret", place)
			}
		}
	}
}

// findCodes returns the places that have digits like each security code, not as a part of a longer text or number.
func (x *faultRun) findCodes(codes ...string) map[string][]string {
	found := map[string][]string{}
	for place, text := range x.places() {
		for _, code := range codes {
			if hasWord(text, code) {
				found[code] = append(found[code], place)
			}
		}
	}
	return found
}

// hasWord reports whether a text has a word, not as a part of a longer word or number.
func hasWord(text, word string) bool {
	for at := 0; ; at++ {
		next := strings.Index(text[at:], word)
		if next < 0 {
			return false
		}
		at += next
		end := at + len(word)
		if (at == 0 || !inWord(text[at-1])) && (end == len(text) || !inWord(text[end])) {
			return true
		}
	}
}

func inWord(c byte) bool { return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' }

// address is where the shop's callbacks arrive.
func (s *faultShop) address() string {
	return "https://" + s.Settings().ID + ".example/"
}
