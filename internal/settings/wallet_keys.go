package settings

import (
	"crypto/ecdh"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"checkout/internal/settings/certificate"
)

// keys returns the private keys with their places in these settings.
func (w *Wallets) keys() (all []WalletKey) {
	add := func(use SecretUse, setting, id, certificate, text string) {
		all = append(all, WalletKey{Place{Setting: setting}, use, id, certificate, text})
	}
	if a := w.ApplePay; a != nil {
		if a.IdentityCertificate != "" || a.IdentityKey != "" {
			id := certificate.ID(a.IdentityCertificate)
			add(SecretWalletIdentity, "applepay.identity_key", id, a.IdentityCertificate, a.IdentityKey)
		}
		for i, p := range a.Processing {
			id := certificate.ID(p.Certificate)
			add(SecretWalletProcessing, fmt.Sprintf("applepay.processing[%d].key", i), id, p.Certificate, p.Key)
		}
	}
	if g := w.GooglePay; g != nil {
		for i, point := range g.PublicKeys {
			text := ""
			if i < len(g.PrivateKeys) {
				text = g.PrivateKeys[i]
			}
			add(SecretWalletProcessing, fmt.Sprintf("googlepay.private_keys[%d]", i), certificate.IDOfPoint(point), "", text)
		}
	}
	return all
}

// readKeys adds the private keys of one JSON text, as earlier releases have encrypted them, by their ids: for each
// mapping and MID a list for each wallet.
func readKeys(plain []byte, to map[string]string) error {
	var all map[string]map[string]map[string][]string
	if json.Unmarshal(plain, &all) != nil { // its error could contain a key
		return errors.New("the document holds no keys of wallets")
	}
	for _, mids := range all {
		for _, wallets := range mids {
			for _, texts := range wallets {
				for _, text := range texts {
					if key, fault := certificate.ParseKey(text); fault == "" {
						to[certificate.IDOfKey(key.Public())] = text
					}
				}
			}
		}
	}
	return nil
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

// setKeys puts the private keys of a use into settings from which removeKeys removed them.
func (w *Wallets) setKeys(use SecretUse, known map[string]string) {
	if use == SecretWalletIdentity {
		if w.ApplePay != nil {
			w.ApplePay.IdentityKey = known[certificate.ID(w.ApplePay.IdentityCertificate)]
		}
		return
	}
	if w.ApplePay != nil {
		for i, p := range w.ApplePay.Processing {
			w.ApplePay.Processing[i].Key = known[certificate.ID(p.Certificate)]
		}
	}
	if w.GooglePay != nil {
		for _, point := range w.GooglePay.PublicKeys {
			if key := known[certificate.IDOfPoint(point)]; key != "" {
				w.GooglePay.PrivateKeys = append(w.GooglePay.PrivateKeys, key)
			}
		}
	}
}

// fillFrom copies what belongs to keys that stay. A wallet goes as a whole, so its certificate stays, too.
func (w *Wallets) fillFrom(stored Wallets) {
	if own, old := w.ApplePay, stored.ApplePay; own != nil && old != nil && own.IdentityCertificate == "" {
		own.IdentityCertificate = old.IdentityCertificate
	}
	if w.GooglePay != nil && w.GooglePay.PrivateKeys == nil {
		w.GooglePay.PublicKeys = nil
		if stored.GooglePay != nil {
			w.GooglePay.PublicKeys = slices.Clone(stored.GooglePay.PublicKeys)
		}
		return
	}
	w.SetPublicKeys()
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
