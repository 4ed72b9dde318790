package checkout

import (
	"cmp"
	"context"
	"crypto/subtle"
	"fmt"
	"slices"
	"strconv"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/money"
	"checkout/internal/page/screen"
	"checkout/internal/reason"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// SessionState is where a session stands (protocol.md, Sessions).
type SessionState string

// The states of a session. A session is not stored again when it expires or is held: use Session.StateAt.
const (
	SessionOpen       SessionState = "open"
	SessionProcessing SessionState = "processing"
	SessionComplete   SessionState = "complete"
	SessionDeclined   SessionState = "declined" // all attempts used
	SessionCancelled  SessionState = "cancelled"
	SessionExpired    SessionState = "expired"
	SessionHeld       SessionState = "held" // open, but Session.Contradicted: it is not stored either
)

// Session is one visit to the checkout: what the merchant requested and how far the payer got.
type Session struct {
	ID          string          `json:"-"`              // in the key
	Rest        string          `json:"rest,omitempty"` // of the ID of an order's first session: what its key has not
	State       SessionState    `json:"state"`
	Request     request.Session `json:"request"`
	Mapping     string          `json:"mapping"`                // name of the protocol mapping
	MaxDeclines int             `json:"max_declines,omitempty"` // stored only if not DefaultMaxDeclines
	CreatedAt   time.Time       `json:"created_at"`
	ExpiresAt   time.Time       `json:"expires_at"`
	PaysUntil   time.Time       `json:"pays_until,omitzero"` // the latest time that a payer had to pay elsewhere

	Extension *Extension `json:"extension,omitempty"` // its payer was given more time

	// Instructed means that the payer was shown what to pay with elsewhere, such as an address of coins or an account, so
	// that money may be under way.
	Instructed bool `json:"instructed,omitempty"`

	FirstPaymentID string `json:"first_payment_id,omitempty"` // for the first attempt; "" once it is used
	LatestAttempt
	Attempts []string       `json:"attempts,omitempty"` // the page's ids of all attempts, latest last
	Declines int            `json:"declines,omitempty"`
	Reason   *reason.Reason `json:"reason,omitempty"` // of the latest decline, or of an overpayment

	Paid *screen.Payment `json:"paid,omitempty"` // once it is complete: what the payer paid with

	// UnappliedMoney is TextPaidTooLittle or TextPaidTooLate if money arrived without a successful payment.
	UnappliedMoney screen.Text `json:"unapplied_money,omitempty"`
	// Contradicted are the ids of declined payments of which a provider has reported an approval since. As long as there
	// are any, nothing to pay with is offered (protocol.md, Approved after a decline).
	Contradicted []string `json:"contradicted,omitempty"`

	Saved       []card.Saved `json:"saved,omitempty"`        // the cards of Request.CardTokens, without card data
	AttemptedAt []time.Time  `json:"attempted_at,omitempty"` // of the latest attempt and those in the minute before

	MerchantSessions int `json:"merchant_sessions,omitempty"` // of Apple Pay that were begun

	version int64 // of the stored document; 0: not stored yet
}

// LatestAttempt is the latest attempt to pay a session. It is empty before the first.
type LatestAttempt struct {
	PaymentID string       `json:"payment_id,omitempty"`
	Method    string       `json:"method,omitempty"`
	Amount    money.Amount `json:"amount,omitzero"` // if the payer entered it

	// While the session is processing:
	Action        *connector.RequiredAction `json:"action,omitempty"`         // what the payer has to do
	PayerReturned bool                      `json:"payer_returned,omitempty"` // from the URL of Action
	ActedAt       time.Time                 `json:"acted_at,omitzero"`        // when they came back or sent a second form
	Received      *connector.Received       `json:"received,omitempty"`       // a part of the money has arrived
	UnderWay      bool                      `json:"under_way,omitempty"`      // a payout is accepted, and not made yet
	OtherAmount   bool                      `json:"other_amount,omitempty"`   // has moved, so that a person decides
	Ending        screen.Action             `json:"ending,omitempty"`         // why: ActionAnother or ActionCancel

	// WithheldSeq is the number of the attempt's callback, if it waits for the session's end.
	WithheldSeq int `json:"withheld_seq,omitempty"`
}

// StateAt returns the session's state at now. A session that waits for the payer expires. One that waits for a
// provider does not, because its payment may still be settled; nor does one whose payer pays elsewhere, because
// that has an expiry of its own, after which a look-up follows.
func (s *Session) StateAt(now time.Time) SessionState {
	waitsForPayer := s.State == SessionOpen ||
		s.State == SessionProcessing && s.Action != nil && s.Action.Kind != connector.ActionPending && !s.OtherAmount
	switch {
	case waitsForPayer && !now.Before(s.ExpiresAt):
		return SessionExpired
	case s.State == SessionOpen && s.IsHeld():
		return SessionHeld
	}
	return s.State
}

// endsWithin is how long it takes until a session's end holds for everybody: clocks differ by up to 5 seconds in either
// direction, and a function's write counts at most 10 seconds after it has read its clock.
const endsWithin = 20 * time.Second

func (s *Session) overAt() time.Time { return s.ExpiresAt.Add(endsWithin) }

// IsOver reports whether no further attempt can come: the session has ended, and if by its time, then for each function
// whatever its clock.
func (s *Session) IsOver(now time.Time) bool {
	switch s.StateAt(now.Add(-endsWithin)) {
	case SessionOpen, SessionHeld, SessionProcessing:
		return false
	}
	return true
}

// Endings returns by which actions the payer can have the attempt ended: none once money has arrived, and no other way
// to pay where this attempt is the last one, or the session ends with it.
func (s *Session) Endings(now time.Time) []screen.Action {
	action := s.Action
	switch {
	case s.StateAt(now) != SessionProcessing || s.Ending != "" || s.Received != nil:
		return nil
	case action == nil || !action.CanEnd || action.Expired(now):
		return nil
	case s.Declines+1 >= s.MaxDeclines || !now.Before(s.ExpiresAt):
		return []screen.Action{screen.ActionCancel}
	}
	return []screen.Action{screen.ActionAnother, screen.ActionCancel}
}

// WaitsSince returns since when the payer has had nothing to do but to wait.
func (s *Session) WaitsSince() time.Time {
	if n := len(s.AttemptedAt); n > 0 && s.ActedAt.Before(s.AttemptedAt[n-1]) {
		return s.AttemptedAt[n-1]
	}
	return s.ActedAt
}

// OfferedCards returns the saved cards in their places, those that can't be chosen any more without a token: they have
// expired, or the payer has removed them.
func (s *Session) OfferedCards(now time.Time) []card.Saved {
	offered := slices.Clone(s.Saved)
	for i := range offered {
		if !offered[i].RemovedAt.IsZero() || !now.Before(offered[i].Ends()) {
			offered[i].Token = ""
		}
	}
	return offered
}

// sessionTTL is how long a session is stored after it expires, or after the time that its payer had to pay elsewhere
// (protocol.md, Sessions).
const sessionTTL = 7 * 24 * time.Hour

// storedUntil returns when the session is gone.
func (s *Session) storedUntil() time.Time {
	end := s.ExpiresAt
	if s.PaysUntil.After(end) {
		end = s.PaysUntil
	}
	return end.Add(sessionTTL)
}

// Session reads a session by its id.
func (s *Core) Session(ctx context.Context, now time.Time, id string) (*Session, error) {
	key, err := store.SessionKey(id)
	if err != nil {
		return nil, ErrSessionNotFound()
	}
	record, err := store.GetOne(ctx, s.Store, now, key)
	if err != nil {
		return nil, fmt.Errorf("read session: %w", err)
	}
	sess, err := ReadSession(record, now)
	if err != nil {
		return nil, err
	}
	if sess == nil || subtle.ConstantTimeCompare([]byte(sess.ID), []byte(id)) == 0 {
		return nil, ErrSessionNotFound()
	}
	LogSession(ctx, sess)
	return sess, nil
}

// lingers is how much longer than the session its document is stored: longer than any function runs. Then the key of
// an order's first session is free for the next one, and nobody may still hold the session and change what is stored.
const lingers = 2 * time.Minute

// ReadSession returns the session of a record, nil if there is none: it is gone before its document, and the key of an
// order's first session may have no more than a lock against duplicates. Its id may be another than the one by which
// the key was found.
func ReadSession(r store.Record, now time.Time) (*Session, error) {
	sess := &Session{}
	if err := r.Decode(sess); err != nil || sess.ID == "" || !now.Before(sess.storedUntil()) {
		return nil, err
	}
	return sess, nil
}

// ErrSessionNotFound returns the error for an unknown session.
func ErrSessionNotFound() *fault.Error {
	return fault.Refuse(fault.CodeNotFound, "Session does not exist")
}

// Record returns the document of the session.
func (s *Session) Record() store.Record {
	key, err := store.SessionKey(s.ID)
	if err != nil {
		panic("session without an id of ours: " + store.PublicID(s.ID))
	}
	r := store.Encode(key, s.version, s.shortened())
	r.ExpiresAt = s.storedUntil().Add(lingers)
	return r
}

// shortened returns the session without the values that Complete restores.
func (s *Session) shortened() *Session {
	short := *s
	short.Rest = store.SessionRest(s.ID)
	if short.MaxDeclines == settings.DefaultMaxDeclines {
		short.MaxDeclines = 0
	}
	return &short
}

// Complete implements store.Shortened.
func (s *Session) Complete(r store.Record) (err error) {
	s.version = r.Version
	if s.MaxDeclines == 0 {
		s.MaxDeclines = settings.DefaultMaxDeclines
	}
	if s.State == "" { // no more than a lock against duplicates
		return nil
	}
	if s.ID, err = store.SessionID(r.Key, s.Rest); err != nil {
		return err
	}
	currency := request.CurrencyOf(s.Request.Order)
	s.Request.Order.Amount = s.Request.Order.Amount.In(currency)
	s.Request.ScheduleAmount = s.Request.ScheduleAmount.In(currency)
	return payment.InCurrency(currency, &s.Amount)
}

// LogSession adds the ids of a session and its latest payment to the request's log line.
func LogSession(ctx context.Context, sess *Session) {
	note := fault.NoteOf(ctx)
	note.Session, note.Payment = store.PublicID(sess.ID), cmp.Or(sess.PaymentID, sess.FirstPaymentID)
}

// IsHeld reports whether the session may not offer anything to pay with.
func (s *Session) IsHeld() bool { return len(s.Contradicted) > 0 }

// PageURL is the address of the session's checkout page, at the public address of the page. A language that the session
// names stands there, too: the page then fetches its texts beside the first screen, and not after it.
func (s *Session) PageURL(baseURL string) string {
	address := baseURL + "/?session=" + s.ID
	if language := s.Request.Language; language != "" {
		address += "&language=" + language
	}
	return address
}

// PageTag returns the BCP 47 tag of a checkout_language.
func PageTag(code string) string {
	switch code {
	case "ua":
		return "uk"
	case "zho":
		return "zh-Hant"
	}
	return code
}

// DeclineMessage returns a message with the reason that the payer may know.
func (s *Session) DeclineMessage(text screen.Text) *screen.Message {
	return &screen.Message{Text: text, Reason: s.Reason.ForPayer()}
}

// AwaitsForm reports whether the session waits for the second form with that number.
func (s *Session) AwaitsForm(step string, now time.Time) bool {
	action := s.Action
	return s.StateAt(now) == SessionProcessing && !s.IsHeld() && action.HasForm() && strconv.Itoa(action.Step) == step &&
		!action.Expired(now)
}
