package story

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"checkout/internal/card"
	"checkout/internal/method"
	"checkout/internal/page/form"
	"checkout/internal/page/screen"
	"checkout/internal/settings"
	"checkout/internal/settings/settingstest"
	"checkout/internal/wallet"
	"checkout/internal/wallet/testwallet"
	"checkout/internal/wallet/tokens"
)

// walletKinds are both wallets.
var walletKinds = []testwallet.Kind{testwallet.ApplePay, testwallet.GooglePay}

// takingWallets adds both wallets to the methods of all MIDs.
func takingWallets(m *settings.Merchant) {
	operations(m)
	for i := range m.Mappings[0].MIDs {
		mid := &m.Mappings[0].MIDs[i]
		mid.Methods = append(slices.Clone(mid.Methods), method.ApplePay, method.GooglePay)
	}
}

// identity is the identity certificate of the shops' wallets, which takes a while to make.
var identity = struct {
	sync.Once
	settingstest.Pair
}{}

// WalletSettings returns settings of both wallets, with the keys of the test wallet or without any.
func WalletSettings(t testing.TB, keys bool) settings.Wallets {
	identity.Do(func() {
		end := time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)
		identity.Pair = settingstest.Identity(t, testwallet.MerchantIdentifier, end)
	})
	apple := &settings.ApplePay{
		MerchantIdentifier: testwallet.MerchantIdentifier, Country: "DE", ShopName: "The Pen Shop",
		IdentityCertificate: identity.Certificate, IdentityKey: identity.Key,
		Capabilities: []string{"supports3DS"}, Networks: []string{"visa"}, Domains: []string{"shop.example"},
	}
	google := &settings.GooglePay{
		TermsAcceptedAt: time.Date(2029, 1, 1, 0, 0, 0, 0, time.UTC), Environment: settings.WalletTest,
		AuthMethods: []string{"PAN_ONLY", "CRYPTOGRAM_3DS"}, Networks: []string{"VISA"},
		Gateway: "bank", GatewayMerchantID: "shop-7",
	}
	if keys {
		apple.Processing = []settings.ProcessingCertificate{
			{Certificate: testwallet.ProcessingCertificate(), Key: testwallet.ProcessingKey()},
		}
		google.PrivateKeys = []string{testwallet.RecipientKey()}
	}
	return settings.Wallets{ApplePay: apple, GooglePay: google}
}

// vendors makes the vendors' roots those of the test wallet, so that live payments accept its tokens, and p the bank.
// The bank's connector declares what it does with tokens.
func (w *World) vendors(p *provider, support settings.WalletSupport, changes ...func(*settings.Declaration)) {
	w.t.Helper()
	can := w.app.Core.Declarations[settings.SandboxConnector]
	can.Wallets = map[string]settings.WalletSupport{method.ApplePay: support, method.GooglePay: support}
	for _, change := range changes {
		change(&can)
	}
	w.declares(realBank, can)
	w.declares(anotherBank, can)
	w.goesLive(p)
	w.connects(anotherBank, p)
	w.trustsTestWallet()
}

// trustsTestWallet makes the vendors' roots those of the test wallet.
func (w *World) trustsTestWallet() { w.app.Runner.Wallets = TestWalletOpener(w.clock.Now) }

// TestWalletOpener opens live tokens by the roots of the test wallet.
func TestWalletOpener(now func() time.Time) *tokens.Opener {
	return &tokens.Opener{
		AppleRoot: testwallet.AppleRoot(),
		GoogleTestKeys: &wallet.RootKeys{
			Address: "https://vendor.example/keys.json", Now: now,
			Client: &http.Client{Transport: rootKeys{testwallet.GoogleRoot()}},
		},
	}
}

// rootKeys is the vendor of Google Pay with its only root.
type rootKeys struct{ root *ecdsa.PublicKey }

func (k rootKeys) RoundTrip(*http.Request) (*http.Response, error) {
	der, err := x509.MarshalPKIXPublicKey(k.root)
	if err != nil {
		return nil, err
	}
	list, err := json.Marshal(map[string]any{"keys": []map[string]string{{
		"keyValue": base64.StdEncoding.EncodeToString(der), "protocolVersion": "ECv2",
		"keyExpiration": "4102444800000",
	}}})
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(list)))}, err
}

