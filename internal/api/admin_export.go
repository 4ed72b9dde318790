package api

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"time"

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
	text, kind := e.csv(), "text/csv; charset=utf-8"
	if e.jsonl {
		text, kind = e.json(), "application/x-ndjson"
	}
	w.Header().Set("Content-Type", kind)
	if e.cursor != "" {
		w.Header().Set("X-Next-Cursor", e.cursor)
	}
	writeBody(w, http.StatusOK, text)
}

func (e export) json() []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	for _, line := range e.lines {
		_ = encoder.Encode(line) // to memory, of texts and a time
	}
	return text.Bytes()
}

func (e export) csv() []byte {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	fields := reflect.VisibleFields(reflect.TypeFor[listing.Line]())
	row := make([]string, len(fields))
	for i, f := range fields {
		row[i], _, _ = strings.Cut(f.Tag.Get("json"), ",")
	}
	_ = w.Write(row) // to memory
	for _, line := range e.lines {
		of := reflect.ValueOf(line)
		for i, f := range fields {
			row[i] = cell(of.FieldByIndex(f.Index))
		}
		_ = w.Write(row)
	}
	w.Flush()
	return text.Bytes()
}

// cell returns a value as CSV has it. Spreadsheets execute what begins like a formula, and make other numbers of some
// codes: a quote before it makes it text. Another separator than the comma, or a line's end, begins a cell for them.
func cell(value reflect.Value) string {
	if at, ok := value.Interface().(time.Time); ok {
		return at.UTC().Format(time.RFC3339)
	}
	text := value.String()
	if isNegative(text) {
		return text
	}
	if text != "" && strings.ContainsRune("\t\r", rune(text[0])) || codes.MatchString(text) {
		text = "'" + text
	}
	return formulas.ReplaceAllString(text, "$1'$2")
}

// formulas finds where a formula begins, also in full width or after quotes and spaces, with what parts it from before.
var formulas = regexp.MustCompile(`(^|[;|\t\r\n])([ \x{a0}"]*[=+\-@＝＋－＠﹦﹢﹣﹫−])`)

// codes are texts of which spreadsheets make other numbers: with leading zeros, more than 15 digits, or an exponent.
var codes = regexp.MustCompile(`^(0[0-9][0-9.]*|[0-9]{16,}|[0-9]+[eE][0-9]+)$`)

// isNegative reports whether a text is a number with a minus, which is no formula.
func isNegative(text string) bool {
	digits, minus := strings.CutPrefix(text, "-")
	return minus && strings.Trim(digits, "0123456789.") == ""
}
