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
	"checkout/internal/operator/words"
	"checkout/internal/sensitive"
	"checkout/internal/store"
)

const (
	maxNote  = 500 // characters
	maxNotes = 100 // of a payment
)

// AddNote writes a note about a payment, or about the session that has no such payment yet, and returns it as the
// timeline has it. Errors: CodeInvalid for a text that can't be stored; CodeNotAllowed for one note too many.
func (s *Actor) AddNote(ctx context.Context, paymentID, text string) (words.Event, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "" || fault.Printable(text, maxNote) != text:
		return words.Event{}, fault.At("text",
			fmt.Sprintf("It should have 1 to %d printable characters, without line breaks.", maxNote))
	case sensitive.HasCard(text) || sensitive.HasCode(text):
		return words.Event{}, fault.At("text", "It should have no number and no security code of a card.")
	}
	return once(ctx, s.core, s.act, call[words.Event]{
		name: "note", args: []string{paymentID, text},
		do: func(idem *checkout.IdempotencyRecord) (event words.Event, err error) {
			p, err := s.core.Payment(ctx, s.core.Now(), paymentID)
			if err != nil {
				return event, err
			}
			update := store.Update{Doing: "store note", Store: s.core.Store, Now: s.core.Now, Final: idem.IsConflict}
			err = update.Do(ctx, func(now time.Time) ([]store.Record, error) {
				note := &words.Note{PaymentID: paymentID, At: now, Text: text}
				n, err := s.complete(ctx, p, note)
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

// complete adds the writer to a note, takes secrets of the payment out, and returns the note's number. The payment is
// nil for a session that has none yet.
func (s *Actor) complete(ctx context.Context, p *payment.Payment, note *words.Note) (n int, err error) {
	note.Who, note.By = s.act.Who, s.act.By
	if p != nil {
		note.Text = p.Masker().Mask(p.Masker().Secrets(connector.Charge{}).Mask(note.Text))
	}
	latest, err := store.NotesOf(note.PaymentID, 1)
	if err != nil {
		return 0, payment.ErrNotFound()
	}
	found, err := s.core.Store.List(ctx, note.At, latest)
	if err != nil {
		return 0, fmt.Errorf("list notes: %w", err)
	}
	for _, r := range found {
		if _, n, err = store.NoteOf(r.Key); err != nil {
			return 0, err
		}
	}
	if n >= maxNotes {
		return 0, fault.Refuse(fault.CodeNotAllowed,
			fmt.Sprintf("It has %d notes already, the most there can be.", maxNotes))
	}
	return n + 1, nil
}
