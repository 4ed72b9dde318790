package wallet

import (
	"bytes"
	"crypto/x509"
	"encoding/asn1"
	"time"

	"github.com/smallstep/pkcs7"
)

// Markers that the vendor's certificates have as extensions.
var (
	leafMarker         = asn1.ObjectIdentifier{1, 2, 840, 113635, 100, 6, 29}
	intermediateMarker = asn1.ObjectIdentifier{1, 2, 840, 113635, 100, 6, 2, 14}
)

// maxCertificates is how many certificates a signature may bring. The wallet's brings two.
const maxCertificates = 4

// signingTime verifies a detached signature and who made it, and returns when. The package pkcs7 verifies no chain
// without roots, accepts a signer without signed attributes, with any digest algorithm, and verifies the chain at the
// time that it is given: all of that is checked here. It never sees what is no DER.
func signingTime(signature, signed []byte, root *x509.Certificate) (at time.Time, err error) {
	defer func() {
		if recover() != nil { // the parser reads what anybody may send
			at, err = time.Time{}, ErrMalformed
		}
	}()
	der, err := toDER(signature)
	if err != nil {
		return time.Time{}, err
	}
	message, err := pkcs7.Parse(der)
	if err != nil || len(message.Content) != 0 {
		return time.Time{}, ErrMalformed
	}
	signer := message.GetOnlySigner() // nil, too, if there are two
	if signer == nil || len(message.Certificates) > maxCertificates {
		return time.Time{}, ErrMalformed
	}
	at, err = signedAttributes(message)
	if err != nil {
		return time.Time{}, err
	}
	if err := verifyChain(signer, message.Certificates, root, at); err != nil {
		return time.Time{}, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(root)
	message.Content = signed
	if message.VerifyWithChainAtTime(roots, at) != nil {
		return time.Time{}, ErrSignature
	}
	return at, nil
}

// signedAttributes checks that content type, digest and time are signed, each once, and the algorithms. It returns the
// time.
func signedAttributes(message *pkcs7.PKCS7) (time.Time, error) {
	signer := message.Signers[0]
	var contentType asn1.ObjectIdentifier
	var digest []byte
	var at time.Time
	values := map[string]any{
		pkcs7.OIDAttributeContentType.String():   &contentType,
		pkcs7.OIDAttributeMessageDigest.String(): &digest,
		pkcs7.OIDAttributeSigningTime.String():   &at,
	}
	for _, attribute := range signer.AuthenticatedAttributes {
		into, ok := values[attribute.Type.String()]
		if !ok {
			continue
		}
		if rest, err := asn1.Unmarshal(attribute.Value.Bytes, into); err != nil || len(rest) != 0 {
			return time.Time{}, ErrMalformed
		}
		values[attribute.Type.String()] = nil // a second one can't be read into it
	}
	for _, unread := range values {
		if unread != nil {
			return time.Time{}, ErrSignature
		}
	}
	encryption := signer.DigestEncryptionAlgorithm.Algorithm
	if !contentType.Equal(pkcs7.OIDData) ||
		!signer.DigestAlgorithm.Algorithm.Equal(pkcs7.OIDDigestAlgorithmSHA256) ||
		!encryption.Equal(pkcs7.OIDDigestAlgorithmECDSASHA256) &&
			!encryption.Equal(pkcs7.OIDEncryptionAlgorithmRSASHA256) &&
			!encryption.Equal(pkcs7.OIDEncryptionAlgorithmRSA) {
		return time.Time{}, ErrSignature
	}
	return at, nil
}

// verifyChain checks that root, intermediate and leaf are one chain at the time of the signature, and that these two
// have their markers: certificates outside the chain, which anybody can add, count for nothing.
func verifyChain(leaf *x509.Certificate, bag []*x509.Certificate, root *x509.Certificate, at time.Time) error {
	roots, intermediates := x509.NewCertPool(), x509.NewCertPool()
	roots.AddCert(root)
	for _, c := range bag {
		intermediates.AddCert(c)
	}
	chains, err := leaf.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: intermediates, CurrentTime: at,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	if err != nil {
		return ErrChain
	}
	result := ErrChain
	for _, chain := range chains {
		switch {
		case len(chain) != 3 || !bytes.Equal(chain[2].Raw, root.Raw):
		case !hasExtension(chain[0], leafMarker) || !hasExtension(chain[1], intermediateMarker):
			result = ErrMarkers
		default:
			return nil
		}
	}
	return result
}

func hasExtension(c *x509.Certificate, id asn1.ObjectIdentifier) bool {
	for _, e := range c.Extensions {
		if e.Id.Equal(id) {
			return true
		}
	}
	return false
}
