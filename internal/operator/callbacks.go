package operator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"checkout/internal/callback"
	"checkout/internal/checkout"
	"checkout/internal/fault"
	"checkout/internal/operator/grant"
	"checkout/internal/operator/query"
	"checkout/internal/operator/words"
	"checkout/internal/store"
)

// Sent is what became of a callback that was sent again.
type Sent struct {
	Seq     int            `json:"seq"`
	State   callback.State `json:"state"`
	Decided bool           `json:"decided"`       // it was tried
	Try     *callback.Try  `json:"try,omitempty"` // the latest since it was sent again
	Text    string         `json:"text"`          // in words
}

// sendTimeout is how long a call waits for the try of a callback: for one that takes as long as a try may.
const sendTimeout = 12 * time.Second

// SendAgain has one callback sent now, once more if it was delivered, and waits up to sendTimeout for the try.
// Errors: CodeNotFound; CodeNotAllowed if it is withheld or dropped, is about to be tried or has no address.
func (s *Actor) SendAgain(ctx context.Context, paymentID string, seq int) (Sent, error) {
	await := func(ctx context.Context, _ checkout.Awaited) (Sent, error) { return s.awaitTry(ctx, paymentID, seq) }
	return once(ctx, s.core, s.act, call[Sent]{
		name: "send", args: []any{paymentID, seq}, await: await,
		do: func(idem *checkout.IdempotencyRecord) (Sent, error) {
			a := checkout.Awaited{PaymentID: paymentID}
			if err := s.outbox().SendAgain(ctx, paymentID, seq, idem.With(&a, nil)...); err != nil {
				return Sent{}, err
			}
			return await(ctx, a)
		},
	})
}

func (s *Actor) awaitTry(ctx context.Context, paymentID string, seq int) (Sent, error) {
	var c *callback.Callback
	err := s.core.Poll(ctx, &checkout.Wait{AtMost: sendTimeout}, func() (pending bool, err error) {
		if c, err = s.outbox().Stored(ctx, paymentID, seq); err != nil {
			return false, err
		}
		return c.AwaitsOperator(), nil
	})
	if err != nil {
		return Sent{}, err
	}
	return sentOf(c, s.core.Now()), nil
}

// sentOf says what became of a callback that was sent again.
func sentOf(c *callback.Callback, now time.Time) Sent {
	of := Sent{Seq: c.Seq, State: c.State, Decided: !c.AwaitsOperator()}
	switch {
	case !of.Decided && c.NextAt.After(now):
		of.Text = "It was not tried yet: it is sent at " + words.Clock(c.NextAt) + "."
		return of
	case !of.Decided || len(c.Tries) == 0:
		of.Text = "It was not tried yet, and is sent as soon as possible."
		return of
	}
	try := c.Tries[len(c.Tries)-1]
	of.Try = &try
	end := fmt.Sprintf("%s, after %d ms.", try.End(), try.Millis)
	switch taken := callback.IsTaken(try.Status) && try.Error == ""; {
	case taken:
		of.Text = "The shop has taken it: " + end
	case c.State == callback.Delivered:
		of.Text = "The shop has not taken it again: " + end + " It was delivered before, and is not tried again " +
			"automatically."
	case c.State == callback.Waiting:
		of.Text = "The shop has not taken it: " + end + " The next try is at " + words.Clock(c.NextAt) + "."
	default:
		of.Text = "The shop has not taken it: " + end
	}
	return of
}

// BulkSend sends callbacks again that a filter chooses. Expected is the number that the person was shown.
type BulkSend struct {
	query.Filter
	URL      string
	Expected int
}

// BulkSent is how far it came: call again with the cursor while there is one.
type BulkSent struct {
	Sent   int    `json:"sent"`
	Left   int    `json:"left"`
	Cursor string `json:"cursor,omitempty"`
}

// bulkPlace is how far a SendMany came. It is stored, and its cursor is no more than its name: one that people could
// write themselves would name a time to send at and go around the number that was shown.
type bulkPlace struct {
	callback.Position
	Left int    `json:"left"`
	Of   string `json:"of"` // a SHA-256 of whose and what it is, hex
}

// bulkTTL is how long a SendMany can be continued.
const bulkTTL = 24 * time.Hour

// sum is the same for all calls of one SendMany.
func (b BulkSend) sum(by grant.Person) string {
	b.Cursor, b.Expected = "", 0
	sum := sha256.Sum256(store.CompactJSON([]any{grant.StableName(by.Who), b}))
	return hex.EncodeToString(sum[:])
}

