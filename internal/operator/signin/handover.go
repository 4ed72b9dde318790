package signin

import (
	"context"
	"fmt"
	"time"

	"checkout/internal/store"
)

// handoverTTL is how long the command has to ask for its session.
const handoverTTL = time.Minute

// handover is a person whom the provider has identified in the browser, and for whom the command asks for a session:
// by a code that the browser brings it, and by the verifier of a challenge, which no other program has.
type handover struct {
	Who       string `json:"who"`
	Email     string `json:"email,omitempty"`
	Challenge string `json:"challenge"`
	Used      bool   `json:"used,omitempty"`

	version int64
}

// Complete implements store.Shortened.
func (h *handover) Complete(r store.Record) error {
	h.version = r.Version
	return nil
}

func (h *handover) record(code string, now time.Time) store.Record {
	r := store.Encode(store.SignInCodeKey(code), h.version, h)
	r.ExpiresAt = now.Add(handoverTTL)
	return r
}

// HandOver returns a code for which the program that has the verifier of a challenge gets a session of a person.
// Errors: a *Refusal.
func (s *Sessions) HandOver(ctx context.Context, who Identity, challenge string) (code string, err error) {
	if err := who.check(); err != nil {
		return "", err
	}
	code = text(s.random(secretSize))
	h, now := handover{Who: who.Who(), Email: who.label(), Challenge: challenge}, s.now()
	if err := s.store.Save(ctx, now, h.record(code, now)); err != nil {
		return "", fmt.Errorf("store the code of a command: %w", err)
	}
	return code, nil
}

// Redeem begins the session of a code, which works once. Errors: a *Refusal.
func (s *Sessions) Redeem(ctx context.Context, code, verifier string) (token string, of *Session, err error) {
	now, h := s.now(), handover{}
	r, err := store.GetOne(ctx, s.store, now, store.SignInCodeKey(code))
	if err == nil {
		err = r.Decode(&h)
	}
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("read the code of a command: %w", err)
	case r.Version == 0 || h.Used:
		return "", nil, Refuse("the command's code is unknown, used or older than a minute")
	case !same(Challenge(verifier), h.Challenge):
		return "", nil, Refuse("the command's verifier does not fit")
	}
	h.Used = true
	token, of, err = s.start(ctx, Session{Who: h.Who, Email: h.Email}, h.record(code, now))
	if store.IsConflict(err) {
		return "", nil, Refuse("the command's code is used")
	}
	return token, of, err
}
