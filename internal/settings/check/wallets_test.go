package check

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"checkout/internal/fault"
	"checkout/internal/request/requesttest"
	"checkout/internal/settings"
	"checkout/internal/settings/settingstest"
)

const merchantIdentifier = "merchant.example.pens"

var checkedAt = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// goodWallets has every setting of both wallets, each with a valid value.
func goodWallets(t *testing.T) settings.Wallets {
	t.Helper()
	identity := settingstest.Identity(t, merchantIdentifier, checkedAt.AddDate(1, 0, 0))
	first := settingstest.Processing(t, merchantIdentifier, checkedAt.AddDate(1, 0, 0))
	second := settingstest.Processing(t, merchantIdentifier, checkedAt.AddDate(0, 0, -1)) // for tokens under way
	return settings.Wallets{
		ApplePay: &settings.ApplePay{
			MerchantIdentifier: merchantIdentifier, Country: "DE", ShopName: "Pens",
			IdentityCertificate: identity.Certificate, IdentityKey: identity.Key,
			Capabilities: []string{"supports3DS", "supportsDebit"}, Networks: []string{"visa", "masterCard"},
			Domains: []string{"pay.example", "shop.pens.example"},
			Processing: []settings.ProcessingCertificate{
				{Certificate: first.Certificate, Key: first.Key}, {Certificate: second.Certificate, Key: second.Key},
			},
		},
		GooglePay: &settings.GooglePay{
			TermsAcceptedAt: checkedAt, Environment: settings.WalletProduction,
			AuthMethods: []string{"PAN_ONLY", "CRYPTOGRAM_3DS"},
			Networks:    []string{"VISA"}, MerchantIdentifier: "BCR2DN4T", MerchantName: "Pens", Country: "DE",
			PrivateKeys: []string{settingstest.Key(t), settingstest.Key(t)},
		},
	}
}

// clone returns a copy of wallets that a test can change.
func clone(w settings.Wallets) settings.Wallets {
	m := settings.Merchant{Wallets: w}
	return m.Clone().Wallets
}

// withMID returns a merchant with wallets of its own and of a MID.
func withMID(own, mid settings.Wallets) settings.Merchant {
	return settings.Merchant{Wallets: own, Mappings: []settings.Mapping{{
		Name: "main", MIDs: []settings.MID{{Name: "a", Wallets: mid}},
	}}}
}

// notValid begins the texts of most faults.
const notValid = requesttest.NotValid

func walletFaults(w settings.Wallets, now time.Time) []string { return faultsBeside(w, nil, now) }

