package testwallet

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"slices"
	"time"
)

// Object identifiers of RFC 5652.
var (
	oidData          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidSignedData    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}
	oidContentType   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 3}
	oidMessageDigest = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}
	oidSigningTime   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 5}
	oidSHA256        = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}
	oidECDSAWithSHA  = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}
)

// signerInfo is SignerInfo of RFC 5652, 5.3.
type signerInfo struct {
	Version            int
	Signer             issuerAndSerial
	DigestAlgorithm    pkix.AlgorithmIdentifier
	SignedAttributes   asn1.RawValue
	SignatureAlgorithm pkix.AlgorithmIdentifier
	Signature          []byte
}

type issuerAndSerial struct {
	Issuer asn1.RawValue
	Serial *big.Int
}

type attribute struct {
	Type   asn1.ObjectIdentifier
	Values []any `asn1:"set"`
}

// signature returns a detached SignedData over a content, in BER with indefinite lengths, as the wallet's is.
func (a authority) signature(content []byte, at time.Time) ([]byte, error) {
	sha256Only := pkix.AlgorithmIdentifier{Algorithm: oidSHA256, Parameters: asn1.NullRawValue}
	attributes, err := signedAttributes(content, at)
	if err != nil {
		return nil, err
	}
	signed, err := sign(a.key, tagged(0x31, attributes)) // as a SET, RFC 5652, 5.4
	if err != nil {
		return nil, err
	}
	info := signerInfo{
		Version: 1, DigestAlgorithm: sha256Only, Signature: signed,
		Signer:             issuerAndSerial{asn1.RawValue{FullBytes: a.leaf.RawIssuer}, a.leaf.SerialNumber},
		SignedAttributes:   asn1.RawValue{FullBytes: tagged(0xa0, attributes)},
		SignatureAlgorithm: pkix.AlgorithmIdentifier{Algorithm: oidECDSAWithSHA},
	}
	var parts [5][]byte
	for i, value := range []any{oidSignedData, 1, sha256Only, oidData, info} {
		if parts[i], err = asn1.Marshal(value); err != nil {
			return nil, err
		}
	}
	certificates := bytes.Join([][]byte{a.leaf.Raw, a.intermediate.Raw}, nil)
	data := slices.Concat(
		parts[1], tagged(0x31, parts[2]), indefinite(0x30, parts[3]), indefinite(0xa0, certificates), tagged(0x31, parts[4]))
	return indefinite(0x30, slices.Concat(parts[0], indefinite(0xa0, indefinite(0x30, data)))), nil
}

// signedAttributes returns the elements of the set of signed attributes, in the order of DER.
func signedAttributes(content []byte, at time.Time) ([]byte, error) {
	sum := sha256.Sum256(content)
	var elements [][]byte
	for _, a := range []attribute{
		{oidContentType, []any{oidData}}, {oidSigningTime, []any{at.UTC()}}, {oidMessageDigest, []any{sum[:]}},
	} {
		element, err := asn1.Marshal(a)
		if err != nil {
			return nil, err
		}
		elements = append(elements, element)
	}
	slices.SortFunc(elements, bytes.Compare)
	return bytes.Join(elements, nil), nil
}

// tagged returns a value of less than 64 KiB with its tag and length.
func tagged(tag byte, value []byte) []byte {
	head := []byte{tag, byte(len(value))}
	switch {
	case len(value) > 0xff:
		head = []byte{tag, 0x82, byte(len(value) >> 8), byte(len(value))}
	case len(value) > 0x7f:
		head = []byte{tag, 0x81, byte(len(value))}
	}
	return append(head, value...)
}

// indefinite returns a value with its tag and without a length, which BER allows: two zeros end it.
func indefinite(tag byte, value []byte) []byte {
	return slices.Concat([]byte{tag, 0x80}, value, []byte{0, 0})
}

// publicKeyHash names the key of a certificate.
func publicKeyHash(c *x509.Certificate) []byte {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return sum[:]
}
