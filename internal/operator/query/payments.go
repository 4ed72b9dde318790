package query

import (
	"context"
	"time"

	"checkout/internal/operator/grant"
	"checkout/internal/operator/listing"
	"checkout/internal/store"
)

// Listing is one page of payments, the latest first. Over more merchants than are read at once, one group of them comes
// after another in each day.
type Listing struct {
	Rows       []Row     `json:"rows"`
	Cursor     string    `json:"cursor,omitempty"` // of the next page; "": there is none
	SearchedTo time.Time `json:"searched_to"`      // everything later was looked at
	Searched   int       `json:"searched"`         // payments that were looked at for this page
	Note       string    `json:"note,omitempty"`   // if they are not in the order of time alone
}

// Payments lists the payments that a filter chooses, by the time when they were made. Without From it goes back for 800
// days, page by page. One page reads at most about 5,000 rows by 200 requests: it may be empty while there is a
// cursor.
// Errors: CodeInvalid.
func (s *Reader) Payments(ctx context.Context, by grant.Person, f Filter) (Listing, error) {
	from, err := parsePosition(f.Cursor)
	if err == nil {
		err = f.check()
	}
	if err != nil {
		return Listing{}, err
	}
	r := s.rowReader(f, by, f.Mode)
	list := Listing{Rows: []Row{}}
	r.take = func(record store.Record) (bool, error) {
		row, ok, err := s.rowIn(by, record)
		switch {
		case err != nil || !ok:
			return true, err
		case f.takes(row) && len(list.Rows) == f.rows():
			return false, nil
		case f.takes(row):
			list.Rows = append(list.Rows, row)
		}
		list.Searched++
		return true, nil
	}
	next, searchedTo, err := r.read(ctx, from)
	list.SearchedTo, list.Note = searchedTo.UTC(), r.note()
	if next != nil {
		list.Cursor = next.String()
	}
	return list, err
}

// rowReader returns a reader of rows in modes.
func (s *Reader) rowReader(f Filter, by grant.Person, modes ...string) *dayReader {
	r := s.newReader(f, by, grant.Find, modes...)
	r.of, r.before = store.RowsOf, store.RowsBefore
	r.timeOf = store.RowTime
	if f.all() {
		r.page = f.rows() + 1
	}
	return r
}

// rowIn returns the row of a record as a person may see it.
func (s *Reader) rowIn(by grant.Person, record store.Record) (row Row, ok bool, err error) {
	var listed listing.Row
	if record.Version == 0 {
		return Row{}, false, nil
	}
	if err := record.Decode(&listed); err != nil {
		return Row{}, false, err
	}
	row, ok = rowFor(by, grant.Find, listed, s.core.Now())
	return row, ok, nil
}
