package e2e

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"checkout/internal/local/simulator"
	"checkout/internal/method"
	"checkout/internal/settings"
	"checkout/internal/settings/settingstest"
	"checkout/internal/wallet/testwallet"
)

// walletPlan is an order that is paid by a wallet.
type walletPlan struct {
	kind    testwallet.Kind
	channel string      // of its MIDs
	end     string      // of the amount, "" for one that is dealt
	auth    bool        // authorised first
	server  bool        // the merchant's server sends the token
	panOnly bool        // nobody has authenticated the payer
	late    bool        // its job is run when the token's time is over
	rival   *walletPlan // an order that pays with the same token at the same time
}

// The channels of the wallets' MIDs.
const (
	byCard  = "cards"   // card flow, the second MID without 3-D Secure
	noCheck = "nocheck" // card flow, without 3-D Secure
	byToken = "tokens"  // virtual flow: the settings have no keys
	byBrand = "brand"   // virtual flow: the connector has no other
)

const (
	// softEnd is the end of amounts that the first MID of cards declines softly, and its second one does not.
	softEnd = "0.20"
	// sureEnd is the end of amounts that every provider approves, of a card that it takes.
	sureEnd = "0.00"
)

// walletPlans are a third of all orders. Whoever of two rivals is first, in both flows one payment is sure to be paid.
var walletPlans = []walletPlan{
	{kind: testwallet.ApplePay, channel: byCard, auth: true},
	{kind: testwallet.GooglePay, channel: byCard, end: softEnd},
	{kind: testwallet.GooglePay, channel: byCard, panOnly: true},
	{kind: testwallet.GooglePay, channel: byCard, end: softEnd, panOnly: true},
	{kind: testwallet.GooglePay, channel: noCheck, panOnly: true},
	{kind: testwallet.GooglePay, channel: byCard, end: sureEnd,
		rival: &walletPlan{kind: testwallet.GooglePay, channel: byCard, end: sureEnd, server: true}},
	{kind: testwallet.ApplePay, channel: byCard, end: sureEnd, server: true,
		rival: &walletPlan{kind: testwallet.ApplePay, channel: byToken, end: sureEnd, server: true}},
	{kind: testwallet.GooglePay, channel: byToken, auth: true, end: sureEnd},
	{kind: testwallet.ApplePay, channel: byBrand},
	{kind: testwallet.ApplePay, channel: byCard, late: true},
}

// virtual reports whether the provider gets the token as it came.
func (p *walletPlan) virtual() bool { return p.channel == byToken || p.channel == byBrand }

// takesWallets adds MIDs of both flows to the shop, and settings of both wallets with and without keys.
func (w *providerWorld) takesWallets(simulated string) {
	front, keys := w.frontOfWallets(simulated), w.walletSettings()
	without := settings.Wallets{ApplePay: new(*keys.ApplePay), GooglePay: new(*keys.GooglePay)}
	without.ApplePay.Processing, without.GooglePay.PrivateKeys = nil, nil
	w.shop.merchant.Wallets = keys
	mapping := &w.shop.merchant.Mappings[0]
	for _, mid := range []settings.MID{
		{Name: "cards-1", ChannelID: byCard, Connector: "adapter", Weight: 1},
		{Name: "cards-2", ChannelID: byCard, Connector: plain},
		{Name: "nocheck", ChannelID: noCheck, Connector: plain},
		{Name: "tokens-1", ChannelID: byToken, Connector: "adapter", Weight: 1, Wallets: without},
		{Name: "tokens-2", ChannelID: byToken, Connector: "adapter", Wallets: without},
		{Name: "brand", ChannelID: byBrand, Connector: "brandcard"},
	} {
		mid.Methods, mid.Operations = []string{method.ApplePay, method.GooglePay}, []method.Operation{method.Purchase}
		mid.Credentials = map[string]string{
			"url": front + "/" + mid.Name, "key": simulator.Key, "secret": simulator.Secret}
		mapping.MIDs = append(mapping.MIDs, mid)
	}
}

func (w *providerWorld) walletSettings() settings.Wallets {
	identity := settingstest.Identity(w.t, testwallet.MerchantIdentifier, time.Now().AddDate(1, 0, 0))
	for _, key := range []string{testwallet.ProcessingKey(), testwallet.RecipientKey(), identity.Key} {
		lines := strings.Split(strings.TrimSpace(key), "\n") // the last lines of P-256 and the first of RSA are public
		w.private.add(lines[2])
		w.private.add(lines[max(len(lines)-4, 2)])
	}
	return settings.Wallets{
		ApplePay: &settings.ApplePay{
			MerchantIdentifier: testwallet.MerchantIdentifier, Country: "DE", ShopName: "The Pen Shop",
			IdentityCertificate: identity.Certificate, IdentityKey: identity.Key,
			Capabilities: []string{"supports3DS"}, Networks: []string{"visa"}, Domains: []string{"shop.example"},
			Processing: []settings.ProcessingCertificate{
				{Certificate: testwallet.ProcessingCertificate(), Key: testwallet.ProcessingKey()}},
		},
		GooglePay: &settings.GooglePay{
			TermsAcceptedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Environment: settings.WalletTest,
			AuthMethods: []string{"PAN_ONLY", "CRYPTOGRAM_3DS"}, Networks: []string{"VISA"},
			Gateway: "bank", GatewayMerchantID: "shop-7", PrivateKeys: []string{testwallet.RecipientKey()},
		},
	}
}

