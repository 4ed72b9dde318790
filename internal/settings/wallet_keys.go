package settings

import (
	"crypto/ecdh"
	"encoding/base64"
	"slices"

	"checkout/internal/settings/certificate"
)

// walletKeys are the private keys of a merchant and its MIDs for one use.
type walletKeys = secretsByMID[keysOfWallets]

// keysOfWallets are the private keys of the settings of one place, as PEM texts.
type keysOfWallets struct {
	ApplePay  []string `json:"applepay,omitempty"` // the identity key, or those of ApplePay.Processing in their order
	GooglePay []string `json:"googlepay,omitempty"`
}

// clone returns a copy whose keys can be changed.
func (w Wallets) clone() Wallets {
	if w.ApplePay != nil {
		c := *w.ApplePay
		c.Processing = slices.Clone(c.Processing)
		w.ApplePay = &c
	}
	if w.GooglePay != nil {
		c := *w.GooglePay
		c.PrivateKeys = slices.Clone(c.PrivateKeys)
		w.GooglePay = &c
	}
	return w
}

// removeKeys removes the private keys.
func (w *Wallets) removeKeys() {
	if w.ApplePay != nil {
		w.ApplePay.IdentityKey = ""
		for i := range w.ApplePay.Processing {
			w.ApplePay.Processing[i].Key = ""
		}
	}
	if w.GooglePay != nil {
		w.GooglePay.PrivateKeys = nil
	}
}

// keys returns the private keys of a use.
func (w *Wallets) keys(use SecretUse) (k keysOfWallets) {
	if use == SecretWalletIdentity {
		if w.ApplePay != nil && w.ApplePay.IdentityKey != "" {
			k.ApplePay = []string{w.ApplePay.IdentityKey}
		}
		return k
	}
	if w.ApplePay != nil {
		for _, p := range w.ApplePay.Processing {
			k.ApplePay = append(k.ApplePay, p.Key)
		}
	}
	if w.GooglePay != nil {
		k.GooglePay = w.GooglePay.PrivateKeys
	}
	return k
}

// setKeys puts the private keys of a use into settings from which removeKeys removed them.
func (w *Wallets) setKeys(use SecretUse, k keysOfWallets) {
	switch {
	case use == SecretWalletIdentity:
		if w.ApplePay != nil && len(k.ApplePay) == 1 {
			w.ApplePay.IdentityKey = k.ApplePay[0]
		}
		return
	case w.ApplePay != nil && len(w.ApplePay.Processing) == len(k.ApplePay):
		for i, key := range k.ApplePay {
			w.ApplePay.Processing[i].Key = key
		}
	}
	if w.GooglePay != nil {
		w.GooglePay.PrivateKeys = k.GooglePay
	}
}

func (w *Wallets) fillFrom(stored Wallets) {
	if own, old := w.ApplePay, stored.ApplePay; own != nil && old != nil {
		if own.IdentityCertificate == "" { // a wallet goes as a whole
			own.IdentityCertificate = old.IdentityCertificate
		}
		if own.IdentityKey == "" && own.IdentityCertificate == old.IdentityCertificate {
			own.IdentityKey = old.IdentityKey
		}
		for i, p := range own.Processing {
			same := func(o ProcessingCertificate) bool { return o.Certificate == p.Certificate }
			if at := slices.IndexFunc(old.Processing, same); p.Key == "" && at >= 0 {
				own.Processing[i].Key = old.Processing[at].Key
			}
		}
	}
	if own, old := w.GooglePay, stored.GooglePay; own != nil && old != nil && own.PrivateKeys == nil {
		own.PrivateKeys = slices.Clone(old.PrivateKeys)
	}
}

// SetPublicKeys sets the public halves of the keys of Google Pay. A key that is none is reported by its check.
func (w *Wallets) SetPublicKeys() {
	if w.GooglePay == nil {
		return
	}
	w.GooglePay.PublicKeys = nil
	for _, text := range w.GooglePay.PrivateKeys {
		if key, fault := certificate.ParseKey(text); fault == "" {
			if point, ok := key.Public().(interface {
				ECDH() (*ecdh.PublicKey, error)
			}); ok {
				if public, err := point.ECDH(); err == nil {
					w.GooglePay.PublicKeys = append(w.GooglePay.PublicKeys, base64.StdEncoding.EncodeToString(public.Bytes()))
				}
			}
		}
	}
}
