package endpoint

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"errors"

	"checkout/internal/local/cloud/template"
)

// maxBlob is how many bytes KMS decrypts at most.
const maxBlob = 6144

// newSymmetric makes a key that wraps others; its nonces are the library's own.
func newSymmetric() (cipher.AEAD, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// authenticated is the associated data of a ciphertext: the ARN of its key and the encryption context, which Marshal
// sorts.
func authenticated(key template.Key, context map[string]string) []byte {
	if len(context) == 0 {
		context = nil // none and an empty one are the same
	}
	sorted, _ := json.Marshal(context) // texts only, which can always be encoded
	return append([]byte(key.ARN), sorted...)
}

func generateDataKey(key template.Key, wrapping cipher.AEAD, body []byte) response {
	var in struct {
		KeySpec           string
		EncryptionContext map[string]string
	}
	if err := json.Unmarshal(body, &in); err != nil || in.KeySpec != "AES_256" {
		return failure("ValidationException",
			"KeySpec must be AES_256, the only one here, and EncryptionContext an object of texts")
	}
	plain := make([]byte, 32)
	if _, err := rand.Read(plain); err != nil {
		return failure("KMSInternalException", err.Error())
	}
	return success(map[string]any{"KeyId": key.ARN, "Plaintext": plain,
		"CiphertextBlob": wrap(key, wrapping, plain, in.EncryptionContext)})
}

// wrap encrypts and puts the key's ARN before the ciphertext, so that it can be decrypted without naming the key.
func wrap(key template.Key, wrapping cipher.AEAD, plain []byte, context map[string]string) []byte {
	return wrapping.Seal(append([]byte(key.ARN), '\n'), nil, plain, authenticated(key, context))
}

// generateKeyPair makes a key pair on P-256: the public half as DER, SubjectPublicKeyInfo, and the private one wrapped,
// which Decrypt returns as DER, PKCS #8.
func generateKeyPair(key template.Key, wrapping cipher.AEAD, body []byte) response {
	var in struct {
		KeyPairSpec       string
		EncryptionContext map[string]string
	}
	if err := json.Unmarshal(body, &in); err != nil || in.KeyPairSpec != "ECC_NIST_P256" {
		return failure("ValidationException",
			"KeyPairSpec must be ECC_NIST_P256, the only one here, and EncryptionContext an object of texts")
	}
	pair, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return failure("KMSInternalException", err.Error())
	}
	public, errPublic := x509.MarshalPKIXPublicKey(pair.PublicKey())
	private, errPrivate := x509.MarshalPKCS8PrivateKey(pair)
	if err := errors.Join(errPublic, errPrivate); err != nil {
		return failure("KMSInternalException", err.Error())
	}
	return success(map[string]any{
		"KeyId": key.ARN, "KeyPairSpec": in.KeyPairSpec, "PublicKey": public,
		"PrivateKeyCiphertextBlob": wrap(key, wrapping, private, in.EncryptionContext),
	})
}

func decrypt(key template.Key, wrapping cipher.AEAD, body []byte) response {
	var in struct {
		CiphertextBlob    []byte
		EncryptionContext map[string]string
	}
	if err := json.Unmarshal(body, &in); err != nil || len(in.CiphertextBlob) == 0 {
		return failure("ValidationException",
			"CiphertextBlob must have 1 to 6144 bytes, and EncryptionContext is an object of texts")
	}
	arn, sealed, ok := bytes.Cut(in.CiphertextBlob, []byte("\n"))
	if !ok {
		return failure("InvalidCiphertextException", "")
	}
	if string(arn) != key.ARN {
		return failure("IncorrectKeyException",
			"The key ID in the request does not identify a CMK that can perform this operation.")
	}
	plain, err := wrapping.Open(nil, nil, sealed, authenticated(key, in.EncryptionContext))
	if err != nil {
		return failure("InvalidCiphertextException", "")
	}
	return success(map[string]any{"KeyId": key.ARN, "Plaintext": plain, "EncryptionAlgorithm": "SYMMETRIC_DEFAULT"})
}