// placeOf reads what a cursor names. Errors: CodeInvalid.
func placeOf(ctx context.Context, core *checkout.Core, cursor, of string) (at bulkPlace, err error) {
	found, err := core.Load(ctx, core.Now(), store.BulkSendKey(cursor), &at)
	if err == nil && (!found || at.Of != of) {
		err = fault.At("cursor", "It is not one that was returned for this.")
	}
	return at, err
}

// SendMany sends callbacks again that a filter chooses and whose owners the person may do that for: some hundreds, and
// those that follow with the cursor. Those of a payment are sent in their order. The first call counts them, and is
// refused where there are more than the person was shown. A repeated call sends none of them twice.
// Errors: CodeInvalid for the cursor; CodeNotAllowed.
func (s *Actor) SendMany(ctx context.Context, by grant.Person, b BulkSend) (BulkSent, error) {
	return once(ctx, s.core, s.act, call[BulkSent]{
		name: "send-many", args: []any{b, by.Grants}, // those that it is done with are those that may read it
		do: func(idem *checkout.IdempotencyRecord) (BulkSent, error) {
			sent, places, err := s.sendMany(ctx, by, b)
			if records := idem.With(nil, sent, places...); err == nil && len(records) > 0 {
				err = s.core.Store.Save(ctx, s.core.Now(), records...)
			}
			return sent, err
		},
	})
}

// sendMany returns with how far it came the place to be stored, if it goes on from there.
func (s *Actor) sendMany(
	ctx context.Context, by grant.Person, b BulkSend,
) (sent BulkSent, places []store.Record, err error) {
	query, outbox := b.query(by), s.outbox()
	at := bulkPlace{Of: b.sum(by)}
	if b.Cursor != "" {
		if at, err = placeOf(ctx, s.core, b.Cursor, at.Of); err != nil {
			return sent, nil, err
		}
	} else {
		found, err := outbox.Undelivered(ctx, query)
		if err != nil {
			return sent, nil, err
		}
		if at.Left = len(found); at.Left > b.Expected {
			return sent, nil, fault.Refuse(fault.CodeNotAllowed,
				fmt.Sprintf("There are %d callbacks now, and %d were shown. Nothing was sent: look again.", at.Left, b.Expected))
		}
	}
	n, next, err := outbox.SendSome(ctx, query, at.Position)
	if err != nil {
		return sent, nil, err
	}
	at.Position, at.Left = next, max(0, at.Left-n)
	if next.End {
		return BulkSent{Sent: n}, nil, nil
	}
	cursor := store.NewUUID(s.core.Random(16))
	place := store.Encode(store.BulkSendKey(cursor), 0, at)
	place.ExpiresAt = s.core.Now().Add(bulkTTL)
	return BulkSent{Sent: n, Left: at.Left, Cursor: cursor}, []store.Record{place}, nil
}

// query chooses the callbacks of those owners that the person may send callbacks of.
func (b BulkSend) query(by grant.Person) callback.Query {
	return callback.Query{
		URL: b.URL, Since: b.From, Until: b.Until, State: b.Callbacks,
		Of: func(o fault.Owner) bool {
			return (b.Merchant == "" || b.Merchant == o.Merchant) && o.Test == (b.Mode == string(grant.Test)) &&
				by.Level(grant.Callbacks, o) == grant.Full
		},
	}
}

// maxClosed is how many addresses that are shown alike are closed in one write.
const maxClosed = 40

// CloseAddress closes the circuit breaker of an owner's notification_url: callbacks flow again at their next times. The
// URL may be as Addresses shows it, and then means all that are shown so.
// Errors: CodeNotAllowed if these are too many.
func (s *Actor) CloseAddress(ctx context.Context, of fault.Owner, url string) error {
	_, err := once(ctx, s.core, s.act, call[bool]{
		name: "address", args: []string{of.Text(), url},
		do: func(idem *checkout.IdempotencyRecord) (bool, error) {
			urls, err := shownAs(ctx, s.reader, of, url)
			if err != nil {
				return false, err
			}
			return s.outbox().Close(ctx, of, urls, idem.With(nil, true)...)
		},
	})
	return err
}

// shownAs returns an address, and those of an owner that are shown so and get no callbacks, or slowly.
func shownAs(ctx context.Context, reader *query.Reader, of fault.Owner, url string) ([]string, error) {
	others, err := reader.ShownAs(ctx, of, url)
	if len(others) >= maxClosed {
		return nil, fault.Refuse(fault.CodeNotAllowed,
			fmt.Sprintf("%d addresses are shown as that one: name one as the merchant has set it.", len(others)))
	}
	return append([]string{url}, others...), err
}
