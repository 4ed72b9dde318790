package settings

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"time"

	"checkout/internal/method"
	"checkout/internal/request"
)

// Names of the wallets' own (their public documentation of payment requests).
var (
	applePayCapabilities = []string{"supports3DS", "supportsCredit", "supportsDebit", "supportsEMV"}
	applePayNetworks     = []string{
		"amex", "bancomat", "bancontact", "bankAxept", "cartesBancaires", "chinaUnionPay", "dankort", "discover", "eftpos",
		"electron", "elo", "girocard", "interac", "jcb", "mada", "maestro", "masterCard", "mir", "privateLabel", "visa",
		"vPay",
	}
	googlePayNetworks    = []string{"MASTERCARD", "VISA", "AMEX", "DISCOVER", "JCB"}
	googlePayAuthMethods = []string{"PAN_ONLY", "CRYPTOGRAM_3DS"}
)

// MaxWalletKeys is how many keys of one wallet are good at the same time: the present one and the one before.
const MaxWalletKeys = 2

func (c settings) wallets(w Wallets) {
	if w.ApplePay != nil {
		c.at("applepay").applePay(*w.ApplePay)
	}
	if w.GooglePay != nil {
		c.at("googlepay").googlePay(*w.GooglePay)
	}
}

func (c settings) applePay(a ApplePay) {
	c.at("merchant_identifier").required(a.MerchantIdentifier, request.UpTo(255))
	c.at("country").required(a.Country, isKnownCountry)
	c.at("shop_name").required(a.ShopName, request.UpTo(64))
	c.identity(a)
	c.choices("capabilities", a.Capabilities, applePayCapabilities)
	c.at("capabilities").failIf(!slices.Contains(a.Capabilities, "supports3DS"),
		method.NotValid("It should have supports3DS."))
	c.choices("networks", a.Networks, applePayNetworks)
	c.at("domains").failIf(len(a.Domains) == 0, method.TextBlank)
	c.each("domains", a.Domains, request.Valid("It should be a host name such as shop.example.", isHostName))
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
func (c settings) identity(a ApplePay) {
	at := c.at("identity_certificate")
	if a.Disabled && a.IdentityCertificate == "" {
		return // it is stored later, and then enabled
	}
	certificate := at.certificate(a.IdentityCertificate)
	if certificate == nil {
		return
	}
	if _, isRSA := certificate.PublicKey.(*rsa.PublicKey); !isRSA {
		at.fail(method.NotValid("It should have an RSA key; a payment processing certificate belongs to processing."))
		return
	}
	if id := subjectID(certificate); id != "" && id != a.MerchantIdentifier {
		at.fail(method.NotValid("It is the certificate of another merchant_identifier."))
	}
	c.at("identity_key").keyOf(certificate, a.IdentityKey)
}

// processing checks a certificate that tokens are encrypted to.
func (c settings) processing(p ProcessingCertificate, merchantIdentifier string) {
	at := c.at("certificate")
	certificate := at.certificate(p.Certificate)
	if certificate == nil {
		return
	}
	if key, isEC := certificate.PublicKey.(*ecdsa.PublicKey); !isEC || key.Curve != elliptic.P256() {
		at.fail(method.NotValid("It should have a P-256 key, for tokens of EC_v1; those of RSA_v1 are not taken, and" +
			" an identity certificate belongs to identity_certificate."))
		return
	}
	sum := sha256.Sum256([]byte(merchantIdentifier))
	switch merchant, found := merchantIDHash(certificate); {
	case !found:
		at.fail(method.NotValid("It is no payment processing certificate: it names no merchant identifier."))
	case !strings.EqualFold(merchant, hex.EncodeToString(sum[:])):
		at.fail(method.NotValid("It is the certificate of another merchant_identifier."))
	}
	c.at("key").keyOf(certificate, p.Key)
}

func (c settings) googlePay(g GooglePay) {
	if !g.Disabled {
		at := c.at("terms_accepted_at")
		at.failIf(g.TermsAcceptedAt.IsZero(),
			"The wallet's acceptable use policy and terms have to be accepted before it can be enabled.")
		at.failIf(!c.now.IsZero() && g.TermsAcceptedAt.After(c.now), method.NotValid("It is in the future."))
	}
	c.at("environment").required(string(g.Environment), request.OneOf(WalletTest, WalletProduction))
	c.choices("auth_methods", g.AuthMethods, googlePayAuthMethods)
	c.choices("networks", g.Networks, googlePayNetworks)
	c.at("merchant_identifier").failIf(g.MerchantIdentifier == "" && g.Environment == WalletProduction, method.TextBlank)
	c.at("merchant_identifier").text(g.MerchantIdentifier, request.UpTo(255))
	c.at("merchant_name").text(g.MerchantName, request.UpTo(255))
	c.at("country").text(g.Country, isKnownCountry)
	c.at("gateway").text(g.Gateway, request.UpTo(255))
	c.at("gateway_merchant_id").text(g.GatewayMerchantID, request.UpTo(255))
	if len(g.PrivateKeys) == 0 && !g.Disabled { // tokens are encrypted to a gateway
		c.at("gateway").failIf(g.Gateway == "", method.TextBlank)
		named := g.GatewayMerchantID != "" || len(g.GatewayParameters) > 0
		c.at("gateway_merchant_id").failIf(!named, method.TextBlank)
	}
	c.gatewayParameters(g.GatewayParameters)
	c.atMostTwoKeys("private_keys", len(g.PrivateKeys))
	for i, text := range g.PrivateKeys {
		at := c.at("private_keys", i)
		key, fault := parseKey(text)
		at.failIf(fault != "", fault)
		if fault == "" {
			public, isEC := key.Public().(*ecdsa.PublicKey)
			at.failIf(!isEC || public.Curve != elliptic.P256(), method.NotValid("It should be a P-256 key."))
		}
		at.failIf(slices.Contains(g.PrivateKeys[:i], text), textTwice)
	}
}

// gatewayParameters checks what the page passes on to a gateway. A secret key of the gateway is a mistake that would
// publish it.
func (c settings) gatewayParameters(parameters map[string]string) {
	at := c.at("gateway_parameters")
	at.failIf(len(parameters) > maxGatewayParameters, method.NotValid("It should have ten entries or less."))
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		value := parameters[name]
		at.failIf(name == "" || value == "" || len(name) > 255 || len(value) > 255,
			method.NotValid("It should have names and values of 1 to 255 characters."))
		secret := strings.HasPrefix(value, "sk_") || strings.HasPrefix(value, "rk_")
		at.failIf(secret, method.NotValid("It has a secret key, which every payer could read."))
	}
}

