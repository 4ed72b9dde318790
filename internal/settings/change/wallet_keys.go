package change

import (
	"context"
	"encoding/pem"
	"slices"

	"checkout/internal/fault"
	"checkout/internal/method"
	"checkout/internal/settings"
)

// WalletKeys are new certificates and keys of a merchant's wallets. Each certificate stands beside its key; those that
// are empty stay as they are stored. Certificates are PEM texts, or bytes in DER form as the vendor gives them.
type WalletKeys struct {
	Merchant     string
	Mapping, MID string // "": the merchant's own settings

	IdentityCertificate, IdentityKey     string
	ProcessingCertificate, ProcessingKey string // become the first; the one before is kept for tokens under way
	GooglePayKey                         string // likewise
}

// PutWalletKeys stores certificates and keys of wallets whose other settings are stored already.
// Errors: CodeInvalid with every fault, CodeNotFound.
func (o *Merchants) PutWalletKeys(ctx context.Context, k WalletKeys) error {
	_, err := o.change(ctx, change{id: k.Merchant, saves: true, apply: func(m *settings.Merchant, _ secrets) error {
		if m.ID == "" {
			return errMerchant()
		}
		var found *settings.Wallets
		m.EachWallets(func(mapping, mid string, w *settings.Wallets) {
			if mapping == k.Mapping && mid == k.MID {
				found = w
			}
		})
		if found == nil {
			return fault.At("mid", method.TextNotChoice)
		}
		return k.putInto(found)
	}})
	return err
}

func (k WalletKeys) putInto(w *settings.Wallets) error {
	if k.IdentityCertificate+k.IdentityKey+k.ProcessingCertificate+k.ProcessingKey != "" && w.ApplePay == nil {
		return fault.At("wallets.applepay", "Store the other settings of this wallet first.")
	}
	if k.GooglePayKey != "" && w.GooglePay == nil {
		return fault.At("wallets.googlepay", "Store the other settings of this wallet first.")
	}
	if k.IdentityCertificate != "" || k.IdentityKey != "" {
		w.ApplePay.IdentityCertificate, w.ApplePay.IdentityKey = asPEM(k.IdentityCertificate), k.IdentityKey
	}
	if k.ProcessingCertificate != "" || k.ProcessingKey != "" {
		own := settings.ProcessingCertificate{Certificate: asPEM(k.ProcessingCertificate), Key: k.ProcessingKey}
		all := slices.Insert(w.ApplePay.Processing, 0, own)
		w.ApplePay.Processing = all[:min(len(all), settings.MaxWalletKeys)]
	}
	if k.GooglePayKey != "" {
		before := w.GooglePay.PublicKeys
		w.GooglePay.PrivateKeys = []string{k.GooglePayKey}
		w.SetPublicKeys()
		all := slices.Concat(w.GooglePay.PublicKeys, before)
		w.GooglePay.PublicKeys = all[:min(len(all), settings.MaxWalletKeys)]
	}
	return nil
}

// asPEM returns the PEM text of a certificate in either form.
func asPEM(certificate string) string {
	if block, _ := pem.Decode([]byte(certificate)); block != nil || certificate == "" {
		return certificate
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte(certificate)}))
}
