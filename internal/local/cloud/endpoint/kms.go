package endpoint

import (
	"crypto/cipher"
	"encoding/json"
	"errors"
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

// keyFault says why a request names no key, in the words of KMS.
type keyFault struct{ kind, text string }

func (f *keyFault) Error() string { return f.text }

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

// faulty is the response to a request that can't be understood or names no key.
func faulty(err error) response {
	if fault, ok := errors.AsType[*keyFault](err); ok {
		return failure(fault.kind, fault.text)
	}
	return failure("ValidationException", err.Error())
}

func success(out any) response {
	body, err := json.Marshal(out)
	if err != nil {
		return failure("KMSInternalException", err.Error())
	}
	return response{status: 200, header: map[string][]string{"Content-Type": {"application/x-amz-json-1.1"}}, body: body}
}