// maxGatewayParameters bounds what screens carry.
const maxGatewayParameters = 10

// choices checks a list of at least one of some names.
func (c settings) choices(name string, chosen, of []string) {
	c.at(name).failIf(len(chosen) == 0, method.TextBlank)
	c.each(name, chosen, request.OneOf(of...))
}

func (c settings) atMostTwoKeys(name string, n int) {
	c.at(name).failIf(n > MaxWalletKeys, method.NotValid("It should have two keys or less."))
}

// certificate parses a certificate that is not over, and reports what is wrong with it. nil: something is.
func (c settings) certificate(text string) *x509.Certificate {
	if text == "" {
		c.fail(method.TextBlank)
		return nil
	}
	certificate, err := parseCertificate(text)
	switch {
	case err != nil:
		c.fail(method.NotValid("It should be a certificate in PEM form."))
		return nil
	case !c.now.IsZero() && !c.now.Before(certificate.NotAfter):
		c.fail(method.NotValid("It ended on " + certificate.NotAfter.UTC().Format(time.DateOnly) + "."))
		return nil
	}
	return certificate
}

// keyOf checks that a private key is that of a certificate.
func (c settings) keyOf(certificate *x509.Certificate, text string) {
	key, fault := parseKey(text)
	if fault != "" {
		c.fail(fault)
		return
	}
	public, comparable := key.Public().(interface{ Equal(crypto.PublicKey) bool })
	c.failIf(!comparable || !public.Equal(certificate.PublicKey), method.NotValid("It is not the key of the certificate."))
}

// isHostName reports whether a text is the name of a host as browsers write it: small letters, no port, no dot at its
// end.
func isHostName(text string) bool {
	labels := strings.Split(text, ".")
	if len(text) > 253 || len(labels) < 2 {
		return false
	}
	return !slices.ContainsFunc(labels, func(label string) bool {
		return label == "" || len(label) > 63 || strings.Trim(label, "-") != label ||
			strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != ""
	})
}
