// Package providers uses what functions are built with that talk to providers.
package providers

import (
	"encoding/json"
	"net/http"

	"github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/form"
)

// Use uses Stripe's library and an HTTP client.
func Use() {
	form.AppendTo(&form.Values{}, &stripe.PaymentIntentConfirmParams{})
	if json.Unmarshal(nil, &stripe.PaymentIntent{}) == nil {
		return
	}
	if response, err := (&http.Client{Transport: &http.Transport{}}).Get(""); err == nil {
		response.Body.Close()
	}
}
