package api

import (
	"net/http"

	"checkout/internal/operator/listing"
)

// export is a file of lines of the journal.
type export struct {
	lines  []listing.Line
	cursor string // of the next page
	jsonl  bool   // or else CSV
}

// write writes the file. Both formats have the same names of columns, those of listing.Line.
func (e export) write(w http.ResponseWriter) {
	text, kind := listing.CSV(e.lines), "text/csv; charset=utf-8"
	if e.jsonl {
		text, kind = listing.JSONLines(e.lines), "application/x-ndjson"
	}
	w.Header().Set("Content-Type", kind)
	if e.cursor != "" {
		w.Header().Set("X-Next-Cursor", e.cursor)
	}
	writeBody(w, http.StatusOK, text)
}
