package vault

import (
	"context"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/x509"
	"errors"
	"fmt"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"

	"checkout/internal/checkout"
)

// KMS is a vault whose keys never leave AWS KMS: one of spec ECC_NIST_P256 and
// usage KEY_AGREEMENT for sealed cards, and a symmetric one for kept cards.
// PublicKey needs the permission kms:GetPublicKey; Open needs
// kms:DeriveSharedSecret as well, Keep needs kms:GenerateDataKey and OpenKept
// kms:Decrypt. Each of these three asks KMS once per card.
type KMS struct {
	client *kms.Client
	key    string // of sealed cards: id, ARN or alias
	cards  string // of kept cards

	mu     sync.Mutex
	public *ecdh.PublicKey // once fetched
}

var _ checkout.Vault = (*KMS)(nil)

// NewKMS answers the vault of two KMS keys, named by id, ARN or alias: key for
// sealed cards, cards for kept ones. Without the second, "", Keep always fails.
// It asks nothing yet.
func NewKMS(client *kms.Client, key, cards string) *KMS {
	return &KMS{client: client, key: key, cards: cards}
}

// PublicKey answers the key's id (a digest of the key, not its name in KMS)
// and its uncompressed P-256 point. KMS is asked until it has answered once.
func (v *KMS) PublicKey(ctx context.Context) (string, []byte, error) {
	public, err := v.fetch(ctx)
	if err != nil {
		return "", nil, err
	}
	point := public.Bytes()
	return keyID(point), point, nil
}

// Open opens a card sealed to this vault's key with info as both info and
// aad. It fails with checkout.ErrSealed if the bytes are to blame, and with
// another error if KMS could not be asked.
func (v *KMS) Open(ctx context.Context, sealed checkout.Sealed, info string) (checkout.Card, error) {
	public, err := v.fetch(ctx)
	if err != nil {
		return checkout.Card{}, err
	}
	exchange := &exchange{ctx: ctx, vault: v, public: public}
	card, err := unseal(exchange, sealed, info)
	if exchange.err != nil {
		return checkout.Card{}, exchange.err
	}
	return card, err
}

// fetch holds the lock while it asks, so that a first batch of cards asks once.
func (v *KMS) fetch(ctx context.Context) (*ecdh.PublicKey, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.public != nil {
		return v.public, nil
	}
	out, err := v.client.GetPublicKey(ctx, &kms.GetPublicKeyInput{KeyId: &v.key})
	if err != nil {
		return nil, fmt.Errorf("ask KMS for the vault's public key: %w", err)
	}
	parsed, err := x509.ParsePKIXPublicKey(out.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("the vault's public key: %w", err)
	}
	key, ok := parsed.(*ecdsa.PublicKey)
	if !ok {
		return nil, errors.New("the vault's public key is not on an elliptic curve")
	}
	public, err := key.ECDH()
	if err != nil || public.Curve() != ecdh.P256() {
		return nil, errors.New("the vault's public key is not on P-256")
	}
	v.public = public
	return public, nil
}

// exchange is one card's Diffie-Hellman exchange. The interface has no
// context and its caller hides what failed, so both live here, for one Open.
type exchange struct {
	ctx    context.Context
	vault  *KMS
	public *ecdh.PublicKey
	err    error // why KMS did not answer
}

var _ ecdh.KeyExchanger = (*exchange)(nil)

func (x *exchange) PublicKey() *ecdh.PublicKey { return x.public }

func (x *exchange) Curve() ecdh.Curve { return ecdh.P256() }

// ECDH asks KMS. The point was checked to be on the curve before it came
// here, so whatever goes wrong is no fault of the sealed bytes.
func (x *exchange) ECDH(remote *ecdh.PublicKey) ([]byte, error) {
	var secret []byte
	secret, x.err = x.derive(remote)
	return secret, x.err
}

func (x *exchange) derive(remote *ecdh.PublicKey) ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(remote)
	if err != nil {
		return nil, fmt.Errorf("encode a public key for KMS: %w", err)
	}
	out, err := x.vault.client.DeriveSharedSecret(x.ctx, &kms.DeriveSharedSecretInput{
		KeyId:                 &x.vault.key,
		KeyAgreementAlgorithm: types.KeyAgreementAlgorithmSpecEcdh,
		PublicKey:             der,
	})
	if err != nil {
		return nil, fmt.Errorf("ask KMS for a shared secret: %w", err)
	}
	if len(out.SharedSecret) != 32 {
		return nil, errors.New("KMS answered no P-256 shared secret")
	}
	return out.SharedSecret, nil
}
