package endpoint

import (
	"crypto/ecdh"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"slices"

	"checkout/internal/local/cloud/template"
)

// vault is KMS with the keys of the template. Each key agreement key on P-256 is made anew at every start.
type vault struct {
	keys    []template.Key
	private map[string]*ecdh.PrivateKey // by ARN
}

func newVault(keys []template.Key) (*vault, error) {
	v := &vault{keys: keys, private: map[string]*ecdh.PrivateKey{}}
	for _, key := range keys {
		if key.Spec != "ECC_NIST_P256" || key.Usage != "KEY_AGREEMENT" {
			continue // answers UnsupportedOperationException when used
		}
		private, err := ecdh.P256().GenerateKey(nil) // the library takes secure randomness by itself
		if err != nil {
			return nil, fmt.Errorf("key %s: %w", key.ID, err)
		}
		v.private[key.ARN] = private
	}
	return v, nil
}

// find is the key that a request names by id, ARN or alias.
func (v *vault) find(body []byte) (template.Key, error) {
	var in struct{ KeyId string }
	if err := json.Unmarshal(body, &in); err != nil {
		return template.Key{}, fmt.Errorf("the request is no JSON object that can be understood")
	}
	for _, key := range v.keys {
		if in.KeyId == key.KeyID || in.KeyId == key.ARN || slices.Contains(key.Aliases, in.KeyId) {
			return key, nil
		}
	}
	return template.Key{}, fmt.Errorf("keyId %q is not valid", in.KeyId)
}

func (v *vault) answer(q request) answer {
	key, err := v.find(q.body)
	if err != nil {
		return failure("NotFoundException", err.Error())
	}
	private := v.private[key.ARN]
	if private == nil {
		return failure("UnsupportedOperationException", "the local KMS has only key agreement keys on P-256, not "+key.Spec+" "+key.Usage)
	}
	switch q.operation {
	case "GetPublicKey":
		return publicKey(key, private)
	case "DeriveSharedSecret":
		return sharedSecret(key, private, q.body)
	}
	return failure("UnsupportedOperationException", "the local KMS has no "+q.operation)
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
