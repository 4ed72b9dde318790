package requesttest

import (
	"strings"
	"testing"
)

// TableRows returns the rows of the tables below a heading of a document, without their heads. There has to be one.
func TableRows(t *testing.T, document []byte, heading string) (rows [][]string) {
	t.Helper()
	inside := false
	for line := range strings.Lines(string(document)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
			inside = strings.TrimLeft(line, "# ") == heading
		case inside && strings.HasPrefix(line, "|---"):
			rows = rows[:len(rows)-1] // the table's head
		case inside && strings.HasPrefix(line, "|"):
			cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		}
	}
	if len(rows) == 0 {
		t.Fatalf("there is no table below %s", heading)
	}
	return rows
}

// Code returns a text as the first column of a table has it.
func Code(text string) string { return "`" + text + "`" }