// chargeTime is how long providers take for a charge by a wallet: time enough for the same token in another session.
const chargeTime = 300 * time.Millisecond

// frontOfWallets starts a server before the simulated providers, with an address for each MID that takes wallets.
// cards-1 declines amounts softly that end in softEnd. It reports what should have come to no MID, or to another one.
func (w *providerWorld) frontOfWallets(simulated string) string {
	to, err := url.Parse(simulated)
	if err != nil {
		w.t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(to) },
		FlushInterval: -1,
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		mid, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return // the function was killed
		}
		r.Body = io.NopCloser(bytes.NewReader(text))
		var charge struct {
			Reference string
			Amount    struct{ Value string }
			Wallet    struct{ Unauthenticated bool }
		}
		if path == "charge" || path == "payments" && r.Method == http.MethodPost {
			time.Sleep(chargeTime)
		}
		if json.Unmarshal(text, &charge); mid == "cards-1" && path == "charge" &&
			strings.HasSuffix(charge.Amount.Value, softEnd) {
			declinesSoftly(out, r.Header.Get("webhook-id"), charge.Reference, w.now())
			return
		}
		if mid == "tokens-2" {
			w.t.Errorf("%s has left the MID that its token was made for", charge.Reference)
		}
		if charge.Wallet.Unauthenticated && mid != "cards-1" {
			w.t.Errorf("%s, whose payer nobody has authenticated, has come to %s", charge.Reference, mid)
		}
		r.URL.Path = map[string]string{"brand": "/brandcard/"}[mid] + path
		if mid != "brand" {
			r.URL.Path = "/adapter/" + path
		}
		forward.ServeHTTP(out, r)
	}))
	w.t.Cleanup(server.Close)
	return server.URL
}

// declinesSoftly responds as an adapter, by its contract.
func declinesSoftly(out http.ResponseWriter, id, reference string, now time.Time) {
	body := fmt.Sprintf(`{"kind":"charge","reference":%q,"status":"declined","decline":{"reason":"insufficient_funds"}}`,
		reference)
	at := strconv.FormatInt(now.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(simulator.Secret))
	fmt.Fprintf(mac, "%s.%s.200.%s", id, at, body)
	out.Header().Set("Content-Type", "application/json")
	out.Header().Set("webhook-id", id)
	out.Header().Set("webhook-timestamp", at)
	out.Header().Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	_, _ = io.WriteString(out, body)
}

// paidBy makes the plan of an order that is paid by a wallet, and the one after it of its rival, if it has one.
func (w *providerWorld) paidBy(seed uint64, number int, plan *walletPlan, end string) []*buyer {
	if plan.end != "" {
		end = plan.end
	}
	b := w.buyer(seed, number, sold{string(plan.kind), "USD"}, end)
	b.plan, b.auth, b.second = plan, plan.auth, plan.late
	if plan.end == sureEnd {
		b.card = testCard
	}
	if plan.rival == nil {
		return []*buyer{b}
	}
	rivals := w.paidBy(seed, number+1, plan.rival, end)
	b.rival, rivals[0].second = rivals[0], true
	b.rival.amount = b.amount // which tokens of Apple Pay have
	return append([]*buyer{b}, rivals...)
}

// walletToken is the token that the order's payer confirms: for its first try that of its rival, if it has one.
func (b *buyer) walletToken() string {
	if b.shared != "" {
		token := b.shared
		b.shared = ""
		return token
	}
	content := testwallet.Content{
		ID: uuid.NewString(), At: b.w.now().Add(-time.Duration(b.random.IntN(240)) * time.Second), Number: b.card,
		ExpiryMonth: 1, ExpiryYear: 2038, Amount: strings.ReplaceAll(b.amount, ".", ""), Currency: "840",
		SessionID: b.Session, PANOnly: b.plan.panOnly,
	}
	if b.plan.virtual() {
		content.Recipient, content.GatewayMerchantID = "gateway:bank", "shop-7"
	}
	token, err := testwallet.Make(b.plan.kind, content, "")
	if err != nil {
		b.w.t.Error(err)
		return ""
	}
	cryptogram := sha256.Sum256([]byte("cryptogram " + content.ID)) // as the test wallet makes it
	b.w.private.addToken(token, base64.StdEncoding.EncodeToString(cryptogram[:20]))
	return token
}
