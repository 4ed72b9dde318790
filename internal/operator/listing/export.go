package listing

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// JSONLines returns lines of the journal as JSON, each on a line of its own.
func JSONLines(lines []Line) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	for _, line := range lines {
		_ = encoder.Encode(line) // to memory, of texts and a time
	}
	return text.Bytes()
}

// CSV returns lines of the journal as CSV, below the names of their members.
func CSV(lines []Line) []byte {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	fields := reflect.VisibleFields(reflect.TypeFor[Line]())
	row := make([]string, len(fields))
	for i, f := range fields {
		row[i], _, _ = strings.Cut(f.Tag.Get("json"), ",")
	}
	_ = w.Write(row) // to memory
	for _, line := range lines {
		of := reflect.ValueOf(line)
		for i, f := range fields {
			row[i] = csvCell(of.FieldByIndex(f.Index))
		}
		_ = w.Write(row)
	}
	w.Flush()
	return text.Bytes()
}

// csvCell returns a value as CSV has it. Spreadsheets execute what begins like a formula, and make other numbers of
// some codes: a quote before it makes it text. Another separator than the comma, or a line's end, begins a cell for
// them.
func csvCell(value reflect.Value) string {
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
