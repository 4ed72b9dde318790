package words

import (
	"time"

	"checkout/internal/store"
)

// Note is what a person has written down about a payment, or about the session that has no such payment yet. It is
// never changed.
type Note struct {
	PaymentID string    `json:"-"` // in the key, as its number is
	At        time.Time `json:"at"`
	Who       string    `json:"who"` // as AWS knows the caller, or as grants name a person who has signed in
	By        string    `json:"by,omitempty"`
	Text      string    `json:"text"`
}

// Complete implements store.Shortened.
func (n *Note) Complete(r store.Record) (err error) {
	n.PaymentID, _, err = store.NoteOf(r.Key)
	return err
}

// Record is the note as it is stored, with its number.
func (n *Note) Record(number int) store.Record {
	key, err := store.NoteKey(n.PaymentID, number)
	if err != nil {
		panic("note of a payment without an id of ours: " + n.PaymentID)
	}
	return store.Encode(key, 0, n)
}

// KindNote is the kind of events that are notes.
const KindNote = "note"

// Event is the note in a timeline.
func (n *Note) Event() Event {
	h := History{}
	h.event(n.At, KindNote, n.Text, "by", n.By)
	return h.Events[0]
}
