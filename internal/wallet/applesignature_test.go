package wallet

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"math/big"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/smallstep/pkcs7"

	"checkout/internal/wallet/testwallet"
)

// party is a certificate with its key.
type party struct {
	*x509.Certificate
	key *ecdsa.PrivateKey
}

var serial int64

// issue makes a certificate, of a root without an issuer. The change is made before it is signed.
func issue(t testing.TB, issuer *party, ca bool, marker asn1.ObjectIdentifier, change func(*x509.Certificate)) *party {
	t.Helper()
	serial++
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: time.Duration(serial).String()},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: ca, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	if marker != nil {
		c.ExtraExtensions = []pkix.Extension{{Id: marker, Value: asn1.NullBytes}}
	}
	if change != nil {
		change(c)
	}
	p := &party{c, key}
	if issuer == nil {
		issuer = p
	}
	der, err := x509.CreateCertificate(rand.Reader, c, issuer.Certificate, &key.PublicKey, issuer.key)
	if err != nil {
		t.Fatal(err)
	}
	if p.Certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return p
}

// message makes a signature over a text by the library's own maker, which is not that of the sandbox.
type message struct {
	signers  []*party
	bag      []*party // certificates of nobody who signs
	digest   asn1.ObjectIdentifier
	bare     bool // without signed attributes
	attached bool // with the content
}

