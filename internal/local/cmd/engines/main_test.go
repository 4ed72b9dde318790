package main

import (
	"os"
	"testing"
)

// The command finds the engines by their endpoints, and its exit code is passed on.
func TestRunsACommandBesideEngines(t *testing.T) {
	for name, url := range map[string]string{"DYNAMODB_ENDPOINT": "http://a", "SQS_ENDPOINT": "http://b"} {
		if os.Getenv(name) == "" {
			t.Setenv(name, url)
		}
	}
	for script, want := range map[string]int{
		`test -n "$DYNAMODB_ENDPOINT" -a -n "$SQS_ENDPOINT"`: 0, "exit 7": 7, "kill -9 $$": 1,
	} {
		if code, err := run([]string{"sh", "-c", script}); code != want || err != nil {
			t.Errorf("%s: %d %v", script, code, err)
		}
	}
	for _, words := range [][]string{nil, {"./no-such-command"}} {
		if code, err := run(words); code == 0 || err == nil {
			t.Errorf("%v: %d %v", words, code, err)
		}
	}
}
