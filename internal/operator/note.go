package operator

import (
	"context"
	"fmt"
	"strings"
	"time"

	"checkout/internal/checkout"
	"checkout/internal/checkout/payment"
	"checkout/internal/connector"
	"checkout/internal/fault"
	"checkout/internal/operator/query"
	"checkout/internal/sensitive"
	"checkout/internal/store"
)

const (
	maxNote  = 500 // characters
	maxNotes = 100 // of a payment
)

// AddNote writes a note about a payment, or about the session that has no such payment yet, and returns it as the
// timeline has it. Errors: CodeInvalid for a text that can't be stored; CodeNotAllowed for one note too many.
func (s *Actor) AddNote(ctx context.Context, paymentID, text string) (query.Event, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "" || fault.Printable(text, maxNote) != text:
		return query.Event{}, fault.At("text",
			fmt.Sprintf("It should have 1 to %d printable characters, without line breaks.", maxNote))
	case sensitive.HasCard(text) || sensitive.HasCode(text):
		return query.Event{}, fault.At("text", "It should have no number and no security code of a card.")
	}
	return once(ctx, s.core, s.act, call[query.Event]{
		name: "note", args: []string{paymentID, text},
		do: func(idem *checkout.IdempotencyRecord) (event query.Event, err error) {
			p, err := s.core.Payment(ctx, s.core.Now(), paymentID)
			if err != nil {
				return event, err
			}
			update := store.Update{Doing: "store note", Store: s.core.Store, Now: s.core.Now, Final: idem.IsConflict}
			err = update.Do(ctx, func(now time.Time) ([]store.Record, error) {
				note, n, err := s.noteOf(ctx, now, p, paymentID, text)
				if err != nil {
					return nil, err
				}
				event = note.Event()
				records := s.act.Records(now, "payment/"+paymentID, fmt.Sprintf("note %d is added", n))
				return idem.With(nil, event, append(records, note.Record(n))...), nil
			})
			return event, err
		},
	})
}

// noteOf returns a payment's next note and its number. The payment is nil for a session that has none yet.
func (s *Actor) noteOf(
	ctx context.Context, now time.Time, p *payment.Payment, paymentID, text string,
) (*query.Note, int, error) {
	if p != nil {
		text = p.Masker().Mask(p.Masker().Secrets(connector.Charge{}).Mask(text))
	}
	latest, err := store.NotesOf(paymentID, 1)
	if err != nil {
		return nil, 0, payment.ErrNotFound()
	}
	found, err := s.core.Store.List(ctx, now, latest)
	if err != nil {
		return nil, 0, fmt.Errorf("list notes: %w", err)
	}
	n := 1
	for _, r := range found {
		_, number, err := store.NoteOf(r.Key)
		if err != nil {
			return nil, 0, err
		}
		n = number + 1
	}
	if n > maxNotes {
		return nil, 0, fault.Refuse(fault.CodeNotAllowed, fmt.Sprintf("It has %d notes already, the most there can be.", maxNotes))
	}
	return &query.Note{PaymentID: paymentID, At: now, Who: s.act.Who, By: s.act.By, Text: text}, n, nil
}
