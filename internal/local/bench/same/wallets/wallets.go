// Package wallets uses what functions are built with that make tokens of the test wallet.
package wallets

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
)

// Use makes a key and its certificate.
func Use() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return
	}
	der, err := x509.CreateCertificate(nil, &x509.Certificate{}, &x509.Certificate{}, key.Public(), key)
	if err != nil {
		return
	}
	if _, err := x509.ParseCertificate(der); err != nil {
		return
	}
	asn1.Marshal(struct{}{})
	ecdsa.SignASN1(rand.Reader, key, der)
	x509.MarshalPKCS8PrivateKey(key)
	x509.MarshalPKIXPublicKey(key.Public())
	pem.EncodeToMemory(&pem.Block{Bytes: der})
	if own, err := key.ECDH(); err == nil {
		own.ECDH(own.PublicKey())
	}
}
