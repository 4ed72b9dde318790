package operator

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/audit"
	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/signin"
	"checkout/internal/store"
)

// SignedIn is a person who has signed in, with the grants that are theirs. Both are read in one request, so that access
// ends at once, whichever ends first. Session is nil where there is none or it has ended.
type SignedIn struct {
	grant.Person
	Session *signin.Session
}

// SignedIn returns the person of a session's token.
func (s *People) SignedIn(ctx context.Context, token string) (SignedIn, error) {
	var all grants
	var session *signin.Session
	records, err := s.core.Store.Get(ctx, s.core.Now(), store.GrantsKey(), store.SignInKey(token))
	if err == nil {
		err = records[0].Decode(&all)
	}
	if err == nil {
		session, err = signin.In(records[1])
	}
	if err != nil {
		return SignedIn{}, fmt.Errorf("read a session with the grants: %w", err)
	}
	if session == nil {
		return SignedIn{}, nil
	}
	person := grant.PersonOf(all.Grants, all.Limits, session.Who, session.Via())
	person.Name = session.Email
	return SignedIn{person, session}, nil
}

// maxSessions is how many sessions are listed.
const maxSessions = 500

// Session is what administrators see of a session.
type Session struct {
	ID        string    `json:"id"`
	Who       string    `json:"who"`
	Email     string    `json:"email,omitempty"`
	Via       string    `json:"via"`
	StartedAt time.Time `json:"started_at"`
	UsedAt    time.Time `json:"used_at"`
	EndsAt    time.Time `json:"ends_at"`
}

// Sessions lists the sessions of all who have signed in, the last used one first, and whether there are more.
func (s *People) Sessions(ctx context.Context) (all []Session, more bool, err error) {
	records, err := s.core.Store.List(ctx, s.core.Now(), store.SignIns(maxSessions+1))
	for _, r := range records {
		one, wrong := signin.In(r)
		if err = cmp.Or(err, wrong); err != nil {
			break
		}
		all = append(all, Session{one.ID, one.Who, one.Email, one.Via(), one.StartedAt, one.UsedAt, one.EndsAt()})
	}
	if err != nil {
		return nil, false, fmt.Errorf("list sessions: %w", err)
	}
	slices.SortFunc(all, func(a, b Session) int { return b.UsedAt.Compare(a.UsedAt) })
	return all[:min(len(all), maxSessions)], len(all) > maxSessions, nil
}

// EndSession ends a session at once. Errors: CodeNotFound if it has ended.
func (s *People) EndSession(ctx context.Context, act audit.Act, id string) error {
	_, err := once(ctx, s.core, act, call[struct{}]{
		name: "end-session", args: []any{id},
		do: func(idem *checkout.IdempotencyRecord) (struct{}, error) {
			return struct{}{}, s.endSession(ctx, act, id, idem)
		},
	})
	return err
}

func (s *People) endSession(ctx context.Context, act audit.Act, id string, idem *checkout.IdempotencyRecord) error {
	unknown := fault.Refuse(fault.CodeNotFound, "There is no such session, or it has ended.")
	if len(id) != signin.IDSize {
		return unknown
	}
	now, key := s.core.Now(), store.SignInOfID(id)
	r, err := store.GetOne(ctx, s.core.Store, now, key)
	if err != nil {
		return fmt.Errorf("read a session: %w", err)
	}
	session, err := signin.In(r)
	if err != nil {
		return err
	}
	if session == nil {
		return unknown
	}
	records := idem.With(nil, struct{}{}, store.Record{Key: key, Delete: true})
	records = append(records, act.Records(now, "operator/"+session.Who, "is signed out")...)
	if err := s.core.Store.Save(ctx, now, records...); err != nil {
		return fmt.Errorf("end a session: %w", err)
	}
	return nil
}
