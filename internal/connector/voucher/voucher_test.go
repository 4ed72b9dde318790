package voucher

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"checkout/internal/card"
	"checkout/internal/connector"
	"checkout/internal/connector/conformance"
	"checkout/internal/local/simulated"
	"checkout/internal/local/simulator"
	"checkout/internal/reason"
)

var vouchers atomic.Int64

// newPIN is the PIN of a voucher that was not used.
func newPIN() string { return fmt.Sprintf("%012d4444", vouchers.Add(1)) }

func chargeOf(pin string) connector.Charge {
	return connector.Charge{
		Method: "voucher", Operation: "purchase", Card: card.Card{Values: map[string]string{"pin": pin}},
	}
}

func TestConformance(t *testing.T) {
	conformance.Run(t, func(t *testing.T) conformance.Provider {
		f := simulated.Start(t, "voucher", New)
		p := f.Provider()
		p.Charge = func(b conformance.Behaviour) connector.Charge {
			switch b {
			case conformance.Declines:
				return chargeOf("7777777777771111")
			case conformance.DeclinesSoftly:
				return chargeOf("7777777777772222") // its value is too low
			case conformance.Waits:
				f.ExpectCharge(b)
			}
			return chargeOf(newPIN())
		}
		p.Confirm = nil // nobody confirms what a PIN pays
		return p
	})
}

// TestRequests compares requests with those that the README documents.
func TestRequests(t *testing.T) {
	f := simulated.Start(t, "voucher", New)
	for i, c := range []connector.Charge{
		chargeOf("1234567890123456"),
		{Method: "voucher", Operation: "purchase", Parameters: json.RawMessage(`{"pin":"2345678901234567"}`)},
	} {
		c.ProviderRequest = f.Request(fmt.Sprintf("reference-%d", i+1))
		if r, err := f.Connector.Charge(t.Context(), c); err != nil || r.Outcome != connector.OutcomeApproved {
			t.Errorf("returned %+v, %v", r, err)
		}
	}
	f.LookUp(t, f.Request("reference-1"))
	f.WantRequests(t)
}

// TestDeclines has vouchers that don't pay, and one that pays only once. No PIN is returned.
func TestDeclines(t *testing.T) {
	f := simulated.Start(t, "voucher", New)
	spent := newPIN()
	for i, test := range []struct {
		pin, code string
		reason    reason.Code
	}{
		{spent, "", ""},
		{spent, "pin_used", reason.VoucherInvalid},
		{"7777777777770000", "pin_unknown", reason.VoucherInvalid},
		{"7777777777771111", "pin_used", reason.VoucherInvalid},
		{"7777777777772222", "pin_value_too_low", reason.InsufficientFunds},
	} {
		c := chargeOf(test.pin)
		c.ProviderRequest = f.Request(fmt.Sprintf("reference-%d", i))
		r, err := f.Connector.Charge(t.Context(), c)
		declined := r.Outcome == connector.OutcomeDeclined
		if err != nil || declined == (test.code == "") || r.Code != test.code || r.ReasonCode != test.reason {
			t.Errorf("%s: %+v, %v", test.pin, r, err)
		}
		if strings.Contains(fmt.Sprintf("%+v %v", r, err), test.pin) {
			t.Errorf("%s is in %+v, %v", test.pin, r, err)
		}
	}
}

// TestFaults returns no PIN in the errors of a provider that is broken.
func TestFaults(t *testing.T) {
	for _, fault := range []simulator.Fault{
		simulator.DropsConnection, simulator.BrokenJSON, simulator.ServerError, simulator.OtherAmount,
		simulator.TooManyRequests,
	} {
		f := simulated.Start(t, "voucher", New)
		f.Expect(simulator.Charge, simulator.Next{Fault: fault})
		c := chargeOf("1234567890123456")
		c.ProviderRequest = f.Request("reference-1")
		r, err := f.Connector.Charge(t.Context(), c)
		unsent := errors.Is(err, connector.ErrNotSent)
		if err == nil || strings.Contains(err.Error(), "123456789") || unsent != (fault == simulator.TooManyRequests) {
			t.Errorf("%s: %+v, %v", fault, r, err)
		}
	}
}

// TestNothingSent fails before anything is sent, and if the provider does not take the credentials.
func TestNothingSent(t *testing.T) {
	for _, lacks := range []string{"url", "key", "secret", "PIN", "right key", "right secret"} {
		f := simulated.Start(t, "voucher", New)
		c := chargeOf(newPIN())
		c.ProviderRequest = f.Request("reference-1")
		delete(c.Credentials, lacks)
		switch lacks {
		case "PIN":
			c.Card.Values = nil
		case "right key":
			c.Credentials["key"] = "wrong"
		case "right secret":
			c.Credentials["secret"] = "wrong"
		}
		r, err := f.Connector.Charge(t.Context(), c)
		if !errors.Is(err, connector.ErrNotSent) || len(f.Simulator.Operations()) > 0 {
			t.Errorf("without %s: %+v, %v", lacks, r, err)
		}
	}
}

// TestReversal is told by a notice, and by a look-up or a repeat only as a decline.
func TestReversal(t *testing.T) {
	f := simulated.Start(t, "voucher", New)
	c := chargeOf(newPIN())
	c.ProviderRequest = f.Request("reference-1")
	if r, err := f.Connector.Charge(t.Context(), c); err != nil {
		t.Fatalf("%+v, %v", r, err)
	}
	f.Act("reference-1", simulator.Dispute)
	got, err := f.Read(f.Notice("reference-1"))
	if err != nil || got.Result.Outcome != connector.OutcomeReversal || got.PaymentID != "payment-1" {
		t.Errorf("the notice: %+v, %v", got, err)
	}
	f.WantNeverApproved(t, c)
}
