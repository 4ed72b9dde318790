package endpoint

import (
	"bytes"
	"crypto/cipher"
	"encoding/json"
	"fmt"
	"slices"

	"checkout/internal/local/cloud/template"
)

// keyService plays KMS with the symmetric keys of the template. The keys are generated at every start.
type keyService struct {
	keys      []template.Key
	symmetric map[string]cipher.AEAD // by ARN
}

func newKeyService(keys []template.Key) (*keyService, error) {
	v := &keyService{keys: keys, symmetric: map[string]cipher.AEAD{}}
	for _, key := range keys {
		if key.Spec+" "+key.Usage != "SYMMETRIC_DEFAULT ENCRYPT_DECRYPT" {
			continue // using another one fails with UnsupportedOperationException
		}
		var err error
		if v.symmetric[key.ARN], err = newSymmetric(); err != nil {
			return nil, fmt.Errorf("key %s: %w", key.ID, err)
		}
	}
	return v, nil
}

// find returns the key that a request names by id, ARN or alias. A request to decrypt may leave it out: then it is the
// key that the ciphertext was made with.
func (v *keyService) find(q request) (template.Key, error) {
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

func (v *keyService) run(q request) response {
	key, err := v.find(q)
	if err != nil {
		return faulty(err)
	}
	symmetric := v.symmetric[key.ARN]
	switch {
	case symmetric != nil && q.operation == "GenerateDataKeyPairWithoutPlaintext":
		return generateKeyPair(key, symmetric, q.body)
	case symmetric != nil && q.operation == "GenerateDataKey":
		return generateDataKey(key, symmetric, q.body)
	case symmetric != nil && q.operation == "Decrypt":
		return decrypt(key, symmetric, q.body)
	}
	return failure("UnsupportedOperationException",
		fmt.Sprintf("the local KMS has no %s for a key %s %s", q.operation, key.Spec, key.Usage))
}

// maker returns the key that a ciphertext was made with. As in KMS, the error for an unknown key is that it may not be
// used.
func (v *keyService) maker(blob []byte) (template.Key, error) {
	if len(blob) == 0 || len(blob) > maxBlob {
		return template.Key{}, &keyFault{"ValidationException", "CiphertextBlob must have 1 to 6144 bytes"}
	}
	arn, _, ok := bytes.Cut(blob, []byte("\n"))
	if !ok {
		return template.Key{}, &keyFault{"InvalidCiphertextException", ""}
	}
	for _, key := range v.keys {
		if string(arn) == key.ARN {
			return key, nil
		}
	}
	return template.Key{}, &keyFault{"AccessDeniedException",
		"The ciphertext refers to a customer master key that does not exist, " +
			"does not exist in this region, or you are not allowed to access."}
}
