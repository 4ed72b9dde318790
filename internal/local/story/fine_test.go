package story

import (
	"strings"
	"testing"

	"checkout/internal/settings"
)

// A local transfer of type_fine NONE needs no fine, wherever the type stands; any other one does.
func TestFineOfTypeNone(t *testing.T) {
	w := open(t, mid(func(mid *settings.MID) { mid.Methods = []string{"local_transfer"} }))
	bank := &provider{sandbox: w.bank}
	w.connects(settings.SandboxConnector, bank)
	for i, test := range []struct {
		change  func(map[string]any)
		refused string
	}{
		{with("parameters", map[string]any{"local_transfer": map[string]any{"type_fine": "NONE"}}), ""},
		{with("parameters", map[string]any{"type_fine": "NONE"}), ""},
		{with("type_fine", "NONE"), ""},
		{with("type_fine", "VALUE"), "parameters.local_transfer.fine: This value should not be blank."},
		{with("", nil), "parameters.local_transfer.fine: This value should not be blank."},
	} {
		order := w.shop.Order("pen-"+string(rune('1'+i)), with("methods", []string{"local_transfer"}), test.change)
		code, text := w.call("POST", "/api/v1/session/explain", w.shop.Sign(order))
		taken := strings.Contains(string(text), `"methods":[{"id":"local_transfer"`)
		refused := test.refused != "" && strings.Contains(string(text), test.refused)
		if test.refused == "" && (code != 200 || !taken) || test.refused != "" && !refused {
			t.Errorf("%d: %d %s", i, code, text)
		}
	}
	payer := w.shop.visits("pen-9", with("methods", []string{"local_transfer"}), with("type_fine", "NONE"))
	payer.send(payer.attempt("01/38"))
	w.work()
	if len(bank.charges) != 1 || string(bank.charges[0].Parameters) != `{"fine":{"type_fine":"NONE","value":"0"}}` {
		t.Errorf("charged: %+v", bank.charges)
	}
}

// The currency of an exchange is one of ISO 4217 or a known crypto asset: no other word.
func TestCurrencyOfExchange(t *testing.T) {
	w := open(t, mid(func(mid *settings.MID) { mid.Methods = []string{"exchange"} }))
	for currency, refused := range map[string]bool{"EUR": false, "usdt": false, "WORD": true, "EUROS": true, "XXX": true} {
		body := w.shop.Sign(w.shop.Order("pen-1", with("methods", []string{"exchange"}),
			with("parameters", map[string]any{"exchange": map[string]any{"toCurrency": currency}})))
		_, text := w.call("POST", "/api/v1/session/explain", body)
		if got := strings.Contains(string(text), "parameters.exchange.toCurrency: This value is not valid."); got != refused {
			t.Errorf("%s: %s", currency, text)
		}
	}
}
