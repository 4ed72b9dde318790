package merchant

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"checkout/internal/card"
	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/metric"
	"checkout/internal/request"
	"checkout/internal/settings"
	"checkout/internal/store"
)

// Creator creates sessions, and explains what would become of them. NewCreator makes one.
type Creator struct {
	core     *checkout.Core
	callers  callers
	payments payments
	sealer   Sealer
	baseURL  string
	keys     card.KeyCache
}

// Sealer encrypts a wallet's token that a merchant sent as the payer's browser does.
type Sealer interface {
	Seal(key card.PublicKey, info string, card card.Card) (card.Sealed, error)
}

// NewCreator makes a creator of sessions. baseURL is the public address of the page, without a trailing slash.
func NewCreator(core *checkout.Core, queue payment.JobQueue, sealer Sealer, baseURL string) *Creator {
	return &Creator{
		core: core, callers: callers{core: core}, payments: newPayments(core, queue), sealer: sealer, baseURL: baseURL,
	}
}

// CreateSession checks a POST /api/v1/session and stores it (protocol.md, Session request). This takes one write, and
// no read while the merchant is in memory, except for saved cards, an Idempotency-Key, one_payment_per_order and later
// sessions of an order. A credit with a saved card has no page, and a request with a wallet's token needs none: the
// payment is made at once and returned. Errors: CodeInvalid with every fault, CodeHash, CodeDenied, CodeTooMany,
// CodeDuplicate.
func (s *Creator) CreateSession(ctx context.Context, call Call) (Response, error) {
	now := s.core.Now()
	r, err := s.readSession(ctx, now, call.Body)
	if err != nil {
		return nil, err
	}
	caller := settings.Caller{Merchant: r.Merchant, Owner: r.Owner}
	response, err := s.payments.idempotent(ctx, caller, call, func(idem *checkout.IdempotencyRecord) (Response, error) {
		sess, err := s.newSession(ctx, now, r)
		if err != nil {
			return nil, err
		}
		if note := fault.NoteOf(ctx); len(r.LeftOut) > 0 {
			note.Attrs = append(note.Attrs, slog.Any("left_out", r.LeftOut))
		}
		if r.Operation == method.Credit && len(sess.Saved) > 0 {
			return s.payOut(ctx, r, sess, idem)
		}
		if r.WalletToken != "" {
			return s.payWithToken(ctx, r, sess, idem)
		}
		return s.addSession(ctx, sess, idem)
	})
	return response, fault.WithFirst(err, r.FirstErrors)
}

// readSession checks a session request and admits its merchant. Where the hash is not valid, it looks whether key or
// password have been replaced since they were cached.
func (s *Creator) readSession(ctx context.Context, now time.Time, body []byte) (*SessionRequest, error) {
	in, err := request.Read(body)
	if err != nil {
		return nil, err
	}
	caller, err := s.callers.account(ctx, in.Required("merchant_key"), now)
	if err != nil {
		return nil, err
	}
	r, err := ReadSession(in, caller.Merchant, caller.Owner, now)
	if fault.CodeOf(err) == fault.CodeHash {
		again, is, errAgain := s.core.Accounts().Again(ctx, caller, now)
		if errAgain != nil {
			return nil, errAgain
		}
		if caller = again; is {
			in, _ = request.Read(body) // without the faults that were found
			_ = in.Required("merchant_key")
			r, err = ReadSession(in, caller.Merchant, caller.Owner, now)
		}
	}
	if err != nil {
		return nil, err
	}
	valid := func(m *settings.Merchant) bool { return sessionHashIsValid(m, r.draft) }
	return r, fault.WithFirst(s.callers.accept(ctx, caller, valid), r.FirstErrors)
}

// newSession makes the session of a request, if the merchant's settings have a MID for it. Errors: CodeInvalid,
// CodeDenied.
func (s *Creator) newSession(ctx context.Context, now time.Time, r *SessionRequest) (*checkout.Session, error) {
	route, err := r.Route()
	if err != nil {
		return nil, err
	}
	saved, err := s.savedCards(ctx, now, r.Session)
	if err != nil {
		return nil, err
	}
	if err := s.checkUnpaid(ctx, r.Merchant, route.Mapping, r.Session); err != nil {
		return nil, err
	}
	req := *r.Session
	req.RequestID = fault.RequestID(ctx)
	return &checkout.Session{
		State:   checkout.SessionOpen,
		Request: req,
		Mapping: route.Mapping.Name,
		Saved:   saved,

		CreatedAt:   now,
		MaxDeclines: route.Mapping.DeclineLimit(),
	}, nil
}

