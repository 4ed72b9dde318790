package testwallet

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/hex"
	"encoding/pem"
	"math/big"
	"sync"
	"time"
)

// Extensions of Apple Pay's certificates.
var (
	leafMarker         = asn1.ObjectIdentifier{1, 2, 840, 113635, 100, 6, 29}
	intermediateMarker = asn1.ObjectIdentifier{1, 2, 840, 113635, 100, 6, 2, 14}
	merchantIdentifier = asn1.ObjectIdentifier{1, 2, 840, 113635, 100, 6, 32}
)

// authority is who signs Apple Pay's tokens.
type authority struct {
	root, intermediate, leaf *x509.Certificate
	key                      *ecdsa.PrivateKey // of the leaf
}

// apple returns the sandbox's authority, or another one with the same names.
func apple(other string) authority {
	rootKey, intermediateKey := newKey("applepay root"+other), newKey("applepay intermediate"+other)
	a := authority{key: newKey("applepay leaf" + other)}
	a.root = certify(template(1, "Sandbox Root CA", true), nil, rootKey, rootKey)
	intermediate := template(2, "Sandbox Application Integration CA", true)
	intermediate.ExtraExtensions = []pkix.Extension{{Id: intermediateMarker, Value: asn1.NullBytes}}
	a.intermediate = certify(intermediate, a.root, intermediateKey, rootKey)
	leaf := template(3, "sandbox-broker-sign", false)
	leaf.ExtraExtensions = []pkix.Extension{{Id: leafMarker, Value: asn1.NullBytes}}
	a.leaf = certify(leaf, a.intermediate, a.key, intermediateKey)
	return a
}

// processing returns the payment processing certificate of the key with a name. It signs itself: nobody verifies it.
func processing(name string) *x509.Certificate {
	hash := sha256.Sum256([]byte(MerchantIdentifier))
	value, err := asn1.MarshalWithParams(hex.EncodeToString(hash[:]), "utf8")
	if err != nil {
		panic(err)
	}
	c := template(4, MerchantIdentifier, false)
	c.ExtraExtensions = []pkix.Extension{{Id: merchantIdentifier, Value: value}}
	key := newKey(name)
	return certify(c, nil, key, key)
}

func template(serial int64, name string, ca bool) *x509.Certificate {
	c := &x509.Certificate{
		SerialNumber: big.NewInt(serial),
		Subject:      pkix.Name{CommonName: name, Organization: []string{"Sandbox, not to be trusted"}},
		NotBefore:    time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:     time.Date(2099, 12, 31, 0, 0, 0, 0, time.UTC),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		IsCA:         ca, BasicConstraintsValid: true,
	}
	if ca {
		c.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	}
	return c
}

// certify makes the certificate of a key, signed by a parent, or by itself without one.
func certify(c, parent *x509.Certificate, key, signer *ecdsa.PrivateKey) *x509.Certificate {
	if parent == nil {
		parent = c
	}
	der, err := x509.CreateCertificate(nil, c, parent, &key.PublicKey, signer)
	if err != nil {
		panic(err) // a test makes every certificate
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return made
}

// What is made once, when it is first needed.
var (
	sandbox             = sync.OnceValue(func() authority { return apple("") })
	merchantCertificate = sync.OnceValue(func() *x509.Certificate { return processing("processing") })
)

// AppleRoot returns the root that certifies who signs Apple Pay's tokens.
func AppleRoot() *x509.Certificate { return sandbox().root }

// ProcessingCertificate returns the certificate that Apple Pay's tokens are encrypted to, PEM.
func ProcessingCertificate() string {
	der := merchantCertificate().Raw
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}