// faultsBeside is walletFaults while keys are stored at places.
func faultsBeside(w settings.Wallets, stored settings.Places, now time.Time) (faults []string) {
	err := Check(settings.Merchant{Wallets: w}, stored, now, false)
	if err == nil {
		return nil
	}
	for _, text := range requesttest.TextsOf(err.(*fault.Error).Faults) {
		if strings.HasPrefix(text, "wallets") {
			faults = append(faults, text)
		}
	}
	return faults
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
		change func(a *settings.ApplePay, g *settings.GooglePay)
		want   []string
	}{
		{"no identifier", func(a *settings.ApplePay, _ *settings.GooglePay) { *a = settings.ApplePay{} }, []string{
			apple + "merchant_identifier: " + blankText, apple + "country: " + blankText, apple + "shop_name: " + blankText,
			apple + "identity_certificate: " + blankText, apple + "capabilities: " + blankText,
			apple + "capabilities: " + notValid + " It should have supports3DS.", apple + "networks: " + blankText,
			apple + "domains: " + blankText}},
		{"a long name", func(a *settings.ApplePay, _ *settings.GooglePay) { a.ShopName = strings.Repeat("x", 65) },
			[]string{apple + "shop_name: " + notValid + " It should have at most 64 characters."}},
		{"names of nobody", func(a *settings.ApplePay, _ *settings.GooglePay) {
			a.Country, a.Capabilities, a.Networks = "XX", append(a.Capabilities, "x"), []string{"VISA"}
		}, []string{apple + "country: " + choice, apple + "capabilities[2]: " + choice, apple + "networks[0]: " + choice}},
		{"the other wallet's certificate", func(a *settings.ApplePay, _ *settings.GooglePay) {
			a.IdentityCertificate, a.Processing[0].Certificate = a.Processing[0].Certificate, a.IdentityCertificate
		}, []string{
			apple + "identity_certificate: " + notValid +
				" It should have an RSA key; a payment processing certificate belongs to processing.",
			apple + "processing[0].certificate: " + notValid +
				" It should have a P-256 key, for tokens of EC_v1; those of RSA_v1 are not taken, and" +
				" an identity certificate belongs to identity_certificate."}},
		{"keys of other certificates", func(a *settings.ApplePay, _ *settings.GooglePay) {
			a.IdentityKey, a.Processing[0].Key, a.Processing[1].Key = otherIdentity.Key, other.Key, "x"
		}, []string{apple + "identity_key: " + notValid + " It is not the key of the certificate.",
			apple + "processing[0].key: " + notValid + " It is not the key of the certificate.",
			apple + "processing[1].key: " + notValid + " It should be a private key in PEM form."}},
		{"another merchant's", func(a *settings.ApplePay, _ *settings.GooglePay) {
			a.IdentityCertificate, a.IdentityKey = otherIdentity.Certificate, otherIdentity.Key
			a.Processing[0] = settings.ProcessingCertificate{Certificate: other.Certificate, Key: other.Key}
		}, []string{
			apple + "identity_certificate: " + notValid + " It is the certificate of another merchant_identifier.",
			apple + "processing[0].certificate: " + notValid + " It is the certificate of another merchant_identifier."}},
		{"three keys", func(a *settings.ApplePay, g *settings.GooglePay) {
			a.Processing = append(a.Processing, a.Processing[0])
			g.PrivateKeys = append(g.PrivateKeys, g.PrivateKeys[0])
		}, []string{apple + "processing: " + notValid + " It should have two keys or less.",
			google + "private_keys[2]: " + twice,
			google + "private_keys: " + notValid + " It should have two keys or less."}},
		{"no hosts", func(a *settings.ApplePay, _ *settings.GooglePay) {
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
		{"no terms", func(_ *settings.ApplePay, g *settings.GooglePay) { g.TermsAcceptedAt = time.Time{} }, []string{google +
			"terms_accepted_at: The wallet's acceptable use policy and terms have to be accepted before it can be enabled."}},
		{"terms of tomorrow", func(_ *settings.ApplePay, g *settings.GooglePay) { g.TermsAcceptedAt = checkedAt.Add(1) },
			[]string{google + "terms_accepted_at: " + notValid + " It is in the future."}},
		{"no terms, disabled", func(_ *settings.ApplePay, g *settings.GooglePay) {
			g.TermsAcceptedAt, g.Disabled = time.Time{}, true
		}, nil},
		{"nothing of Google Pay", func(_ *settings.ApplePay, g *settings.GooglePay) {
			*g = settings.GooglePay{Disabled: true}
		}, []string{
			google + "environment: " + blankText, google + "auth_methods: " + blankText, google + "networks: " + blankText}},
		{"gateway's parameters for its merchant id", func(_ *settings.ApplePay, g *settings.GooglePay) {
			g.PrivateKeys, g.Gateway = nil, "stripe"
			g.GatewayParameters = map[string]string{"stripe:publishableKey": "pk_live_1", "stripe:version": "2025-03-31"}
		}, nil},
		{"a gateway's secret key", func(_ *settings.ApplePay, g *settings.GooglePay) {
			g.GatewayParameters = map[string]string{"stripe:publishableKey": "sk_live_1"}
		}, []string{google + "gateway_parameters.stripe:publishableKey: " + notValid +
			" It has a secret key, which every payer could read."}},
		{"a gateway's parameter without a value", func(_ *settings.ApplePay, g *settings.GooglePay) {
			g.GatewayParameters = map[string]string{"stripe:version": ""}
		}, []string{google + "gateway_parameters.stripe:version: " + blankText}},
		{"neither key nor gateway", func(_ *settings.ApplePay, g *settings.GooglePay) { g.PrivateKeys = nil },
			[]string{google + "gateway: " + blankText, google + "gateway_merchant_id: " + blankText}},
		{"certificates later", func(a *settings.ApplePay, _ *settings.GooglePay) {
			a.Disabled, a.IdentityCertificate, a.IdentityKey, a.Processing = true, "", "", nil
		}, nil},
		{"production without an identifier", func(_ *settings.ApplePay, g *settings.GooglePay) { g.MerchantIdentifier = "" },
			[]string{google + "merchant_identifier: " + blankText}},
		{"other names", func(_ *settings.ApplePay, g *settings.GooglePay) {
			g.Environment, g.AuthMethods, g.Networks = "test", []string{"3DS"}, []string{"visa"}
		}, []string{google + "environment: " + choice, google + "auth_methods[0]: " + choice,
			google + "networks[0]: " + choice}},
		{"an RSA key", func(_ *settings.ApplePay, g *settings.GooglePay) { g.PrivateKeys[0] = otherIdentity.Key },
			[]string{google + "private_keys[0]: " + notValid + " It should be a P-256 key."}},
	} {
		w := clone(good)
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
	m := withMID(w, w)
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
	if got := (&settings.Merchant{Wallets: w}).WalletCertificates(); len(got) != 0 {
		t.Errorf("disabled: %+v", got)
	}
}

// Google Pay in its TEST environment is named, wherever it is set, unless it is disabled.
func TestLiveWarnings(t *testing.T) {
	production, test, disabled := goodWallets(t), goodWallets(t), goodWallets(t)
	test.GooglePay.Environment = settings.WalletTest
	disabled.GooglePay.Environment, disabled.GooglePay.Disabled = settings.WalletTest, true
	const warns = "wallets.googlepay.environment is TEST: a live provider declines payments with it."
	for _, row := range []struct {
		merchant, mid settings.Wallets
		want          []string
	}{
		{test, test, []string{warns, "mapping main, MID a: " + warns}},
		{production, test, []string{"mapping main, MID a: " + warns}},
		{production, production, nil}, {disabled, disabled, nil}, {settings.Wallets{}, settings.Wallets{}, nil},
	} {
		m := withMID(row.merchant, row.mid)
		if got := m.LiveWarnings(); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
}

// Saved without keys, certificates keep those that are stored; a new certificate needs a new key.
func TestKeysStayBesideTheirCertificates(t *testing.T) {
	stored := settings.Merchant{Wallets: clone(goodWallets(t))}
	stored.FillFrom(&settings.Merchant{})
	places, ids := settings.Places{}, map[string]bool{}
	stored.EachKey(func(k settings.WalletKey) { places[k.Place], ids[k.ID] = true, true })
	stored.TakeSecrets()
	saved := stored.Clone()
	saved.FillFrom(&stored)
	if got := faultsBeside(saved.Wallets, places, checkedAt); len(got) != 0 || len(places) != 5 {
		t.Errorf("%q, with keys at %v", got, places)
	}
	if got := walletFaults(saved.Wallets, checkedAt); len(got) != 5 {
		t.Errorf("no key is stored: %q", got)
	}
	changed := stored.Clone()
	next := settingstest.Identity(t, merchantIdentifier, checkedAt.AddDate(1, 0, 0))
	changed.Wallets.ApplePay.IdentityCertificate = next.Certificate
	changed.FillFrom(&stored)
	changed.EachKey(func(k settings.WalletKey) {
		if isNew := k.Setting == "wallets.applepay.identity_key"; ids[k.ID] == isNew {
			t.Errorf("%s: the id of the key is known: %v", k.Setting, ids[k.ID])
		}
	})
	twice := stored.Clone()
	twice.Wallets.GooglePay.PublicKeys[1] = twice.Wallets.GooglePay.PublicKeys[0]
	want := []string{"wallets.googlepay.private_keys[1]: This value is used twice."}
	if got := faultsBeside(twice.Wallets, places, checkedAt); !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	removed := stored.Clone()
	removed.Wallets.GooglePay.PrivateKeys, removed.Wallets.GooglePay.Gateway = []string{}, "g"
	removed.Wallets.GooglePay.GatewayMerchantID = "m"
	removed.FillFrom(&stored)
	if g := removed.Wallets.GooglePay; len(g.PrivateKeys)+len(g.PublicKeys) != 0 {
		t.Errorf("removed keys stay: %d", len(g.PrivateKeys))
	}
}

// A secret that is stored need not be set again.
func TestSecretsThatAreStored(t *testing.T) {
	m := settings.Merchant{ID: "pens", LiveKey: "live", TestKey: "test", Mappings: []settings.Mapping{{Name: "main",
		MIDs: []settings.MID{{Name: "a", Connector: "bank", Methods: []string{"card"}}}}},
		Connectors: settings.Declarations{"bank": {Credentials: []settings.Credential{
			{Name: "key", Kind: settings.KindText, Required: true, Secret: true},
		}}}}
	m.Wallets = clone(goodWallets(t))
	m.Wallets.ApplePay.IdentityKey = ""
	stored := settings.Places{{Setting: "password"}: true, {Setting: "callback_secret"}: true,
		{Setting: "wallets.applepay.identity_key"}: true, {Mapping: "main", MID: "a", Setting: "credentials.key"}: true}
	if err := Check(m, stored, checkedAt, false); err != nil {
		t.Error(requesttest.TextsOf(err.(*fault.Error).Faults))
	}
	for place := range stored {
		stored[place] = false
		if err := Check(m, stored, checkedAt, false); err == nil || len(err.(*fault.Error).Faults) != 1 {
			t.Errorf("without %s: %v", place, err)
		}
		stored[place] = true
	}
	if got := (settings.Place{Mapping: "main", MID: "a", Setting: "credentials.key"}).String(); got !=
		"mappings[main].mids[a].credentials.key" {
		t.Error(got)
	}
}
