package checkout

import (
	"encoding/json"
	"strings"
	"testing"
)

// A connector gets the parameters of the chosen method only.
func TestParametersOfTheChosenMethod(t *testing.T) {
	p := &Payment{ID: "p"}
	p.Parameters = json.RawMessage(`{"card":{"descriptor":"A pen"},"crypto":{"crypto_type":"BTC"}}`)
	for chosen, want := range map[string]string{
		"crypto": `{"crypto_type":"BTC"}`,
		"card":   `{"descriptor":"A pen"}`,
		"other":  "",
	} {
		p.Method = chosen
		if got, err := p.methodParameters(); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", chosen, got, err)
		}
	}
	p.Parameters = nil
	if got, err := p.methodParameters(); err != nil || got != nil {
		t.Errorf("without parameters: %s, %v", got, err)
	}
	p.Parameters = json.RawMessage(`{"card":"4111111111111111`)
	if got, err := p.methodParameters(); err == nil || strings.Contains(err.Error(), "4111") {
		t.Errorf("broken: %s, %v", got, err)
	}
}
