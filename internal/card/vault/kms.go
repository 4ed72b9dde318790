package vault

import (
	"context"
	"errors"
	"fmt"
	"time"

	"checkout/internal/card"

	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
)

// NewKMS makes a vault whose keys are wrapped by two symmetric keys of KMS: days for the keys of the day, cards for
// data keys. Each is an id, ARN or alias, or "" in a function that makes no such keys.
//
// NewDayKey needs the permission kms:GenerateDataKeyPairWithoutPlaintext, Encrypt needs kms:GenerateDataKey, and
// OpenDayKey and Decrypt need kms:Decrypt.
func NewKMS(client *kms.Client, days, cards string, now func() time.Time) *Vault {
	return newVault(&kmsKeys{client, days, cards}, now)
}

// kmsKeys is a keyring whose wrapping keys never leave KMS.
type kmsKeys struct {
	client *kms.Client
	days   string
	cards  string
}

func (k *kmsKeys) newKeyPair(ctx context.Context, use use) (public, wrapped []byte, err error) {
	if k.days == "" {
		return nil, nil, errors.New("this vault has no key for keys of the day")
	}
	out, err := k.client.GenerateDataKeyPairWithoutPlaintext(ctx, &kms.GenerateDataKeyPairWithoutPlaintextInput{
		KeyId: &k.days, KeyPairSpec: types.DataKeyPairSpecEccNistP256, EncryptionContext: use.context(),
	})
	if err != nil {
		return nil, nil, fmt.Errorf("make a key pair in KMS: %w", err)
	}
	return out.PublicKey, out.PrivateKeyCiphertextBlob, nil
}

func (k *kmsKeys) newDataKey(ctx context.Context, use use) (plain, wrapped []byte, err error) {
	if k.cards == "" {
		return nil, nil, errors.New("this vault has no key for saved cards")
	}
	out, err := k.client.GenerateDataKey(ctx, &kms.GenerateDataKeyInput{
		KeyId: &k.cards, KeySpec: types.DataKeySpecAes256, EncryptionContext: use.context(),
	})
	if err != nil {
		return nil, nil, fmt.Errorf("make a data key in KMS: %w", err)
	}
	return out.Plaintext, out.CiphertextBlob, nil
}

// unwrap names no KMS key, so that keys that were wrapped by a replaced one can still be unwrapped. The policy of the
// caller decides which KMS keys are used.
func (k *kmsKeys) unwrap(ctx context.Context, wrapped []byte, use use) ([]byte, error) {
	out, err := k.client.Decrypt(ctx, &kms.DecryptInput{CiphertextBlob: wrapped, EncryptionContext: use.context()})
	if _, invalid := errors.AsType[*types.InvalidCiphertextException](err); invalid {
		return nil, decryptError("no key of KMS decrypts it")
	}
	if err != nil {
		return nil, fmt.Errorf("unwrap a key in KMS: %w", err)
	}
	return out.Plaintext, nil
}

// context returns the encryption context of a wrapped key, which CloudTrail logs.
func (u use) context() map[string]string { return map[string]string{u.name: u.value} }

var _ card.Vault = (*Vault)(nil)
