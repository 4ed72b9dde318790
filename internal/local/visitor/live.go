package visitor

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"

	"checkout/internal/local/cloud"
	"checkout/internal/local/simulator"
)

// StartLive is Start for a visitor whose merchant sells with its live key at simulated providers, by Google Pay alone,
// in the virtual flow: the provider is the wallet's gateway, which has made the tokens.
func StartLive(ctx context.Context, c *cloud.Cloud, root string) (*Visitor, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := "http://" + listener.Addr().String()
	providers := &http.Server{Handler: simulator.New(simulator.Options{URL: address}), ReadHeaderTimeout: patience}
	go providers.Serve(listener)
	v, err := start(ctx, c, root, func(text []byte) ([]byte, error) { return sellsLive(text, address) })
	if err != nil {
		providers.Close()
		return nil, err
	}
	v.providers = providers
	return v, nil
}

// liveShop is what the live visitor's merchant has instead of the first one's settings.
const liveShop = `{"id": "live-shop", "live_key": "live-shop", "test_key": "live-shop-test", "wallets": {"googlepay": {
	"terms_accepted_at": "2026-01-01T00:00:00Z", "environment": "TEST", "auth_methods": ["CRYPTOGRAM_3DS"],
	"networks": ["VISA"], "gateway": "stripe", "gateway_parameters": {"stripe:publishableKey": "pk_live_1"}}}}`

// sellsLive returns a list of the first merchant with other keys. Of its MIDs it has the first one, for Google Pay.
func sellsLive(text []byte, providers string) ([]byte, error) {
	var merchants []map[string]any
	text = []byte(strings.ReplaceAll(string(text), "{SIMULATOR_URL}", providers))
	if err := json.Unmarshal(text, &merchants); err != nil {
		return nil, err
	}
	shop := merchants[0]
	if err := json.Unmarshal([]byte(liveShop), &shop); err != nil {
		return nil, err
	}
	mappings, _ := shop["mappings"].([]any)
	if len(mappings) == 0 {
		return nil, errors.New("no mapping in infra/merchants.json")
	}
	mapping, _ := mappings[0].(map[string]any)
	mids, _ := mapping["mids"].([]any)
	if len(mids) == 0 {
		return nil, errors.New("no MID in infra/merchants.json")
	}
	first, _ := mids[0].(map[string]any)
	first["methods"], mapping["mids"] = []string{"googlepay"}, mids[:1]
	return json.Marshal([]any{shop})
}

// CheckoutVirtual is a checkout that is paid with Google Pay, whose token its gateway has made.
func (v *Visitor) CheckoutVirtual(ctx context.Context) (*Order, error) {
	token := `{"id":"tok_` + rand.Text() + `","object":"token"}`
	return v.checkout(ctx, nil, func(order *Order, form Screen) error {
		return v.paySealed(ctx, order, form, sealed{"googlepay", map[string]any{"token": token}})
	})
}
