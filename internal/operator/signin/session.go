// Package signin is how people without AWS credentials come in: an OpenID provider says who they are, and they get a
// session. What they may do is decided by their grants alone.
package signin

import (
	"time"

	"checkout/internal/store"
)

const (
	// IdleTTL is when a session ends that nobody uses.
	IdleTTL = 15 * time.Minute
	// MaxTTL is when every session ends.
	MaxTTL = 12 * time.Hour
	// refreshAfter is for how long a use that follows another one is not stored. So a session that nobody uses may end
	// that much sooner.
	refreshAfter = time.Minute

	// IDSize is how many characters the id of a session has.
	IDSize = 64
)

// Session is that of a person who has signed in. It ends by its times or when its document is deleted. The store finds
// no document whose time has ended.
type Session struct {
	ID        string    `json:"id,omitempty"`     // leads to its document, but not to its token; not stored
	Who       string    `json:"who"`              // Identity.Who
	Email     string    `json:"email,omitempty"`  // that the provider has verified
	Origin    string    `json:"origin,omitempty"` // of the page whose cookie has the token; "": the command has it
	StartedAt time.Time `json:"started_at"`
	UsedAt    time.Time `json:"used_at"` // to the minute

	version int64
}

// Complete implements store.Shortened.
func (s *Session) Complete(r store.Record) error {
	s.version, s.ID = r.Version, store.SignInID(r.Key)
	return nil
}

func (s *Session) record() store.Record {
	stored := *s
	stored.ID = ""
	r := store.Encode(store.SignInOfID(s.ID), s.version, &stored)
	r.ExpiresAt = s.EndsAt()
	return r
}

// EndsAt is when the session ends if nobody uses it any more.
func (s *Session) EndsAt() time.Time {
	idle, last := s.UsedAt.Add(IdleTTL), s.StartedAt.Add(MaxTTL)
	if last.Before(idle) {
		return last
	}
	return idle
}

// Via is what the person calls with: page or command.
func (s *Session) Via() string {
	if s.Origin == "" {
		return "command"
	}
	return "page"
}

// In returns the session of a record, nil if there is none.
func In(r store.Record) (*Session, error) {
	if r.Version == 0 {
		return nil, nil
	}
	s := &Session{}
	return s, r.Decode(s)
}
