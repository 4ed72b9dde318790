package requesttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ReadFile reads a file by its path in the repository. Tests run in the folders of their packages.
func ReadFile(name string) (text []byte, err error) {
	for range 6 { // folders
		if text, err = os.ReadFile(name); err == nil {
			return text, nil
		}
		name = filepath.Join("..", name)
	}
	return nil, err
}

// Protocol returns the text of infra/protocol.md.
func Protocol(t *testing.T) string {
	t.Helper()
	text, err := ReadFile("infra/protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
