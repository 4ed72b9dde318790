package simulator

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// adapterResult is what became of a request.
type adapterResult struct {
	Kind      string            `json:"kind"`
	Reference string            `json:"reference"`
	Payment   string            `json:"payment,omitempty"`
	Session   string            `json:"session,omitempty"`
	Status    string            `json:"status"`
	Requested *adapterAmount    `json:"requested,omitempty"`
	Amount    *adapterAmount    `json:"amount,omitempty"`
	Decline   map[string]string `json:"decline,omitempty"`
	Action    *adapterAction    `json:"action,omitempty"`
	Received  map[string]string `json:"received,omitempty"`
	Elsewhere map[string]string `json:"elsewhere,omitempty"`
	Provider  map[string]string `json:"provider,omitempty"`

	Authentication map[string]any `json:"authentication,omitempty"`
}

// adapterAction is what the payer has to do.
type adapterAction struct {
	Type      string           `json:"type"`
	URL       string           `json:"url,omitempty"`
	Text      string           `json:"text,omitempty"`
	Show      []adapterRow     `json:"show,omitempty"`
	Fields    []map[string]any `json:"fields,omitempty"`
	ExpiresAt time.Time        `json:"expires_at"`
}

// adapterKind is the contract's name of a kind: a payout is a charge, too.
func adapterKind(k Kind) string {
	if k == Payout {
		return string(Charge)
	}
	return string(k)
}

// adapterResult returns what became of an operation. What became of a charge is not changed by its captures, voids and
// refunds.
func (s *Simulator) adapterResult(o Operation) adapterResult {
	a := adapterResult{
		Kind: adapterKind(o.Kind), Reference: o.Reference, Payment: o.Values["payment"], Session: o.Values["session"],
	}
	if !o.Amount.IsZero() && o.Kind != Void {
		a.Requested = adapterAmountOf(o.Amount)
	}
	if a.Kind == string(Charge) {
		a.Provider = map[string]string{"id": o.ID}
		if card := o.played() == playCard || o.played() == playWallet; card && o.succeeded() && o.Kind == Charge {
			a.Provider["network_transaction_id"] = o.networkID()
		}
		if o.authenticated() {
			a.Authentication = map[string]any{
				"eci": "05", "liability_shift": true, "three_ds_version": "2.2.0", "ds_transaction_id": dsID(o),
			}
		}
		if o.Step == StepSend && o.State != Declined && !o.Moved.IsZero() {
			a.Received = map[string]string{"currency": o.Amount.Currency().Code, "amount": o.Moved.String()}
			if !o.Amount.IsZero() {
				a.Received["due"] = o.Amount.String()
			}
		}
	}
	switch o.State {
	case Waiting:
		if a.Status = "pending"; o.Step != NoStep {
			a.Status, a.Action = "action_required", s.adapterAction(o)
		}
	case Declined, Expired:
		a.Status, a.Decline = "declined", map[string]string{"reason": o.Reason, "code": "sim_" + o.Reason}
	case Reversed:
		if o.Kind == Refund {
			a.Status, a.Decline = "declined", map[string]string{"reason": "account_closed", "code": "sim_" + o.Reason}
			break
		}
		a.succeed(o)
	default:
		a.succeed(o)
	}
	return a
}

// succeed sets what a result of a success has.
func (a *adapterResult) succeed(o Operation) {
	a.Status = "approved"
	if o.HoldOnly {
		a.Status = "authorised"
	}
	if o.State == Reversed && o.Reason == "chargeback" {
		a.Elsewhere = map[string]string{"what": "chargeback"}
	} else if o.State == Reversed && o.Reason != "voided" {
		a.Elsewhere = map[string]string{"what": "reversal"}
	}
	if o.Kind == Void {
		return
	}
	switch {
	case o.fault == OtherAmount:
		a.Amount = adapterAmountOf(less(o.Amount))
	case o.Amount.IsZero():
		a.Amount = adapterAmountOf(o.Moved)
	default:
		a.Amount = adapterAmountOf(o.Amount)
	}
}

// adapterAction is what the payer of a waiting operation has to do.
func (s *Simulator) adapterAction(o Operation) *adapterAction {
	a := &adapterAction{ExpiresAt: o.ExpiresAt.UTC()}
	switch o.Step {
	case StepPage:
		a.Type, a.URL = "redirect", s.PayURL(o)
		return a
	case Step3DS:
		a.Type, a.URL = "3ds", s.PayURL(o)
		return a
	}
	a.Type, a.Text, a.Show = "wait", adapterSteps[o.played()].text, s.adapterRows(o)
	if o.Step == StepCode {
		a.Fields = []map[string]any{{"id": "bankDetails.otp"}}
		if adapterMethods[o.Method] != playCode {
			a.Text, a.Show, a.Fields = "", nil, adapterForm
		}
		if o.Values["wrong"] != "" {
			a.Text = "code_wrong"
		}
	}
	return a
}

// adapterForm has described fields of every kind.
var adapterForm = []map[string]any{
	{"id": "pin", "kind": "password", "required": true, "pattern": "[0-9]{6}", "max": 6,
		"label": map[string]string{"en": "PIN", "de": "Geheimzahl"}},
	{"id": "account", "kind": "select", "required": true, "label": map[string]string{"en": "Account", "de": "Konto"},
		"options": []map[string]any{
			{"value": "a-1", "label": map[string]string{"en": "Savings", "de": "Sparkonto"}}, {"value": "a-2"},
		}},
	{"id": "born", "kind": "date", "label": map[string]string{"en": "Date of birth"}},
	{"id": "branch", "kind": "digits", "max": 4, "label": map[string]string{"en": "Branch"}},
	{"id": "share", "kind": "number", "label": map[string]string{"en": "Share"}},
	{"id": "mail", "kind": "email", "label": map[string]string{"en": "Other e-mail"}},
	{"id": "call", "kind": "phone", "label": map[string]string{"en": "Other phone"}},
	{"id": "sms", "kind": "code", "label": map[string]string{"en": "Code of the text message"}},
	{"id": "note", "kind": "text", "label": map[string]string{"en": "Note <b>to</b> the bank"}},
	{"id": "terms", "kind": "checkbox", "required": true, "label": map[string]string{"en": "I agree"}},
}

// adapterNotice is the result of an operation, signed.
func adapterNotice(s *Simulator, o Operation) *http.Request {
	body, _ := json.Marshal(s.adapterResult(o))
	r, err := http.NewRequest("POST", o.NoticeURL, bytes.NewReader(body))
	if err != nil {
		return nil
	}
	r.Header.Set("Content-Type", "application/json")
	at := s.Now()
	id := "notice_" + o.ID + "_" + string(o.State) + "_" + o.Moved.Minor()
	adapterSign(r.Header, id, strconv.FormatInt(at.Unix(), 10), string(body))
	return r
}

// spoilAdapterNotice makes the signature of a notice wrong.
func spoilAdapterNotice(r *http.Request) { r.Header.Set("webhook-signature", "v1,AAAA") }
