package query

import (
	"time"

	"checkout/internal/fault"
	"checkout/internal/store"
)

// position is where a page ends: in the documents of a day, of owners From to To, after the one with Sort.
type position struct {
	Day  string `json:"d"`
	From string `json:"f,omitempty"` // "": the first owner of the day
	To   string `json:"t,omitempty"`
	Sort string `json:"s,omitempty"`
	// Of are those of the owners of which documents are read; of the others the day's sums were added. Nil: all.
	Of []string `json:"o,omitempty"`
}

func (p position) String() string { return store.Cursor(p) }

func parsePosition(text string) (p position, err error) {
	if text == "" {
		return p, nil
	}
	err = store.ReadCursor(text, &p)
	if _, errDay := time.Parse(time.DateOnly, p.Day); err != nil || errDay != nil {
		return p, errPage()
	}
	return p, nil
}

func errPage() error { return fault.Refuse(fault.CodeInvalid, "No page ends there.") }