// TokenChange is a change of a token's content.
type TokenChange func(*testwallet.Content)

func panOnly(c *testwallet.Content) { c.PANOnly = true }

// forGateway makes a token of Google Pay for the gateway of a provider, as the page has it made in the virtual flow.
func forGateway(c *testwallet.Content) { c.Recipient, c.GatewayMerchantID = "gateway:bank", "shop-7" }

// Content returns what a good token for the visit's order of 10.00 USD is made of, with the test card of that expiry.
func (v *Visit) Content(expiry string, changes ...TokenChange) testwallet.Content {
	c := paymentCard(v.w.t, expiry)
	content := testwallet.Content{
		ID: uuid.NewString(), At: v.w.clock.Now(), Number: c.Number, ExpiryMonth: c.ExpiryMonth, ExpiryYear: c.ExpiryYear,
		Amount: "1000", Currency: "840", SessionID: v.Session,
	}
	for _, change := range changes {
		change(&content)
	}
	return content
}

// Token makes a token, which no leak may have a part of.
func (w *World) Token(kind testwallet.Kind, content testwallet.Content, fault testwallet.Fault) string {
	w.t.Helper()
	token, err := testwallet.Make(kind, content, fault)
	if err != nil {
		w.t.Fatalf("make a token: %v", err)
	}
	cryptogram := sha256.Sum256([]byte("cryptogram " + content.ID)) // as the test wallet makes it
	w.tokenParts = append(w.tokenParts, base64.StdEncoding.EncodeToString(cryptogram[:20]))
	w.tokenParts = append(w.tokenParts, PartOfToken.FindAllString(token, -1)...)
	return token
}

// PartOfToken finds the keys, signatures and encrypted texts of a token.
var PartOfToken = regexp.MustCompile(`[A-Za-z0-9+/=]{24,}`)

// hasNoToken checks that a text has no part of a token of the story.
func (w *World) hasNoToken(place, text string) {
	for _, part := range w.tokenParts {
		if strings.Contains(text, part) {
			w.t.Errorf("the %s has a part of a wallet's token, or its cryptogram", place)
			return
		}
	}
}

// hands returns the request by which the page pays with a token.
func (v *Visit) hands(kind testwallet.Kind, token string) form.Request {
	v.w.t.Helper()
	page := v.screen()
	i := slices.IndexFunc(page.Methods, func(m screen.Method) bool { return m.ID == string(kind) })
	if i < 0 {
		v.w.t.Fatalf("%s is not offered: %s", kind, words(page))
	}
	page.Methods = page.Methods[i:]
	return v.Fill(page, card.Card{Token: token})
}

// paysBy pays with a good token of a wallet and lets the workers work.
func (v *Visit) paysBy(kind testwallet.Kind, expiry string, changes ...TokenChange) {
	v.w.t.Helper()
	v.paysWithToken(kind, v.w.Token(kind, v.Content(expiry, changes...), ""))
}

// paysWithToken pays with a token as it is.
func (v *Visit) paysWithToken(kind testwallet.Kind, token string) {
	v.w.t.Helper()
	if got := words(v.send(v.hands(kind, token))); got != "wait: processing" {
		v.w.t.Errorf("having paid, the payer sees %q", got)
	}
	v.w.work()
}

// hasNoKey checks that a text has no private key of the wallets' settings.
func (w *World) hasNoKey(text string) {
	w.t.Helper()
	for _, key := range []string{testwallet.ProcessingKey(), testwallet.RecipientKey(), identity.Key} {
		lines := strings.Split(strings.TrimSpace(key), "\n")
		if len(lines) < 4 {
			continue // no story has needed it yet
		}
		secret := lines[2] // of P-256, whose last line is public
		if len(lines) > 10 {
			secret = lines[len(lines)-4] // of RSA, whose first lines are public
		}
		if strings.Contains(text, secret) {
			w.t.Errorf("a text has a part of a private key")
		}
	}
}

// vendorsOfAnotherRoot makes the vendor of Google Pay one whose root is not that of the test wallet.
func (w *World) vendorsOfAnotherRoot() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		w.t.Fatalf("%v", err)
	}
	w.app.Runner.Wallets.(*tokens.Opener).GoogleTestKeys.Client.Transport = rootKeys{&key.PublicKey}
}
