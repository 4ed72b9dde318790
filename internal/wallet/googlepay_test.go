package wallet

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"
	"time"

	"checkout/internal/wallet/testwallet"
)

// What is over is over from that millisecond on.
func TestTimesOfGoogle(t *testing.T) {
	const day = 24 * time.Hour
	for name, test := range map[string]struct {
		fault    testwallet.Fault
		root     time.Duration // until when the root is good, after the payer confirmed
		sent     time.Duration
		opened   error
		verified error
	}{
		"at once":                      {"", day, 0, nil, nil},
		"days later":                   {"", 9 * day, 5*day - time.Millisecond, nil, nil},
		"intermediate is over":         {"", 9 * day, 5 * day, ErrExpired, ErrExpired},
		"root is not over":             {"", day, day - 1, nil, nil},
		"root is over":                 {"", day, day, ErrChain, ErrChain},
		"message is not over":          {testwallet.Expired, day, -time.Millisecond, nil, nil},
		"message is over":              {testwallet.Expired, day, 0, ErrExpired, nil},
		"all are over":                 {testwallet.Expired, day, 99 * day, ErrChain, ErrChain},
		"the payer's clock is ahead":   {"", day, -time.Hour, nil, nil},
		"the message alone, days late": {testwallet.Expired, 9 * day, day, ErrExpired, nil},
	} {
		t.Run(name, func(t *testing.T) {
			token := newToken(t, testwallet.GooglePay, content(), test.fault)
			check := googleCheck()
			check.At = sentAt.Add(test.sent)
			google := Google{Roots: []RootKey{{Key: testwallet.GoogleRoot(), Until: sentAt.Add(test.root)}}}
			opened, err := google.Open(token, []PrivateKey{recipientKey(t)}, check)
			expectQuiet(t, opened, err, token)
			expect(t, err, test.opened)
			_, err = google.Verify(token, check)
			expect(t, err, test.verified)
		})
	}
}

// The token is changed as a text, since what is signed are texts.
func TestSignedFieldsOfGoogle(t *testing.T) {
	token := newToken(t, testwallet.GooglePay, content(), "")
	for name, test := range map[string]struct {
		old, new string
		want     error
	}{
		"ECv1":                     {`"ECv2"`, `"ECv1"`, ErrVersion},
		"of passes":                {`"ECv2"`, `"ECv2SigningOnly"`, ErrVersion},
		"no version":               {`"protocolVersion":"ECv2",`, ``, ErrMalformed},
		"message decoded twice":    {`\\u003d\",\"tag`, `=\",\"tag`, ErrSignature},
		"key decoded twice":        {`\\u003d\\u003d\",\"keyExpiration`, `==\",\"keyExpiration`, ErrChain},
		"escaped once more":        {`\"tag\"`, `\u005c\"tag\"`, ErrSignature},
		"a space":                  {`{\"encryptedMessage`, `{ \"encryptedMessage`, ErrSignature},
		"longer life of the key":   {`keyExpiration\":\"1`, `keyExpiration\":\"2`, ErrChain},
		"another key":              {`IKoZIzj0DAQcDQgAE`, `IKoZIzj0DAQcDQgAF`, ErrChain},
		"no signature of the key":  {`"signatures":["`, `"signatures":[],"x":["`, ErrMalformed},
		"signatures as a text":     {`"signatures":["`, `"signatures":"","x":["`, ErrMalformed},
		"a number of signatures":   {`"signatures":["`, `"signatures":[1,"`, ErrMalformed},
		"a bad one before":         {`"signatures":["`, `"signatures":["MEUC","`, nil},
		"escapes of other letters": {`"signedMessage":"{\"encrypted`, `"signedMessage":"\u007b\"encrypted`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(token, test.old, test.new, 1)
			if changed == token {
				t.Fatalf("%s is not in the token", test.old)
			}
			_, err := open(t, testwallet.GooglePay, changed, googleCheck())
			expect(t, err, test.want)
		})
	}
}

