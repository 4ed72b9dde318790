package vault

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"

	"checkout/internal/checkout"
)

// Keep encrypts a card's number and expiry under a data key that KMS makes for
// this card alone, with bound as associated data. It fails if KMS could not be
// asked, or if the vault was made without a key for cards.
func (v *KMS) Keep(ctx context.Context, card checkout.Card, bound string) (checkout.Kept, error) {
	if v.cards == "" {
		return checkout.Kept{}, errors.New("this vault has no key for cards that are kept")
	}
	out, err := v.client.GenerateDataKey(ctx, &kms.GenerateDataKeyInput{
		KeyId:             &v.cards,
		KeySpec:           types.DataKeySpecAes256,
		EncryptionContext: keptContext(bound),
	})
	if err != nil {
		return checkout.Kept{}, fmt.Errorf("ask KMS for a data key: %w", err)
	}
	defer clear(out.Plaintext) // the SDK's read buffer stays; Go can't clear that
	if len(out.Plaintext) != keySize || len(out.CiphertextBlob) == 0 {
		return checkout.Kept{}, errors.New("KMS answered no data key")
	}
	return keep(dataKey{out.Plaintext, out.CiphertextBlob}, card, bound)
}

// OpenKept opens what Keep made, under whichever key of KMS: the wrapped data
// key names it. It fails with checkout.ErrSealed if the bytes or bound are to
// blame, and with another error if KMS could not be asked.
func (v *KMS) OpenKept(ctx context.Context, kept checkout.Kept, bound string) (checkout.Card, error) {
	stored, err := decodeKept(kept)
	if err != nil {
		return checkout.Card{}, err
	}
	// No KeyId: cards kept under a key that was replaced open as long as the
	// caller's policy names that key too, and it alone says which keys are ours.
	out, err := v.client.Decrypt(ctx, &kms.DecryptInput{
		CiphertextBlob:    stored.wrapped,
		EncryptionContext: keptContext(bound),
	})
	if _, invalid := errors.AsType[*types.InvalidCiphertextException](err); invalid {
		return checkout.Card{}, refuse("no key of KMS opens it")
	}
	if err != nil {
		return checkout.Card{}, fmt.Errorf("ask KMS to open a data key: %w", err)
	}
	defer clear(out.Plaintext)
	return openKept(out.Plaintext, stored.sealed, bound)
}

// keptContext binds a data key to its card inside KMS too. CloudTrail logs it,
// so it is a digest: what a card is bound to holds its token.
func keptContext(bound string) map[string]string {
	sum := sha256.Sum256([]byte(bound))
	return map[string]string{"card": text.EncodeToString(sum[:])}
}
