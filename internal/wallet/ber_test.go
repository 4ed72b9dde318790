package wallet

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestDER(t *testing.T) {
	long := func(n int) string { return strings.Repeat("a", n) }
	sixteen := ""
	for range 16 {
		sixteen = "\x30" + string(rune(len(sixteen))) + sixteen
	}
	for _, test := range []struct{ ber, der string }{
		{"\x04\x00", "\x04\x00"},
		{"\x04\x01a", "\x04\x01a"},
		{"\x04\x81\x01a", "\x04\x01a"},
		{"\x04\x82\x00\x01a", "\x04\x01a"},
		{"\x04\x7f" + long(127), "\x04\x7f" + long(127)},
		{"\x04\x82\x00\x80" + long(128), "\x04\x81\x80" + long(128)},
		{"\x04\x82\x01\x00" + long(256), "\x04\x82\x01\x00" + long(256)},
		{"\x30\x00", "\x30\x00"},
		{"\x30\x04\x04\x00\x05\x00", "\x30\x04\x04\x00\x05\x00"},
		{"\x30\x80\x00\x00", "\x30\x00"},
		{"\x30\x80\x04\x01a\x00\x00", "\x30\x03\x04\x01a"},
		{"\x30\x80\x30\x80\x04\x00\x00\x00\x04\x00\x00\x00", "\x30\x06\x30\x02\x04\x00\x04\x00"},
		{"\x30\x06\x30\x80\x04\x00\x00\x00", "\x30\x04\x30\x02\x04\x00"},
		{"\x30\x80\x04\x81\x80" + long(128) + "\x00\x00", "\x30\x81\x83\x04\x81\x80" + long(128)},
		{strings.Repeat("\x30\x80", 16) + strings.Repeat("\x00\x00", 16), sixteen},
		{"", ""},
		{"\x04", ""},
		{"\x04\x01", ""},
		{"\x04\x01ab", ""},
		{"\x04\x80a\x00\x00", ""},
		{"\x04\x81", ""},
		{"\x04\x82\x01", ""},
		{"\x04\x83\x00\x00\x01a", ""},
		{"\x04\x84\xff\xff\xff\xff", ""},
		{"\x04\xff", ""},
		{"\x1f\x01a", ""},
		{"\x3f\x80\x00\x00", ""},
		{"\x30\x01\x04", ""},
		{"\x30\x02\x04\x01a", ""},
		{"\x30\x03\x04\x00\x05\x00", ""},
		{"\x30\x80", ""},
		{"\x30\x80\x00", ""},
		{"\x30\x80\x04\x00\x00", ""},
		{"\x30\x80\x00\x00\x00\x00", ""},
		{"\x30\x04\x30\x80\x04\x00\x00\x00", ""},
		{strings.Repeat("\x30\x80", 17) + strings.Repeat("\x00\x00", 17), ""},
	} {
		der, err := toDER([]byte(test.ber))
		if string(der) != test.der || (err == nil) != (test.der != "") || err != nil && err != ErrMalformed {
			t.Errorf("%.40x: %x, %v", test.ber, der, err)
		}
	}
}

// Whatever somebody sends as a signature is read in time, also what would keep the package pkcs7 busy for ever.
func TestSignaturesThatTakeLong(t *testing.T) {
	for name, signature := range map[string][]byte{
		"elements that end behind their own": bytes.Repeat([]byte{0x30, 0x02, 0x30, 0x7f}, maxSignature/4),
		"without an end":                     bytes.Repeat([]byte{0x30, 0x80}, maxSignature/2),
		"wide":                               append([]byte{0x30, 0x80}, make([]byte, maxSignature)...),
	} {
		began := time.Now()
		_, err := signingTime(signature, nil, AppleRoot())
		if err == nil || time.Since(began) > 5*time.Minute {
			t.Errorf("%s: %v after %v", name, err, time.Since(began))
		}
	}
}
