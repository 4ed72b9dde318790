package local

import (
	"bytes"
	"strings"
	"testing"
)

func TestLogLinesForPeople(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{`{"time":"2030-03-04T10:00:01.5Z","level":"INFO","msg":"request","request":"ab","route":"POST /api/v1/session",` +
			`"status":200,"ms":3}`,
			"10:00:01  200  POST /api/v1/session  3 ms"},
		{`{"time":"2030-03-04T10:00:01Z","level":"INFO","msg":"request","request":"ab","route":"POST /api/v1/session",` +
			`"status":400,"ms":0,"code":1,"paths":"order.amount hash"}`,
			"10:00:01  400  POST /api/v1/session  0 ms  paths: order.amount hash"},
		{`{"time":"2030-03-04T10:00:01Z","level":"ERROR","msg":"request","route":" unknown","status":500,"ms":0,` +
			`"error":"the store is down"}`,
			"10:00:01  500  unknown  0 ms  error: the store is down"},
		{`{"time":"2030-03-04T10:00:01Z","level":"INFO","msg":"session","session":"x","sessions":1,"_aws":{}}`, ""},
		{`{"time":"2030-03-04T10:00:01Z","level":"INFO","msg":"callback","state":"delivered","callback":"msg_1",` +
			`"status":200,"tries":1,"error":"","_aws":{}}`,
			"10:00:01  callback msg_1  delivered, try 1, HTTP 200"},
		{`{"time":"2030-03-04T10:00:01Z","level":"INFO","msg":"callback","state":"waiting","callback":"msg_1","status":0,` +
			`"tries":2,"error":"connection refused"}`,
			"10:00:01  callback msg_1  waiting, try 2: connection refused"},
		{`{"time":"2030-03-04T10:00:01Z","level":"WARN","msg":"provider not reached","payment":"p-1","error":"no route",` +
			`"_aws":{}}`,
			"10:00:01  WARN  provider not reached  error: no route  payment: p-1"},
		{`{"time":"2030-03-04T10:00:01Z","level":"INFO","msg":"outcome unknown","connector":"voucher","payment":"p-1",` +
			`"error":"EOF","unknown_outcomes":1,"stack":"local","_aws":{},"request":"ab"}`,
			"10:00:01  outcome unknown  connector: voucher  error: EOF  payment: p-1"},
		{`{"time":"2030-03-04T10:00:01Z","level":"INFO","msg":"required action refused","connector":"adapter",` +
			`"payment":"p-1","member":"url","fault":"is too long","refused_actions":1,"unknown_outcomes":1,"stack":"local"}`,
			"10:00:01  required action refused  connector: adapter  fault: is too long  member: url  payment: p-1"},
		{`session | {"time":"2030-03-04T10:00:01Z","level":"INFO","msg":"request","route":"GET /x","status":200,"ms":1}`,
			"10:00:01  200  GET /x  1 ms"},
		{`panic: out of luck`, "panic: out of luck"},
	} {
		for name, want := range map[string]string{"": test.want, "json": test.line} {
			var out bytes.Buffer
			if _, err := LogTo(func(string) string { return name }, &out).Write([]byte(test.line + "\n")); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSuffix(out.String(), "\n"); got != want {
				t.Errorf("LOG=%s: %q, want %q", name, got, want)
			}
		}
	}
}
