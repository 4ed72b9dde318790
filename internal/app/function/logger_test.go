package function_test

import (
	"bytes"
	"regexp"
	"testing"

	"checkout/internal/app/function"
)

func TestLogLinesAreShort(t *testing.T) {
	var out bytes.Buffer
	function.Logger(&out).Info("callback", "state", "delivered", "error", "", "tries", 0)
	want := regexp.MustCompile(`^\{"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z",` +
		`"level":"INFO","msg":"callback","state":"delivered","tries":0\}\n$`)
	if !want.Match(out.Bytes()) {
		t.Errorf("%s", out.String())
	}
}
