package wallet

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"checkout/internal/wallet/testwallet"
)

func TestObjects(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	lists := func(n int) string { return `{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}" }
	wide := func(n int) string {
		var fields []string
		for i := range n {
			fields = append(fields, `"`+strings.Repeat("a", i+1)+`":1`)
		}
		return "{" + strings.Join(fields, ",") + "}"
	}
	list := func(n int) string { return `{"a":[` + strings.Repeat("1,", n-1) + `1]}` }
	for _, test := range []struct {
		text string
		good bool
	}{
		{`{}`, true},
		{" {\"a\" : [ 1, {\"b\": null} ] }\r\n\t", true},
		{`{"a":1,"A":2}`, true},
		{`{"a":"\u003d"}`, true},
		{deep(8), true},
		{deep(9), false},
		{lists(7), true},
		{lists(8), false},
		{strings.Repeat("[", 4000), false},
		{strings.Repeat(`{"a":`, 1600), false},
		{wide(32), true},
		{wide(33), false},
		{list(32), true},
		{list(33), false},
		{``, false},
		{` `, false},
		{`null`, false},
		{`[]`, false},
		{`[{}]`, false},
		{`"{}"`, false},
		{`{"a":1,"a":1}`, false},
		{`{"a":1,"\u0061":1}`, false},
		{`{"a":{"b":1,"b":2}}`, false},
		{`{"a":[{"b":1,"b":2}]}`, false},
		{`{}{}`, false},
		{`{},`, false},
		{`{}x`, false},
		{"{}\x00", false},
		{"\xef\xbb\xbf{}", false},
		{"{\"a\":\"\xff\"}", false},
		{`{"a":1,}`, false},
		{`{"a":01}`, false},
		{`{"a"}`, false},
		{`{"a":}`, false},
		{`{a:1}`, false},
		{`{'a':1}`, false},
		{`{"a":1`, false},
		{`{"a":[1}`, false},
		{`{"a":NaN}`, false},
		{"{\"a\":\"\n\"}", false},
	} {
		o, err := parseObject([]byte(test.text))
		if (err == nil) != test.good || (o == nil) == test.good || err != nil && err != ErrMalformed {
			t.Errorf("%.40s: %v, %v", test.text, o, err)
		}
	}
}

// Keys are compared byte for byte: encoding/json would take one that is written otherwise.
func TestKeysOfTokensAreExact(t *testing.T) {
	for _, kind := range []testwallet.Kind{testwallet.ApplePay, testwallet.GooglePay} {
		check := googleCheck()
		if kind == testwallet.ApplePay {
			check = appleCheck(t)
		}
		token := newToken(t, kind, content(), "")
		var fields map[string]any
		if err := json.Unmarshal([]byte(token), &fields); err != nil {
			t.Fatal(err)
		}
		for name := range fields {
			for _, other := range []string{strings.ToUpper(name), strings.ReplaceAll(name, "s", "ſ") + " ", ""} {
				changed := strings.Replace(token, `"`+name+`":`, `"`+other+`":`, 1)
				_, err := open(t, kind, changed, check)
				expect(t, err, ErrMalformed)
			}
			twice := strings.Replace(token, `"`+name+`":`, `"`+name+`":"x","`+name+`":`, 1)
			_, err := open(t, kind, twice, check)
			expect(t, err, ErrMalformed)
			null := strings.Replace(token, `"`+name+`":`, `"`+name+`":null,"x":`, 1)
			_, err = open(t, kind, null, check)
			expect(t, err, ErrMalformed)
		}
	}
}

// A token of any size is refused before a byte of it is read, and each field has a limit of its own.
func TestSizes(t *testing.T) {
	for _, kind := range []testwallet.Kind{testwallet.ApplePay, testwallet.GooglePay} {
		check, last := googleCheck(), "}"
		if kind == testwallet.ApplePay {
			check = appleCheck(t)
		}
		token := newToken(t, kind, content(), "")
		full := strings.TrimSuffix(token, last) + strings.Repeat(" ", MaxToken-len(token)) + last
		_, err := open(t, kind, full, check)
		expect(t, err, nil)
		_, err = open(t, kind, full+" ", check)
		expect(t, err, ErrSize)
		_, err = open(t, kind, strings.Repeat("\xff", MaxToken+1), check)
		expect(t, err, ErrSize)
	}
	for field, limit := range map[string]int{
		"data": maxData, "ephemeralPublicKey": maxKey, "publicKeyHash": 64,
	} {
		expectLimit(t, testwallet.ApplePay, field, limit, appleCheck(t))
	}
	for field, limit := range map[string]int{"signature": 256, "signedKey": 1 << 10, "signedMessage": 6 << 10} {
		expectLimit(t, testwallet.GooglePay, field, limit, googleCheck())
	}
}

// expectLimit checks that a field is too long for its format, and before that only wrong.
func expectLimit(t *testing.T, kind testwallet.Kind, field string, limit int, check Check) {
	t.Helper()
	token := newToken(t, kind, content(), "")
	before, after, found := strings.Cut(token, `"`+field+`":"`)
	value, after, _ := strings.Cut(after, `"`)
	if !found {
		t.Fatalf("%s is not in the token", field)
	}
	if strings.HasSuffix(value, `\`) { // it has quotes in it
		value, after = "", after[strings.Index(after, `}"`)+2:]
	}
	for _, size := range []int{limit, limit + 4} {
		_, err := open(t, kind, before+`"`+field+`":"`+strings.Repeat("AAAA", size/4)+`"`+after, check)
		if err == nil || (size > limit) != errors.Is(err, ErrMalformed) {
			t.Errorf("%s of %d characters: %v", field, size, err)
		}
	}
}

// FuzzOpen opens anything: there is no panic, an error is one of ours, and what opens is what was made.
func FuzzOpen(f *testing.F) {
	for _, kind := range []testwallet.Kind{testwallet.ApplePay, testwallet.GooglePay} {
		for _, fault := range append(testwallet.Faults(kind), "") {
			f.Add(newToken(f, kind, content(), fault))
		}
	}
	f.Add(`{"version":"RSA_v1","data":"AA==","signature":"MIAGCSqGSIb3DQEHAqCAMIA=","header":{"wrappedKey":"AA==",` +
		`"publicKeyHash":"AA==","transactionId":"00"}}`)
	f.Add(`{"protocolVersion":"ECv2","signature":"AA==","signedMessage":"{}","intermediateSigningKey":` +
		`{"signedKey":"{}","signatures":["AA=="]}}`)
	f.Fuzz(func(t *testing.T, token string) {
		for _, kind := range []testwallet.Kind{testwallet.ApplePay, testwallet.GooglePay} {
			check := googleCheck()
			if kind == testwallet.ApplePay {
				check = appleCheck(t)
			}
			opened, err := open(t, kind, token, check)
			if err == nil && opened.Number != content().Number {
				t.Errorf("opened %+v", opened)
			}
			if err != nil && !isOurs(err) {
				t.Errorf("%v is none of this package's errors", err)
			}
		}
	})
}

// FuzzSignature reads anything as a signature and as its signed text: nobody but the root's certifies.
func FuzzSignature(f *testing.F) {
	root := testwallet.AppleRoot()
	p := partsOf(f, newToken(f, testwallet.ApplePay, content(), ""))
	signed := p.signed(f)
	f.Add(p.Signature, signed)
	f.Add([]byte{0x30, 0x80, 0x06, 0x09}, []byte{})
	f.Add([]byte(strings.Repeat("\x30\x80", 2000)), []byte{})
	f.Fuzz(func(t *testing.T, signature, content []byte) {
		at, err := signingTime(signature, content, root)
		if err == nil && (string(content) != string(signed) || !at.Equal(sentAt)) {
			t.Errorf("%x is signed at %v", content, at)
		}
		if err != nil && !isOurs(err) {
			t.Errorf("%v is none of this package's errors", err)
		}
	})
}

func isOurs(err error) bool {
	for _, ours := range []error{
		ErrSize, ErrMalformed, ErrVersion, ErrSignature, ErrChain, ErrMarkers, ErrSigningTime, ErrExpired, ErrUnknownKey,
		ErrRSA, ErrDecrypt, ErrSession, ErrAmount, ErrCurrency, ErrRecipient, ErrAuthMethod,
	} {
		if errors.Is(err, ours) {
			return true
		}
	}
	return false
}
