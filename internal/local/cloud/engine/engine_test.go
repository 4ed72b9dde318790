package engine

import (
	"strings"
	"testing"
)

func TestMissingEnginesAreOneClearLine(t *testing.T) {
	_, err := Start(t.Context(), Config{Dir: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "run `make tools`") || strings.Contains(err.Error(), "\n") {
		t.Errorf("engines: %v", err)
	}
	t.Setenv("PATH", "")
	if _, err := Start(t.Context(), Config{Dir: t.TempDir()}); err == nil ||
		!strings.Contains(err.Error(), "java is missing") {
		t.Errorf("java: %v", err)
	}
	e, err := Start(t.Context(), Config{DynamoDB: "http://d", SQS: "http://s"})
	if err != nil || len(e.Processes()) != 0 || e.DynamoDB != "http://d" || e.SQS != "http://s" {
		t.Errorf("running engines: %+v %v", e, err)
	}
}
