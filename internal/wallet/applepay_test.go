package wallet

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"slices"
	"strings"
	"testing"
	"time"

	"checkout/internal/wallet/testwallet"
)

// parts is a token of Apple Pay in fields that tests change.
type parts struct {
	Data      []byte         `json:"data"`
	Signature []byte         `json:"signature"`
	Header    map[string]any `json:"header"`
	Version   string         `json:"version"`
}

func partsOf(t testing.TB, token string) parts {
	t.Helper()
	var p parts
	if err := json.Unmarshal([]byte(token), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p parts) token(t testing.TB) string {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// signed returns what the wallet signs.
func (p parts) signed(t testing.TB) []byte {
	t.Helper()
	decode := func(text any, decode func(string) ([]byte, error)) []byte {
		if text == nil {
			return nil
		}
		b, err := decode(text.(string))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	key := p.Header["ephemeralPublicKey"]
	if key == nil {
		key = p.Header["wrappedKey"]
	}
	all := append(decode(key, base64.StdEncoding.DecodeString), p.Data...)
	all = append(all, decode(p.Header["transactionId"], hex.DecodeString)...)
	return append(all, decode(p.Header["applicationData"], hex.DecodeString)...)
}

// The window of the signing time has both of its borders in it.
func TestSigningTimeOfApple(t *testing.T) {
	token := newToken(t, testwallet.ApplePay, content(), "")
	for _, test := range []struct {
		sent time.Duration // after the signature
		want error
	}{
		{0, nil},
		{5 * time.Minute, nil},
		{5*time.Minute + 1, ErrSigningTime},
		{-time.Minute, nil},
		{-time.Minute - 1, ErrSigningTime},
		{24 * time.Hour, ErrSigningTime},
		{-24 * time.Hour, ErrSigningTime},
	} {
		check := appleCheck(t)
		check.At = sentAt.Add(test.sent)
		_, err := open(t, testwallet.ApplePay, token, check)
		expect(t, err, test.want)
		_, err = sandboxApple().Verify(token, check)
		expect(t, err, test.want)
	}
}

// Nothing that is signed can be changed, left out or moved from one field to another.
func TestSignedFieldsOfApple(t *testing.T) {
	flip := func(field string) func(*parts) {
		return func(p *parts) {
			text := []byte(p.Header[field].(string))
			text[40] ^= 1 // still hex or base64: the character beside it
			p.Header[field] = string(text)
		}
	}
	other := newToken(t, testwallet.ApplePay, func() testwallet.Content {
		c := content()
		c.ID = "other"
		return c
	}(), "")
	for name, test := range map[string]struct {
		change func(p *parts)
		want   error
	}{
		"transaction":         {flip("transactionId"), ErrSignature},
		"session":             {flip("applicationData"), ErrSignature},
		"no session":          {func(p *parts) { delete(p.Header, "applicationData") }, ErrSignature},
		"empty session":       {func(p *parts) { p.Header["applicationData"] = "" }, ErrSignature},
		"ephemeral key":       {flip("ephemeralPublicKey"), ErrSignature},
		"data":                {func(p *parts) { p.Data[3] ^= 1 }, ErrSignature},
		"data of another":     {func(p *parts) { p.Data = partsOf(t, other).Data }, ErrSignature},
		"signature of others": {func(p *parts) { p.Signature = partsOf(t, other).Signature }, ErrSignature},
		"key's last byte to data": {func(p *parts) {
			key, _ := base64.StdEncoding.DecodeString(p.Header["ephemeralPublicKey"].(string))
			p.Data = append([]byte{key[len(key)-1]}, p.Data...)
			p.Header["ephemeralPublicKey"] = base64.StdEncoding.EncodeToString(key[:len(key)-1])
		}, ErrMalformed}, // what was signed is the same, and no key comes of it
		"transaction to data": {func(p *parts) {
			transaction, _ := hex.DecodeString(p.Header["transactionId"].(string))
			p.Data = append(p.Data, transaction...)
			p.Header["transactionId"] = p.Header["applicationData"]
			delete(p.Header, "applicationData")
		}, ErrSession},
		"transaction's first byte to data": {func(p *parts) {
			transaction, _ := hex.DecodeString(p.Header["transactionId"].(string))
			p.Data = append(p.Data, transaction[0])
			p.Header["transactionId"] = hex.EncodeToString(transaction[1:])
		}, ErrMalformed},
		"short session": {func(p *parts) {
			p.Header["applicationData"] = p.Header["applicationData"].(string)[2:]
		}, ErrMalformed},
		"unknown version":  {func(p *parts) { p.Version = "EC_v2" }, ErrVersion},
		"version in lower": {func(p *parts) { p.Version = "ec_v1" }, ErrVersion},
		"other version":    {func(p *parts) { p.Version = versionRSA }, ErrMalformed},
		"half of transaction to session": {func(p *parts) {
			transaction := p.Header["transactionId"].(string)
			p.Header["applicationData"] = transaction[32:] + p.Header["applicationData"].(string)
			p.Header["transactionId"] = transaction[:32]
		}, ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			p := partsOf(t, newToken(t, testwallet.ApplePay, content(), ""))
			test.change(&p)
			_, err := open(t, testwallet.ApplePay, p.token(t), appleCheck(t))
			expect(t, err, test.want)
		})
	}
}

// A token without a session of its own is good only where none is asked for, and the whole payment token is read, too.
func TestFormsOfAppleTokens(t *testing.T) {
	c := content()
	c.SessionID = ""
	check := appleCheck(t)
	check.SessionID = ""
	none := newToken(t, testwallet.ApplePay, c, "")
	_, err := open(t, testwallet.ApplePay, none, check)
	expect(t, err, nil)
	_, err = open(t, testwallet.ApplePay, none, appleCheck(t))
	expect(t, err, ErrSession)

	token := newToken(t, testwallet.ApplePay, content(), "")
	_, err = open(t, testwallet.ApplePay, token, check)
	expect(t, err, nil) // server to server, from a page of the merchant's own
	first, _ := open(t, testwallet.ApplePay, token, appleCheck(t))
	for _, same := range []string{
		`{"paymentData": ` + token + `, "paymentMethod": {"network": "Visa"}, "transactionIdentifier": "A"}`,
		" " + token + "\n",
	} {
		opened, err := open(t, testwallet.ApplePay, same, appleCheck(t))
		if err != nil || opened != first {
			t.Errorf("%+v, %v", opened, err)
		}
	}
	p := partsOf(t, token)
	p.Header["transactionId"] = strings.ToUpper(p.Header["transactionId"].(string))
	if opened, err := open(t, testwallet.ApplePay, p.token(t), appleCheck(t)); err != nil || opened.ID != first.ID {
		t.Errorf("written with capitals, the token has another id: %v", err)
	}
}

// The page gives the session's id in base64, and either the id or that text is hashed.
func TestSessionOfApple(t *testing.T) {
	id, text := sha256.Sum256([]byte(session)), sha256.Sum256([]byte(base64.StdEncoding.EncodeToString([]byte(session))))
	for _, test := range []struct {
		application []byte
		want        bool
	}{{id[:], true}, {text[:], true}, {nil, false}, {id[:31], false}, {[]byte(session), false}} {
		if (appleToken{application: test.application}).isOf(session) != test.want {
			t.Errorf("%x: not %v", test.application, test.want)
		}
	}
}

func TestAmountsOfApple(t *testing.T) {
	for _, test := range []struct {
		currency, minor string // of the token
		amount, code    string // of the payment
		want            error
	}{
		{"840", "1050", "10.50", "USD", nil},
		{"840", "1051", "10.50", "USD", ErrAmount},
		{"840", "105000", "10.50", "USD", ErrAmount},
		{"840", "0", "10.50", "USD", ErrAmount},
		{"978", "1050", "10.50", "USD", ErrCurrency},
		{"", "1050", "10.50", "USD", ErrMalformed},
		{"036", "1050", "10.50", "AUD", nil},
		{"36", "1050", "10.50", "AUD", nil},
		{"392", "100", "100", "JPY", nil},
		{"392", "10000", "100", "JPY", nil},
		{"392", "1000", "100", "JPY", ErrAmount},
		{"414", "1500", "1.500", "KWD", nil},
		{"414", "150", "1.500", "KWD", ErrAmount},
		{"840", "99999999999999999", "999999999999999.99", "USD", nil},
		{"840", "9223372036854775808", "999999999999999.99", "USD", ErrMalformed},
		{"840", "1050", "1.5", "BTC", ErrCurrency},
		{"000", "150000000", "1.5", "BTC", ErrCurrency},
	} {
		c := content()
		c.Currency, c.Amount = test.currency, test.minor
		check := appleCheck(t)
		check.Amount = amount(t, test.amount, test.code)
		_, err := open(t, testwallet.ApplePay, newToken(t, testwallet.ApplePay, c, ""), check)
		expect(t, err, test.want)
	}
	check := appleCheck(t)
	check.Amount = Check{}.Amount
	_, err := open(t, testwallet.ApplePay, newToken(t, testwallet.ApplePay, content(), ""), check)
	expect(t, err, ErrCurrency)
}

// The second key is the older one: tokens under way are still encrypted to it.
func TestKeysOfApple(t *testing.T) {
	token := newToken(t, testwallet.ApplePay, content(), "")
	good := processingKey(t)
	other, merchant := good, good
	other.publicKeyHash[0]++
	merchant.merchantHash = make([]byte, sha256.Size) // the certificate of another merchant with the same key
	for name, test := range map[string]struct {
		keys []ProcessingKey
		want error
	}{
		"newer and older": {[]ProcessingKey{other, good}, nil},
		"older and newer": {[]ProcessingKey{good, other}, nil},
		"others":          {[]ProcessingKey{other, other}, ErrUnknownKey},
		"none":            {nil, ErrUnknownKey},
		"other merchant":  {[]ProcessingKey{merchant}, ErrDecrypt},
	} {
		t.Run(name, func(t *testing.T) {
			opened, err := sandboxApple().Open(token, test.keys, appleCheck(t))
			expectQuiet(t, opened, err, token)
			expect(t, err, test.want)
		})
	}
}

// What the wallet signs and encrypts has its format, too.
func TestContentOfApple(t *testing.T) {
	const plain = `{"applicationPrimaryAccountNumber":"4111111111111111","applicationExpirationDate":"380131",` +
		`"currencyCode":"840","transactionAmount":1050,"cardholderName":"A. Payer","paymentDataType":"3DSecure",` +
		`"paymentData":{"onlinePaymentCryptogram":"9QRiG5ehaNLq4KvIukP9gUDQ/+8=","eciIndicator":"5"}}`
	opened, err := openApple([]byte(plain), Verified{}, appleCheck(t))
	if err != nil || opened.Holder != "A. Payer" || opened.ECI != "05" {
		t.Errorf("%+v, %v", opened, err)
	}
	for _, test := range []struct {
		old, new string
		want     error
	}{
		{`"eciIndicator":"5"`, `"eciIndicator":"07"`, nil},
		{`,"eciIndicator":"5"`, ``, nil},
		{`"5"`, `null`, nil},
		{`"5"`, `5`, ErrMalformed},
		{`"5"`, `"x"`, ErrMalformed},
		{`"5"`, `"005"`, ErrMalformed},
		{`,"cardholderName":"A. Payer"`, ``, nil},
		{`"A. Payer"`, `"` + strings.Repeat("A", 257) + `"`, ErrMalformed},
		{`3DSecure`, `EMV`, ErrAuthMethod},
		{`"onlinePaymentCryptogram"`, `"emvData"`, ErrMalformed},
		{`9QRiG5ehaNLq4KvIukP9gUDQ/+8=`, `9QRiG5ehaNLq4KvIukP9gUDQ/+8`, ErrMalformed},
		{`9QRiG5ehaNLq4KvIukP9gUDQ/+8=`, ``, ErrMalformed},
		{`4111111111111111`, `41111111111`, ErrMalformed},
		{`4111111111111111`, `4111 1111 1111 1111`, ErrMalformed},
		{`4111111111111111`, `41111111111111111111`, ErrMalformed},
		{`"4111111111111111"`, `4111111111111111`, ErrMalformed},
		{`380131`, `381331`, ErrMalformed},
		{`380131`, `380031`, ErrMalformed},
		{`380131`, `3801`, ErrMalformed},
		{`380131`, `-80131`, ErrMalformed},
		{`1050`, `1050.0`, ErrMalformed},
		{`1050`, `-1050`, ErrMalformed},
		{`1050`, `"1050"`, ErrMalformed},
		{`"currencyCode":"840"`, `"currencyCode":"840","currencyCode":"978"`, ErrMalformed},
		{`}}`, `}}{}`, ErrMalformed},
	} {
		changed := strings.Replace(plain, test.old, test.new, 1)
		if changed == plain {
			t.Fatalf("%s is not in the content", test.old)
		}
		opened, err := openApple([]byte(changed), Verified{}, appleCheck(t))
		expectQuiet(t, opened, err, changed)
		expect(t, err, test.want)
		if t.Failed() {
			t.Fatal(test.new)
		}
	}
}

// Certificate and key are those of one pair, and of a merchant.
func TestProcessingKeys(t *testing.T) {
	certificate, key := testwallet.ProcessingCertificate(), testwallet.ProcessingKey()
	extension := func(values ...[]byte) string {
		p := issue(t, nil, false, nil, func(c *x509.Certificate) {
			for _, value := range values {
				c.ExtraExtensions = append(c.ExtraExtensions, pkix.Extension{Id: merchantIdentifier, Value: value})
			}
		})
		der, err := x509.MarshalECPrivateKey(p.key)
		if err != nil {
			t.Fatal(err)
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.Raw})) +
			string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}))
	}
	hash := strings.Repeat("0f", 32)
	for name, test := range map[string]struct {
		certificate, key string
		good             bool
	}{
		"good":              {certificate, key, true},
		"text before":       {certificate, "Bag Attributes\n" + key, true},
		"one file":          {extension([]byte("\x0c\x40" + hash)), "", true},
		"other key":         {certificate, testwallet.RecipientKey(), false},
		"no key":            {certificate, certificate, false},
		"no certificate":    {key, key, false},
		"nothing":           {"", key, false},
		"broken":            {strings.Replace(certificate, "MII", "MIJ", 1), key, false},
		"no merchant":       {extension(), "", false},
		"short merchant":    {extension([]byte("\x0c\x3e" + hash[2:])), "", false},
		"not in hex":        {extension([]byte("\x0c\x40" + hash[1:] + "x")), "", false},
		"no text":           {extension([]byte("\x05\x00")), "", false},
		"more than a text":  {extension([]byte("\x0c\x40" + hash + "\x05\x00")), "", false},
		"text without head": {extension([]byte(hash)), "", false},
	} {
		if test.key == "" {
			test.key = test.certificate
		}
		made, err := ParseProcessingKey(test.certificate, test.key)
		if (err == nil) != test.good || (made.private == nil) == test.good {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "MI") {
			t.Errorf("%s: %v has a part of the key", name, err)
		}
	}
}

// Whoever signs may still send a key of any kind.
func TestEphemeralKeysOfApple(t *testing.T) {
	key := processingKey(t).private
	merchant := make([]byte, sha256.Size)
	write := func(public any) []byte {
		der, err := x509.MarshalPKIXPublicKey(public)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	edwards, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	good := write(&key.PublicKey)
	offCurve := slices.Clone(good)
	offCurve[len(offCurve)-1] ^= 1
	for name, test := range map[string]struct {
		key  []byte
		want error
	}{
		"good":          {good, nil},
		"P-384":         {write(&p384.PublicKey), ErrMalformed},
		"RSA":           {write(&rsaKeys()[0].PublicKey), ErrMalformed},
		"Ed25519":       {write(edwards), ErrMalformed},
		"off the curve": {offCurve, ErrMalformed},
		"none":          {nil, ErrMalformed},
		"more behind":   {append(good, 0), ErrMalformed},
	} {
		secret, err := agree(key, test.key, merchant)
		if err != test.want || (len(secret) == sha256.Size) != (err == nil) {
			t.Errorf("%s: %x, %v", name, secret, err)
		}
	}
}
