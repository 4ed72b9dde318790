package vault

import (
	"context"
	"crypto/cipher"
	"errors"
	"fmt"
	"io"

	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"

	"checkout/internal/settings"
)

// Wrapper makes and unwraps the keys of secrets. A wrapped key can be unwrapped for the use and owner only that it was
// made for, by those who have the permission for that use.
type Wrapper interface {
	// NewKey returns a fresh data key of 32 bytes, plain and wrapped, for one owner or with "" for all.
	NewKey(ctx context.Context, use settings.SecretUse, owner string) (plain, wrapped []byte, err error)
	// NewPair returns a fresh key pair for all owners: the public half as DER (SubjectPublicKeyInfo), the private half
	// (PKCS #8) wrapped only.
	NewPair(ctx context.Context, use settings.SecretUse) (public, wrapped []byte, err error)
	// Unwrap returns what NewKey or, for the owner "", NewPair wrapped for the same use and owner.
	Unwrap(ctx context.Context, use settings.SecretUse, owner string, wrapped []byte) ([]byte, error)
}

// kmsWrapper wraps keys with symmetric keys of AWS KMS. The encryption context holds the use, by which policies
// decide who may unwrap, and the owner, which CloudTrail logs. NewKey needs kms:GenerateDataKey, NewPair
// kms:GenerateDataKeyPairWithoutPlaintext, and Unwrap kms:Decrypt.
type kmsWrapper struct {
	client *kms.Client
	keys   map[settings.SecretUse]string
}

// NewKMSWrapper returns the wrapper with the KMS key of each use, named by id, ARN or alias; they may be one key.
func NewKMSWrapper(client *kms.Client, keys map[settings.SecretUse]string) Wrapper {
	return &kmsWrapper{client, keys}
}

// NewKey implements Wrapper.
func (w *kmsWrapper) NewKey(
	ctx context.Context, use settings.SecretUse, owner string,
) (plain, wrapped []byte, err error) {
	key := w.keys[use]
	out, err := w.client.GenerateDataKey(ctx, &kms.GenerateDataKeyInput{
		KeyId: &key, KeySpec: types.DataKeySpecAes256, EncryptionContext: useContext(use, owner),
	})
	if err != nil {
		return nil, nil, fmt.Errorf("make a data key in KMS: %w", err)
	}
	if len(out.Plaintext) != keySize || len(out.CiphertextBlob) == 0 {
		return nil, nil, errors.New("KMS returned no data key")
	}
	return out.Plaintext, out.CiphertextBlob, nil
}

// NewPair implements Wrapper.
func (w *kmsWrapper) NewPair(ctx context.Context, use settings.SecretUse) (public, wrapped []byte, err error) {
	key := w.keys[use]
	out, err := w.client.GenerateDataKeyPairWithoutPlaintext(ctx, &kms.GenerateDataKeyPairWithoutPlaintextInput{
		KeyId: &key, KeyPairSpec: types.DataKeyPairSpecEccNistP256, EncryptionContext: useContext(use, ""),
	})
	if err != nil {
		return nil, nil, fmt.Errorf("make a key pair in KMS: %w", err)
	}
	if len(out.PublicKey) == 0 || len(out.PrivateKeyCiphertextBlob) == 0 {
		return nil, nil, errors.New("KMS returned no key pair")
	}
	return out.PublicKey, out.PrivateKeyCiphertextBlob, nil
}

// Unwrap implements Wrapper. It names the KMS key, so that a data key that another one wrapped is not accepted.
func (w *kmsWrapper) Unwrap(
	ctx context.Context, use settings.SecretUse, owner string, wrapped []byte,
) ([]byte, error) {
	key := w.keys[use]
	out, err := w.client.Decrypt(ctx, &kms.DecryptInput{
		KeyId: &key, CiphertextBlob: wrapped, EncryptionContext: useContext(use, owner),
	})
	if err != nil {
		return nil, fmt.Errorf("unwrap a key in KMS: %w", err)
	}
	return out.Plaintext, nil
}

func useContext(use settings.SecretUse, owner string) map[string]string {
	if owner == "" {
		return map[string]string{"use": string(use)}
	}
	return map[string]string{"use": string(use), "owner": owner}
}

// localWrapper wraps keys with a key in memory, for a local run and for tests.
type localWrapper struct {
	random   io.Reader
	wrapping cipher.AEAD
}

// NewLocalWrapper makes a wrapper with a wrapping key from random. Later data keys are read from random, too.
func NewLocalWrapper(random io.Reader) (Wrapper, error) {
	key := make([]byte, keySize)
	defer clear(key)
	if _, err := io.ReadFull(random, key); err != nil {
		return nil, fmt.Errorf("make a wrapping key: %w", err)
	}
	wrapping, err := newAEAD(key)
	if err != nil {
		return nil, err
	}
	return &localWrapper{random, wrapping}, nil
}

// NewKey implements Wrapper.
func (w *localWrapper) NewKey(
	_ context.Context, use settings.SecretUse, owner string,
) (plain, wrapped []byte, err error) {
	plain = make([]byte, keySize)
	if _, err := io.ReadFull(w.random, plain); err != nil {
		return nil, nil, fmt.Errorf("make a data key: %w", err)
	}
	return plain, w.wrapping.Seal(nil, nil, plain, associated(use, owner)), nil
}

// NewPair implements Wrapper.
func (w *localWrapper) NewPair(_ context.Context, use settings.SecretUse) (public, wrapped []byte, err error) {
	seed := make([]byte, keySize)
	defer clear(seed)
	if _, err := io.ReadFull(w.random, seed); err != nil {
		return nil, nil, fmt.Errorf("make a key pair: %w", err)
	}
	public, plain, err := pairOf(seed)
	if err != nil {
		return nil, nil, fmt.Errorf("make a key pair: %w", err)
	}
	defer clear(plain)
	return public, w.wrapping.Seal(nil, nil, plain, associated(use, "")), nil
}

// Unwrap implements Wrapper.
func (w *localWrapper) Unwrap(
	_ context.Context, use settings.SecretUse, owner string, wrapped []byte,
) ([]byte, error) {
	plain, err := w.wrapping.Open(nil, nil, wrapped, associated(use, owner))
	if err != nil {
		return nil, errors.New("the key was wrapped by another one, or for another use")
	}
	return plain, nil
}
