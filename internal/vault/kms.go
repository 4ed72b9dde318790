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

// NewKMS makes a vault whose keys are wrapped by two symmetric keys of KMS,
// named by id, ARN or alias: days for the keys of the day and cards for data
// keys. A function that makes none of a kind has "" there. NewDayKey needs the
// permission kms:GenerateDataKeyPairWithoutPlaintext, Keep needs
// kms:GenerateDataKey, and OpenDayKey and OpenKept need kms:Decrypt.
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
		return nil, nil, fmt.Errorf("ask KMS for a key pair: %w", err)
	}
	return out.PublicKey, out.PrivateKeyCiphertextBlob, nil
}

func (k *kmsKeys) newDataKey(ctx context.Context, use use) (plain, wrapped []byte, err error) {
	if k.cards == "" {
		return nil, nil, errors.New("this vault has no key for cards that are kept")
	}
	out, err := k.client.GenerateDataKey(ctx, &kms.GenerateDataKeyInput{
		KeyId: &k.cards, KeySpec: types.DataKeySpecAes256, EncryptionContext: use.context(),
	})
	if err != nil {
		return nil, nil, fmt.Errorf("ask KMS for a data key: %w", err)
	}
	return out.Plaintext, out.CiphertextBlob, nil
}

// unwrap names no key: what was wrapped by a key that was replaced opens as
// long as the caller's policy names that key too, and it alone says which keys are ours.
func (k *kmsKeys) unwrap(ctx context.Context, wrapped []byte, use use) ([]byte, error) {
	out, err := k.client.Decrypt(ctx, &kms.DecryptInput{CiphertextBlob: wrapped, EncryptionContext: use.context()})
	if _, invalid := errors.AsType[*types.InvalidCiphertextException](err); invalid {
		return nil, refuse("no key of KMS opens it")
	}
	if err != nil {
		return nil, fmt.Errorf("ask KMS to unwrap a key: %w", err)
	}
	return out.Plaintext, nil
}

// context binds a wrapped key to its use inside KMS too. CloudTrail logs it.
func (u use) context() map[string]string { return map[string]string{u.name: u.value} }

var _ card.Vault = (*Vault)(nil)