// A token is for one recipient. In the virtual flow nobody here has to know which.
func TestRecipientsOfGoogle(t *testing.T) {
	token := newToken(t, testwallet.GooglePay, content(), "")
	for _, test := range []struct {
		recipients       []string
		opened, verified error
	}{
		{[]string{testwallet.Recipient}, nil, nil},
		{[]string{"merchant:1", testwallet.Recipient}, nil, nil},
		{[]string{"merchant:1234567890123456789"}, ErrRecipient, ErrRecipient},
		{[]string{"gateway:12345678901234567890"}, ErrRecipient, ErrRecipient},
		{[]string{"12345678901234567890"}, ErrRecipient, ErrRecipient},
		{nil, ErrRecipient, nil},
	} {
		check := googleCheck()
		check.Recipients = test.recipients
		_, err := open(t, testwallet.GooglePay, token, check)
		expect(t, err, test.opened)
		_, err = sandboxGoogle().Verify(token, check)
		expect(t, err, test.verified)
	}
}

func TestSettingsOfGoogle(t *testing.T) {
	for name, test := range map[string]struct {
		gateway, ofToken string
		panOnly          bool
		authMethods      []string
		want             error
	}{
		"same merchant of the gateway":  {"m1", "m1", false, []string{Cryptogram3DS}, nil},
		"other merchant of the gateway": {"m1", "m2", false, []string{Cryptogram3DS}, ErrRecipient},
		"no merchant of the gateway":    {"m1", "", false, []string{Cryptogram3DS}, ErrRecipient},
		"of a gateway, not compared":    {"", "m1", false, []string{Cryptogram3DS}, nil},
		"card's number":                 {"", "", true, []string{Cryptogram3DS, PANOnly}, nil},
		"card's number not allowed":     {"", "", true, []string{Cryptogram3DS}, ErrAuthMethod},
		"cryptogram not allowed":        {"", "", false, []string{PANOnly}, ErrAuthMethod},
		"nothing allowed":               {"", "", true, nil, ErrAuthMethod},
	} {
		t.Run(name, func(t *testing.T) {
			c := content()
			c.GatewayMerchantID, c.PANOnly = test.ofToken, test.panOnly
			check := googleCheck()
			check.GatewayMerchantID, check.AuthMethods = test.gateway, test.authMethods
			_, err := open(t, testwallet.GooglePay, newToken(t, testwallet.GooglePay, c, ""), check)
			expect(t, err, test.want)
		})
	}
}

func TestDecryptionOfGoogle(t *testing.T) {
	var token struct {
		Message string `json:"signedMessage"`
	}
	if err := json.Unmarshal([]byte(newToken(t, testwallet.GooglePay, content(), "")), &token); err != nil {
		t.Fatal(err)
	}
	good := recipientKey(t)
	other, err := ParsePrivateKey(testwallet.ProcessingKey())
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		keys   []PrivateKey
		change func(*googleMessage)
		want   error
	}{
		"newer and older":  {[]PrivateKey{other, good}, nil, nil},
		"older and newer":  {[]PrivateKey{good, other}, nil, nil},
		"other":            {[]PrivateKey{other}, nil, ErrDecrypt},
		"none":             {nil, nil, ErrDecrypt},
		"bad tag":          {[]PrivateKey{good}, func(m *googleMessage) { m.tag[0] ^= 1 }, ErrDecrypt},
		"short tag":        {[]PrivateKey{good}, func(m *googleMessage) { m.tag = m.tag[:31] }, ErrDecrypt},
		"bad ciphertext":   {[]PrivateKey{good}, func(m *googleMessage) { m.ciphertext[0] ^= 1 }, ErrDecrypt},
		"not on the curve": {[]PrivateKey{good}, func(m *googleMessage) { m.ephemeral[64] ^= 1 }, ErrMalformed},
		"infinity":         {[]PrivateKey{good}, func(m *googleMessage) { m.ephemeral = []byte{0} }, ErrMalformed},
		"compressed point": {[]PrivateKey{good}, func(m *googleMessage) {
			m.ephemeral = append([]byte{2 + m.ephemeral[64]&1}, m.ephemeral[1:33]...)
		}, ErrMalformed},
	} {
		m, err := parseGoogleMessage(token.Message)
		if err != nil {
			t.Fatal(err)
		}
		if test.change != nil {
			test.change(&m)
		}
		plain, err := m.decrypt(test.keys)
		if expect(t, err, test.want); t.Failed() || (plain == nil) != (err != nil) {
			t.Fatalf("%s: %q", name, plain)
		}
	}
}

