package faults

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"checkout/internal/connector"
	"checkout/internal/local/simulator"
)

// lies has the provider of an operation that waits send a notice of its success which contradicts what was asked for:
// in the amount, the kind, the reference or the session. It is signed right, and must not be believed.
func (x *faultRun) lies() {
	for _, o := range x.sim.Operations() {
		if o.State != simulator.Waiting || o.Family != "stripe" && o.Family != "adapter" || o.NoticeURL == "" {
			continue
		}
		x.counts("lie")
		if o.Family == "stripe" {
			x.liesAsStripe(o)
		} else {
			x.liesAsAdapter(o)
		}
	}
}

func (x *faultRun) liesAsStripe(o simulator.Operation) {
	amount, reference, received := o.Amount.Minor(), o.Reference, o.Amount.Minor()
	switch x.n(3) {
	case 0:
		received += "0"
	case 1:
		amount, received = "1"+amount, "1"+amount
	case 2:
		reference = o.Reference + "-9"
	}
	body := fmt.Sprintf(`{"id":"evt_lie","object":"event","type":"payment_intent.succeeded","livemode":false,
		"api_version":"2026-03-25.dahlia","data":{"object":{"id":%q,"object":"payment_intent","status":"succeeded",
		"amount":%s,"amount_received":%s,"currency":"usd","capture_method":"automatic","latest_charge":"ch_lie",
		"metadata":{"reference":%q,"payment_id":%q,"amount":%q}}}}`,
		o.Values["intent"], amount, received, reference, paymentOf(o.Reference), o.Amount.Minor())
	r, _ := http.NewRequest("POST", o.NoticeURL, bytes.NewReader([]byte(body)))
	r.Header.Set("Stripe-Signature", fmt.Sprintf("t=%d,v1=%064d", x.Clock.Now().Unix(), 0))
	signNotice(connector.Notification{Header: r.Header, Body: []byte(body)})
	_, _ = x.overAPI(r)
}

func (x *faultRun) liesAsAdapter(o simulator.Operation) {
	r := x.sim.Notice(o.Family, o.Reference)
	text, _ := io.ReadAll(r.Body)
	var says map[string]any
	_ = json.Unmarshal(text, &says)
	delete(says, "action")
	says["status"], says["amount"] = "approved", says["requested"]
	more := map[string]any{"value": "1" + o.Amount.String(), "currency": o.Amount.Currency().Code, "exponent": 2}
	switch x.n(5) {
	case 0:
		says["requested"], says["amount"] = more, more
	case 1:
		says["amount"] = more
	case 2:
		says["kind"] = "refund"
	case 3:
		says["reference"] = o.Reference + "-9"
	case 4:
		says["session"] = "00000000000000000000000000000000"
	}
	body, _ := json.Marshal(says)
	id, at := "notice_lie", fmt.Sprint(x.Clock.Now().Unix())
	mac := hmac.New(sha256.New, []byte(simulator.Secret))
	mac.Write([]byte(id + "." + at + "." + string(body)))
	r.Header.Set("webhook-id", id)
	r.Header.Set("webhook-timestamp", at)
	r.Header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	r.Body = io.NopCloser(bytes.NewReader(body))
	_, _ = x.overAPI(r)
}

// repeatsNotice has one of the last notices arrive once more.
func (x *faultRun) repeatsNotice() {
	if n := len(x.notices); n > 0 {
		x.counts("old notice")
		_, _ = x.overAPI(x.notices[n-1-x.n(min(n, 5))].again())
	}
}
