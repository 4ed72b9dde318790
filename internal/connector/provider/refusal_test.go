package provider

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"checkout/internal/connector"
	"checkout/internal/money"
	"checkout/internal/reason"
)

// TestRefusals reads each status with a body of the provider's own, with one of a gateway and without any.
func TestRefusals(t *testing.T) {
	const own, other = `{"error":{"code":"invalid_request","field":"order.amount"}}`, "<h1>Sorry</h1>"
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		status, _ := strconv.Atoi(r.URL.Query().Get("status"))
		w.WriteHeader(status)
		_, _ = w.Write([]byte(r.URL.Query().Get("body")))
	})
	for _, test := range []struct {
		status         int
		body           string
		sent, declined bool
	}{
		{400, own, true, true}, {422, own, true, true}, {400, other, true, false}, {400, "", true, false},
		{400, "{}", true, false}, {404, own, true, false}, {409, own, true, false}, {500, own, true, false},
		{201, own, true, false}, {307, own, true, false},
		{401, own, false, false}, {401, other, false, false}, {403, "", false, false}, {429, "", false, false},
		{429, other, false, false},
	} {
		address := server.URL + "?status=" + strconv.Itoa(test.status) + "&body=" + strings.ReplaceAll(test.body, " ", "+")
		var f Refusal
		status, err := NewClient().SendJSON(t.Context(), JSONRequest{Method: "POST", URL: address}, &f)
		r, err := f.Refused(status, err)
		declined := err == nil && r.Outcome == connector.OutcomeDeclined && r.Code == "invalid_request: order.amount"
		if declined != test.declined || !declined && errors.Is(err, connector.ErrNotSent) == test.sent {
			t.Errorf("%d %q: %+v, %v", test.status, test.body, r, err)
		}
	}
}

// TestRefusedValues has fields that are no names but maybe what was sent: they are not passed on.
func TestRefusedValues(t *testing.T) {
	for field, want := range map[string]string{
		"card.number": "bad: card.number", "": "bad", "4111111111111111": "bad", "card 4111": "bad", "pin=12": "bad",
		"al@shop.example": "bad",
	} {
		var f Refusal
		f.Error.Code, f.Error.Field = "bad", field
		if r, err := f.Refused(400, nil); err != nil || r.Code != want {
			t.Errorf("%q: %+v, %v", field, r, err)
		}
	}
}

// A refusal has no words of ours, which the payer would see in English on a page of any language: its code has a text
// in each of them, and one for the merchant.
func TestRefusalHasNoWords(t *testing.T) {
	var f Refusal
	f.Error.Code = "bad"
	r, err := f.Refused(400, nil)
	why := &reason.Reason{Code: r.ReasonCode, Words: r.Reason}
	if err != nil || why.Words != "" || why.Text() != "The payment provider refused the request." {
		t.Errorf("for merchants: %q, %v", why.Text(), err)
	}
	if payer := why.ForPayer(); payer.Code != reason.NotSupported || payer.Words != "" {
		t.Errorf("for payers: %+v", payer)
	}
}

func TestSameAmount(t *testing.T) {
	currency, _ := money.Find("USD")
	amount, _ := money.Parse("10.50", currency)
	for text, same := range map[string]bool{
		"10.50 USD": true, "10.5 USD": true, "10.51 USD": false, "10.50 EUR": false, "1050 USD": false, " USD": false,
		"10.50 ": false, "-10.50 USD": false, "1.05e1 USD": false,
	} {
		number, code, _ := strings.Cut(text, " ")
		err := SameAmount(json.Number(number), code, connector.ProviderRequest{Amount: amount}, false)
		if (err == nil) != same {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestArrived reads what has arrived. Nothing may be written as zero.
func TestArrived(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0.00", "0.00": "0.00", "5": "5.00", "10.00": "10.00",
		"": "", "-0": "", "-5": "", "1e1": "", "5.001": "", "x": "",
	} {
		usd, _ := money.Find("USD")
		got, err := Arrived(json.Number(text), usd)
		if got.String() != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
}
