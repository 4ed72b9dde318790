package requesttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Protocol returns the text of infra/protocol.md.
func Protocol(t *testing.T) string {
	t.Helper()
	path := "infra/protocol.md"
	for range 6 { // tests run in the folders of their packages
		if text, err := os.ReadFile(path); err == nil {
			return string(text)
		}
		path = filepath.Join("..", path)
	}
	t.Fatal("there is no infra/protocol.md")
	return ""
}

// ProtocolRows returns the rows of the tables below a heading of infra/protocol.md, without their heads. There has to
// be one.
func ProtocolRows(t *testing.T, heading string) (rows [][]string) {
	t.Helper()
	inside := false
	for line := range strings.Lines(Protocol(t)) {
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
		t.Fatalf("infra/protocol.md has no table below %s", heading)
	}
	return rows
}

// Code returns a text as the first column of a table has it.
func Code(text string) string { return "`" + text + "`" }