func TestContentOfGoogle(t *testing.T) {
	const plain = `{"messageExpiration":"1800000000000","messageId":"A-1","paymentMethod":"CARD","paymentMethodDetails":` +
		`{"expirationYear":2038,"expirationMonth":1,"pan":"4111111111111111","authMethod":"CRYPTOGRAM_3DS",` +
		`"eciIndicator":"07","cryptogram":"9QRiG5ehaNLq4KvIukP9gUDQ/+8=","assuranceDetails":{"accountVerified":true}}}`
	opened, err := openGoogle([]byte(plain), googleCheck())
	if err != nil || opened.ECI != "07" || opened.ID != hashOf([]byte("A-1")) {
		t.Errorf("%+v, %v", opened, err)
	}
	for _, test := range []struct {
		old, new string
		want     error
	}{
		{`"eciIndicator":"07",`, ``, nil},
		{`"07"`, `""`, nil},
		{`"07"`, `"7 "`, ErrMalformed},
		{`"cryptogram":"9QRiG5ehaNLq4KvIukP9gUDQ/+8=",`, ``, ErrMalformed},
		{`CRYPTOGRAM_3DS`, `PAN_ONLY`, nil},
		{`CRYPTOGRAM_3DS`, `3DS`, ErrAuthMethod},
		{`"CARD"`, `"TOKENIZED_CARD"`, ErrMalformed},
		{`"messageId":"A-1",`, ``, ErrMalformed},
		{`"A-1"`, `""`, ErrMalformed},
		{`"messageExpiration":"1800000000000",`, ``, ErrMalformed},
		{`"1800000000000"`, `1800000000000`, ErrMalformed},
		{`"1800000000000"`, `"9223372036854775808"`, ErrMalformed},
		{`"1800000000000"`, `"-1"`, ErrMalformed},
		{`"1800000000000"`, `"1700000000000"`, ErrExpired},
		{`:1,`, `:0,`, ErrMalformed},
		{`:1,`, `:13,`, ErrMalformed},
		{`:1,`, `:"01",`, ErrMalformed},
		{`2038`, `38`, ErrMalformed},
		{`2038`, `2038.5`, ErrMalformed},
		{`2038`, `10000`, ErrMalformed},
		{`"4111111111111111"`, `"4111111111111l11"`, ErrMalformed},
		{`"pan"`, `"PAN"`, ErrMalformed},
		{`"pan":`, `"pan":"1","pan":`, ErrMalformed},
	} {
		changed := strings.Replace(plain, test.old, test.new, 1)
		if changed == plain {
			t.Fatalf("%s is not in the content", test.old)
		}
		opened, err := openGoogle([]byte(changed), googleCheck())
		expectQuiet(t, opened, err, changed)
		if expect(t, err, test.want); t.Failed() {
			t.Fatal(test.new)
		}
	}
	late := googleCheck()
	late.AuthMethods = []string{"3DS"} // even if the settings allow what nobody knows
	_, err = openGoogle([]byte(strings.Replace(plain, "CRYPTOGRAM_3DS", "3DS", 1)), late)
	expect(t, err, ErrAuthMethod)
}

