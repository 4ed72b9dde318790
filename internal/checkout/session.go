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

// SessionState is where a session stands (decisions.md 5).
type SessionState string

// The states of a session. An open session past its ExpiresAt is expired,
// whatever is stored: use Session.stateAt.
const (
	SessionOpen       SessionState = "open"
	SessionProcessing SessionState = "processing"
	SessionComplete   SessionState = "complete"
	SessionDeclined   SessionState = "declined" // all attempts used
	SessionCancelled  SessionState = "cancelled"
	SessionExpired    SessionState = "expired"
)

// Session is one visit to the checkout: what the merchant asked for and how far the payer got.
type Session struct {
	ID             string          `json:"-"` // in the key
	State          SessionState    `json:"state"`
	Request        request.Session `json:"request"`
	Mapping        string          `json:"mapping"`                // name of the protocol mapping
	MaxDeclines    int             `json:"max_declines,omitempty"` // stored where it is not DefaultMaxDeclines
	CreatedAt      time.Time       `json:"created_at"`
	ExpiresAt      time.Time       `json:"expires_at"`
	FirstPaymentID string          `json:"first_payment_id,omitempty"` // that the first attempt will carry, "" from then on
	Method         string          `json:"method,omitempty"`           // of the latest attempt
	PaymentID      string          `json:"payment_id,omitempty"`       // of the latest attempt, "" before the first
	Attempts       []string        `json:"attempts,omitempty"`         // the page's ids of all attempts, latest last
	Amount         money.Amount    `json:"amount,omitzero"`            // that the payer entered for the latest attempt
	Declines       int             `json:"declines,omitempty"`
	Reason         *screen.Reason  `json:"screen_reason,omitempty"` // of the latest decline, or of a success with something beside it
	Action         *RequiredAction `json:"next,omitempty"`          // while processing: where the payer has to go
	WithheldSeq    int             `json:"withheld,omitempty"`      // number of the callback of the latest attempt's decline, which waits for the session's end
	PayerReturned  bool            `json:"returned,omitempty"`      // the payer came back from there
	Received       *Received       `json:"received,omitempty"`      // while processing: the part that has arrived
	UnappliedMoney screen.Text     `json:"stray,omitempty"`         // with Reason: TextPaidTooLittle or TextPaidTooLate, where money arrived and no payment came of it
	Saved          []card.Saved    `json:"saved,omitempty"`         // the cards of Request.CardTokens, without their Kept
	AttemptedAt    []time.Time     `json:"paid_at,omitempty"`       // starts of the latest attempt and of those in the minute before it

	version int64 // as it was read; 0: not stored yet
}

// stateAt is the session's state at now. A session that waits for the payer
// ends by time alone; one that waits for a provider does not, because its
// payment may still be settled. What the payer was shown to pay with elsewhere
// has an end of its own, after which the provider is asked.
func (s *Session) stateAt(now time.Time) SessionState {
	waitsForPayer := s.State == SessionOpen || s.State == SessionProcessing && s.Action != nil && s.Action.Kind != StatusPending
	if waitsForPayer && !now.Before(s.ExpiresAt) {
		return SessionExpired
	}
	return s.State
}

// sessionKept is how long a session is remembered after its end (decisions.md 5).
const sessionTTL = 7 * 24 * time.Hour

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

// record is the session as a store keeps it.
func (s *Session) record() store.Record {
	key, err := store.SessionKey(s.ID)
	if err != nil {
		panic("session without an id of ours: " + store.PublicID(s.ID))
	}
	r := store.Encode(key, s.version, s.shortened())
	r.ExpiresAt = s.ExpiresAt.Add(sessionTTL)
	return r
}

// shortened is the session as it is stored.
func (s *Session) shortened() *Session {
	short := *s
	if short.MaxDeclines == merchant.DefaultMaxDeclines {
		short.MaxDeclines = 0
	}
	return &short
}

// Complete implements Shortened.
func (s *Session) Complete(r store.Record) (err error) {
	s.version = r.Version
	if s.MaxDeclines == 0 {
		s.MaxDeclines = merchant.DefaultMaxDeclines
	}
	if s.ID, err = store.SessionID(r.Key); err != nil {
		return err
	}
	currency := request.CurrencyOf(s.Request.Order)
	s.Request.Order.Amount, s.Request.ScheduleAmount = s.Request.Order.Amount.In(currency), s.Request.ScheduleAmount.In(currency)
	return inCurrency(currency, &s.Amount)
}

// logSession writes down a session and its latest payment.
func logSession(ctx context.Context, sess *Session) {
	note := request.NoteOf(ctx)
	note.Session, note.Payment = store.PublicID(sess.ID), cmp.Or(sess.PaymentID, sess.FirstPaymentID)
}

// pace notes an attempt to pay, unless there were too many in the last minute:
// a page is no place to try out cards. Errors: CodeTooMany.
func (sess *Session) limitAttempts(mapping *merchant.Mapping, now time.Time) error {
	limit := mapping.PayLimit
	if limit == 0 {
		limit = merchant.DefaultPayLimit
	}
	lately := slices.DeleteFunc(slices.Clone(sess.AttemptedAt), func(at time.Time) bool { return now.Sub(at) >= time.Minute })
	if len(lately) >= limit {
		wait := time.Minute - now.Sub(lately[0])
		return &request.Error{Code: request.CodeTooMany, RetryAfter: int((wait + time.Second - 1) / time.Second), Faults: []request.Fault{{Code: request.FaultInvalid, Text: "Too many requests."}}}
	}
	sess.AttemptedAt = append(lately, now)
	return nil
}

// payment is a payment of what the session asks for, by the first of mids.
func (sess *Session) payment(now time.Time, mapping *merchant.Mapping, mids []merchant.MID) (*Payment, error) {
	req := &sess.Request
	p := &Payment{
		ID: sess.FirstPaymentID, SessionID: sess.ID, Details: req.Details, Options: req.Options,
		Terms:  Terms{Mapping: mapping.Name, MID: mids[0].Name, Connector: mids[0].Connector},
		Status: StatusPrepare, CreatedAt: now, ChangedAt: now,
	}
	if req.Order.Amount.ByPayer() {
		return p, nil
	}
	var err error
	p.Amount, err = orderAmount(req.Order)
	return p, err
}

// orderAmount is the order's amount, which a stored order does not have in a currency that the service does not know any more.
func orderAmount(o request.Order) (money.Amount, error) {
	if o.Amount.Value.IsZero() {
		return money.Amount{}, fmt.Errorf("order has no amount of currency %q", o.Currency)
	}
	return o.Amount.Value, nil
}
