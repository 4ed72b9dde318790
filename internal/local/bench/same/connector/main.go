// Command connector is built with the libraries of the function of that name, and does nothing.
package main

import (
	"context"
	"crypto/ecdh"
	"crypto/hpke"
	"crypto/x509"

	"checkout/internal/local/bench/same/providers"
	"checkout/internal/local/bench/same/queue"
	"checkout/internal/local/bench/same/table"
	"checkout/internal/local/bench/same/wallets"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/smallstep/pkcs7"
)

func main() {
	table.Use(context.Background())
	queue.Use(context.Background())
	x509.ParsePKCS8PrivateKey(nil)
	if key, err := hpke.DHKEM(ecdh.P256()).GenerateKey(); err == nil {
		hpke.NewRecipient(nil, key, hpke.HKDFSHA256(), hpke.AES256GCM(), nil)
	}
	providers.Use()
	wallets.Use()
	if signed, err := pkcs7.Parse(nil); err == nil {
		signed.VerifyWithChain(nil)
	}
	lambda.Start(func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) {
		return events.SQSEventResponse{}, nil
	})
}
