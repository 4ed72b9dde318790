package function

import (
	"bytes"
	"strings"
	"testing"
)

// A start is one line of the log with the version, whether it succeeds or not.
func TestAStartIsLoggedWithItsVersion(t *testing.T) {
	whole := map[string]string{"STACK": "s", "TABLE": "t", "PAYMENT_RETENTION_DAYS": "0", "AWS_REGION": "r"}
	for want, env := range map[string]map[string]string{
		`"level":"INFO","msg":"start","version":"dev"}`:                                         whole,
		`"level":"ERROR","msg":"start","version":"dev","error":"the environment has no STACK\n`: nil,
	} {
		var log bytes.Buffer
		a, err := start(Unknown, func(name string) string { return env[name] }, Logger(&log))
		line := log.String()
		if strings.Count(line, "\n") != 1 || !strings.Contains(line, want) || (a == nil) != (err != nil) {
			t.Errorf("%v, logged %s", err, line)
		}
	}
}
