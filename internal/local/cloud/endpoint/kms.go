package endpoint

import (
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"checkout/internal/local/cloud/template"
)

// vault is KMS with the keys of the template: those for key agreement on P-256 and the symmetric ones. Each is made anew
// at every start.
type vault struct {
	keys      []template.Key
	private   map[string]*ecdh.PrivateKey // by ARN
	symmetric map[string]cipher.AEAD      // by ARN
}

func newVault(keys []template.Key) (*vault, error) {
	v := &vault{keys: keys, private: map[string]*ecdh.PrivateKey{}, symmetric: map[string]cipher.AEAD{}}
	for _, key := range keys {
		var err error
		switch key.Spec + " " + key.Usage { // all others answer UnsupportedOperationException when used
		case "ECC_NIST_P256 KEY_AGREEMENT":
			v.private[key.ARN], err = ecdh.P256().GenerateKey(nil) // the library takes secure randomness by itself
		case "SYMMETRIC_DEFAULT ENCRYPT_DECRYPT":
			v.symmetric[key.ARN], err = newSymmetric()
		}
		if err != nil {
			return nil, fmt.Errorf("key %s: %w", key.ID, err)
		}
	}
	return v, nil
}

// keyFault is why a request names no key, as KMS says it.
type keyFault struct{ kind, text string }

func (f *keyFault) Error() string { return f.text }

// find is the key that a request names by id, ARN or alias, or that a ciphertext without a key's name was made with.
func (v *vault) find(q request) (template.Key, error) {
	var in struct {
		KeyId          string
		CiphertextBlob []byte
	}
	if err := json.Unmarshal(q.body, &in); err != nil {
		return template.Key{}, &keyFault{"ValidationException", "the request is no JSON object that can be understood"}
	}
	if q.operation == "Decrypt" && in.KeyId == "" {
		return v.maker(in.CiphertextBlob)
	}
	for _, key := range v.keys {
		if in.KeyId == key.KeyID || in.KeyId == key.ARN || slices.Contains(key.Aliases, in.KeyId) {
			return key, nil
		}
	}
	return template.Key{}, &keyFault{"NotFoundException", fmt.Sprintf("keyId %q is not valid", in.KeyId)}
}

func (v *vault) answer(q request) answer {
	key, err := v.find(q)
	if err != nil {
		return faulty(err)
	}
	private, symmetric := v.private[key.ARN], v.symmetric[key.ARN]
	switch {
	case private != nil && q.operation == "GetPublicKey":
		return publicKey(key, private)
	case private != nil && q.operation == "DeriveSharedSecret":
		return sharedSecret(key, private, q.body)
	case symmetric != nil && q.operation == "GenerateDataKey":
		return generateDataKey(key, symmetric, q.body)
	case symmetric != nil && q.operation == "Decrypt":
		return decrypt(key, symmetric, q.body)
	}
	return failure("UnsupportedOperationException", fmt.Sprintf("the local KMS has no %s for a key %s %s", q.operation, key.Spec, key.Usage))
}

// faulty is the answer to a request that can't be understood or names no key.
func faulty(err error) answer {
	if fault, ok := errors.AsType[*keyFault](err); ok {
		return failure(fault.kind, fault.text)
	}
	return failure("ValidationException", err.Error())
}

func publicKey(key template.Key, private *ecdh.PrivateKey) answer {
	der, err := x509.MarshalPKIXPublicKey(private.PublicKey())
	if err != nil {
		return failure("KMSInternalException", err.Error())
	}
	return success(map[string]any{
		"KeyId": key.ARN, "PublicKey": der, "KeySpec": key.Spec, "CustomerMasterKeySpec": key.Spec,
		"KeyUsage": key.Usage, "KeyAgreementAlgorithms": []string{"ECDH"},
	})
}

func sharedSecret(key template.Key, private *ecdh.PrivateKey, body []byte) answer {
	var in struct {
		KeyAgreementAlgorithm string
		PublicKey             []byte
	}
	if err := json.Unmarshal(body, &in); err != nil || in.KeyAgreementAlgorithm != "ECDH" {
		return failure("ValidationException", "KeyAgreementAlgorithm must be ECDH and PublicKey a DER-encoded public key")
	}
	parsed, err := x509.ParsePKIXPublicKey(in.PublicKey)
	if err != nil {
		return failure("ValidationException", "PublicKey is not a DER-encoded public key")
	}
	public, ok := parsed.(interface {
		ECDH() (*ecdh.PublicKey, error)
	})
	if !ok {
		return failure("ValidationException", "PublicKey is not a key on a NIST curve")
	}
	peer, err := public.ECDH()
	if err != nil {
		return failure("ValidationException", "PublicKey is not a point on the curve")
	}
	secret, err := private.ECDH(peer)
	if err != nil {
		return failure("ValidationException", "PublicKey is not on the key's curve")
	}
	return success(map[string]any{
		"KeyId": key.ARN, "SharedSecret": secret, "KeyAgreementAlgorithm": "ECDH", "KeyOrigin": "AWS_KMS",
	})
}

func success(out any) answer {
	body, err := json.Marshal(out)
	if err != nil {
		return failure("KMSInternalException", err.Error())
	}
	return answer{status: 200, header: map[string][]string{"Content-Type": {"application/x-amz-json-1.1"}}, body: body}
}
