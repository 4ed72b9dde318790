package settings

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/request/requesttest"
	"checkout/internal/settings/settingstest"
)

const merchantIdentifier = "merchant.example.pens"

var checkedAt = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// goodWallets has every setting of both wallets, each with a valid value.
func goodWallets(t *testing.T) Wallets {
	t.Helper()
	identity := settingstest.Identity(t, merchantIdentifier, checkedAt.AddDate(1, 0, 0))
	first := settingstest.Processing(t, merchantIdentifier, checkedAt.AddDate(1, 0, 0))
	second := settingstest.Processing(t, merchantIdentifier, checkedAt.AddDate(0, 0, -1)) // for tokens under way
	return Wallets{
		ApplePay: &ApplePay{
			MerchantIdentifier: merchantIdentifier, Country: "DE", ShopName: "Pens",
			IdentityCertificate: identity.Certificate, IdentityKey: identity.Key,
			Capabilities: []string{"supports3DS", "supportsDebit"}, Networks: []string{"visa", "masterCard"},
			Domains:    []string{"pay.example", "shop.pens.example"},
			Processing: []ProcessingCertificate{{first.Certificate, first.Key}, {second.Certificate, second.Key}},
		},
		GooglePay: &GooglePay{
			TermsAcceptedAt: checkedAt, Environment: WalletProduction, AuthMethods: []string{"PAN_ONLY", "CRYPTOGRAM_3DS"},
			Networks: []string{"VISA"}, MerchantIdentifier: "BCR2DN4T", MerchantName: "Pens", Country: "DE",
			PrivateKeys: []string{settingstest.Key(t), settingstest.Key(t)},
		},
	}
}

// notValid begins the texts of most faults.
const notValid = requesttest.NotValid

func walletFaults(w Wallets, now time.Time) []string {
	c := settings{faults: new([]fault.Fault), now: now}
	c.at("wallets").wallets(w)
	return requesttest.TextsOf(*c.faults)
}

