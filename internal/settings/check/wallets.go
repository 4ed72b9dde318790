package check

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"checkout/internal/method"
	"checkout/internal/settings"
	"checkout/internal/settings/certificate"
)

func (c checker) wallets(w settings.Wallets) {
	if w.ApplePay != nil {
		c.at("applepay").applePay(*w.ApplePay)
	}
	if w.GooglePay != nil {
		c.at("googlepay").googlePay(*w.GooglePay)
	}
}

func (c checker) applePay(a settings.ApplePay) {
	c.identity(a)
	c.at("capabilities").failIf(!slices.Contains(a.Capabilities, "supports3DS"),
		method.NotValid("It should have supports3DS."))
	c.atMostTwoKeys("processing", len(a.Processing))
	for i, p := range a.Processing {
		at := c.at("processing", i)
		if i > 0 { // only for tokens that were made before the first one was used
			at.now = time.Time{}
		}
		at.processing(p, a.MerchantIdentifier)
	}
}

// identity checks the certificate and key with which the service identifies itself to Apple Pay.
func (c checker) identity(a settings.ApplePay) {
	at := c.at("identity_certificate")
	if a.Disabled && a.IdentityCertificate == "" {
		return // it is stored later, and then enabled
	}
	read := at.certificate(a.IdentityCertificate)
	if read == nil {
		return
	}
	if _, isRSA := read.PublicKey.(*rsa.PublicKey); !isRSA {
		at.fail(method.NotValid("It should have an RSA key; a payment processing certificate belongs to processing."))
		return
	}
	if id := certificate.SubjectID(read); id != "" && id != a.MerchantIdentifier {
		at.fail(method.NotValid("It is the certificate of another merchant_identifier."))
	}
	c.at("identity_key").keyOf(read, a.IdentityKey)
}

// processing checks a certificate that tokens are encrypted to.
func (c checker) processing(p settings.ProcessingCertificate, merchantIdentifier string) {
	at := c.at("certificate")
	read := at.certificate(p.Certificate)
	if read == nil {
		return
	}
	if key, isEC := read.PublicKey.(*ecdsa.PublicKey); !isEC || key.Curve != elliptic.P256() {
		at.fail(method.NotValid("It should have a P-256 key, for tokens of EC_v1; those of RSA_v1 are not taken, and" +
			" an identity certificate belongs to identity_certificate."))
		return
	}
	sum := sha256.Sum256([]byte(merchantIdentifier))
	switch merchant, found := certificate.MerchantIDHash(read); {
	case !found:
		at.fail(method.NotValid("It is no payment processing certificate: it names no merchant identifier."))
	case !strings.EqualFold(merchant, hex.EncodeToString(sum[:])):
		at.fail(method.NotValid("It is the certificate of another merchant_identifier."))
	}
	c.at("key").keyOf(read, p.Key)
}

func (c checker) googlePay(g settings.GooglePay) {
	if !g.Disabled {
		at := c.at("terms_accepted_at")
		at.failIf(g.TermsAcceptedAt.IsZero(),
			"The wallet's acceptable use policy and terms have to be accepted before it can be enabled.")
		at.failIf(!c.now.IsZero() && g.TermsAcceptedAt.After(c.now), method.NotValid("It is in the future."))
	}
	c.at("merchant_identifier").failIf(g.MerchantIdentifier == "" && g.Environment == settings.WalletProduction,
		method.TextBlank)
	if len(g.PrivateKeys)+len(g.PublicKeys) == 0 && !g.Disabled { // tokens are encrypted to a gateway
		c.at("gateway").failIf(g.Gateway == "", method.TextBlank)
		named := g.GatewayMerchantID != "" || len(g.GatewayParameters) > 0
		c.at("gateway_merchant_id").failIf(!named, method.TextBlank)
	}
	c.at("gateway_parameters").failIf(len(g.GatewayParameters) > maxGatewayParameters,
		method.NotValid("It should have ten entries or less."))
	c.atMostTwoKeys("private_keys", len(g.PrivateKeys))
	for i := len(g.PrivateKeys); i < len(g.PublicKeys); i++ { // private halves that stay as they are stored
		at := c.at("private_keys", i)
		at.failIf(at.lacks(""), method.TextBlank)
		at.failIf(slices.Contains(g.PublicKeys[:i], g.PublicKeys[i]), textTwice)
	}
	for i, text := range g.PrivateKeys {
		at := c.at("private_keys", i)
		key, fault := certificate.ParseKey(text)
		at.failIf(fault != "", fault)
		if fault == "" {
			public, isEC := key.Public().(*ecdsa.PublicKey)
			at.failIf(!isEC || public.Curve != elliptic.P256(), method.NotValid("It should be a P-256 key."))
		}
	}
}

// maxGatewayParameters bounds what screens carry.
const maxGatewayParameters = 10

func (c checker) atMostTwoKeys(name string, n int) {
	c.at(name).failIf(n > settings.MaxWalletKeys, method.NotValid("It should have two keys or less."))
}

// certificate parses a certificate that is not over, and reports what is wrong with it. nil: something is.
func (c checker) certificate(text string) *x509.Certificate {
	if text == "" {
		c.fail(method.TextBlank)
		return nil
	}
	read, err := certificate.Parse(text)
	switch {
	case err != nil:
		c.fail(method.NotValid("It should be a certificate in PEM form."))
		return nil
	case !c.now.IsZero() && !c.now.Before(read.NotAfter):
		c.fail(method.NotValid("It ended on " + read.NotAfter.UTC().Format(time.DateOnly) + "."))
		return nil
	}
	return read
}

// keyOf checks that a private key is that of a certificate.
func (c checker) keyOf(of *x509.Certificate, text string) {
	if text == "" && !c.lacks(text) {
		return
	}
	key, fault := certificate.ParseKey(text)
	if fault != "" {
		c.fail(fault)
		return
	}
	public, comparable := key.Public().(interface{ Equal(crypto.PublicKey) bool })
	c.failIf(!comparable || !public.Equal(of.PublicKey), method.NotValid("It is not the key of the certificate."))
}
