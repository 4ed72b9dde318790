package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	largestFile = 16 << 20 // bytes
	// mostRefunds is how many payments one list may refund: each takes a second or more, and a key counts for a day.
	mostRefunds = 5000
	mostReason  = 120 // characters
	mostFaults  = 20  // that are printed of a file
)

// refundLine is what a file says of one payment.
type refundLine struct {
	line            int // of the file; 0: a filter has chosen it
	paymentID       string
	amount          string // "": all that is left
	reason          string // "": that of the command
	order, merchant string // of a row that a filter has chosen
	state           string // likewise, if it is not settled
}

// refundFile is a file of refunds.
type refundFile struct {
	lines  []refundLine
	export bool // it is one of checkout export, whose amounts are those of transactions
}

// exported are columns that each export has, and no list of refunds.
var exported = []string{"payment_id", "order", "type", "status", "at", "amount", "currency", "method"}

// isExport reports whether columns are those of an export.
func isExport(columns []string) bool {
	return !slices.ContainsFunc(exported, func(one string) bool { return !slices.Contains(columns, one) })
}

// checkColumns refuses columns that mean nothing here: a misspelt amount would refund the whole payment.
func checkColumns(columns []string) error {
	seen := map[string]bool{}
	for _, column := range columns {
		if seen[column] {
			return fmt.Errorf("column %q is there twice", column)
		}
		seen[column] = true
	}
	if isExport(columns) {
		return nil
	}
	for _, column := range columns {
		if !slices.Contains([]string{"payment_id", "amount", "reason"}, column) {
			return fmt.Errorf("column %q is none of payment_id, amount, reason", column)
		}
	}
	if !seen["payment_id"] {
		return errors.New("there is no payment_id")
	}
	return nil
}

// lineFaults are the faults of a file, each with its line.
type lineFaults []string

func (f *lineFaults) add(line int, format string, args ...any) {
	*f = append(*f, fmt.Sprintf("line %d: %s", line, fmt.Sprintf(format, args...)))
}

// err has the first faults, and how many there are beside.
func (f lineFaults) err(name string) error {
	if len(f) == 0 {
		return nil
	}
	shown := f[:min(len(f), mostFaults)]
	text := printable(name) + " is not right, and nothing was refunded:\n  " + strings.Join(shown, "\n  ")
	if more := len(f) - len(shown); more > 0 {
		text += fmt.Sprintf("\n  and %d more", more)
	}
	return misusef("%s", text)
}

// readRefunds reads a file of refunds, as CSV or JSON lines. Its error has all faults of the file, each with its line.
func readRefunds(name string) (refundFile, error) {
	file, err := os.Open(name)
	if err != nil {
		return refundFile{}, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, largestFile+1))
	if err != nil {
		return refundFile{}, err
	}
	var read refundFile
	var faults lineFaults
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	switch {
	case len(text) > largestFile:
		return refundFile{}, misusef("%s has more than %d MiB", printable(name), largestFile>>20)
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		faults.add(1, "the file is no UTF-8 text: save it as CSV UTF-8")
	case len(bytes.TrimSpace(text)) == 0:
		faults.add(1, "the file is empty")
	case bytes.TrimSpace(text)[0] == '{':
		read, faults = refundsOfJSON(text)
	default:
		read, faults = refundsOfCSV(text)
	}
	read.check(&faults)
	return read, faults.err(name)
}

// check checks the lines of a file against one another. An export has a line for each transaction of a payment.
func (f *refundFile) check(faults *lineFaults) {
	first, all := map[string]int{}, f.lines
	f.lines = nil
	for _, l := range all {
		before, twice := first[strings.ToLower(l.paymentID)]
		switch {
		case l.paymentID == "":
			faults.add(l.line, "there is no payment_id")
			continue
		case twice && !f.export:
			faults.add(l.line, "payment %s is in line %d, too", printable(l.paymentID), before)
		case utf8.RuneCountInString(l.reason) > mostReason:
			faults.add(l.line, "the reason has more than %d characters", mostReason)
		}
		if !twice {
			first[strings.ToLower(l.paymentID)] = l.line
			f.lines = append(f.lines, l)
		}
	}
	if len(f.lines) > mostRefunds {
		faults.add(f.lines[mostRefunds].line, "there are %d payments, and at most %d at once: divide the file",
			len(f.lines), mostRefunds)
	}
	if len(f.lines) == 0 && len(*faults) == 0 {
		faults.add(1, "the file names no payment")
	}
}

func refundsOfCSV(text []byte) (f refundFile, faults lineFaults) {
	r := csv.NewReader(bytes.NewReader(text))
	columns, err := r.Read()
	for i := range columns {
		columns[i] = strings.TrimSpace(columns[i])
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if len(columns) == 1 && strings.ContainsAny(first, ";\t") {
		faults.add(1, "other characters than commas are between the columns: save it with commas, and amounts as 10.00")
		return f, faults
	}
	if err == nil {
		err = checkColumns(columns)
	}
	if err != nil {
		faults.add(1, "%s", printable(csvFault(err)))
		return f, faults
	}
	f.export = isExport(columns)
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return f, faults
		}
		var wrong *csv.ParseError
		if errors.As(err, &wrong) {
			faults.add(wrong.StartLine, "%s", printable(csvFault(err)))
			if errors.Is(err, csv.ErrFieldCount) {
				continue
			}
			return f, faults
		}
		line, _ := r.FieldPos(0)
		l := refundLine{line: line}
		for i, column := range columns {
			l.set(column, strings.TrimSpace(cells[i]), f.export)
		}
		f.lines = append(f.lines, l)
	}
}

// csvFault is an error of the CSV reader without the place, which is said already.
func csvFault(err error) string {
	var wrong *csv.ParseError
	if errors.As(err, &wrong) {
		return wrong.Err.Error()
	}
	return err.Error()
}

// set sets what a column says. Of an export that is the payment alone.
func (l *refundLine) set(column, value string, export bool) {
	switch {
	case column == "payment_id":
		l.paymentID = strings.TrimPrefix(value, "'") // which an export may have for spreadsheets
	case export:
	case column == "amount":
		l.amount = value
	case column == "reason":
		l.reason = value
	}
}

func refundsOfJSON(text []byte) (f refundFile, faults lineFaults) {
	n, begun := 0, false
	for line := range bytes.Lines(text) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(line, &members); err != nil {
			faults.add(n, "it is no JSON object: %s", printable(err.Error()))
			continue
		}
		var names []string
		for name := range members {
			names = append(names, name)
		}
		slices.Sort(names)
		if err := checkColumns(names); err != nil {
			faults.add(n, "%s", printable(err.Error()))
			continue
		}
		export := isExport(names)
		if begun && f.export != export {
			faults.add(n, "some lines are of an export, and others are not")
			continue
		}
		f.export, begun = export, true
		l := refundLine{line: n}
		for _, name := range names {
			var value string
			err := json.Unmarshal(members[name], &value)
			if known := name == "payment_id" || !export; known && (err != nil || strings.TrimSpace(value) == "") {
				faults.add(n, "%s is no text, or an empty one", name)
				continue
			}
			l.set(name, strings.TrimSpace(value), export)
		}
		if l.paymentID != "" {
			f.lines = append(f.lines, l)
		}
	}
	return f, faults
}
