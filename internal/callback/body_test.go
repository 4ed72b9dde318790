package callback

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"checkout/internal/request"
	"checkout/internal/signature"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func TestSignWebhookIsVerifiedByTheStandardsLibrary(t *testing.T) {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	at := time.Unix(1893456000, 999)
	body := []byte(`id=1&order_description=ü%20%26`)
	verifier, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := signature.Webhook(secret, "payment-1", at, body)
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{}
	header.Set("webhook-id", "payment-1")
	header.Set("webhook-timestamp", strconv.FormatInt(at.Unix(), 10))
	header.Set("webhook-signature", signature)
	if err := verifier.VerifyIgnoringTimestamp(body, header); err != nil {
		t.Fatalf("%s: %v", signature, err)
	}
	if verifier.VerifyIgnoringTimestamp(append(body, ' '), header) == nil {
		t.Error("another body was verified")
	}
	header.Set("webhook-id", "payment-2")
	if verifier.VerifyIgnoringTimestamp(body, header) == nil {
		t.Error("another id was verified")
	}
}

func TestSignWebhookRefusesBadSecrets(t *testing.T) {
	for _, secret := range []string{"", "whsec_", "whsec_!!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"} {
		if signature, err := signature.Webhook(secret, "id", time.Unix(0, 0), nil); err == nil || signature != "" {
			t.Errorf("secret %q: %q, %v", secret, signature, err)
		} else if len(secret) > 6 && strings.Contains(err.Error(), secret[6:]) {
			t.Errorf("the error shows the secret: %v", err)
		}
	}
}

func TestEncodeCallback(t *testing.T) {
	tests := []struct {
		name       string
		fields     []request.Field
		form, json string
	}{
		{"nothing", nil, ``, `{}`},
		{"in order, empty left out",
			[]request.Field{{Name: "b", Value: "2"}, {Name: "empty", Value: ""}, {Name: "a", Value: "1"}},
			`b=2&a=1`, `{"b":"2","a":"1"}`},
		{"escaped", []request.Field{{Name: "d", Value: "a b&c=ü+\"\n"}},
			`d=a+b%26c%3D%C3%BC%2B%22%0A`, `{"d":"a b\u0026c=ü+\"\n"}`},
		{"nested", []request.Field{{Name: "c[x]", Value: "1"}, {Name: "z", Value: "0"}, {Name: "c[y][k]", Value: "2"}},
			`c%5Bx%5D=1&z=0&c%5By%5D%5Bk%5D=2`, `{"c":{"x":"1","y":{"k":"2"}},"z":"0"}`},
		{"list", []request.Field{{Name: "c[0]", Value: "a"}, {Name: "c[1][k]", Value: "b"}},
			`c%5B0%5D=a&c%5B1%5D%5Bk%5D=b`, `{"c":["a",{"k":"b"}]}`},
		{"list with a gap",
			[]request.Field{{Name: "c[0]", Value: "a"}, {Name: "c[1]", Value: ""}, {Name: "c[2]", Value: "b"}},
			`c%5B0%5D=a&c%5B2%5D=b`, `{"c":{"0":"a","2":"b"}}`},
		{"the top is no list", []request.Field{{Name: "0", Value: "a"}}, `0=a`, `{"0":"a"}`},
		{"same name twice", []request.Field{{Name: "a", Value: "1"}, {Name: "a", Value: "2"}}, `a=1&a=2`, `{"a":"2"}`},
		{"value where an object is due", []request.Field{{Name: "c[x]", Value: "1"}, {Name: "c[x][y]", Value: "2"}},
			`c%5Bx%5D=1&c%5Bx%5D%5By%5D=2`, `{"c":{"x":"1"},"c[x][y]":"2"}`},
		{"object where a value is due", []request.Field{{Name: "c[x][y]", Value: "2"}, {Name: "c[x]", Value: "1"}},
			`c%5Bx%5D%5By%5D=2&c%5Bx%5D=1`, `{"c":{"x":{"y":"2"}},"c[x]":"1"}`},
		{"brackets that don't match",
			[]request.Field{{Name: "c[x", Value: "1"}, {Name: "[y]", Value: "2"}, {Name: "c[a[b]]", Value: "3"}},
			`c%5Bx=1&%5By%5D=2&c%5Ba%5Bb%5D%5D=3`, `{"c[x":"1","[y]":"2","c":{"a[b]":"3"}}`},
		{"no name between brackets", []request.Field{{Name: "c[]", Value: "1"}}, `c%5B%5D=1`, `{"c":{"":"1"}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			form, object := encodeForm(test.fields), encodeJSON(test.fields)
			if string(form) != test.form {
				t.Errorf("form %s, want %s", form, test.form)
			}
			if string(object) != test.json {
				t.Errorf("JSON %s, want %s", object, test.json)
			}
			if !json.Valid(object) {
				t.Error("invalid JSON")
			}
			if _, err := url.ParseQuery(string(form)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDeepNamesAreEncodedWhole(t *testing.T) {
	deep := strings.Repeat("][", 100_000)
	if object := encodeJSON([]request.Field{{Name: "custom_data[" + deep + "]", Value: "1"}}); len(object) < 100_000 {
		t.Errorf("a deep name made %d bytes", len(object))
	}
}
