// Command page is built with the libraries of the function of that name, and does nothing.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"

	"checkout/internal/local/bench/same/queue"
	"checkout/internal/local/bench/same/table"
	"checkout/internal/local/bench/same/web"
)

func main() {
	table.Use(context.Background())
	queue.Use(context.Background())
	x509.ParsePKIXPublicKey(nil)
	if identity, err := tls.X509KeyPair(nil, nil); err == nil {
		client := &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{Certificates: []tls.Certificate{identity}}}}
		client.Post("", "", nil)
	}
	web.Serve()
}