func TestCheckWallets(t *testing.T) {
	good := goodWallets(t)
	if got := walletFaults(good, checkedAt); len(got) != 0 {
		t.Fatalf("%q", got)
	}
	other := settingstest.Processing(t, "merchant.example.other", checkedAt.AddDate(1, 0, 0))
	otherIdentity := settingstest.Identity(t, "merchant.example.other", checkedAt.AddDate(1, 0, 0))
	const apple, google = "wallets.applepay.", "wallets.googlepay."
	const blankText, choice = "This value should not be blank.", "The value you selected is not a valid choice."
	const twice = "This value is used twice."
	for _, test := range []struct {
		name   string
		change func(a *ApplePay, g *GooglePay)
		want   []string
	}{
		{"no identifier", func(a *ApplePay, _ *GooglePay) { *a = ApplePay{} }, []string{
			apple + "merchant_identifier: " + blankText, apple + "country: " + blankText, apple + "shop_name: " + blankText,
			apple + "identity_certificate: " + blankText, apple + "capabilities: " + blankText,
			apple + "capabilities: " + notValid + " It should have supports3DS.", apple + "networks: " + blankText,
			apple + "domains: " + blankText}},
		{"a long name", func(a *ApplePay, _ *GooglePay) { a.ShopName = strings.Repeat("x", 65) },
			[]string{apple + "shop_name: " + notValid + " It should have at most 64 characters."}},
		{"names of nobody", func(a *ApplePay, _ *GooglePay) {
			a.Country, a.Capabilities, a.Networks = "XX", append(a.Capabilities, "x"), []string{"VISA"}
		}, []string{apple + "country: " + choice, apple + "capabilities[2]: " + choice, apple + "networks[0]: " + choice}},
		{"the other wallet's certificate", func(a *ApplePay, _ *GooglePay) {
			a.IdentityCertificate, a.Processing[0].Certificate = a.Processing[0].Certificate, a.IdentityCertificate
		}, []string{
			apple + "identity_certificate: " + notValid +
				" It should have an RSA key; a payment processing certificate belongs to processing.",
			apple + "processing[0].certificate: " + notValid +
				" It should have a P-256 key, for tokens of EC_v1; those of RSA_v1 are not taken, and" +
				" an identity certificate belongs to identity_certificate."}},
		{"keys of other certificates", func(a *ApplePay, _ *GooglePay) {
			a.IdentityKey, a.Processing[0].Key, a.Processing[1].Key = otherIdentity.Key, other.Key, "x"
		}, []string{apple + "identity_key: " + notValid + " It is not the key of the certificate.",
			apple + "processing[0].key: " + notValid + " It is not the key of the certificate.",
			apple + "processing[1].key: " + notValid + " It should be a private key in PEM form."}},
		{"another merchant's", func(a *ApplePay, _ *GooglePay) {
			a.IdentityCertificate, a.IdentityKey = otherIdentity.Certificate, otherIdentity.Key
			a.Processing[0] = ProcessingCertificate{other.Certificate, other.Key}
		}, []string{
			apple + "identity_certificate: " + notValid + " It is the certificate of another merchant_identifier.",
			apple + "processing[0].certificate: " + notValid + " It is the certificate of another merchant_identifier."}},
		{"three keys", func(a *ApplePay, g *GooglePay) {
			a.Processing = append(a.Processing, a.Processing[0])
			g.PrivateKeys = append(g.PrivateKeys, g.PrivateKeys[0])
		}, []string{apple + "processing: " + notValid + " It should have two keys or less.",
			google + "private_keys: " + notValid + " It should have two keys or less.",
			google + "private_keys[2]: " + twice}},
		{"no hosts", func(a *ApplePay, _ *GooglePay) {
			a.Domains = []string{
				"https://pay.example", "pay.example:8080", "Pay.example", "localhost", "a..example", "-a.example",
			}
		}, []string{
			apple + "domains[0]: " + notValid + " It should be a host name such as shop.example.",
			apple + "domains[1]: " + notValid + " It should be a host name such as shop.example.",
			apple + "domains[2]: " + notValid + " It should be a host name such as shop.example.",
			apple + "domains[3]: " + notValid + " It should be a host name such as shop.example.",
			apple + "domains[4]: " + notValid + " It should be a host name such as shop.example.",
			apple + "domains[5]: " + notValid + " It should be a host name such as shop.example."}},
		{"no terms", func(_ *ApplePay, g *GooglePay) { g.TermsAcceptedAt = time.Time{} }, []string{google +
			"terms_accepted_at: The wallet's acceptable use policy and terms have to be accepted before it can be enabled."}},
		{"terms of tomorrow", func(_ *ApplePay, g *GooglePay) { g.TermsAcceptedAt = checkedAt.Add(1) },
			[]string{google + "terms_accepted_at: " + notValid + " It is in the future."}},
		{"no terms, disabled", func(_ *ApplePay, g *GooglePay) { g.TermsAcceptedAt, g.Disabled = time.Time{}, true }, nil},
		{"nothing of Google Pay", func(_ *ApplePay, g *GooglePay) { *g = GooglePay{Disabled: true} }, []string{
			google + "environment: " + blankText, google + "auth_methods: " + blankText, google + "networks: " + blankText}},
		{"gateway's parameters for its merchant id", func(_ *ApplePay, g *GooglePay) {
			g.PrivateKeys, g.Gateway = nil, "stripe"
			g.GatewayParameters = map[string]string{"stripe:publishableKey": "pk_live_1", "stripe:version": "2025-03-31"}
		}, nil},
		{"a gateway's secret key", func(_ *ApplePay, g *GooglePay) {
			g.GatewayParameters = map[string]string{"stripe:publishableKey": "sk_live_1"}
		}, []string{google + "gateway_parameters: " + notValid + " It has a secret key, which every payer could read."}},
		{"a gateway's parameter without a value", func(_ *ApplePay, g *GooglePay) {
			g.GatewayParameters = map[string]string{"stripe:version": ""}
		}, []string{google + "gateway_parameters: " + notValid + " It should have names and values of 1 to 255 characters."}},
		{"neither key nor gateway", func(_ *ApplePay, g *GooglePay) { g.PrivateKeys = nil },
			[]string{google + "gateway: " + blankText, google + "gateway_merchant_id: " + blankText}},
		{"certificates later", func(a *ApplePay, _ *GooglePay) {
			a.Disabled, a.IdentityCertificate, a.IdentityKey, a.Processing = true, "", "", nil
		}, nil},
		{"production without an identifier", func(_ *ApplePay, g *GooglePay) { g.MerchantIdentifier = "" },
			[]string{google + "merchant_identifier: " + blankText}},
		{"other names", func(_ *ApplePay, g *GooglePay) {
			g.Environment, g.AuthMethods, g.Networks = "test", []string{"3DS"}, []string{"visa"}
		}, []string{google + "environment: " + choice, google + "auth_methods[0]: " + choice,
			google + "networks[0]: " + choice}},
		{"an RSA key", func(_ *ApplePay, g *GooglePay) { g.PrivateKeys[0] = otherIdentity.Key },
			[]string{google + "private_keys[0]: " + notValid + " It should be a P-256 key."}},
	} {
		w := good.clone()
		test.change(w.ApplePay, w.GooglePay)
		if got := walletFaults(w, checkedAt); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

// A certificate is good until its end, and not a second longer.
func TestCertificatesEnd(t *testing.T) {
	w := goodWallets(t)
	end := checkedAt.AddDate(1, 0, 0)
	want := []string{"wallets.applepay.identity_certificate: " + notValid + " It ended on 2027-11-22.",
		"wallets.applepay.processing[0].certificate: " + notValid + " It ended on 2027-11-22."}
	for now, want := range map[time.Time][]string{end.Add(-time.Second): nil, end: want, {}: nil} {
		if got := walletFaults(w, now); !reflect.DeepEqual(got, want) {
			t.Errorf("at %s: %q", now, got)
		}
	}
	m := Merchant{Wallets: w, Mappings: []Mapping{{Name: "main", MIDs: []MID{{Name: "a", Wallets: w}}}}}
	if got := m.WalletCertificates(); len(got) != 4 || !got[0].NotAfter.Equal(end) ||
		got[3].Path != "mapping main, MID a: wallets.applepay.processing[0].certificate" {
		t.Errorf("%+v", got)
	}
	for before, want := range map[time.Duration]string{
		31 * 24 * time.Hour: "", 30 * 24 * time.Hour: "A certificate ends: ", 0: "A certificate has ended: ",
	} {
		got := m.Warnings(end.Add(-before))
		if want == "" && len(got) > 0 || want != "" && (len(got) != 4 || !strings.HasPrefix(got[0], want)) {
			t.Errorf("%s before: %q", before, got)
		}
	}
	w.ApplePay.Disabled = true
	if got := (&Merchant{Wallets: w}).WalletCertificates(); len(got) != 0 {
		t.Errorf("disabled: %+v", got)
	}
}

// Google Pay in its TEST environment is named, wherever it is set, unless it is disabled.
func TestLiveWarnings(t *testing.T) {
	production, test, disabled := goodWallets(t), goodWallets(t), goodWallets(t)
	test.GooglePay.Environment = WalletTest
	disabled.GooglePay.Environment, disabled.GooglePay.Disabled = WalletTest, true
	const warns = "wallets.googlepay.environment is TEST: a live provider declines payments with it."
	for _, row := range []struct {
		merchant, mid Wallets
		want          []string
	}{
		{test, test, []string{warns, "mapping main, MID a: " + warns}},
		{production, test, []string{"mapping main, MID a: " + warns}},
		{production, production, nil}, {disabled, disabled, nil}, {Wallets{}, Wallets{}, nil},
	} {
		m := Merchant{Wallets: row.merchant, Mappings: []Mapping{{Name: "main", MIDs: []MID{{Name: "a", Wallets: row.mid}}}}}
		if got := m.LiveWarnings(); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
}

// The keys of each use are read back to where they were; others don't see them.
func TestKeysOfWallets(t *testing.T) {
	w := goodWallets(t)
	m := Merchant{Wallets: w, Mappings: []Mapping{{Name: "main", MIDs: []MID{
		{Name: "a", Wallets: Wallets{GooglePay: w.GooglePay}}, {Name: "b"},
	}}}}
	m.fillWallets(&Merchant{}) // sets the public keys
	bare := m.WithoutSecrets()
	if m.Wallets.ApplePay.IdentityKey == "" || len(bare.Wallets.GooglePay.PublicKeys) != 2 {
		t.Fatal("the settings themselves were changed")
	}
	for _, use := range SecretUses {
		if key := bare.Secret(use); strings.Contains(key, "PRIVATE KEY") {
			t.Errorf("%s: keys stay in the settings", use)
		}
	}
	for _, use := range []SecretUse{SecretWalletIdentity, SecretWalletProcessing} {
		if err := bare.readWalletSecret(use, []byte(m.Secret(use))); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(bare.Wallets, m.Wallets) || !reflect.DeepEqual(bare.Mappings, m.Mappings) {
		t.Errorf("read back: %+v\nwant %+v", bare.Wallets.ApplePay, m.Wallets.ApplePay)
	}
	if bare.readWalletSecret(SecretWalletIdentity, []byte("{")) == nil {
		t.Error("what can't be read is no error")
	}
}

// Saved without keys, certificates keep those that are stored; a new certificate needs a new key.
func TestKeysStayBesideTheirCertificates(t *testing.T) {
	stored := Merchant{Wallets: goodWallets(t)}
	saved := stored.WithoutSecrets()
	saved.fillWallets(&stored)
	if got := walletFaults(saved.Wallets, checkedAt); len(got) != 0 {
		t.Errorf("%q", got)
	}
	changed := stored.WithoutSecrets()
	next := settingstest.Identity(t, merchantIdentifier, checkedAt.AddDate(1, 0, 0))
	changed.Wallets.ApplePay.IdentityCertificate = next.Certificate
	changed.fillWallets(&stored)
	want := []string{"wallets.applepay.identity_key: This value should not be blank."}
	if got := walletFaults(changed.Wallets, checkedAt); !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	removed := stored.WithoutSecrets()
	removed.Wallets.GooglePay.PrivateKeys, removed.Wallets.GooglePay.Gateway = []string{}, "g"
	removed.Wallets.GooglePay.GatewayMerchantID = "m"
	removed.fillWallets(&stored)
	if g := removed.Wallets.GooglePay; len(g.PrivateKeys)+len(g.PublicKeys) != 0 {
		t.Errorf("removed keys stay: %d", len(g.PrivateKeys))
	}
}
