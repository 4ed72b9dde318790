package change

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"checkout/internal/settings"
	"checkout/internal/settings/certificate"
	"checkout/internal/store"
)

// SecretView is what is shown of a secret.
type SecretView struct {
	Since       time.Time `json:"since"`
	Fingerprint string    `json:"fingerprint,omitempty"` // its begin; "": an earlier release has stored none
	OldUntil    time.Time `json:"old_until,omitzero"`    // the secret that it replaced is valid until then

	Certificate *certificate.View `json:"certificate,omitempty"` // of a wallet's key
}

// shownFingerprint is how many hexadecimal digits of a fingerprint are shown.
const shownFingerprint = 8

// replaced returns the replaced keys that are still valid.
func (p *pendingChange) replaced() (all []settings.ReplacedKey) {
	for _, k := range p.before.Replaced {
		if p.now.Before(k.Until) {
			all = append(all, k)
		}
	}
	return all
}

// views returns what is shown of each secret.
func (p *pendingChange) views() map[string]SecretView {
	all := map[string]SecretView{}
	for at, stored := range p.places() {
		if stored {
			all[at.String()] = p.secrets.view(at)
		}
	}
	p.before.EachKey(func(k settings.WalletKey) {
		doc := p.secrets[k.Use]
		view := SecretView{Since: doc.Since, Fingerprint: k.ID[:min(shownFingerprint, len(k.ID))]}
		view.Certificate = certificate.ViewOf(k.Certificate)
		if key, own := doc.Keys[k.ID]; own {
			view.Since = key.Since
		}
		if _, stored := all[k.Place.String()]; stored {
			all[k.Place.String()] = view
		}
	})
	return all
}

// addKeys adds what is shown of the merchant's keys beside themselves.
func (p *pendingChange) addKeys(ctx context.Context, to map[string]SecretView) error {
	stored, err := p.Store.Get(ctx, p.now, store.AccessKey(p.before.LiveKey), store.AccessKey(p.before.TestKey))
	if err != nil {
		return fmt.Errorf("read merchant keys: %w", err)
	}
	for i, place := range []string{"live_key", "test_key"} {
		var key settings.Key
		if err := stored[i].Decode(&key); err != nil {
			return err
		}
		view := SecretView{Since: key.Since}
		for _, k := range p.replaced() {
			if k.Test == key.Test {
				view.OldUntil = k.Until
			}
		}
		to[place] = view
	}
	return nil
}

// view returns what is shown of a password, a callback secret or a credential.
func (all secrets) view(at settings.Place) SecretView {
	doc := all[settings.SecretCredentials]
	view, fingerprint := SecretView{Since: doc.Since}, []byte(nil)
	switch at.Setting {
	case "password", "callback_secret":
		if doc = all[settings.SecretPassword]; at.Setting == "callback_secret" {
			doc = all[settings.SecretCallback]
		}
		view, fingerprint = SecretView{Since: doc.Since, OldUntil: doc.OldUntil}, doc.Fingerprint
	default:
		name := at.Setting[len("credentials."):]
		if part := doc.Credentials[at.Mapping][at.MID].PartWith(name); part != nil {
			view.Since, fingerprint = part.Since, part.Fingerprints[name]
		}
	}
	view.Fingerprint = hex.EncodeToString(fingerprint[:min(shownFingerprint/2, len(fingerprint))])
	return view
}