// checkUnpaid refuses a session for an order that is paid, if the mapping has one_payment_per_order.
// Errors: CodeInvalid.
func (s *Creator) checkUnpaid(
	ctx context.Context, m *settings.Merchant, mapping *settings.Mapping, req *request.Session,
) error {
	if !mapping.OnePaymentPerOrder {
		return nil
	}
	caller, hash := settings.Caller{Merchant: m, Owner: req.Owner}, store.OrderHash(req.Owner.Text(), req.Order.Number)
	p, found, err := s.payments.bestPayment(ctx, caller, hash, request.Status{OrderID: req.Order.Number})
	if err == nil && found && p.rank == rankPaid {
		text := method.NotValid("This order is paid already.")
		err = fault.At("order.number", text)
	}
	return err
}

// addSession stores a new session and the lock against duplicates in one write: the first session of an order in one
// document.
func (s *Creator) addSession(
	ctx context.Context, sess *checkout.Session, idem *checkout.IdempotencyRecord,
) (Response, error) {
	s.nameSession(ctx, sess)
	created, err := s.storeSession(ctx, sess, idem)
	if err != nil {
		return nil, err
	}
	return created, nil
}

// storeSession stores a session that has its ids, and what is to be stored beside it.
func (s *Creator) storeSession(
	ctx context.Context, sess *checkout.Session, idem *checkout.IdempotencyRecord, beside ...store.Record,
) (Created, error) {
	req, now := &sess.Request, sess.CreatedAt
	own, created := sess.ID, Created{}
	sent := checkout.SentOrder{Owner: req.Owner, Number: req.Order.Number, At: now}
	err := s.core.SaveOnce(ctx, sent, idem, func(lock store.Record) []store.Record {
		sess.ID = store.FirstSessionID(own)
		records := []store.Record{sess.Record()}
		if records[0].Key != lock.Key {
			sess.ID = own
			records = []store.Record{lock, sess.Record()}
		}
		created.RedirectURL = sess.PageURL(s.baseURL)
		return idem.With(nil, created, append(records, beside...)...)
	})
	if err != nil {
		return Created{}, err
	}
	checkout.LogSession(ctx, sess)
	note := fault.NoteOf(ctx)
	line := metric.Line{Test: req.Test, Metrics: []metric.Metric{metric.Count("sessions")}}
	note.Attrs = append(note.Attrs, s.core.Meter().Embedded(line)...)
	return created, nil
}

// nameSession gives a new session its ids and its end.
func (s *Creator) nameSession(ctx context.Context, sess *checkout.Session) {
	req, now := &sess.Request, sess.CreatedAt
	hash := store.OrderHash(req.Owner.Text(), req.Order.Number)
	random := s.core.Random(24)
	sess.ID = store.NewSessionID(hash, now, random)
	sess.FirstPaymentID = store.NewPaymentID(hash, now, random[20:])
	sess.ExpiresAt = now.Add(time.Duration(req.SessionExpiry) * time.Minute)
	checkout.LogSession(ctx, sess)
}

const textRemoved = "The payer has removed this card."

// savedCards reads the saved cards of a request's card_token. Each must belong to the merchant and its mode and must
// not have expired. One that its payer has removed is left out, and not paid out to. Errors: CodeInvalid with every
// fault.
func (s *Creator) savedCards(ctx context.Context, now time.Time, req *request.Session) ([]card.Saved, error) {
	if len(req.CardTokens) == 0 {
		return nil, nil
	}
	keys := make([]store.Key, len(req.CardTokens))
	for i, token := range req.CardTokens {
		keys[i] = store.SavedCardKey(token)
	}
	records, err := s.core.Store.Get(ctx, now, keys...)
	if err != nil {
		return nil, fmt.Errorf("read saved cards: %w", err)
	}
	cards, faults := make([]card.Saved, len(keys)), []fault.Fault(nil)
	for i, r := range records {
		wrong := fault.Fault{Path: fmt.Sprintf("card_token[%d]", i)}
		if err := r.Decode(&cards[i]); err != nil {
			return nil, err
		}
		switch {
		case r.Version == 0:
			wrong.Number, wrong.Text = fault.NumberTokenNotFound, "Card token is not found."
		case cards[i].Owner != req.Owner:
			wrong.Number, wrong.Text = fault.NumberTokenNotMerchant, "Card token belongs to another merchant."
		case !now.Before(cards[i].Ends()):
			wrong.Number, wrong.Text = fault.NumberTokenExpired, "Card token has expired."
		case !cards[i].RemovedAt.IsZero() && req.Operation == method.Credit:
			wrong.Number, wrong.Text = fault.NumberTokenNotFound, textRemoved
		case !cards[i].RemovedAt.IsZero():
			req.LeftOut = append(req.LeftOut, wrong.Path+": "+textRemoved)
		}
		if wrong.Text != "" {
			faults = append(faults, wrong)
		}
		cards[i].Encrypted = nil // needed only where it is charged, and read again there
	}
	if len(faults) > 0 {
		return nil, fault.Invalid(faults)
	}
	return slices.DeleteFunc(cards, func(c card.Saved) bool { return !c.RemovedAt.IsZero() }), nil
}
