package story

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"checkout/internal/local/simulator"
	"checkout/internal/method"
)

// notice sends a notice of an adapter that is signed with the MID's secret, and returns the status of the response.
func (s *simulated) notice(address string, body map[string]any) int {
	s.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		s.t.Fatalf("%v", err)
	}
	at := strconv.FormatInt(s.clock.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(simulator.Secret))
	mac.Write([]byte("notice_1." + at + "." + string(text)))
	request, err := http.NewRequest("POST", address, strings.NewReader(string(text)))
	if err != nil {
		s.t.Fatalf("%v", err)
	}
	request.Header.Set("webhook-id", "notice_1")
	request.Header.Set("webhook-timestamp", at)
	request.Header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	response, err := s.server.Client().Do(request)
	if err != nil {
		s.t.Fatalf("%v", err)
	}
	response.Body.Close()
	return response.StatusCode
}

// inUSD is an amount of the contract.
func inUSD(value string) map[string]any {
	return map[string]any{"value": value, "currency": "USD", "exponent": 2}
}

// A notice that another amount was approved is no approval of the payment. The provider is looked up, and that counts.
func TestNoticeAboutAnotherAmount(t *testing.T) {
	s := openSimulated(t, "adapter", nil)
	m, _ := method.Find("open_banking")
	payer := s.shop.chooses(t, m, "CO", "ada")
	payer.pays(t)
	before := payer.status()
	o, _ := s.latest()
	s.notice(o.NoticeURL, map[string]any{
		"kind": "charge", "reference": o.Reference, "payment": o.Values["payment"], "session": o.Values["session"],
		"status": "approved", "requested": inUSD("100.00"), "amount": inUSD("100.00"),
		"provider": map[string]any{"id": "bank-1"},
	})
	s.work()
	payer.is(before)
	s.acts(simulator.Approve)
	payer.is("settled")
}
