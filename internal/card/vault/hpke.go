package vault

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/hpke"
	"crypto/x509"
	"errors"
	"fmt"
)

// encSize is the size of an encapsulated key in bytes: an uncompressed P-256 point.
const encSize = 65

// seal encrypts a text to a key, with info as both info and aad. It returns the encapsulated key and the ciphertext.
func seal(to hpke.PublicKey, info, plain []byte) (enc, ciphertext []byte, err error) {
	enc, sender, err := hpke.NewSender(to, hpke.HKDFSHA256(), hpke.AES256GCM(), info)
	if err != nil {
		return nil, nil, err
	}
	ciphertext, err = sender.Seal(info, plain)
	return enc, ciphertext, err
}

// open decrypts what seal has encrypted with the same info. Its error reveals nothing of the text.
func open(key hpke.PrivateKey, enc, info, ciphertext []byte) ([]byte, error) {
	recipient, err := hpke.NewRecipient(enc, key, hpke.HKDFSHA256(), hpke.AES256GCM(), info)
	if err != nil {
		return nil, errors.New("bad encapsulated key")
	}
	plain, err := recipient.Open(info, ciphertext)
	if err != nil {
		return nil, errors.New("wrong key, info or ciphertext")
	}
	return plain, nil
}

// pointOf returns the public half of a key pair that a keyring has made: an uncompressed P-256 point of DER.
func pointOf(der []byte) ([]byte, error) {
	parsed, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, fmt.Errorf("read a public key: %w", err)
	}
	public, ok := parsed.(*ecdsa.PublicKey)
	if !ok {
		return nil, errors.New("the public key is not on an elliptic curve")
	}
	key, err := public.ECDH()
	if err != nil || key.Curve() != ecdh.P256() {
		return nil, errors.New("the public key is not on P-256")
	}
	return key.Bytes(), nil
}

// privateOf returns the private half of a key pair of its DER. Its error never quotes the key.
func privateOf(der []byte) (*ecdh.PrivateKey, error) {
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, errors.New("the wrapped key is no private key")
	}
	private, ok := parsed.(*ecdsa.PrivateKey)
	if !ok {
		return nil, errors.New("the wrapped key is not on an elliptic curve")
	}
	key, err := private.ECDH()
	if err != nil {
		return nil, errors.New("the wrapped key can't be used")
	}
	return key, nil
}
