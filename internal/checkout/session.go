package checkout

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"checkout/internal/card"
	"checkout/internal/merchant"
	"checkout/internal/money"
	"checkout/internal/request"
	"checkout/internal/screen"
	"checkout/internal/store"
)

// sessionState is where a session stands (decisions.md 5).
type sessionState string

// The states of a session. A session is not stored again when it expires or is held: use Session.stateAt.
const (
	sessionOpen       sessionState = "open"
	sessionProcessing sessionState = "processing"
	sessionComplete   sessionState = "complete"
	sessionDeclined   sessionState = "declined" // all attempts used
	sessionCancelled  sessionState = "cancelled"
	sessionExpired    sessionState = "expired"
	sessionHeld       sessionState = "held" // open, but Session.Contradicted: it is not stored either
)

// Session is one visit to the checkout: what the merchant requested and how far the payer got.
type Session struct {
	ID          string          `json:"-"` // in the key
	State       sessionState    `json:"state"`
	Request     request.Session `json:"request"`
	Mapping     string          `json:"mapping"`                // name of the protocol mapping
	MaxDeclines int             `json:"max_declines,omitempty"` // stored only if not DefaultMaxDeclines
	CreatedAt   time.Time       `json:"created_at"`
	ExpiresAt   time.Time       `json:"expires_at"`
	PaysUntil   time.Time       `json:"pays_until,omitzero"` // the latest time that a payer had to pay elsewhere

	FirstPaymentID string         `json:"first_payment_id,omitempty"` // for the first attempt; "" once it is used
	Method         string         `json:"method,omitempty"`           // of the latest attempt
	PaymentID      string         `json:"payment_id,omitempty"`       // of the latest attempt, "" before the first
	Attempts       []string       `json:"attempts,omitempty"`         // the page's ids of all attempts, latest last
	Amount         money.Amount   `json:"amount,omitzero"`            // of the latest attempt, if the payer entered it
	Declines       int            `json:"declines,omitempty"`
	Reason         *screen.Reason `json:"screen_reason,omitempty"` // of the latest decline, or of an overpayment

	// Of the latest attempt while the session is processing.
	Action        *RequiredAction `json:"next,omitempty"`      // what the payer has to do
	PayerReturned bool            `json:"returned,omitempty"`  // from the URL of Action
	ActedAt       time.Time       `json:"acted_at,omitzero"`   // when the payer returned or filled in a second form
	Received      *Received       `json:"received,omitempty"`  // a part of the money has arrived
	UnderWay      bool            `json:"under_way,omitempty"` // the provider has accepted a payout, but not made it
	Ending        screen.Action   `json:"ending,omitempty"`    // why it is being ended: ActionAnother or ActionCancel

	Paid *screen.Payment `json:"paid,omitempty"` // once it is complete: what the payer paid with

	// WithheldSeq is the number of the latest attempt's callback, if it waits for the session's end.
	WithheldSeq int `json:"withheld,omitempty"`
	// UnappliedMoney is TextPaidTooLittle or TextPaidTooLate if money arrived without a successful payment.
	UnappliedMoney screen.Text `json:"stray,omitempty"`
	// Contradicted are the ids of declined payments of which a provider has reported an approval since. As long as there
	// are any, nothing to pay with is offered (decisions.md 5).
	Contradicted []string `json:"contradicted,omitempty"`

	Saved       []card.Saved `json:"saved,omitempty"`   // the cards of Request.CardTokens, without card data
	Apart       []string     `json:"apart,omitempty"`   // methods of which parameters are stored apart
	AttemptedAt []time.Time  `json:"paid_at,omitempty"` // of the latest attempt and those in the minute before

	MerchantSessions int `json:"merchant_sessions,omitempty"` // of W1 that were begun

	version int64 // of the stored document; 0: not stored yet
}

// stateAt returns the session's state at now. A session that waits for the payer expires. One that waits for a
// provider does not, because its payment may still be settled; nor does one whose payer pays elsewhere, because
// that has an expiry of its own, after which a look-up follows.
func (s *Session) stateAt(now time.Time) sessionState {
	waitsForPayer := s.State == sessionOpen ||
		s.State == sessionProcessing && s.Action != nil && s.Action.Kind != StatusPending
	switch {
	case waitsForPayer && !now.Before(s.ExpiresAt):
		return sessionExpired
	case s.State == sessionOpen && s.isHeld():
		return sessionHeld
	}
	return s.State
}

// endings returns by which actions the payer can have the attempt ended: none once money has arrived, and no other way
// to pay where this attempt is the last one, or the session ends with it.
func (s *Session) endings(now time.Time) []screen.Action {
	action := s.Action
	switch {
	case s.stateAt(now) != sessionProcessing || s.Ending != "" || s.Received != nil:
		return nil
	case action == nil || !action.CanEnd || action.expired(now):
		return nil
	case s.Declines+1 >= s.MaxDeclines || !now.Before(s.ExpiresAt):
		return []screen.Action{screen.ActionCancel}
	}
	return []screen.Action{screen.ActionAnother, screen.ActionCancel}
}

