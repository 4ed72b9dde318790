// Command connector is built with the libraries of the function of that name, and does nothing.
package main

import (
	"context"
	"crypto/ecdh"
	"crypto/hpke"
	"crypto/x509"
	"encoding/json"

	"checkout/internal/local/bench/same/queue"
	"checkout/internal/local/bench/same/table"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/form"
)

func main() {
	table.Use(context.Background())
	queue.Use(context.Background())
	x509.ParsePKCS8PrivateKey(nil)
	if key, err := hpke.DHKEM(ecdh.P256()).GenerateKey(); err == nil {
		hpke.NewRecipient(nil, key, hpke.HKDFSHA256(), hpke.AES256GCM(), nil)
	}
	form.AppendTo(&form.Values{}, &stripe.PaymentIntentConfirmParams{})
	if json.Unmarshal(nil, &stripe.PaymentIntent{}) == nil {
		return
	}
	lambda.Start(func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) {
		return events.SQSEventResponse{}, nil
	})
}
