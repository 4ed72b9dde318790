// Command session is built with the libraries of the function of that name, and does nothing.
package main

import (
	"context"
	"crypto/ecdh"
	"crypto/hpke"
	"crypto/x509"

	"checkout/internal/local/bench/same/queue"
	"checkout/internal/local/bench/same/table"
	"checkout/internal/local/bench/same/web"

	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/btcsuite/btcd/btcutil/base58"
	"github.com/btcsuite/btcd/btcutil/bech32"
	"golang.org/x/crypto/sha3"
)

func main() {
	table.Use(context.Background())
	queue.Use(context.Background())
	kms.NewFromConfig(table.Config()).GenerateDataKeyPairWithoutPlaintext(context.Background(), nil)
	x509.ParsePKIXPublicKey(nil)
	if key, err := hpke.DHKEM(ecdh.P256()).NewPublicKey(nil); err == nil {
		if _, sender, err := hpke.NewSender(key, hpke.HKDFSHA256(), hpke.AES256GCM(), nil); err == nil {
			sender.Seal(nil, nil)
		}
	}
	bech32.DecodeGeneric("")
	bech32.ConvertBits(nil, 5, 8, false)
	base58.CheckDecode("")
	sha3.NewLegacyKeccak256().Sum(nil)
	web.Serve()
}