// waitsSince returns since when the payer has had nothing to do but to wait.
func (s *Session) waitsSince() time.Time {
	if n := len(s.AttemptedAt); n > 0 && s.ActedAt.Before(s.AttemptedAt[n-1]) {
		return s.AttemptedAt[n-1]
	}
	return s.ActedAt
}

// sessionTTL is how long a session is stored after it expires, or after the time that its payer had to pay elsewhere
// (decisions.md 5).
const sessionTTL = 7 * 24 * time.Hour

// act stores what the payer has to do. Where the provider names no end of what is paid elsewhere, that may be settled
// for as long as it is looked up.
func (s *Session) act(a *RequiredAction, now time.Time) {
	s.Action = a
	until := a.ExpiresAt
	if until.IsZero() && a.Kind == StatusPending {
		until = now.Add(undecidedLimit)
	}
	if until.After(s.PaysUntil) {
		s.PaysUntil = until
	}
}

// storedUntil returns when the session is deleted.
func (s *Session) storedUntil() time.Time {
	end := s.ExpiresAt
	if s.PaysUntil.After(end) {
		end = s.PaysUntil
	}
	return end.Add(sessionTTL)
}

// session reads a session by its id.
func (s *Service) session(ctx context.Context, now time.Time, id string) (*Session, error) {
	key, err := store.SessionKey(id)
	if err != nil {
		return nil, errSessionNotFound()
	}
	var sess Session
	found, err := s.load(ctx, now, key, &sess)
	if err != nil {
		return nil, fmt.Errorf("read session: %w", err)
	}
	if !found {
		return nil, errSessionNotFound()
	}
	logSession(ctx, &sess)
	return &sess, nil
}

func errSessionNotFound() *request.Error {
	return request.Refuse(request.CodeNotFound, request.FaultInvalid, "Session does not exist")
}

// record returns the document of the session.
func (s *Session) record() store.Record {
	key, err := store.SessionKey(s.ID)
	if err != nil {
		panic("session without an id of ours: " + store.PublicID(s.ID))
	}
	r := store.Encode(key, s.version, s.shortened())
	r.ExpiresAt = s.storedUntil()
	return r
}

// shortened returns the session without the values that Complete restores.
func (s *Session) shortened() *Session {
	short := *s
	if short.MaxDeclines == merchant.DefaultMaxDeclines {
		short.MaxDeclines = 0
	}
	return &short
}

// Complete implements store.Shortened.
func (s *Session) Complete(r store.Record) (err error) {
	s.version = r.Version
	if s.MaxDeclines == 0 {
		s.MaxDeclines = merchant.DefaultMaxDeclines
	}
	if s.ID, err = store.SessionID(r.Key); err != nil {
		return err
	}
	currency := request.CurrencyOf(s.Request.Order)
	s.Request.Order.Amount = s.Request.Order.Amount.In(currency)
	s.Request.ScheduleAmount = s.Request.ScheduleAmount.In(currency)
	return inCurrency(currency, &s.Amount)
}

// logSession adds the ids of a session and its latest payment to the request's log line.
func logSession(ctx context.Context, sess *Session) {
	note := request.NoteOf(ctx)
	note.Session, note.Payment = store.PublicID(sess.ID), cmp.Or(sess.PaymentID, sess.FirstPaymentID)
}

// limitAttempts adds an attempt to pay, unless there were too many in the last minute: nobody shall test stolen
// cards on the page. Errors: CodeTooMany.
func (sess *Session) limitAttempts(mapping *merchant.Mapping, now time.Time) error {
	limit := mapping.PayLimit
	if limit == 0 {
		limit = merchant.DefaultPayLimit
	}
	recent := slices.DeleteFunc(slices.Clone(sess.AttemptedAt), func(at time.Time) bool {
		return now.Sub(at) >= time.Minute
	})
	if len(recent) >= limit {
		wait := time.Minute - now.Sub(recent[0])
		err := request.Refuse(request.CodeTooMany, request.FaultInvalid, "Too many requests.")
		err.RetryAfter = int((wait + time.Second - 1) / time.Second)
		return err
	}
	sess.AttemptedAt = append(recent, now)
	return nil
}

// payment makes a payment of what the session requests, at the first of mids.
func (sess *Session) payment(now time.Time, mapping *merchant.Mapping, mids []merchant.MID) (*Payment, error) {
	req := &sess.Request
	p := &Payment{
		ID: sess.FirstPaymentID, SessionID: sess.ID, Details: req.Details, Options: req.Options,
		ChargeTerms: ChargeTerms{Mapping: mapping.Name, MID: mids[0].Name, Connector: mids[0].Connector},
		Status:      StatusPrepare, CreatedAt: now, ChangedAt: now,
	}
	if req.Order.Amount.ByPayer() {
		return p, nil
	}
	var err error
	p.Amount, err = orderAmount(req.Order)
	return p, err
}

// orderAmount returns the order's amount. It fails for a stored order in a currency that the service no longer knows.
func orderAmount(o request.Order) (money.Amount, error) {
	if o.Amount.Value.IsZero() {
		return money.Amount{}, fmt.Errorf("order has no amount of currency %q", o.Currency)
	}
	return o.Amount.Value, nil
}