// Keys of Google Pay are of P-256, in one of the forms that tools write.
func TestPrivateKeys(t *testing.T) {
	write := func(curve elliptic.Curve, pkcs8 bool) string {
		key, err := ecdsa.GenerateKey(curve, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		kind, der := "EC PRIVATE KEY", []byte(nil)
		if der, err = x509.MarshalECPrivateKey(key); pkcs8 {
			kind = "PRIVATE KEY"
			der, err = x509.MarshalPKCS8PrivateKey(key)
		}
		if err != nil {
			t.Fatal(err)
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	ofRSA := x509.MarshalPKCS1PrivateKey(rsaKeys()[0])
	for name, test := range map[string]struct {
		text string
		good bool
	}{
		"SEC 1":         {write(elliptic.P256(), false), true},
		"PKCS #8":       {write(elliptic.P256(), true), true},
		"behind others": {testwallet.ProcessingCertificate() + write(elliptic.P256(), true), true},
		"P-384":         {write(elliptic.P384(), true), false},
		"P-224":         {write(elliptic.P224(), false), false},
		"RSA":           {string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: ofRSA})), false},
		"certificate":   {testwallet.ProcessingCertificate(), false},
		"nothing":       {"", false},
		"cut":           {write(elliptic.P256(), true)[:100], false},
	} {
		made, err := ParsePrivateKey(test.text)
		if (err == nil) != test.good || (made.key == nil) == test.good {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := parseSigningKey(strings.Repeat("A", 40)); err != ErrMalformed {
		t.Error(err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parseSigningKey(base64.StdEncoding.EncodeToString(der)); err != ErrMalformed {
		t.Errorf("a key of P-384 signs tokens: %v", err)
	}
}

// What a root has signed is read with as much care as what anybody sends.
func TestIntermediateKeysOfGoogle(t *testing.T) {
	root, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&root.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	value := `"keyValue":"` + base64.StdEncoding.EncodeToString(der) + `"`
	for _, test := range []struct {
		key  string
		want error
	}{
		{`{` + value + `,"keyExpiration":"9000000000000"}`, nil},
		{`{` + value + `,"keyExpiration":"1000000000000"}`, ErrExpired},
		{`{` + value + `,"keyExpiration":9000000000000}`, ErrMalformed},
		{`{` + value + `,"keyExpiration":"soon"}`, ErrMalformed},
		{`{` + value + `}`, ErrMalformed},
		{`{"keyValue":"AAAA","keyExpiration":"9000000000000"}`, ErrMalformed},
		{`{"keyValue":"","keyExpiration":"9000000000000"}`, ErrMalformed},
		{`{"keyExpiration":"9000000000000"}`, ErrMalformed},
		{`[]`, ErrMalformed},
		{`x`, ErrMalformed},
	} {
		signed := "\x06\x00\x00\x00Google\x04\x00\x00\x00ECv2" +
			string(binary.LittleEndian.AppendUint32(nil, uint32(len(test.key)))) + test.key
		sum := sha256.Sum256([]byte(signed))
		signature, err := ecdsa.SignASN1(rand.Reader, root, sum[:])
		if err != nil {
			t.Fatal(err)
		}
		token := googleToken{signedKey: test.key, keySignatures: [][]byte{signature}}
		google := Google{Roots: []RootKey{{Key: &root.PublicKey, Until: sentAt.Add(1)}}}
		if _, err := google.verify(token, Check{At: sentAt}); err != test.want {
			t.Errorf("%s: %v, not %v", test.key, err, test.want)
		}
	}
}

func TestMessagesOfGoogle(t *testing.T) {
	for text, good := range map[string]bool{
		`{"encryptedMessage":"AA==","ephemeralPublicKey":"AA==","tag":"AA=="}`:         true,
		`{"encryptedMessage":"AA==","ephemeralPublicKey":"AA==","tag":"AA==","x":[1]}`: true,
		`{"encryptedMessage":"AA","ephemeralPublicKey":"AA==","tag":"AA=="}`:           false,
		`{"encryptedMessage":"AA==","ephemeralPublicKey":"*","tag":"AA=="}`:            false,
		`{"encryptedMessage":"AA==","ephemeralPublicKey":"AA=="}`:                      false,
		`{"encryptedMessage":"AA==","tag":"AA=="}`:                                     false,
		`{"ephemeralPublicKey":"AA==","tag":"AA=="}`:                                   false,
		`[]`: false,
		``:   false,
	} {
		if _, err := parseGoogleMessage(text); (err == nil) != good || err != nil && err != ErrMalformed {
			t.Errorf("%s: %v", text, err)
		}
	}
}
