package smoke

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

func TestFaults(t *testing.T) {
	const denied = `{"level":"WARN","msg":"job not sent","error":"User: arn:aws:sts::1:assumed-role/page is not ` +
		`authorized to perform: sqs:sendmessage on resource: arn:aws:sqs:eu:1:jobs because no policy allows it"}`
	for _, k := range [][2]string{
		{`{"level":"INFO","msg":"request","status":200,"route":"POST /api/v1/session"}`, ""},
		{`{"level":"WARN","msg":"job not sent, left to sweep","error":"timeout"}`, ""},
		{`{"type":"platform.report","record":{"status":"success"}}`, ""},
		{`{"type":"platform.report","record":{"status":"timeout"}}`, "platform.report of Lambda: timeout"},
		{`{"level":"ERROR","msg":"request","route":"GET /x","error":"read:\nno"}`, "request GET /x read: no"},
		{`panic: runtime error`, "panic: runtime error"},
		{`{"errorType":"Runtime.ExitError"}`, `{"errorType":"Runtime.ExitError"}`},
		{denied, "AccessDenied: it lacks sqs:sendmessage arn:aws:sqs:eu:1:jobs"},
		{`{"msg":"AccessDenied of another form"}`, `{"msg":"AccessDenied of another form"}`},
	} {
		if got := faultOf(k[0]); got != k[1] {
			t.Errorf("%s\n%q, want %q", k[0], got, k[1])
		}
	}
}

func TestLogsOfALocalRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	const before = "page | panic: before\n"
	const after = "page | one\nsweep | two\nwelcome\npage | three | four\n"
	if err := os.WriteFile(file, []byte(before+after), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := FileLogs{File: file, From: int64(len(before))}.Read(t.Context(), time.Time{})
	if want := map[string][]string{"page": {"one", "three | four"}, "sweep": {"two"}}; err != nil ||
		!reflect.DeepEqual(got, want) {
		t.Errorf("%v %v", got, err)
	}
}
