package settings

import (
	"context"
	"encoding/pem"
	"slices"

	"checkout/internal/fault"
	"checkout/internal/method"
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
	_, err := o.change(ctx, change{id: k.Merchant, saves: true, apply: func(m *Merchant) error {
		if m.ID == "" {
			return errMerchant()
		}
		var found *Wallets
		m.eachWallets(func(mapping, mid string, w *Wallets) {
			if mapping == k.Mapping && mid == k.MID {
				found = w
			}
		})
		if found == nil {
			return fault.At("mid", method.TextNotChoice)
		}
		if err := k.putInto(found); err != nil {
			return err
		}
		found.setPublicKeys()
		return nil
	}})
	return err
}

func (k WalletKeys) putInto(w *Wallets) error {
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
		own := ProcessingCertificate{asPEM(k.ProcessingCertificate), k.ProcessingKey}
		all := slices.Insert(w.ApplePay.Processing, 0, own)
		w.ApplePay.Processing = all[:min(len(all), maxWalletKeys)]
	}
	if k.GooglePayKey != "" {
		all := slices.Insert(w.GooglePay.PrivateKeys, 0, k.GooglePayKey)
		w.GooglePay.PrivateKeys = all[:min(len(all), maxWalletKeys)]
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