func (m message) make(t *testing.T, content []byte) []byte {
	t.Helper()
	data, err := pkcs7.NewSignedData(content)
	if err != nil {
		t.Fatal(err)
	}
	data.SetDigestAlgorithm(m.digest)
	if m.digest == nil {
		data.SetDigestAlgorithm(pkcs7.OIDDigestAlgorithmSHA256)
	}
	for _, s := range m.signers {
		if m.bare {
			err = data.SignWithoutAttr(s.Certificate, s.key, pkcs7.SignerInfoConfig{})
		} else {
			err = data.AddSigner(s.Certificate, s.key, pkcs7.SignerInfoConfig{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range m.bag {
		data.AddCertificate(p.Certificate)
	}
	if !m.attached {
		data.Detach()
	}
	der, err := data.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// Who signed is verified from the leaf to the root, whatever else the bag of certificates has.
func TestChainOfApple(t *testing.T) {
	root := issue(t, nil, true, nil, nil)
	stranger := issue(t, nil, true, nil, nil)
	intermediate := issue(t, root, true, intermediateMarker, nil)
	leaf := issue(t, intermediate, false, leafMarker, nil)
	unmarked := issue(t, intermediate, false, nil, nil)
	plainCA := issue(t, root, true, nil, nil)
	ofPlainCA := issue(t, plainCA, false, leafMarker, nil)
	second := issue(t, intermediate, true, intermediateMarker, nil)
	ofSecond := issue(t, second, false, leafMarker, nil)
	notCA := issue(t, root, false, intermediateMarker, nil)
	ofNotCA := issue(t, notCA, false, leafMarker, nil)
	ofRoot := issue(t, root, false, leafMarker, nil)
	over := issue(t, intermediate, false, leafMarker, func(c *x509.Certificate) {
		c.NotAfter = time.Now().Add(-time.Minute)
	})
	overCA := issue(t, root, true, intermediateMarker, func(c *x509.Certificate) {
		c.NotAfter = time.Now().Add(-time.Minute)
	})
	ofOverCA := issue(t, overCA, false, leafMarker, nil)
	foreign := issue(t, issue(t, stranger, true, intermediateMarker, nil), false, leafMarker, nil)
	one := func(signer *party, bag ...*party) message { return message{signers: []*party{signer}, bag: bag} }
	sha1, sha512 := pkcs7.OIDDigestAlgorithmSHA1, pkcs7.OIDDigestAlgorithmSHA512
	changed := func(change func(*message)) message {
		m := one(leaf, intermediate)
		change(&m)
		return m
	}

	for name, test := range map[string]struct {
		message message
		want    error
	}{
		"good":                           {one(leaf, intermediate), nil},
		"good, with the root":            {one(leaf, intermediate, root), nil},
		"good, with a stranger":          {one(leaf, intermediate, unmarked), nil},
		"no intermediate":                {one(leaf), ErrChain},
		"leaf without marker":            {one(unmarked, intermediate), ErrMarkers},
		"marker on a stray leaf":         {one(unmarked, intermediate, leaf), ErrMarkers},
		"intermediate without marker":    {one(ofPlainCA, plainCA), ErrMarkers},
		"marker on a stray intermediate": {one(ofPlainCA, plainCA, intermediate), ErrMarkers},
		"two intermediates":              {one(ofSecond, second, intermediate), ErrChain},
		"intermediate is no authority":   {one(ofNotCA, notCA), ErrChain},
		"leaf of the root":               {one(ofRoot, intermediate), ErrChain},
		"the root itself":                {one(root), ErrChain},
		"other root":                     {one(foreign, intermediate), ErrChain},
		"other root, in the bag":         {one(foreign, intermediate, stranger), ErrChain},
		"leaf is over":                   {one(over, intermediate), ErrChain},
		"intermediate is over":           {one(ofOverCA, overCA), ErrChain},
		"five certificates":              {one(leaf, intermediate, root, unmarked, plainCA), ErrMalformed},
		"two signers":                    {changed(func(m *message) { m.signers = []*party{leaf, leaf} }), ErrMalformed},
		"a signer and a stranger":        {changed(func(m *message) { m.signers = []*party{leaf, foreign} }), ErrMalformed},
		"no signer":                      {changed(func(m *message) { m.signers = nil }), ErrMalformed},
		"no signed attributes":           {changed(func(m *message) { m.bare = true }), ErrSignature},
		"with its content":               {changed(func(m *message) { m.attached = true }), ErrMalformed},
		"SHA-1":                          {changed(func(m *message) { m.digest = sha1 }), ErrSignature},
		"SHA-512":                        {changed(func(m *message) { m.digest = sha512 }), ErrSignature},
	} {
		t.Run(name, func(t *testing.T) {
			text := []byte("what is signed")
			signature := test.message.make(t, text)
			at, err := signingTime(signature, text, root.Certificate)
			expect(t, err, test.want)
			if err == nil && time.Since(at).Abs() > time.Minute || err != nil && !at.IsZero() {
				t.Errorf("signed at %v", at)
			}
			if err != nil {
				return
			}
			_, err = signingTime(signature, []byte("something else"), root.Certificate)
			expect(t, err, ErrSignature)
			_, err = signingTime(signature, text, stranger.Certificate)
			expect(t, err, ErrChain)
		})
	}
}

// The chain is verified at the time of the signature: tokens of certificates that are over by now were good then, and
// the window of the signing time keeps them out.
func TestChainIsVerifiedAtTheSigningTime(t *testing.T) {
	for _, test := range []struct {
		at   time.Time
		want error
	}{
		{time.Date(2019, 12, 31, 23, 59, 59, 0, time.UTC), ErrChain},
		{time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), nil},
		{time.Date(2049, 12, 31, 23, 59, 59, 0, time.UTC), nil},
		{time.Date(2050, 1, 1, 0, 0, 0, 0, time.UTC), nil}, // from here on, ASN.1 writes times in another way
		{time.Date(2099, 12, 31, 0, 0, 0, 0, time.UTC), nil},
		{time.Date(2099, 12, 31, 0, 0, 1, 0, time.UTC), ErrChain},
	} {
		c := content()
		c.At = test.at
		check := appleCheck(t)
		check.At = test.at
		_, err := open(t, testwallet.ApplePay, newToken(t, testwallet.ApplePay, c, ""), check)
		expect(t, err, test.want)
	}
}

// Content type, digest and time have to be signed, each once and each readable.
func TestSignedAttributesOfApple(t *testing.T) {
	signature := partsOf(t, newToken(t, testwallet.ApplePay, content(), "")).Signature
	parse := func() *pkcs7.PKCS7 {
		message, err := pkcs7.Parse(signature)
		if err != nil {
			t.Fatal(err)
		}
		return message
	}
	if at, err := signedAttributes(parse()); err != nil || !at.Equal(sentAt) {
		t.Errorf("%v, %v", at, err)
	}
	for i := range parse().Signers[0].AuthenticatedAttributes {
		without, twice, broken, two := parse(), parse(), parse(), parse()
		attributes := &without.Signers[0].AuthenticatedAttributes
		*attributes = slices.Delete(*attributes, i, i+1)
		attributes = &twice.Signers[0].AuthenticatedAttributes
		*attributes = append(*attributes, (*attributes)[i])
		broken.Signers[0].AuthenticatedAttributes[i].Value.Bytes = []byte{5, 0}
		value := &two.Signers[0].AuthenticatedAttributes[i].Value
		value.Bytes = append(value.Bytes, value.Bytes...)
		for what, test := range map[string]struct {
			message *pkcs7.PKCS7
			want    error
		}{
			"absent": {without, ErrSignature}, "twice": {twice, ErrMalformed},
			"of another type": {broken, ErrMalformed}, "with two values": {two, ErrMalformed},
		} {
			if at, err := signedAttributes(test.message); err != test.want || !at.IsZero() {
				t.Errorf("attribute %d %s: %v", i, what, err)
			}
		}
	}
	other := parse()
	for i, a := range other.Signers[0].AuthenticatedAttributes {
		if a.Type.Equal(pkcs7.OIDAttributeContentType) {
			other.Signers[0].AuthenticatedAttributes[i].Value.Bytes, _ = asn1.Marshal(pkcs7.OIDSignedData)
		}
	}
	_, err := signedAttributes(other)
	expect(t, err, ErrSignature)
	for _, algorithm := range []asn1.ObjectIdentifier{pkcs7.OIDDigestAlgorithmSHA1, pkcs7.OIDDigestAlgorithmSHA384, nil} {
		digest, signature := parse(), parse()
		digest.Signers[0].DigestAlgorithm.Algorithm = algorithm
		_, err := signedAttributes(digest)
		expect(t, err, ErrSignature)
		signature.Signers[0].DigestEncryptionAlgorithm.Algorithm = algorithm
		_, err = signedAttributes(signature)
		expect(t, err, ErrSignature)
	}
}

// rsaKeys are two, which take their time to be found.
var rsaKeys = sync.OnceValue(func() (keys [2]*rsa.PrivateKey) {
	for i := range keys {
		var err error
		if keys[i], err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
			panic(err)
		}
	}
	return keys
})

// RSA_v1, which the wallet uses where elliptic curves are not allowed, is left to providers: no key of ours opens it.
func TestTokensWithRSA(t *testing.T) {
	token, root := rsaToken(t, &rsaKeys()[0].PublicKey)
	check := appleCheck(t)
	check.At = time.Now() // the library's maker has no other clock
	if verified, err := (Apple{Root: root}).Verify(token, check); err != nil || verified.ID == "" {
		t.Errorf("%+v, %v", verified, err)
	}
	opened, err := (Apple{Root: root}).Open(token, []ProcessingKey{processingKey(t)}, check)
	expectQuiet(t, opened, err, token)
	expect(t, err, ErrRSA)
}

// rsaToken makes a token of RSA_v1, and returns the root that certifies it.
func rsaToken(t *testing.T, public *rsa.PublicKey) (string, *x509.Certificate) {
	t.Helper()
	wrapped, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, public, make([]byte, 16), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := partsOf(t, newToken(t, testwallet.ApplePay, content(), ""))
	hash := sha256.Sum256(x509.MarshalPKCS1PublicKey(public))
	p.Version = versionRSA
	delete(p.Header, "ephemeralPublicKey")
	p.Header["wrappedKey"] = base64.StdEncoding.EncodeToString(wrapped)
	p.Header["publicKeyHash"] = base64.StdEncoding.EncodeToString(hash[:])
	root := issue(t, nil, true, nil, nil)
	intermediate := issue(t, root, true, intermediateMarker, nil)
	leaf := issue(t, intermediate, false, leafMarker, nil)
	p.Signature = message{signers: []*party{leaf}, bag: []*party{intermediate}}.make(t, p.signed(t))
	return p.token(t), root.Certificate
}
