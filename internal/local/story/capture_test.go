package story

import (
	"slices"
	"testing"
	"time"
)

// Two steps: authorised, then captured or voided.
func TestTwoSteps(t *testing.T) {
	type step struct{ do, response, status string }
	tests := []struct {
		name, card string
		steps      []step
		told       []string
	}{
		{"captured in part", "01/38", []step{
			{"capture 10.01", "400 208004 amount: This value should be 10.00 or less.", "pending"},
			{"capture 4", "200 SUCCESS settled", "settled"},
			{"capture 6", "400 208003 Capture is not allowed.", "settled"},
			{"refund 4.01", "400 208006 amount: This value should be 4.00 or less.", "settled"},
			{"refund ", "200 accepted", "refund"},
		}, []string{"sale success pending", "capture success settled", "refund success refund"}},
		{"capture declined", "03/38", []step{
			{"capture ", "200 FAIL pending", "pending"},
			{"void ", "200 SUCCESS void", "void"},
		}, []string{"sale success pending", "capture fail pending", "void success void"}},
		{"voided", "01/38", []step{
			{"void ", "200 SUCCESS void", "void"},
			{"void ", "400 100000 Void is not allowed.", "void"},
			{"capture ", "400 208003 Capture is not allowed.", "void"},
			{"refund ", "400 208005 Refund is not allowed.", "void"},
		}, []string{"sale success pending", "void success void"}},
		{"captured, then voided on the same day", "01/38", []step{
			{"capture 5", "200 SUCCESS settled", "settled"},
			{"void ", "200 SUCCESS void", "void"},
		}, []string{"sale success pending", "capture success settled", "void success void"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := open(t, operations)
			payer := w.shop.visits("pen-1", with("auth", "Y"))
			payer.pays(test.card)
			payer.is("pending")
			payer.sees("go https://shop.example/paid")
			for _, step := range test.steps {
				if got := w.shop.does(step.do, payer.paymentID()); got != step.response {
					t.Errorf("%s: %s, want %s", step.do, got, step.response)
				}
				w.work()
				payer.is(step.status)
			}
			w.shop.told(test.told...)
		})
	}
}

// Many captures and voids of one payment at once: their responses agree with its final status.
func TestCaptureAgainstVoid(t *testing.T) {
	for range 4 {
		w := open(t, operations)
		payer := w.shop.visits("pen-1", with("auth", true))
		payer.pays("01/38")
		id := payer.paymentID()
		responses := make([]string, 12)
		w.atOnce(len(responses), func(i int) {
			responses[i] = w.shop.does([]string{"capture ", "void "}[i%2], id)
		})
		w.pass(time.Minute)
		captured := slices.Index(responses, "200 SUCCESS settled") >= 0
		voided := slices.Index(responses, "200 SUCCESS void") >= 0
		switch status := payer.status(); status {
		case "settled":
			if !captured || voided {
				t.Errorf("settled, but the responses are %q", responses)
			}
			w.shop.told("sale success pending", "capture success settled")
		case "void":
			// A capture can succeed before the void, on the same day.
			if !voided {
				t.Errorf("void, but the responses are %q", responses)
			}
		default:
			t.Errorf("status %s", status)
		}
	}
}
